/* A report of the loop's port, as of an operation that has ended.
 * Invariant: while `posted` is set, one report is on its way. */
#include "loop/core/signal.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "loop/base/alloc.h"
#include "loop/base/list.h"
#include "loop/core/internal.h"
#include "loop/poller/iocp.h"

struct rota_signal_wakeup {
  struct rota_io io;
  void *port;
  void (*ready)(void *data);
  void *data;
  _Atomic bool posted;
};

static void on_report(struct rota_op *op, int32_t result, uint32_t bytes) {
  struct rota_signal_wakeup *self = rota__container_of(rota__io_of(op), struct rota_signal_wakeup, io);
  (void)result;
  (void)bytes;
  if (self->ready == NULL) { /* it was closed meanwhile */
    rota__free(self);
    return;
  }
  atomic_store(&self->posted, false);
  self->ready(self->data);
}

int rota__signal_wakeup_open(uv_loop_t *loop, void (*ready)(void *data), void *data,
                             struct rota_signal_wakeup **wakeup) {
  struct rota_signal_wakeup *self = rota__calloc(1, sizeof(*self));
  *wakeup = self;
  if (self == NULL)
    return UV_ENOMEM;
  (void)rota__io_begin(&self->io, on_report);
  self->port = rota__loop_poller(loop)->port;
  self->ready = ready;
  self->data = data;
  return 0;
}

void rota__signal_wakeup_send(struct rota_signal_wakeup *wakeup) {
  if (!atomic_exchange(&wakeup->posted, true))
    rota__iocp_post(wakeup->port, &wakeup->io, 0, 0);
}

/* The loop is being closed. A report that is on its way is taken when the port is, and frees the structure. */
void rota__signal_wakeup_close(uv_loop_t *loop, struct rota_signal_wakeup *wakeup) {
  (void)loop;
  if (wakeup != NULL && atomic_load(&wakeup->posted))
    wakeup->ready = NULL;
  else
    rota__free(wakeup);
}
