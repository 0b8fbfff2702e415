/* The pending phase: deferred callbacks, such as the error of a connect or a write that failed at once. */
#include "loop/base/list.h"
#include "loop/core/internal.h"
#include "loop/core/phases.h"
#include "loop/core/watcher.h"

/* What is deferred meanwhile comes in the next round. */
static void call_deferred(uv_loop_t *loop) {
  struct rota_op *op = rota__loop(loop)->deferred;
  rota__loop(loop)->deferred = NULL;
  while (op != NULL) {
    struct rota_op *next = op->next;
    rota__poller_call_back(op);
    op = next;
  }
}

void rota__pending_run(uv_loop_t *loop) {
  if (rota__loop(loop)->deferred != NULL)
    call_deferred(loop);
  if (rota__list_empty(&loop->core.pending))
    return;
  struct rota_link snapshot;
  rota__list_take(&snapshot, &loop->core.pending);
  while (!rota__list_empty(&snapshot)) {
    struct rota_link *link = rota__list_first(&snapshot);
    struct rota_watcher *watcher = rota__container_of(link, struct rota_watcher, pending);
    rota__list_remove(link);
    watcher->cb(loop, watcher, POLLOUT);
  }
}

void rota__op_defer(uv_loop_t *loop, struct rota_op *op) {
  struct rota_loop *internal = rota__loop(loop);
  op->next = NULL;
  if (internal->deferred == NULL)
    internal->deferred = op;
  else
    internal->deferred_last->next = op;
  internal->deferred_last = op;
}

int rota__op_cancel(uv_loop_t *loop, struct rota_op *op) {
  struct rota_poller *poller = rota__loop_poller(loop);
  int err = poller->ops->cancel == NULL ? UV_EBUSY : poller->ops->cancel(poller, op);
  if (err == 0)
    rota__op_defer(loop, op);
  return err;
}
