/* The poller on event ports: illumos, Solaris.
 *
 * An event of a descriptor ends its association with the port. A watch of ours lasts, so the descriptors that a wait
 * has reported are associated again before the next wait: by then, their owners have read, and many have closed them.
 * Other threads wake the loop by an event of the user. The end of a child is no event of a port: SIGCHLD tells.
 *
 * Invariant: a row is associated with the port, or it is in the list of those to associate again, or it has no events.
 * registered_count is the number of rows with events. */
#include <poll.h>
#include <stddef.h>

#include "loop/base/alloc.h"
#include "loop/base/list.h"
#include "loop/base/table.h"
#include "loop/os/file.h"
#include "loop/os/sunos/ports.h"
#include "loop/poller/poller.h"
#include "uv.h"

enum { EVENTS_MAX = 1024 };

#ifdef POLLRDHUP
enum { PEER_SHUT = POLLRDHUP };
#else
enum { PEER_SHUT = 0 }; /* a peer that sends nothing more is seen by reading only */
#endif

struct row {
  uint32_t generation;
  uint32_t events; /* as poll(2) */
  bool associated;
};

struct ports_poller {
  struct rota_poller base;
  int fd;
  struct row *rows; /* by descriptor */
  size_t capacity;
  size_t registered_count;
  int again_count;
  int again[EVENTS_MAX]; /* descriptors that the last wait has reported */
  _Atomic bool shared;   /* other code polls the port: events that no watcher wants must be consumed */
  port_event_t events[EVENTS_MAX];
};

static struct ports_poller *self_of(struct rota_poller *poller) {
  return rota__container_of(poller, struct ports_poller, base);
}

static void note(struct ports_poller *self, struct row *row, uint32_t events) {
  self->registered_count += (size_t)(events != 0) - (size_t)(row->events != 0);
  row->events = events;
}

static void ports_forget(struct rota_poller *poller, int fd) {
  struct ports_poller *self = self_of(poller);
  if ((size_t)fd >= self->capacity || self->rows[fd].events == 0)
    return;
  struct row *row = &self->rows[fd];
  note(self, row, 0);
  if (row->associated)
    rota__os_port_forget(self->fd, fd); /* fails if other code has closed it, which does no harm */
  row->associated = false;
}

int rota__ports_accepts(int fd) {
  int stored = rota__os_is_stored(fd);
  return stored > 0 ? UV_EPERM : stored;
}

static int associate(struct ports_poller *self, int fd) {
  struct row *row = &self->rows[fd];
  int err = rota__os_port_watch(self->fd, fd, (int)row->events);
  row->associated = err == 0;
  return err;
}

static int ports_watch(struct rota_poller *poller, int fd, unsigned int events, uint32_t generation) {
  struct ports_poller *self = self_of(poller);
  uint32_t wanted = (events & (POLLIN | POLLOUT | POLLPRI)) | (events & ROTA_WATCH_PEER_SHUT ? PEER_SHUT : 0u);
  if (wanted == 0) {
    ports_forget(poller, fd);
    return 0;
  }
  if ((size_t)fd >= self->capacity) {
    struct row *rows = rota__table_grow(self->rows, &self->capacity, (size_t)fd, sizeof(*rows));
    if (rows == NULL)
      return UV_ENOMEM;
    self->rows = rows;
  }
  struct row *row = &self->rows[fd];
  if (row->events == 0) {
    int err = rota__ports_accepts(fd);
    if (err < 0)
      return err;
  }
  row->generation = generation;
  note(self, row, wanted);
  int err = associate(self, fd);
  if (err < 0)
    note(self, row, 0);
  return err;
}

/* Other code may have closed a descriptor in the meantime. */
static void associate_again(struct ports_poller *self) {
  for (int i = 0; i < self->again_count; i++) {
    int fd = self->again[i];
    struct row *row = &self->rows[fd];
    if (row->events != 0 && !row->associated && associate(self, fd) < 0)
      note(self, row, 0);
  }
  self->again_count = 0;
}

static void take(struct ports_poller *self, const port_event_t *event, struct rota_ready *out) {
  int fd = (int)event->portev_object;
  struct row *row = &self->rows[fd];
  unsigned int events = (unsigned int)event->portev_events;
  row->associated = false;
  self->again[self->again_count++] = fd;
  out->op = NULL;
  out->u.watch.fd = fd;
  out->u.watch.generation = row->generation;
  out->u.watch.events = (events & (POLLIN | POLLOUT | POLLPRI | POLLERR | POLLHUP)) |
                        (PEER_SHUT != 0 && (events & PEER_SHUT) ? ROTA_WATCH_PEER_SHUT : 0u);
}

static int ports_wait(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  struct ports_poller *self = self_of(poller);
  int events_max = out_max < EVENTS_MAX ? out_max : EVENTS_MAX;
  associate_again(self);
  int count = rota__os_port_wait(self->fd, self->events, events_max, timeout_ns, poller->blocked_signals);
  int n = 0;
  for (int i = 0; i < count; i++) {
    if (self->events[i].portev_source == PORT_SOURCE_USER)
      out[n++] = (struct rota_ready){.u.watch.fd = ROTA_READY_WOKEN};
    else if (self->events[i].portev_source == PORT_SOURCE_FD && (size_t)self->events[i].portev_object < self->capacity)
      take(self, &self->events[i], &out[n++]);
  }
  return count < 0 ? count : n;
}

static void ports_wake(struct rota_poller *poller) {
  rota__os_port_signal(self_of(poller)->fd);
}

static bool ports_is_idle(const struct rota_poller *poller) {
  const struct ports_poller *self = rota__container_of(poller, const struct ports_poller, base);
  return self->registered_count == 0 && !self->shared;
}

/* Who polls the port must see the descriptors that are ready again. */
static void ports_flush(struct rota_poller *poller) {
  struct ports_poller *self = self_of(poller);
  if (self->shared)
    associate_again(self);
}

static int ports_fd(struct rota_poller *poller) {
  self_of(poller)->shared = true;
  associate_again(self_of(poller));
  return self_of(poller)->fd;
}

static void ports_close(struct rota_poller *poller) {
  struct ports_poller *self = self_of(poller);
  rota__os_close(self->fd);
  rota__free(self->rows);
  rota__free(self);
}

static const struct rota_poller_ops ports_ops = {
    .name = "event ports",
    .watch = ports_watch,
    .forget = ports_forget,
    .wait = ports_wait,
    .is_idle = ports_is_idle,
    .flush = ports_flush,
    .wake = ports_wake,
    .fd = ports_fd,
    .close = ports_close,
};

int rota__ports_open(struct rota_poller **poller) {
  struct ports_poller *self = rota__calloc(1, sizeof(*self));
  if (self == NULL)
    return UV_ENOMEM;
  self->base.ops = &ports_ops;
  self->fd = rota__os_port_open();
  if (self->fd < 0) {
    int err = self->fd;
    rota__free(self);
    return err;
  }
  *poller = &self->base;
  return 0;
}
