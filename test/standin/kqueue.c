/* A stand-in for kqueue on Linux, so that the poller on kqueue runs here. It has the filters and the flags that rota
 * uses, with the semantics of the manual pages (FreeBSD's kqueue(2); macOS's where the two differ and it is stricter):
 *
 *   a queue         is a descriptor that can be polled; it is not inherited by a child process
 *   EV_ADD          of an event that is there changes it; EV_DELETE of one that is not there is ENOENT
 *   EV_CLEAR        the state is reset when the event is returned
 *   EVFILT_READ     level-triggered; EV_EOF when the peer sends nothing more; NOTE_LOWAT: not before there is so much
 *   EVFILT_WRITE    level-triggered; EV_EOF when the reader is gone
 *   EVFILT_EXCEPT   NOTE_OOB: urgent data
 *   EVFILT_USER     is triggered by NOTE_TRIGGER
 *   EVFILT_PROC     NOTE_EXIT, once; ESRCH when the process has ended already (macOS)
 *   EVFILT_VNODE    belongs to an open file: its changes, gathered until they are returned
 *   close           removes the descriptor's events from every queue, also if the file has other descriptors
 * Each filter of a descriptor is an event of its own.
 *
 * A queue is a stand-in (standin.h) with notes. Into its epoll descriptor go descriptors of processes, too.
 *
 * Not there: regular files as something to read (rota asks for none), and hard links among the changes of a file. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/event.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "standin.h"

enum { BUCKETS = 256 };

struct note {
  struct note *next;
  struct kevent event;
  int fd;          /* PROC: of the process. VNODE: the watch of inotify */
  int parent;      /* VNODE of a directory: the watch of the directory above; -1: none */
  uint32_t gather; /* VNODE: what has changed */
  bool gone;       /* VNODE: NOTE_DELETE was gathered */
};

