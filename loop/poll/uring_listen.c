/* Listeners: watched by an epoll descriptor, which the ring watches.
 *
 * A request of the ring holds its file open, also for some milliseconds after its process was killed. For a listener
 * that is too long: the port would be busy when the server is started again. An epoll descriptor does not hold what it
 * watches. Nor does the ring accept for us: it would take connections that belong to another process with the same
 * listener, or that would outlive this one. */
#include <poll.h>

#include "loop/os/epoll.h"
#include "loop/os/fd.h"
#include "loop/poll/uring.h"
#include "uv.h"

enum { LISTENERS_BATCH = 64 };

int rota__uring_listen(struct uring_poller *self, int fd, struct watch *watch, bool wanted) {
  if (watch->listened == wanted)
    return 0;
  if (self->listeners < 0) {
    int epoll_fd = rota__os_epoll_create();
    if (epoll_fd < 0)
      return epoll_fd;
    self->listeners = epoll_fd;
  }
  int err = rota__os_epoll_control(self->listeners, wanted ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, fd, EPOLLIN, (uint32_t)fd);
  if (err < 0 && wanted)
    return err;
  watch->listened = wanted;
  self->listener_count += wanted ? 1 : -1;
  self->listener_last = fd;
  return 0;
}

void rota__uring_watch_listeners(struct uring_poller *self) {
  if (self->listener_count == 0 || self->listeners_watched)
    return;
  struct io_uring_sqe *sqe = rota__uring_next_sqe(self);
  if (sqe == NULL)
    return;
  sqe->opcode = IORING_OP_POLL_ADD;
  sqe->fd = self->listeners;
  sqe->poll32_events = POLLIN;
  sqe->user_data = TAG_LISTENERS;
  self->listeners_watched = true;
}

static void report(const struct uring_poller *self, int fd, struct rota_ready *out) {
  out->op = NULL;
  out->u.watch.fd = fd;
  out->u.watch.generation = self->watches[fd].generation;
  out->u.watch.events = POLLIN;
}

int rota__uring_collect_listeners(struct uring_poller *self, struct rota_ready *out, int out_max) {
  self->listeners_ready = false;
  /* The usual case, in which there is nothing to ask. */
  if (self->listener_count == 1 && self->watches[self->listener_last].listened && out_max > 0) {
    report(self, self->listener_last, out);
    return 1;
  }
  struct epoll_event events[LISTENERS_BATCH];
  int events_max = out_max < LISTENERS_BATCH ? out_max : LISTENERS_BATCH;
  int n = events_max > 0 ? rota__os_epoll_wait(self->listeners, events, events_max, 0, NULL) : 0;
  for (int i = 0; i < n; i++)
    report(self, (int)(uint32_t)events[i].data.u64, &out[i]);
  return n < 0 ? 0 : n;
}
