/* The poller on kqueue: FreeBSD, macOS, NetBSD, OpenBSD.
 *
 *   descriptors  a filter for reading and one for writing, both level-triggered; urgent data has a filter of its own
 *                where the system has one
 *   the loop     a user event, which other threads trigger; it resets itself when it is reported
 *   children     an event when the process ends, once
 * Timers need none: the wait has a limit in nanoseconds.
 *
 * kqueue reports each filter by itself. The filters of one descriptor that a wait brings are put together, because an
 * owner expects one call for all that is ready.
 *
 * A regular file is refused, like by epoll: kqueue would not report its end, where a read returns at once, too.
 *
 * A queue is not inherited by a child process: there, its number may belong to any other file. So it is closed only in
 * the process that made it. */
#include <limits.h>
#include <poll.h>
#include <stddef.h>

#include "loop/base/alloc.h"
#include "loop/base/list.h"
#include "loop/base/table.h"
#include "loop/os/bsd/kqueue.h"
#include "loop/os/file.h"
#include "loop/os/host.h"
#include "loop/os/process.h"
#include "loop/poller/poller.h"
#include "uv.h"

enum { EVENTS_MAX = 1024 };

/* What a descriptor is registered for; the bits of row.filters. */
enum { READING = 1, WRITING = 2, URGENT = 4 };

#ifdef EVFILT_EXCEPT
enum { HAS_URGENT = 1, URGENT_FILTER = EVFILT_EXCEPT, URGENT_FLAGS = NOTE_OOB };
#else
enum { HAS_URGENT = 0, URGENT_FILTER = 0, URGENT_FLAGS = 0 };
#endif

struct row {
  uint32_t generation;
  uint32_t slot; /* where the current wait has put the descriptor, if that is there */
  uint8_t filters;
};

struct kqueue_poller {
  struct rota_poller base;
  int fd;
  int process;      /* that made the queue */
  struct row *rows; /* by descriptor */
  size_t capacity;
  size_t registered_count; /* rows with filters, and children */
  _Atomic bool shared;     /* other code polls the queue: events that no watcher wants must be consumed */
  struct kevent events[EVENTS_MAX];
};

static struct kqueue_poller *self_of(struct rota_poller *poller) {
  return rota__container_of(poller, struct kqueue_poller, base);
}

/* ---- descriptors ---- */

static int change(struct kqueue_poller *self, int fd, int filter, unsigned int flags, unsigned int notes, int data) {
  struct kevent one;
  EV_SET(&one, (uintptr_t)fd, filter, flags, notes, data, NULL);
  return rota__os_kqueue_change(self->fd, &one, 1);
}

static int filter_of(unsigned int bit) {
  return bit == READING ? EVFILT_READ : bit == WRITING ? EVFILT_WRITE : URGENT_FILTER;
}

static void note(struct kqueue_poller *self, struct row *row, unsigned int filters) {
  self->registered_count += (size_t)(filters != 0) - (size_t)(row->filters != 0);
  row->filters = (uint8_t)filters;
}

/* Deleting fails if other code has closed the descriptor, which does no harm. */
static void drop(struct kqueue_poller *self, int fd, unsigned int filters) {
  struct row *row = &self->rows[fd];
  for (unsigned int bit = READING; bit <= URGENT; bit <<= 1)
    if (row->filters & filters & bit)
      change(self, fd, filter_of(bit), EV_DELETE, 0, 0);
  note(self, row, row->filters & ~filters);
}

static void kqueue_forget(struct rota_poller *poller, int fd) {
  struct kqueue_poller *self = self_of(poller);
  if ((size_t)fd < self->capacity && self->rows[fd].filters != 0)
    drop(self, fd, ~0u);
}

static unsigned int filters_for(unsigned int events) {
  return (events & (POLLIN | ROTA_WATCH_PEER_SHUT) ? READING : 0u) | (events & POLLOUT ? WRITING : 0u) |
         (HAS_URGENT && (events & POLLPRI) ? URGENT : 0u);
}

static int add(struct kqueue_poller *self, int fd, unsigned int bit, unsigned int events) {
  /* Only the end of what the peer sends is wanted: no amount of data is enough to be reported. */
  if (bit == READING && !(events & POLLIN))
    return change(self, fd, EVFILT_READ, EV_ADD, NOTE_LOWAT, INT_MAX);
  return change(self, fd, filter_of(bit), EV_ADD, bit == URGENT ? URGENT_FLAGS : 0, 0);
}

static struct row *row_for(struct kqueue_poller *self, int fd) {
  if ((size_t)fd >= self->capacity) {
    struct row *rows = rota__table_grow(self->rows, &self->capacity, (size_t)fd, sizeof(*rows));
    if (rows == NULL)
      return NULL;
    self->rows = rows;
  }
  return &self->rows[fd];
}

int rota__kqueue_accepts(int fd) {
  int stored = rota__os_is_stored(fd);
  return stored > 0 ? UV_EPERM : stored;
}

static int kqueue_watch(struct rota_poller *poller, int fd, unsigned int events, uint32_t generation) {
  struct kqueue_poller *self = self_of(poller);
  unsigned int wanted = filters_for(events);
  if (events == 0) {
    kqueue_forget(poller, fd);
    return 0;
  }
  struct row *row = row_for(self, fd);
  if (row == NULL)
    return UV_ENOMEM;
  if (row->filters == 0) {
    int err = rota__kqueue_accepts(fd);
    if (err < 0)
      return err;
  }
  drop(self, fd, ~wanted);
  row->generation = generation;
  for (unsigned int bit = READING; bit <= URGENT; bit <<= 1) {
    if (!(wanted & bit))
      continue;
    int err = add(self, fd, bit, events);
    if (err < 0) {
      drop(self, fd, ~0u);
      return err;
    }
    note(self, row, row->filters | bit);
  }
  return 0;
}