struct queue {
  struct standin base;
  struct note *notes[BUCKETS]; /* by ident */
  _Atomic bool has_user;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

void standin_empty(struct standin *standin) {
  struct queue *queue = (struct queue *)standin;
  for (int i = 0; i < BUCKETS; i++) {
    while (queue->notes[i] != NULL) {
      struct note *note = queue->notes[i];
      queue->notes[i] = note->next;
      if (note->event.filter == EVFILT_PROC)
        __real_close(note->fd);
      free(note);
    }
  }
}

/* In a child process there are no queues. */
static void prepare(void) {
  pthread_atfork(NULL, NULL, standin_drop_all);
}

int kqueue(void) {
  pthread_once(&once, prepare);
  struct queue *queue = calloc(1, sizeof(*queue));
  return queue == NULL ? standin_fail(ENOMEM) : standin_open(&queue->base, EPOLL_CLOEXEC, 0);
}

/* ---- notes ---- */

static struct note **find(struct queue *queue, uintptr_t ident, int filter) {
  struct note **place = &queue->notes[ident % BUCKETS];
  while (*place != NULL && ((*place)->event.ident != ident || (*place)->event.filter != filter))
    place = &(*place)->next;
  return place;
}

static bool is_descriptor(int filter) {
  return filter == EVFILT_READ || filter == EVFILT_WRITE || filter == EVFILT_EXCEPT;
}

static uint32_t mask_of(const struct note *note) {
  const struct kevent *event = &note->event;
  uint32_t edge = event->flags & EV_CLEAR ? EPOLLET : 0;
  if (event->filter == EVFILT_WRITE)
    return EPOLLOUT | edge;
  if (event->filter == EVFILT_EXCEPT)
    return EPOLLPRI | edge;
  return (event->fflags & NOTE_LOWAT && event->data > 1 ? 0u : EPOLLIN) | EPOLLRDHUP | edge;
}

/* All filters of a descriptor are one entry in the epoll set. */
static int register_descriptor(struct queue *queue, int fd) {
  uint32_t events = 0;
  for (struct note *note = queue->notes[fd % BUCKETS]; note != NULL; note = note->next)
    if (is_descriptor(note->event.filter) && note->event.ident == (uintptr_t)fd)
      events |= mask_of(note);
  if (events == 0) {
    standin_watch(&queue->base, EPOLL_CTL_DEL, fd, 0, DESCRIPTOR);
    return 0;
  }
  if (standin_watch(&queue->base, EPOLL_CTL_MOD, fd, events, DESCRIPTOR) == 0)
    return 0;
  return errno == ENOENT ? standin_watch(&queue->base, EPOLL_CTL_ADD, fd, events, DESCRIPTOR) : -1;
}

static int add_process(struct queue *queue, struct note *note) {
  note->fd = (int)syscall(SYS_pidfd_open, (pid_t)note->event.ident, 0);
  if (note->fd < 0)
    return -1;
  struct pollfd ended = {.fd = note->fd, .events = POLLIN};
  note->fd = ended.fd = standin_raise(note->fd);
  if (poll(&ended, 1, 0) > 0) {
    __real_close(note->fd);
    return standin_fail(ESRCH);
  }
  return standin_watch(&queue->base, EPOLL_CTL_ADD, note->fd, EPOLLIN, PROCESS);
}

/* inotify does not tell of a removed directory while it is open. The directory above tells of it. */
static void watch_parent(struct queue *queue, struct note *note) {
  char path[64];
  struct stat stat;
  snprintf(path, sizeof(path), "/proc/self/fd/%d/..", (int)note->event.ident);
  bool is_directory = fstat((int)note->event.ident, &stat) == 0 && S_ISDIR(stat.st_mode);
  note->parent = is_directory ? standin_add_file(&queue->base, path) : -1;
}

static int add_file(struct queue *queue, struct note *note) {
  char path[64];
  snprintf(path, sizeof(path), "/proc/self/fd/%d", (int)note->event.ident);
  note->fd = standin_add_file(&queue->base, path);
  if (note->fd < 0)
    return -1;
  watch_parent(queue, note);
  return 0;
}

/* Files and processes are few. */
static struct note *next_note(struct queue *queue, struct note *note, int filter) {
  size_t bucket = note == NULL ? 0 : note->event.ident % BUCKETS;
  for (note = note == NULL ? queue->notes[0] : note->next;; note = queue->notes[bucket]) {
    while (note != NULL && note->event.filter != filter)
      note = note->next;
    if (note != NULL || ++bucket == BUCKETS)
      return note;
  }
}

/* Another note may need the watch: for the same file by another descriptor, or as the directory above it. */
static void drop_watch(struct queue *queue, int watch) {
  for (struct note *note = NULL; (note = next_note(queue, note, EVFILT_VNODE)) != NULL;)
    if (note->fd == watch || note->parent == watch)
      return;
  if (watch >= 0)
    inotify_rm_watch(queue->base.inotify_fd, watch);
}

static void drop_file(struct queue *queue, const struct note *gone) {
  drop_watch(queue, gone->fd);
  drop_watch(queue, gone->parent);
}

static void drop(struct queue *queue, struct note **place) {
  struct note *note = *place;
  *place = note->next;
  if (is_descriptor(note->event.filter))
    register_descriptor(queue, (int)note->event.ident);
  else if (note->event.filter == EVFILT_PROC)
    __real_close(note->fd);
  else if (note->event.filter == EVFILT_VNODE)
    drop_file(queue, note);
  free(note);
}

static int add(struct queue *queue, const struct kevent *change) {
  struct note **place = find(queue, change->ident, change->filter);
  if (*place != NULL) {
    (*place)->event = *change;
    return is_descriptor(change->filter) ? register_descriptor(queue, (int)change->ident) : 0;
  }
  struct note *note = calloc(1, sizeof(*note));
  if (note == NULL)
    return standin_fail(ENOMEM);
  note->event = *change;
  int result = 0;
  if (change->filter == EVFILT_PROC)
    result = add_process(queue, note);
  else if (change->filter == EVFILT_VNODE)
    result = add_file(queue, note);
  else if (change->filter == EVFILT_USER)
    atomic_store(&queue->has_user, true);
  else if (!is_descriptor(change->filter))
    result = standin_fail(EINVAL);
  if (result < 0) {
    free(note);
    return -1;
  }
  *place = note; /* the last one */
  if (!is_descriptor(change->filter) || register_descriptor(queue, (int)change->ident) == 0)
    return 0;
  int error = errno;
  *place = NULL;
  free(note);
  return standin_fail(error);
}

static int apply(struct queue *queue, const struct kevent *change) {
  if (change->filter == EVFILT_USER && change->fflags & NOTE_TRIGGER) {
    return atomic_load(&queue->has_user) ? standin_trigger(&queue->base) : standin_fail(ENOENT);
  }
  int result = 0;
  pthread_mutex_lock(&queue->base.lock);
  if (change->flags & EV_ADD) {
    result = add(queue, change);
  } else if (change->flags & EV_DELETE) {
    struct note **place = find(queue, change->ident, change->filter);
    if (*place == NULL)
      result = standin_fail(ENOENT);
    else
      drop(queue, place);
  }
  int error = errno;
  pthread_mutex_unlock(&queue->base.lock);
  errno = error;
  return result;
}

/* ---- what has happened; with the lock held ---- */

struct results {
  struct kevent *at;
  int room;
  int count;
};

/* What does not fit is reported again: nothing in the epoll set is edge-triggered but what has EV_CLEAR. */
static void give(struct results *results, const struct note *note, unsigned int flags, uint32_t fflags, intptr_t data) {
  if (results->count == results->room)
    return;
  struct kevent *event = &results->at[results->count++];
  *event = note->event;
  event->flags = (uint16_t)(event->flags | flags);
  event->fflags = fflags;
  event->data = data;
}

static void descriptor_ready(struct queue *queue, int fd, uint32_t events, struct results *results) {
  const uint32_t over = EPOLLHUP | EPOLLERR;
  int bytes = 0;
  struct note *reader = *find(queue, (uintptr_t)fd, EVFILT_READ);
  struct note *writer = *find(queue, (uintptr_t)fd, EVFILT_WRITE);
  struct note *urgent = *find(queue, (uintptr_t)fd, EVFILT_EXCEPT);
  if (reader != NULL && events & (mask_of(reader) | over)) {
    ioctl(fd, FIONREAD, &bytes);
    give(results, reader, events & (EPOLLRDHUP | over) ? EV_EOF : 0, 0, bytes);
  }
  if (writer != NULL && events & (EPOLLOUT | over))
    give(results, writer, events & over ? EV_EOF : 0, 0, 0);
  if (urgent != NULL && events & EPOLLPRI)
    give(results, urgent, 0, NOTE_OOB, 0);
}

static void process_ended(struct queue *queue, int fd, struct results *results) {
  struct note *note = NULL;
  do
    note = next_note(queue, note, EVFILT_PROC);
  while (note != NULL && note->fd != fd);
  if (note == NULL)
    return;
  give(results, note, EV_EOF, NOTE_EXIT, 0);
  drop(queue, find(queue, note->event.ident, EVFILT_PROC));
}

static uint32_t note_of(const struct inotify_event *event, int fd) {
  struct stat stat;
  bool gone = fstat(fd, &stat) == 0 && stat.st_nlink == 0;
  if (event->mask & (IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO) && event->len > 0)
    return NOTE_WRITE | (event->mask & IN_ISDIR ? NOTE_LINK : 0u);
  if (event->len > 0)
    return 0; /* an entry's own change is no change of the directory */
  if (event->mask & IN_ATTRIB)
    return gone ? NOTE_DELETE : NOTE_ATTRIB;
  if (event->mask & IN_MODIFY)
    return NOTE_WRITE | NOTE_EXTEND;
  return event->mask & IN_MOVE_SELF ? NOTE_RENAME : event->mask & (IN_DELETE_SELF | IN_IGNORED) ? NOTE_DELETE : 0;
}

static void gather(struct standin *standin, const struct inotify_event *event) {
  struct queue *queue = (struct queue *)standin;
  for (struct note *note = NULL; (note = next_note(queue, note, EVFILT_VNODE)) != NULL;) {
    if (note->fd != event->wd)
      continue;
    note->gather |= note_of(event, (int)note->event.ident) & note->event.fflags;
    if (event->mask & IN_MOVE_SELF && note->parent >= 0) {
      int before = note->parent;
      watch_parent(queue, note);
      drop_watch(queue, before);
    }
  }
}

/* Whatever event has come, it may be that of the directory above a removed one. */
static void look_for_removed(struct queue *queue) {
  struct stat stat;
  for (struct note *note = NULL; (note = next_note(queue, note, EVFILT_VNODE)) != NULL;)
    if (!note->gone && fstat((int)note->event.ident, &stat) == 0 && stat.st_nlink == 0) {
      note->gone = true;
      note->gather |= NOTE_DELETE & note->event.fflags;
    }
}

static void files_changed(struct queue *queue, struct results *results) {
  standin_read_files(&queue->base, gather);
  look_for_removed(queue);
  for (struct note *note = NULL; results->count < results->room;) {
    note = next_note(queue, note, EVFILT_VNODE);
    if (note == NULL)
      break;
    if (note->gather == 0)
      continue;
    give(results, note, 0, note->gather, 0);
    note->gather = 0;
  }
}

static void user_triggered(struct queue *queue, struct results *results) {
  uint64_t count;
  struct note *note = *find(queue, 0, EVFILT_USER);
  if (results->count < results->room && read(queue->base.user_fd, &count, sizeof(count)) > 0 && note != NULL)
    give(results, note, 0, 0, 0);
}

/* ---- waiting ---- */

static void take(struct queue *queue, const struct epoll_event *ready, struct results *results) {
  int fd = (int)(uint32_t)ready->data.u64;
  switch ((enum standin_kind)(ready->data.u64 >> 32)) {
  case DESCRIPTOR:
    descriptor_ready(queue, fd, ready->events, results);
    break;
  case USER:
    user_triggered(queue, results);
    break;
  case PROCESS:
    process_ended(queue, fd, results);
    break;
  case FILES:
    files_changed(queue, results);
    break;
  }
}

/* Something is returned, or the time is over. */
static int collect(struct queue *queue, struct results *results, int timeout_ms) {
  struct epoll_event ready[STANDIN_BATCH];
  int most = results->room < STANDIN_BATCH ? results->room : STANDIN_BATCH;
  int64_t end_ms = standin_now_ms() + timeout_ms;
  for (;;) {
    int n = epoll_wait(queue->base.fd, ready, most, timeout_ms);
    if (n <= 0)
      return n;
    pthread_mutex_lock(&queue->base.lock);
    for (int i = 0; i < n; i++)
      take(queue, &ready[i], results);
    pthread_mutex_unlock(&queue->base.lock);
    if (results->count > 0 || timeout_ms == 0)
      return results->count;
    if (timeout_ms > 0)
      timeout_ms = end_ms > standin_now_ms() ? (int)(end_ms - standin_now_ms()) : 0;
  }
}

int kevent(int kq, const struct kevent *changes, int change_count, struct kevent *events, int event_count,
           const struct timespec *timeout) {
  struct queue *queue = (struct queue *)standin_of(kq);
  struct results results = {.at = events, .room = event_count};
  if (queue == NULL)
    return standin_fail(EBADF);
  for (int i = 0; i < change_count; i++)
    if (apply(queue, &changes[i]) < 0)
      return -1;
  if (event_count == 0)
    return 0;
  return collect(queue, &results, standin_timeout_ms(timeout));
}

/* ---- closing ---- */

void standin_forget(struct standin *standin, int fd) {
  struct queue *queue = (struct queue *)standin;
  pthread_mutex_lock(&queue->base.lock);
  for (struct note **place = &queue->notes[fd % BUCKETS]; *place != NULL;) {
    int filter = (*place)->event.filter;
    if ((*place)->event.ident == (uintptr_t)fd && (is_descriptor(filter) || filter == EVFILT_VNODE))
      drop(queue, place);
    else
      place = &(*place)->next;
  }
  pthread_mutex_unlock(&queue->base.lock);
}
