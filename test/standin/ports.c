/* A stand-in for event ports on Linux, so that the poller on event ports runs here. It has the sources that rota uses,
 * with the semantics of the manual pages (illumos):
 *
 *   a port             is a descriptor that can be polled
 *   PORT_SOURCE_FD     an event ends the association; to associate again changes it; POLLERR and POLLHUP always come.
 *                      To dissociate what is not associated is ENOENT
 *   PORT_SOURCE_USER   port_send queues an event
 *   PORT_SOURCE_FILE   a file by its name, with the times that the caller knows: if they differ, the event comes at
 *                      once. An event ends the association. FILE_DELETE, FILE_RENAME_FROM and FILE_RENAME_TO come
 * unasked port_getn          waits for *count events and returns up to max; ETIME when the time is over
 *
 * A port is an epoll descriptor with one-shot entries. Into it go an event descriptor for the user's events, and one of
 * inotify. Linux's times of files tick slowly: what inotify tells of a file whose association has ended is kept, and
 * makes the event of the next one.
 *
 * Invariant: files are changed with the port's lock held; port_send takes no lock, because a signal handler may call
 * it. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <port.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FDS = 1 << 16, BATCH = 1024 };
enum kind { DESCRIPTOR, USER, FILES };

struct file {
  struct file *next;
  file_obj_t *object;
  void *user;
  int watch; /* of inotify */
  int wanted;
  int gathered;
  bool associated;
};

struct port {
  struct port *next;
  pthread_mutex_t lock;
  int fd, user_fd, inotify_fd;
  struct file *files;
  _Atomic int sent; /* events of the user that wait; other strokes of user_fd are about files */
};

static struct port *_Atomic by_fd[FDS];
static struct port *ports; /* all of them */
static pthread_mutex_t ports_lock = PTHREAD_MUTEX_INITIALIZER;

int __real_close(int fd);
int __wrap_close(int fd);

static int fail(int error) {
  errno = error;
  return -1;
}

static struct port *port_of(int fd) {
  return fd >= 0 && fd < FDS ? atomic_load(&by_fd[fd]) : NULL;
}

/* High numbers for the stand-in's own: programs and tests count on the low ones. */
static int raise_number(int fd) {
  int high = fcntl(fd, F_DUPFD_CLOEXEC, 500);
  if (high < 0)
    return fd;
  __real_close(fd);
  return high;
}

static int control(struct port *port, int operation, int fd, uint32_t events, enum kind kind) {
  struct epoll_event event = {.events = events, .data.u64 = (uint64_t)kind << 32 | (uint32_t)fd};
  return epoll_ctl(port->fd, operation, fd, &event);
}

int port_create(void) {
  struct port *port = calloc(1, sizeof(*port));
  if (port == NULL)
    return fail(ENOMEM);
  pthread_mutex_init(&port->lock, NULL);
  port->inotify_fd = -1;
  port->fd = epoll_create1(0);
  port->user_fd = port->fd < 0 ? -1 : eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
  if (port->user_fd < 0) {
    int error = errno;
    if (port->fd >= 0)
      __real_close(port->fd);
    free(port);
    return fail(error);
  }
  port->user_fd = raise_number(port->user_fd);
  control(port, EPOLL_CTL_ADD, port->user_fd, EPOLLIN, USER);
  pthread_mutex_lock(&ports_lock);
  port->next = ports;
  ports = port;
  atomic_store(&by_fd[port->fd], port);
  pthread_mutex_unlock(&ports_lock);
  return port->fd;
}

static int ring(struct port *port) {
  static const uint64_t one = 1;
  return write(port->user_fd, &one, sizeof(one)) < 0 ? -1 : 0;
}

int port_send(int fd, int events, void *user) {
  struct port *port = port_of(fd);
  (void)events;
  (void)user;
  if (port == NULL)
    return fail(EBADF);
  atomic_fetch_add(&port->sent, 1);
  return ring(port);
}

/* ---- files ---- */

static struct file **find_file(struct port *port, const file_obj_t *object) {
  struct file **place = &port->files;
  while (*place != NULL && (*place)->object != object)
    place = &(*place)->next;
  return place;
}