static uint32_t events_of(const struct kevent *event) {
  if (event->filter == EVFILT_READ)
    return POLLIN | (event->flags & EV_EOF ? ROTA_WATCH_PEER_SHUT : 0u);
  return event->filter == EVFILT_WRITE ? POLLOUT : POLLPRI;
}

static int take_descriptor(struct kqueue_poller *self, const struct kevent *event, struct rota_ready *out, int n) {
  int fd = (int)event->ident;
  struct row *row = row_for(self, fd);
  uint32_t ready = events_of(event);
  if (row != NULL && row->slot < (uint32_t)n && out[row->slot].op == NULL && out[row->slot].u.watch.fd == fd) {
    out[row->slot].u.watch.events |= ready;
    return n;
  }
  out[n].op = NULL;
  out[n].u.watch.fd = fd;
  out[n].u.watch.generation = row == NULL ? 0 : row->generation;
  out[n].u.watch.events = ready;
  if (row != NULL)
    row->slot = (uint32_t)n;
  return n + 1;
}

/* ---- children ---- */

static int kqueue_submit(struct rota_poller *poller, struct rota_op *op, const struct rota_op_args *args) {
  struct kqueue_poller *self = self_of(poller);
  struct rota_child_op *child = rota__container_of(op, struct rota_child_op, op);
  struct kevent one;
  if (args->code != ROTA_OP_CHILD)
    return UV_ENOSYS;
  child->pid = args->fd;
  child->reported = false;
  EV_SET(&one, (uintptr_t)args->fd, EVFILT_PROC, EV_ADD | EV_ONESHOT, NOTE_EXIT, 0, (void *)op);
  int err = rota__os_kqueue_change(self->fd, &one, 1);
  self->registered_count += err == 0;
  return err;
}

static int kqueue_cancel(struct rota_poller *poller, struct rota_op *op) {
  struct kqueue_poller *self = self_of(poller);
  struct rota_child_op *child = rota__container_of(op, struct rota_child_op, op);
  if (child->reported)
    return UV_EBUSY;
  change(self, child->pid, EVFILT_PROC, EV_DELETE, 0, 0);
  self->registered_count--;
  return 0;
}

static int take_child(struct kqueue_poller *self, const struct kevent *event, struct rota_ready *out, int n) {
  struct rota_op *op = (struct rota_op *)event->udata;
  rota__container_of(op, struct rota_child_op, op)->reported = true;
  self->registered_count--;
  out[n].op = op;
  out[n].u.completion.result = 0;
  out[n].u.completion.flags = 0;
  return n + 1;
}

/* ---- the whole ---- */

static int kqueue_wait(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  struct kqueue_poller *self = self_of(poller);
  int events_max = out_max < EVENTS_MAX ? out_max : EVENTS_MAX;
  int count = rota__os_kqueue_wait(self->fd, self->events, events_max, timeout_ns, poller->blocked_signals);
  int n = 0;
  if (count < 0)
    return count;
  for (int i = 0; i < count; i++) {
    const struct kevent *event = &self->events[i];
    if (event->filter == EVFILT_PROC)
      n = take_child(self, event, out, n);
    else if (event->filter == EVFILT_USER)
      out[n++] = (struct rota_ready){.u.watch.fd = ROTA_READY_WOKEN};
    else
      n = take_descriptor(self, event, out, n);
  }
  return n;
}

static int user_event(struct kqueue_poller *self, unsigned int flags, unsigned int notes) {
  return change(self, 0, EVFILT_USER, flags, notes, 0);
}

static void kqueue_wake(struct rota_poller *poller) {
  user_event(self_of(poller), 0, NOTE_TRIGGER);
}

static bool kqueue_is_idle(const struct rota_poller *poller) {
  const struct kqueue_poller *self = rota__container_of(poller, const struct kqueue_poller, base);
  return self->registered_count == 0 && !self->shared;
}

static int kqueue_fd(struct rota_poller *poller) {
  self_of(poller)->shared = true;
  return self_of(poller)->fd;
}

static void kqueue_close(struct rota_poller *poller) {
  struct kqueue_poller *self = self_of(poller);
  if (self->process == rota__os_process_id())
    rota__os_close(self->fd);
  rota__free(self->rows);
  rota__free(self);
}

static const struct rota_poller_ops kqueue_ops = {
    .name = "kqueue",
    .takes_children = true,
    .watch = kqueue_watch,
    .forget = kqueue_forget,
    .submit = kqueue_submit,
    .cancel = kqueue_cancel,
    .wait = kqueue_wait,
    .is_idle = kqueue_is_idle,
    .wake = kqueue_wake,
    .fd = kqueue_fd,
    .close = kqueue_close,
};

int rota__kqueue_open(struct rota_poller **poller) {
  struct kqueue_poller *self = rota__calloc(1, sizeof(*self));
  if (self == NULL)
    return UV_ENOMEM;
  self->base.ops = &kqueue_ops;
  self->process = rota__os_process_id();
  self->fd = rota__os_kqueue_open();
  int err = self->fd < 0 ? self->fd : user_event(self, EV_ADD | EV_CLEAR, 0);
  if (err < 0) {
    if (self->fd >= 0)
      rota__os_close(self->fd);
    rota__free(self);
    return err;
  }
  *poller = &self->base;
  return 0;
}
