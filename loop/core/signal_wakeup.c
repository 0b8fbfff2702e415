/* A wake-up descriptor that the loop watches. Its event is dispatched after the others of a wait. */
#include "loop/core/signal.h"

#include "loop/base/alloc.h"
#include "loop/base/list.h"
#include "loop/core/internal.h"
#include "loop/core/watcher.h"
#include "loop/os/file.h"

struct rota_signal_wakeup {
  struct rota_os_wakeup descriptor;
  struct rota_watcher watcher;
  void (*ready)(void *data);
  void *data;
};

static void on_event(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events) {
  struct rota_signal_wakeup *self = rota__container_of(watcher, struct rota_signal_wakeup, watcher);
  (void)loop;
  (void)events;
  rota__os_wakeup_clear(&self->descriptor);
  self->ready(self->data);
}

int rota__signal_wakeup_open(uv_loop_t *loop, void (*ready)(void *data), void *data,
                             struct rota_signal_wakeup **wakeup) {
  struct rota_signal_wakeup *self = rota__calloc(1, sizeof(*self));
  *wakeup = NULL;
  if (self == NULL)
    return UV_ENOMEM;
  self->ready = ready;
  self->data = data;
  int err = rota__os_wakeup_open(&self->descriptor);
  if (err == 0) {
    rota__watcher_init(&self->watcher, on_event, self->descriptor.fd);
    err = rota__watcher_start(loop, &self->watcher, POLLIN);
    if (err < 0)
      rota__os_wakeup_close(&self->descriptor);
  }
  if (err < 0) {
    rota__free(self);
    return err;
  }
  rota__loop(loop)->signal_watcher = &self->watcher;
  *wakeup = self;
  return 0;
}

void rota__signal_wakeup_send(struct rota_signal_wakeup *wakeup) {
  rota__os_wakeup_signal(&wakeup->descriptor);
}

void rota__signal_wakeup_close(uv_loop_t *loop, struct rota_signal_wakeup *wakeup) {
  if (wakeup == NULL)
    return;
  rota__loop(loop)->signal_watcher = NULL;
  rota__watcher_close(loop, &wakeup->watcher);
  rota__os_wakeup_close(&wakeup->descriptor);
  rota__free(wakeup);
}
