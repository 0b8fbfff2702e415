#include "loop/poll/epoll.h"

#include <limits.h>
#include <poll.h>

#include "loop/base/alloc.h"
#include "loop/base/check.h"
#include "loop/base/table.h"
#include "loop/base/units.h"
#include "loop/os/fd.h"
#include "uv.h"

/* What the kernel hands back with an event: the descriptor and its generation, or this. No descriptor is -1. */
static const uint64_t own_data = UINT64_MAX;

int rota__epoll_init(struct epoll_poller *self, const struct rota_poller_ops *ops) {
  self->base.ops = ops;
  self->fd = rota__os_epoll_create();
  return self->fd < 0 ? self->fd : 0;
}

void rota__epoll_release(struct epoll_poller *self) {
  rota__os_close(self->fd);
  rota__free(self->states);
}

int rota__epoll_add_own(struct epoll_poller *self, int fd) {
  return rota__os_epoll_control(self->fd, EPOLL_CTL_ADD, fd, EPOLLIN, own_data);
}

/* For its edges, a descriptor is registered with all that can come besides bytes: it has to be known. */
static const uint32_t edge_events = EPOLLIN | EPOLLRDHUP | EPOLLPRI | EPOLLET;

static void note(struct epoll_poller *self, int fd, enum epoll_state state) {
  self->registered_count += (size_t)(state != EPOLL_UNKNOWN) - (size_t)(self->states[fd] != EPOLL_UNKNOWN);
  self->states[fd] = (uint8_t)state;
}

void rota__epoll_forget(struct rota_poller *poller, int fd) {
  struct epoll_poller *self = rota__epoll_of(poller);
  if ((size_t)fd >= self->capacity || self->states[fd] == EPOLL_UNKNOWN)
    return;
  note(self, fd, EPOLL_UNKNOWN);
  rota__os_epoll_control(self->fd, EPOLL_CTL_DEL, fd, 0, 0);
}

static int register_fd(struct epoll_poller *self, int fd, uint32_t events, uint64_t data) {
  int operation = self->states[fd] != EPOLL_UNKNOWN ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  int err = rota__os_epoll_control(self->fd, operation, fd, events, data);
  /* Somebody closed the descriptor behind our back, or registered it: take it as it is. */
  if (err == UV_EEXIST)
    err = rota__os_epoll_control(self->fd, EPOLL_CTL_MOD, fd, events, data);
  else if (err == UV_ENOENT && operation == EPOLL_CTL_MOD)
    err = rota__os_epoll_control(self->fd, EPOLL_CTL_ADD, fd, events, data);
  return err;
}

/* An event came that nobody wants. It may be of a descriptor that somebody else has registered with us. */
static int stop(struct epoll_poller *self, int fd) {
  if ((size_t)fd < self->capacity)
    note(self, fd, EPOLL_UNKNOWN);
  rota__os_epoll_control(self->fd, EPOLL_CTL_DEL, fd, 0, 0);
  return 0;
}

int rota__epoll_watch(struct rota_poller *poller, int fd, unsigned int events, uint32_t generation) {
  struct epoll_poller *self = rota__epoll_of(poller);
  if (events == 0)
    return stop(self, fd);
  if ((size_t)fd >= self->capacity) {
    uint8_t *states = rota__table_grow(self->states, &self->capacity, (size_t)fd, sizeof(*states));
    if (states == NULL)
      return UV_ENOMEM;
    self->states = states;
  }
  bool by_edge = events == (POLLIN | ROTA_POLL_TELLS);
  uint32_t wanted = by_edge ? edge_events : events & ~(ROTA_POLL_EDGE | ROTA_POLL_TELLS);
  if (events & ROTA_POLL_EDGE)
    wanted |= EPOLLET;
  int err = register_fd(self, fd, wanted, (uint64_t)generation << 32 | (uint32_t)fd);
  note(self, fd, err < 0 ? EPOLL_UNKNOWN : by_edge ? EPOLL_EDGE : EPOLL_LEVEL);
  return err;
}

void rota__epoll_emptied(struct rota_poller *poller, int fd) {
  struct epoll_poller *self = rota__epoll_of(poller);
  rota__debug_check((size_t)fd < self->capacity && self->states[fd] != EPOLL_UNKNOWN);
  if (self->states[fd] == EPOLL_OWED)
    self->states[fd] = EPOLL_EDGE;
}

/* The kernel looks at the level when a descriptor is registered once more. A descriptor that was closed behind our back
 * is owed nothing. Any other failure of the kernel passes: a descriptor that is owed something stays in the batch. */
