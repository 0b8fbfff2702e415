#include "simulate/wrapped_poller.h"

static int wrapped_watch(struct rota_poller *poller, int fd, unsigned int events, uint32_t generation) {
  struct rota_poller *inner = rota__wrapped_of(poller)->inner;
  return inner->ops->watch(inner, fd, events, generation);
}

static void wrapped_forget(struct rota_poller *poller, int fd) {
  struct rota_poller *inner = rota__wrapped_of(poller)->inner;
  inner->ops->forget(inner, fd);
}

static int wrapped_fd(struct rota_poller *poller) {
  struct rota_wrapped_poller *self = rota__wrapped_of(poller);
  self->shared = true;
  return self->inner->ops->fd(self->inner);
}

void rota__wrapped_flush(struct rota_poller *poller) {
  struct rota_poller *inner = rota__wrapped_of(poller)->inner;
  if (inner->ops->flush != NULL)
    inner->ops->flush(inner);
}

int rota__wrapped_wait(struct rota_wrapped_poller *self, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  return self->inner->ops->wait(self->inner, timeout_ns, out, out_max);
}

void rota__wrapped_init(struct rota_wrapped_poller *self, uv_loop_t *loop, struct rota_poller *inner,
                        const struct rota_poller_ops *ops) {
  self->ops = *ops;
  self->ops.name = inner->ops->name;
  self->ops.watch = wrapped_watch;
  self->ops.forget = wrapped_forget;
  self->ops.fd = wrapped_fd;
  if (self->ops.flush == NULL)
    self->ops.flush = rota__wrapped_flush;
  self->base.ops = &self->ops;
  self->base.blocked_signals = inner->blocked_signals;
  self->base.port = inner->port;
  self->inner = inner;
  self->loop = loop;
}
