#include "standin.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { FDS = 1 << 16 };

static struct standin *_Atomic by_fd[FDS];
static struct standin *all;
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;

int standin_fail(int error) {
  errno = error;
  return -1;
}

int standin_raise(int fd) {
  int high = fcntl(fd, F_DUPFD_CLOEXEC, 500);
  if (high < 0)
    return fd;
  __real_close(fd);
  return high;
}

int standin_watch(struct standin *standin, int operation, int fd, uint32_t events, enum standin_kind kind) {
  struct epoll_event event = {.events = events, .data.u64 = (uint64_t)kind << 32 | (uint32_t)fd};
  return epoll_ctl(standin->fd, operation, fd, &event);
}

int standin_open(struct standin *standin, int epoll_flags, int eventfd_flags) {
  pthread_mutex_init(&standin->lock, NULL);
  standin->inotify_fd = -1;
  standin->fd = epoll_create1(epoll_flags);
  standin->user_fd = standin->fd < 0 ? -1 : eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | eventfd_flags);
  if (standin->user_fd < 0) {
    int error = errno;
    if (standin->fd >= 0)
      __real_close(standin->fd);
    free(standin);
    return standin_fail(error);
  }
  standin->user_fd = standin_raise(standin->user_fd);
  standin_watch(standin, EPOLL_CTL_ADD, standin->user_fd, EPOLLIN, USER);
  pthread_mutex_lock(&all_lock);
  standin->next = all;
  all = standin;
  atomic_store(&by_fd[standin->fd], standin);
  pthread_mutex_unlock(&all_lock);
  return standin->fd;
}

struct standin *standin_of(int fd) {
  return fd >= 0 && fd < FDS ? atomic_load(&by_fd[fd]) : NULL;
}

int standin_trigger(struct standin *standin) {
  static const uint64_t one = 1;
  return write(standin->user_fd, &one, sizeof(one)) < 0 ? -1 : 0;
}

/* ---- files ---- */

int standin_add_file(struct standin *standin, const char *path) {
  if (standin->inotify_fd < 0) {
    int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (fd < 0)
      return -1;
    standin->inotify_fd = standin_raise(fd);
    if (standin_watch(standin, EPOLL_CTL_ADD, standin->inotify_fd, EPOLLIN, FILES) < 0)
      return -1;
  }
  return inotify_add_watch(standin->inotify_fd, path,
                           IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF |
                               IN_DELETE_SELF);
}

void standin_read_files(struct standin *standin,
                        void (*changed)(struct standin *standin, const struct inotify_event *event)) {
  _Alignas(struct inotify_event) char bytes[4096];
  ssize_t n;
  while (standin->inotify_fd >= 0 && (n = read(standin->inotify_fd, bytes, sizeof(bytes))) > 0) {
    for (ssize_t at = 0; at < n;) {
      const struct inotify_event *event = (const struct inotify_event *)(const void *)(bytes + at);
      at += (ssize_t)(sizeof(*event) + event->len);
      changed(standin, event);
    }
  }
}

/* ---- time ---- */

int64_t standin_now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * (int64_t)1000 + now.tv_nsec / 1000000;
}

int standin_timeout_ms(const struct timespec *timeout) {
  return timeout == NULL ? -1 : (int)(timeout->tv_sec * 1000 + (timeout->tv_nsec + 999999) / 1000000);
}

/* ---- closing ---- */

static void release(struct standin *standin) {
  standin_empty(standin);
  __real_close(standin->user_fd);
  if (standin->inotify_fd >= 0)
    __real_close(standin->inotify_fd);
  free(standin);
}

void standin_drop_all(void) {
  pthread_mutex_init(&all_lock, NULL);
  while (all != NULL) {
    struct standin *standin = all;
    all = standin->next;
    atomic_store(&by_fd[standin->fd], NULL);
    __real_close(standin->fd);
    release(standin);
  }
}

int __wrap_close(int fd) {
  int saved = errno;
  pthread_mutex_lock(&all_lock);
  for (struct standin **place = &all; *place != NULL;) {
    struct standin *standin = *place;
    if (standin->fd != fd) {
      standin_forget(standin, fd);
      place = &standin->next;
      continue;
    }
    *place = standin->next;
    atomic_store(&by_fd[fd], NULL);
    release(standin);
  }
  pthread_mutex_unlock(&all_lock);
  errno = saved;
  return __real_close(fd);
}
