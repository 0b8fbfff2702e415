/* A bell that the loop watches. Its events are dispatched after the others of a round. */
#include "loop/core/signal_bell.h"

#include "loop/base/alloc.h"
#include "loop/base/list.h"
#include "loop/core/internal.h"
#include "loop/core/watcher.h"
#include "loop/os/file.h"

struct rota_signal_bell {
  struct rota_os_wakeup bell;
  struct rota_watcher watcher;
  void (*ready)(void *data);
  void *data;
};

static void on_event(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events) {
  struct rota_signal_bell *self = rota__container_of(watcher, struct rota_signal_bell, watcher);
  (void)loop;
  (void)events;
  rota__os_wakeup_clear(&self->bell);
  self->ready(self->data);
}

int rota__signal_bell_open(uv_loop_t *loop, void (*ready)(void *data), void *data, struct rota_signal_bell **bell) {
  struct rota_signal_bell *self = rota__calloc(1, sizeof(*self));
  *bell = NULL;
  if (self == NULL)
    return UV_ENOMEM;
  self->ready = ready;
  self->data = data;
  int err = rota__os_wakeup_open(&self->bell);
  if (err == 0) {
    rota__watcher_init(&self->watcher, on_event, self->bell.fd);
    err = rota__watcher_start(loop, &self->watcher, POLLIN);
    if (err < 0)
      rota__os_wakeup_close(&self->bell);
  }
  if (err < 0) {
    rota__free(self);
    return err;
  }
  rota__loop(loop)->signal_watcher = &self->watcher;
  *bell = self;
  return 0;
}

void rota__signal_bell_ring(struct rota_signal_bell *bell) {
  rota__os_wakeup_signal(&bell->bell);
}

void rota__signal_bell_close(uv_loop_t *loop, struct rota_signal_bell *bell) {
  if (bell == NULL)
    return;
  rota__loop(loop)->signal_watcher = NULL;
  rota__watcher_close(loop, &bell->watcher);
  rota__os_wakeup_close(&bell->bell);
  rota__free(bell);
}