static bool same(const struct timespec *a, const struct timespec *b) {
  return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static int open_inotify(struct port *port) {
  if (port->inotify_fd >= 0)
    return 0;
  int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (fd < 0)
    return -1;
  port->inotify_fd = raise_number(fd);
  return control(port, EPOLL_CTL_ADD, port->inotify_fd, EPOLLIN, FILES);
}

static struct file *new_file(struct port *port, file_obj_t *object) {
  struct file *file = open_inotify(port) < 0 ? NULL : calloc(1, sizeof(*file));
  if (file == NULL)
    return NULL;
  file->object = object;
  file->watch = inotify_add_watch(port->inotify_fd, object->fo_name,
                                  IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                                      IN_MOVE_SELF | IN_DELETE_SELF);
  if (file->watch < 0) {
    free(file);
    return NULL;
  }
  file->next = port->files;
  port->files = file;
  return file;
}

static int associate_file(struct port *port, file_obj_t *object, int events, void *user) {
  struct stat now;
  struct file *file = *find_file(port, object);
  if (stat(object->fo_name, &now) < 0)
    return -1;
  if (file == NULL)
    file = new_file(port, object);
  if (file == NULL)
    return -1;
  file->wanted = events;
  file->user = user;
  file->associated = true;
  if (!same(&now.st_mtim, &object->fo_mtime))
    file->gathered |= FILE_MODIFIED;
  if (file->gathered != 0)
    ring(port);
  return 0;
}

static int dissociate_file(struct port *port, const file_obj_t *object) {
  struct file **place = find_file(port, object);
  struct file *file = *place;
  if (file == NULL)
    return fail(ENOENT);
  *place = file->next;
  struct file *other = port->files;
  while (other != NULL && other->watch != file->watch)
    other = other->next;
  if (other == NULL)
    inotify_rm_watch(port->inotify_fd, file->watch);
  bool was = file->associated;
  free(file);
  return was ? 0 : fail(ENOENT);
}

static int event_of(const struct inotify_event *event, const file_obj_t *object) {
  struct stat stat;
  if (event->mask & IN_MOVE_SELF)
    return FILE_RENAME_FROM;
  if (event->mask & (IN_DELETE_SELF | IN_IGNORED))
    return FILE_DELETE;
  if (event->len > 0)
    return event->mask & (IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO) ? FILE_MODIFIED : 0;
  if (event->mask & IN_ATTRIB)
    return lstat(object->fo_name, &stat) < 0 ? FILE_DELETE : FILE_ATTRIB;
  return event->mask & IN_MODIFY ? FILE_MODIFIED : 0;
}

static void gather(struct port *port) {
  _Alignas(struct inotify_event) char bytes[4096];
  ssize_t n;
  while (port->inotify_fd >= 0 && (n = read(port->inotify_fd, bytes, sizeof(bytes))) > 0) {
    for (ssize_t at = 0; at < n;) {
      const struct inotify_event *event = (const struct inotify_event *)(const void *)(bytes + at);
      at += (ssize_t)(sizeof(*event) + event->len);
      for (struct file *file = port->files; file != NULL; file = file->next)
        if (file->watch == event->wd)
          file->gathered |= event_of(event, file->object);
    }
  }
}

/* ---- associations ---- */

/* How poll's events are called by epoll is the same on Linux. */
static int associate_descriptor(struct port *port, int fd, int events) {
  uint32_t once = (uint32_t)events | EPOLLONESHOT;
  if (control(port, EPOLL_CTL_MOD, fd, once, DESCRIPTOR) == 0)
    return 0;
  return errno == ENOENT ? control(port, EPOLL_CTL_ADD, fd, once, DESCRIPTOR) : -1;
}

int port_associate(int fd, int source, uintptr_t object, int events, void *user) {
  struct port *port = port_of(fd);
  if (port == NULL)
    return fail(EBADF);
  if (source == PORT_SOURCE_FD)
    return associate_descriptor(port, (int)object, events);
  pthread_mutex_lock(&port->lock);
  int result = associate_file(port, (file_obj_t *)object, events, user); /* NOLINT(performance-no-int-to-ptr) */
  pthread_mutex_unlock(&port->lock);
  return result;
}

int port_dissociate(int fd, int source, uintptr_t object) {
  struct port *port = port_of(fd);
  if (port == NULL)
    return fail(EBADF);
  if (source == PORT_SOURCE_FD)
    return control(port, EPOLL_CTL_DEL, (int)object, 0, DESCRIPTOR);
  pthread_mutex_lock(&port->lock);
  int result = dissociate_file(port, (file_obj_t *)object); /* NOLINT(performance-no-int-to-ptr) */
  pthread_mutex_unlock(&port->lock);
  return result;
}

/* ---- events ---- */

struct results {
  port_event_t *at;
  unsigned int room, count;
};

static void give(struct results *results, int source, int events, uintptr_t object, void *user) {
  results->at[results->count++] = (port_event_t){
      .portev_events = events, .portev_source = (uint16_t)source, .portev_object = object, .portev_user = user};
}

static void give_files(struct port *port, struct results *results) {
  const int unasked = FILE_DELETE | FILE_RENAME_FROM | FILE_RENAME_TO;
  gather(port);
  for (struct file *file = port->files; file != NULL; file = file->next) {
    int events = file->gathered & (file->wanted | unasked);
    if (!file->associated || events == 0)
      continue;
    if (results->count == results->room) {
      ring(port); /* the rest in the next call */
      return;
    }
    file->gathered = 0;
    file->associated = false;
    give(results, PORT_SOURCE_FILE, events, (uintptr_t)file->object, file->user);
  }
}

static void take(struct port *port, const struct epoll_event *ready, struct results *results) {
  int fd = (int)(uint32_t)ready->data.u64;
  uint64_t strokes;
  switch ((enum kind)(ready->data.u64 >> 32)) {
  case DESCRIPTOR:
    control(port, EPOLL_CTL_DEL, fd, 0, DESCRIPTOR);
    give(results, PORT_SOURCE_FD, (int)(ready->events & ~(uint32_t)EPOLLONESHOT), (uintptr_t)fd, NULL);
    break;
  case USER:
    if (read(port->user_fd, &strokes, sizeof(strokes)) <= 0)
      break;
    if (atomic_load(&port->sent) > 0) {
      atomic_fetch_sub(&port->sent, 1);
      give(results, PORT_SOURCE_USER, 0, 0, NULL);
    }
    give_files(port, results);
    break;
  case FILES:
    give_files(port, results);
    break;
  }
}

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * (int64_t)1000 + now.tv_nsec / 1000000;
}

