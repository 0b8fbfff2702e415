#include "loop/poller/epoll.h"

#include <limits.h>
#include <poll.h>

#include "loop/base/alloc.h"
#include "loop/base/table.h"
#include "loop/base/units.h"
#include "loop/os/file.h"
#include "uv.h"

/* What the kernel hands back with an event: the descriptor and its generation, or this. No descriptor is -1. */
static const uint64_t own_data = UINT64_MAX;

_Static_assert(EPOLLIN == POLLIN && EPOLLOUT == POLLOUT && EPOLLPRI == POLLPRI && EPOLLERR == POLLERR &&
                   EPOLLHUP == POLLHUP && EPOLLRDHUP == ROTA_WATCH_PEER_SHUT,
               "events of a watch go to epoll and back as they are");

int rota__epoll_init(struct rota_epoll_poller *self, const struct rota_poller_ops *ops) {
  self->base.ops = ops;
  self->fd = rota__os_epoll_create();
  return self->fd < 0 ? self->fd : 0;
}

void rota__epoll_release(struct rota_epoll_poller *self) {
  rota__os_close(self->fd);
  rota__free(self->registered);
}

int rota__epoll_add_own(struct rota_epoll_poller *self, int fd) {
  return rota__os_epoll_control(self->fd, EPOLL_CTL_ADD, fd, EPOLLIN, own_data);
}

static void note(struct rota_epoll_poller *self, int fd, bool registered) {
  self->registered_count += (size_t)registered - (size_t)self->registered[fd];
  self->registered[fd] = registered;
}

/* The descriptor may have been registered by other code in our epoll set, and an event came that no watcher wants. */
static void unregister(struct rota_epoll_poller *self, int fd) {
  if ((size_t)fd < self->capacity)
    note(self, fd, false);
  rota__os_epoll_control(self->fd, EPOLL_CTL_DEL, fd, 0, 0);
}

void rota__epoll_forget(struct rota_poller *poller, int fd) {
  struct rota_epoll_poller *self = rota__epoll_of(poller);
  if ((size_t)fd < self->capacity && self->registered[fd])
    unregister(self, fd);
}

int rota__epoll_watch(struct rota_poller *poller, int fd, unsigned int events, uint32_t generation) {
  struct rota_epoll_poller *self = rota__epoll_of(poller);
  if (events == 0) {
    unregister(self, fd);
    return 0;
  }
  if ((size_t)fd >= self->capacity) {
    bool *registered = rota__table_grow(self->registered, &self->capacity, (size_t)fd, sizeof(*registered));
    if (registered == NULL)
      return UV_ENOMEM;
    self->registered = registered;
  }
  int operation = self->registered[fd] ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  uint64_t data = (uint64_t)generation << 32 | (uint32_t)fd;
  int err = rota__os_epoll_control(self->fd, operation, fd, events, data);
  /* Other code has closed the descriptor, or registered it in our epoll set: adapt to what is there. */
  if (err == UV_EEXIST)
    err = rota__os_epoll_control(self->fd, EPOLL_CTL_MOD, fd, events, data);
  else if (err == UV_ENOENT && operation == EPOLL_CTL_MOD)
    err = rota__os_epoll_control(self->fd, EPOLL_CTL_ADD, fd, events, data);
  note(self, fd, err == 0);
  return err;
}

static int to_ms(int64_t timeout_ns) {
  if (timeout_ns < 0)
    return -1;
  if (timeout_ns >= INT_MAX * (int64_t)NS_PER_MS)
    return INT_MAX;
  return (int)((timeout_ns + NS_PER_MS - 1) / NS_PER_MS); /* never early */
}

int rota__epoll_wait(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  struct rota_epoll_poller *self = rota__epoll_of(poller);
  int events_max = out_max < ROTA_EPOLL_EVENTS_MAX ? out_max : ROTA_EPOLL_EVENTS_MAX;
  int count = rota__os_epoll_wait(self->fd, self->events, events_max, to_ms(timeout_ns), poller->blocked_signals);
  self->own_at = -1;
  if (count < 0)
    return count;
  int n = 0;
  for (int i = 0; i < count; i++) {
    uint64_t data = self->events[i].data.u64;
    if (data == own_data) {
      self->own_at = n;
      continue;
    }
    out[n].op = NULL;
    out[n].u.watch.fd = (int)(uint32_t)data;
    out[n].u.watch.generation = (uint32_t)(data >> 32);
    out[n].u.watch.events = self->events[i].events;
    n++;
  }
  return n;
}

/* One descriptor is always registered: the one with which other threads wake the loop. Their messages are found without
 * it. If no other descriptor is registered, epoll_wait would find nothing. */
bool rota__epoll_is_idle(const struct rota_poller *poller) {
  const struct rota_epoll_poller *self = rota__container_of(poller, const struct rota_epoll_poller, base);
  return self->registered_count <= 1 && !self->shared;
}

int rota__epoll_fd(struct rota_poller *poller) {
  rota__epoll_of(poller)->shared = true;
  return rota__epoll_of(poller)->fd;
}

/* ---- the poller on epoll alone: file operations go to the thread pool ---- */

static void epoll_close(struct rota_poller *poller) {
  struct rota_epoll_poller *self = rota__epoll_of(poller);
  rota__epoll_release(self);
  rota__free(self);
}

static const struct rota_poller_ops epoll_ops = {
    .name = "epoll",
    .watch = rota__epoll_watch,
    .forget = rota__epoll_forget,
    .wait = rota__epoll_wait,
    .is_idle = rota__epoll_is_idle,
    .fd = rota__epoll_fd,
    .close = epoll_close,
};

int rota__epoll_open(struct rota_poller **poller) {
  struct rota_epoll_poller *self = rota__calloc(1, sizeof(*self));
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

int rota__epoll_accepts(int fd) {
  return rota__os_epoll_accepts(fd);
}
