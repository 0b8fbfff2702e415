/* The pending phase: deferred callbacks, such as the error of a connect or a write that failed at once. */
#include "loop/base/list.h"
#include "loop/core/internal.h"
#include "loop/core/phases.h"
#include "loop/core/watcher.h"

static void call_cancelled(uv_loop_t *loop) {
  struct rota_op *op = rota__loop(loop)->cancelled;
  rota__loop(loop)->cancelled = NULL;
  while (op != NULL) {
    struct rota_op *next = op->next;
    op->done(op, UV_ECANCELED, 0);
    op = next;
  }
}

void rota__pending_run(uv_loop_t *loop) {
  if (rota__loop(loop)->cancelled != NULL)
    call_cancelled(loop);
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

static void cancelled(uv_loop_t *loop, struct rota_op *op) {
  struct rota_op **end = &rota__loop(loop)->cancelled;
  while (*end != NULL)
    end = &(*end)->next;
  op->next = NULL;
  *end = op;
}

int rota__op_cancel(uv_loop_t *loop, struct rota_op *op) {
  struct rota_poller *poller = rota__loop_poller(loop);
  int err = poller->ops->cancel(poller, op);
  if (err == 0)
    cancelled(loop, op);
  return err;
}
