/* A stand-in for event ports on Linux, so that the poller on event ports runs here. It has the sources that rota uses,
 * with the semantics of the manual pages (illumos):
 *
 *   a port             is a descriptor that can be polled
 *   PORT_SOURCE_FD     an event ends the association; to associate again changes it; POLLERR and POLLHUP always come.
 *                      To dissociate what is not associated is ENOENT
 *   PORT_SOURCE_USER   port_send queues an event
 *   PORT_SOURCE_FILE   a file by its name, with the times that the caller knows: if they differ, the event comes at
 *                      once. An event ends the association. FILE_DELETE, FILE_RENAME_FROM and FILE_RENAME_TO come
 *                      unasked
 *   port_getn          waits for *count events and returns up to max; ETIME when the time is over
 *
 * A port is a stand-in (standin.h) with files; its entries are one-shot. Linux's times of files tick slowly: what
 * inotify tells of a file whose association has ended is kept, and makes the event of the next one. */
#include <errno.h>
#include <poll.h>
#include <port.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "standin.h"

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
  struct standin base;
  struct file *files;
  _Atomic int sent; /* events of the user that wait; other triggers are about files */
};

static struct port *port_of(int fd) {
  return (struct port *)standin_of(fd);
}

int port_create(void) {
  struct port *port = calloc(1, sizeof(*port));
  return port == NULL ? standin_fail(ENOMEM) : standin_open(&port->base, 0, EFD_SEMAPHORE);
}

int port_send(int fd, int events, void *user) {
  struct port *port = port_of(fd);
  (void)events;
  (void)user;
  if (port == NULL)
    return standin_fail(EBADF);
  atomic_fetch_add(&port->sent, 1);
  return standin_trigger(&port->base);
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

static struct file *new_file(struct port *port, file_obj_t *object) {
  struct file *file = calloc(1, sizeof(*file));
  if (file == NULL)
    return NULL;
  file->object = object;
  file->watch = standin_add_file(&port->base, object->fo_name);
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
    standin_trigger(&port->base);
  return 0;
}

static int dissociate_file(struct port *port, const file_obj_t *object) {
  struct file **place = find_file(port, object);
  struct file *file = *place;
  if (file == NULL)
    return standin_fail(ENOENT);
  *place = file->next;
  struct file *other = port->files;
  while (other != NULL && other->watch != file->watch)
    other = other->next;
  if (other == NULL)
    inotify_rm_watch(port->base.inotify_fd, file->watch);
  bool was = file->associated;
  free(file);
  return was ? 0 : standin_fail(ENOENT);
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

static void gather(struct standin *standin, const struct inotify_event *event) {
  for (struct file *file = ((struct port *)standin)->files; file != NULL; file = file->next)
    if (file->watch == event->wd)
      file->gathered |= event_of(event, file->object);
}

/* ---- associations ---- */

/* How poll's events are called by epoll is the same on Linux. */
static int associate_descriptor(struct port *port, int fd, int events) {
  uint32_t once = (uint32_t)events | EPOLLONESHOT;
  if (standin_watch(&port->base, EPOLL_CTL_MOD, fd, once, DESCRIPTOR) == 0)
    return 0;
  return errno == ENOENT ? standin_watch(&port->base, EPOLL_CTL_ADD, fd, once, DESCRIPTOR) : -1;
}

int port_associate(int fd, int source, uintptr_t object, int events, void *user) {
  struct port *port = port_of(fd);
  if (port == NULL)
    return standin_fail(EBADF);
  if (source == PORT_SOURCE_FD)
    return associate_descriptor(port, (int)object, events);
  pthread_mutex_lock(&port->base.lock);
  int result = associate_file(port, (file_obj_t *)object, events, user); /* NOLINT(performance-no-int-to-ptr) */
  pthread_mutex_unlock(&port->base.lock);
  return result;
}

int port_dissociate(int fd, int source, uintptr_t object) {
  struct port *port = port_of(fd);
  if (port == NULL)
    return standin_fail(EBADF);
  if (source == PORT_SOURCE_FD)
    return standin_watch(&port->base, EPOLL_CTL_DEL, (int)object, 0, DESCRIPTOR);
  pthread_mutex_lock(&port->base.lock);
  int result = dissociate_file(port, (file_obj_t *)object); /* NOLINT(performance-no-int-to-ptr) */
  pthread_mutex_unlock(&port->base.lock);
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
  standin_read_files(&port->base, gather);
  for (struct file *file = port->files; file != NULL; file = file->next) {
    int events = file->gathered & (file->wanted | unasked);
    if (!file->associated || events == 0)
      continue;
    if (results->count == results->room) {
      standin_trigger(&port->base); /* the rest in the next call */
      return;
    }
    file->gathered = 0;
    file->associated = false;
    give(results, PORT_SOURCE_FILE, events, (uintptr_t)file->object, file->user);
  }
}

static void take(struct port *port, const struct epoll_event *ready, struct results *results) {
  int fd = (int)(uint32_t)ready->data.u64;
  uint64_t count;
  switch ((enum standin_kind)(ready->data.u64 >> 32)) {
  case DESCRIPTOR:
    standin_watch(&port->base, EPOLL_CTL_DEL, fd, 0, DESCRIPTOR);
    give(results, PORT_SOURCE_FD, (int)(ready->events & ~(uint32_t)EPOLLONESHOT), (uintptr_t)fd, NULL);
    break;
  case USER:
    if (read(port->base.user_fd, &count, sizeof(count)) <= 0)
      break;
    if (atomic_load(&port->sent) > 0) {
      atomic_fetch_sub(&port->sent, 1);
      give(results, PORT_SOURCE_USER, 0, 0, NULL);
    }
    give_files(port, results);
    break;
  case PROCESS: /* a port has none */
    break;
  case FILES:
    give_files(port, results);
    break;
  }
}

int port_getn(int fd, port_event_t list[], unsigned int max, unsigned int *count, const struct timespec *timeout) {
  struct port *port = port_of(fd);
  struct epoll_event ready[STANDIN_BATCH];
  struct results results = {.at = list, .room = max};
  if (port == NULL)
    return standin_fail(EBADF);
  int timeout_ms = standin_timeout_ms(timeout);
  int64_t end_ms = standin_now_ms() + timeout_ms;
  *count = 0;
  for (;;) {
    int n = epoll_wait(fd, ready, max < STANDIN_BATCH ? (int)max : STANDIN_BATCH, timeout_ms);
    if (n <= 0)
      return n < 0 ? -1 : standin_fail(ETIME);
    pthread_mutex_lock(&port->base.lock);
    for (int i = 0; i < n && results.count < results.room; i++)
      take(port, &ready[i], &results);
    pthread_mutex_unlock(&port->base.lock);
    *count = results.count;
    if (results.count > 0)
      return 0;
    if (timeout_ms == 0)
      return standin_fail(ETIME);
    if (timeout_ms > 0)
      timeout_ms = end_ms > standin_now_ms() ? (int)(end_ms - standin_now_ms()) : 0;
  }
}

/* ---- closing ---- */

void standin_empty(struct standin *standin) {
  struct port *port = (struct port *)standin;
  while (port->files != NULL) {
    struct file *file = port->files;
    port->files = file->next;
    free(file);
  }
}

void standin_forget(struct standin *standin, int fd) {
  standin_watch(standin, EPOLL_CTL_DEL, fd, 0, DESCRIPTOR);
}