int port_getn(int fd, port_event_t list[], unsigned int max, unsigned int *count, const struct timespec *timeout) {
  struct port *port = port_of(fd);
  struct epoll_event ready[BATCH];
  struct results results = {.at = list, .room = max};
  if (port == NULL)
    return fail(EBADF);
  int timeout_ms =
      timeout == NULL ? -1 : (int)(timeout->tv_sec * 1000 + (timeout->tv_nsec + 999999) / 1000000); /* never early */
  int64_t end_ms = now_ms() + timeout_ms;
  *count = 0;
  for (;;) {
    int n = epoll_wait(fd, ready, max < BATCH ? (int)max : BATCH, timeout_ms);
    if (n <= 0)
      return n < 0 ? -1 : fail(ETIME);
    pthread_mutex_lock(&port->lock);
    for (int i = 0; i < n && results.count < results.room; i++)
      take(port, &ready[i], &results);
    pthread_mutex_unlock(&port->lock);
    *count = results.count;
    if (results.count > 0)
      return 0;
    if (timeout_ms == 0)
      return fail(ETIME);
    if (timeout_ms > 0)
      timeout_ms = end_ms > now_ms() ? (int)(end_ms - now_ms()) : 0;
  }
}

/* ---- closing ---- */

static void release(struct port *port) {
  while (port->files != NULL) {
    struct file *file = port->files;
    port->files = file->next;
    free(file);
  }
  __real_close(port->user_fd);
  if (port->inotify_fd >= 0)
    __real_close(port->inotify_fd);
  free(port);
}

/* A closed descriptor is dissociated from every port, also if the file has others. */
int __wrap_close(int fd) {
  int saved = errno;
  pthread_mutex_lock(&ports_lock);
  for (struct port **place = &ports; *place != NULL;) {
    struct port *port = *place;
    if (port->fd != fd) {
      control(port, EPOLL_CTL_DEL, fd, 0, DESCRIPTOR);
      place = &port->next;
      continue;
    }
    *place = port->next;
    atomic_store(&by_fd[fd], NULL);
    release(port);
  }
  pthread_mutex_unlock(&ports_lock);
  errno = saved;
  return __real_close(fd);
}