static void settle(struct epoll_poller *self) {
  int kept = 0;
  for (int i = 0; i < self->batch; i++) {
    uint64_t data = self->events[i].data.u64;
    int fd = (int)(uint32_t)data;
    if ((size_t)fd >= self->capacity || self->states[fd] < EPOLL_OWED)
      continue;
    bool doubtful = self->states[fd] == EPOLL_DOUBTFUL;
    int err = rota__os_epoll_control(self->fd, EPOLL_CTL_MOD, fd, doubtful ? EPOLLIN : edge_events, data);
    if (rota__unlikely(err < 0 && err != UV_ENOENT && err != UV_EBADF))
      self->events[kept++] = self->events[i];
    else
      note(self, fd, err < 0 ? EPOLL_UNKNOWN : doubtful ? EPOLL_LEVEL : EPOLL_EDGE);
  }
  self->batch = kept;
}

/* A poller of our descriptor, outside of a wait, must see as much. */
void rota__epoll_flush(struct rota_poller *poller) {
  settle(rota__epoll_of(poller));
}

static int to_ms(int64_t timeout_ns) {
  if (timeout_ns < 0)
    return -1;
  if (timeout_ns >= INT_MAX * (int64_t)NS_PER_MS)
    return INT_MAX;
  return (int)((timeout_ns + NS_PER_MS - 1) / NS_PER_MS); /* never early */
}

/* What the kernel says goes to the caller, and to the states. */
static int collect(struct epoll_poller *self, const struct epoll_event *events, int count, struct rota_ready *out) {
  int n = 0;
  for (int i = 0; i < count; i++) {
    uint64_t data = events[i].data.u64;
    if (data == own_data)
      continue;
    int fd = (int)(uint32_t)data;
    enum epoll_state state = (size_t)fd < self->capacity ? self->states[fd] : EPOLL_UNKNOWN;
    rota__debug_check(state < EPOLL_OWED || events != self->events); /* those in front of the events are owed still */
    if (state >= EPOLL_EDGE) {
      self->states[fd] = events[i].events == EPOLLIN ? EPOLL_OWED : EPOLL_DOUBTFUL;
      self->batch = (int)(&events[i] - self->events) + 1;
    }
    out[n].op = NULL;
    out[n].u.watch.fd = fd;
    out[n].u.watch.generation = (uint32_t)(data >> 32);
    out[n].u.watch.events = events[i].events;
    n++;
  }
  return n;
}

int rota__epoll_wait(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  struct epoll_poller *self = rota__epoll_of(poller);
  if (self->batch > 0)
    settle(self);
  if (rota__unlikely(self->batch > 0) && (uint64_t)timeout_ns > NS_PER_MS)
    timeout_ns = NS_PER_MS; /* it is tried again, soon */
  struct epoll_event *events = self->events + self->batch;
  int events_max = ROTA_EPOLL_EVENTS_MAX - self->batch;
  events_max = out_max < events_max ? out_max : events_max;
  int count = rota__os_epoll_wait(self->fd, events, events_max, to_ms(timeout_ns), poller->blocked_signals);
  return count < 0 ? count : collect(self, events, count, out);
}

/* One descriptor is always registered, the one that other threads wake the loop with; they leave their message
 * elsewhere. If there is no other, there is nothing to ask the system for. */
bool rota__epoll_quiet(const struct rota_poller *poller) {
  const struct epoll_poller *self = rota__container_of(poller, const struct epoll_poller, base);
  return self->registered_count <= 1 && !self->shared;
}

int rota__epoll_fd(struct rota_poller *poller) {
  rota__epoll_of(poller)->shared = true;
  return rota__epoll_of(poller)->fd;
}

/* ---- the poller on epoll alone: files are left to the thread pool ---- */

static int epoll_submit(struct rota_poller *poller, struct rota_op *op, const struct rota_op_args *args) {
  (void)poller;
  (void)op;
  (void)args;
  return UV_ENOSYS;
}

static int epoll_cancel(struct rota_poller *poller, struct rota_op *op) {
  (void)poller;
  (void)op;
  return UV_EBUSY;
}

static void epoll_close(struct rota_poller *poller) {
  struct epoll_poller *self = rota__epoll_of(poller);
  rota__epoll_release(self);
  rota__free(self);
}

static const struct rota_poller_ops epoll_ops = {
    .name = "epoll",
    .watch = rota__epoll_watch,
    .emptied = rota__epoll_emptied,
    .forget = rota__epoll_forget,
    .submit = epoll_submit,
    .cancel = epoll_cancel,
    .wait = rota__epoll_wait,
    .quiet = rota__epoll_quiet,
    .flush = rota__epoll_flush,
    .fd = rota__epoll_fd,
    .close = epoll_close,
};

int rota__epoll_open(struct rota_poller **poller) {
  struct epoll_poller *self = rota__calloc(1, sizeof(*self));
  if (self == NULL)
    return UV_ENOMEM;
  int err = rota__epoll_init(self, &epoll_ops);
  if (err < 0) {
    rota__free(self);
    return err;
  }
  *poller = &self->base;
  return 0;
}
