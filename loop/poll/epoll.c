/* The poller on epoll. Files are left to the thread pool.
 *
 * What a descriptor is registered for is remembered, so that changing it takes one call. A descriptor that nobody
 * wants any more stays registered until it fires, or is closed. */
#include <limits.h>
#include <poll.h>

#include "loop/base/alloc.h"
#include "loop/base/list.h"
#include "loop/base/table.h"
#include "loop/os/epoll.h"
#include "loop/os/fd.h"
#include "loop/poll/poller.h"
#include "uv.h"

enum { EVENTS_MAX = 1024, NS_PER_MS = 1000000 };

struct epoll_poller {
  struct rota_poller base;
  int fd;
  bool *registered; /* by descriptor */
  size_t capacity;
  size_t registered_count;
  bool shared; /* somebody polls our descriptor, and wants events that we have no use for to be taken */
  struct epoll_event events[EVENTS_MAX];
};

static struct epoll_poller *self_of(struct rota_poller *poller) {
  return rota__container_of(poller, struct epoll_poller, base);
}

static void note(struct epoll_poller *self, int fd, bool registered) {
  self->registered_count += (size_t)registered - (size_t)self->registered[fd];
  self->registered[fd] = registered;
}

static void epoll_forget(struct rota_poller *poller, int fd) {
  struct epoll_poller *self = self_of(poller);
  if ((size_t)fd >= self->capacity || !self->registered[fd])
    return;
  note(self, fd, false);
  rota__os_epoll_control(self->fd, EPOLL_CTL_DEL, fd, 0, 0);
}

static int epoll_watch(struct rota_poller *poller, int fd, unsigned int events, uint32_t generation) {
  struct epoll_poller *self = self_of(poller);
  if ((size_t)fd >= self->capacity) {
    bool *registered = rota__table_grow(self->registered, &self->capacity, (size_t)fd, sizeof(*registered));
    if (registered == NULL)
      return UV_ENOMEM;
    self->registered = registered;
  }
  if (events == 0) {
    epoll_forget(poller, fd);
    return 0;
  }
  uint32_t wanted = events & ~(ROTA_POLL_EDGE | ROTA_POLL_RECEIVE | ROTA_POLL_LISTEN);
  if (events & ROTA_POLL_EDGE)
    wanted |= EPOLLET;
  int operation = self->registered[fd] ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  uint64_t data = (uint64_t)generation << 32 | (uint32_t)fd;
  int err = rota__os_epoll_control(self->fd, operation, fd, wanted, data);
  /* Somebody closed the descriptor behind our back, or registered it: take it as it is. */
  if (err == UV_EEXIST)
    err = rota__os_epoll_control(self->fd, EPOLL_CTL_MOD, fd, wanted, data);
  else if (err == UV_ENOENT && operation == EPOLL_CTL_MOD)
    err = rota__os_epoll_control(self->fd, EPOLL_CTL_ADD, fd, wanted, data);
  note(self, fd, err == 0);
  return err;
}

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

static int to_ms(int64_t timeout_ns) {
  if (timeout_ns < 0)
    return -1;
  if (timeout_ns >= INT_MAX * (int64_t)NS_PER_MS)
    return INT_MAX;
  return (int)((timeout_ns + NS_PER_MS - 1) / NS_PER_MS); /* never early */
}

static int epoll_wait_for(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  struct epoll_poller *self = self_of(poller);
  int events_max = out_max < EVENTS_MAX ? out_max : EVENTS_MAX;
  int n = rota__os_epoll_wait(self->fd, self->events, events_max, to_ms(timeout_ns), poller->blocked_signals);
  for (int i = 0; i < n; i++) {
    out[i].op = NULL;
    out[i].u.watch.fd = (int)(uint32_t)self->events[i].data.u64;
    out[i].u.watch.generation = (uint32_t)(self->events[i].data.u64 >> 32);
    out[i].u.watch.events = self->events[i].events;
  }
  return n;
}

/* One descriptor is always registered, the one that other threads wake the loop with; they leave their message
 * elsewhere. If there is no other, there is nothing to ask the system for. */
static bool epoll_quiet(const struct rota_poller *poller) {
  const struct epoll_poller *self = rota__container_of(poller, const struct epoll_poller, base);
  return self->registered_count <= 1 && !self->shared;
}

static void epoll_flush(struct rota_poller *poller) {
  (void)poller; /* registrations are made at once */
}

static int epoll_fd(struct rota_poller *poller) {
  self_of(poller)->shared = true;
  return self_of(poller)->fd;
}

static void epoll_close(struct rota_poller *poller) {
  struct epoll_poller *self = self_of(poller);
  rota__os_close(self->fd);
  rota__free(self->registered);
  rota__free(self);
}

static const struct rota_poller_ops epoll_ops = {
    .name = "epoll",
    .watch = epoll_watch,
    .forget = epoll_forget,
    .submit = epoll_submit,
    .cancel = epoll_cancel,
    .wait = epoll_wait_for,
    .quiet = epoll_quiet,
    .flush = epoll_flush,
    .fd = epoll_fd,
    .close = epoll_close,
};

int rota__epoll_open(struct rota_poller **poller) {
  struct epoll_poller *self = rota__calloc(1, sizeof(*self));
  if (self == NULL)
    return UV_ENOMEM;
  self->base.ops = &epoll_ops;
  self->fd = rota__os_epoll_create();
  if (self->fd < 0) {
    int err = self->fd;
    rota__free(self);
    return err;
  }
  *poller = &self->base;
  return 0;
}
