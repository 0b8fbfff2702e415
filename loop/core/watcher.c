#include "loop/core/watcher.h"

#include "loop/base/check.h"
#include "loop/base/list.h"
#include "loop/base/table.h"
#include "loop/core/internal.h"

void rota__watcher_init(struct rota_watcher *watcher, rota_watcher_cb cb, int fd) {
  watcher->cb = cb;
  rota__list_init(&watcher->pending);
  rota__list_init(&watcher->changed);
  watcher->events = 0;
  watcher->registered = 0;
  watcher->fd = fd;
  watcher->generation = 0;
}

static int table_reserve(uv_loop_t *loop, int fd) {
  if ((size_t)fd < rota__loop(loop)->watchers_capacity)
    return 0;
  struct rota_watcher **table = rota__table_grow(rota__loop(loop)->watchers, &rota__loop(loop)->watchers_capacity,
                                                 (size_t)fd, sizeof(struct rota_watcher *));
  if (table == NULL)
    return UV_ENOMEM;
  rota__loop(loop)->watchers = table;
  return 0;
}

int rota__watcher_start(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events) {
  rota__check(watcher->fd >= 0);
  int err = table_reserve(loop, watcher->fd);
  if (err < 0)
    return err;
  struct rota_watcher **place = &rota__loop(loop)->watchers[watcher->fd];
  if (*place == NULL) {
    *place = watcher;
    watcher->generation = ++rota__loop(loop)->generation;
    watcher->registered = 0; /* the poller may know the descriptor, but by another generation */
  }
  if (*place != watcher)
    return UV_EEXIST; /* another watcher has this descriptor */
  watcher->events |= events;
  if (watcher->events == watcher->registered)
    rota__list_remove(&watcher->changed);
  else if (!rota__link_is_linked(&watcher->changed))
    rota__list_append(&rota__loop(loop)->changed, &watcher->changed);
  return 0;
}

void rota__watchers_register_again(uv_loop_t *loop) {
  for (size_t fd = 0; fd < rota__loop(loop)->watchers_capacity; fd++) {
    struct rota_watcher *watcher = rota__loop(loop)->watchers[fd];
    if (watcher == NULL)
      continue;
    watcher->registered = 0;
    if (!rota__link_is_linked(&watcher->changed))
      rota__list_append(&rota__loop(loop)->changed, &watcher->changed);
  }
}

static bool is_in_table(const uv_loop_t *loop, const struct rota_watcher *watcher) {
  return watcher->fd >= 0 && (size_t)watcher->fd < rota__loop(loop)->watchers_capacity &&
         rota__loop(loop)->watchers[watcher->fd] == watcher;
}

void rota__watcher_stop(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events) {
  if (!is_in_table(loop, watcher))
    return;
  watcher->events &= ~events;
  if (watcher->events == 0) {
    /* The poller is not told: that would cost a system call, and the owner often starts again. If an event comes
     * anyway, the poller is told then. */
    rota__loop(loop)->watchers[watcher->fd] = NULL;
    watcher->registered = 0;
    rota__list_remove(&watcher->changed);
  } else if (watcher->events == watcher->registered) {
    rota__list_remove(&watcher->changed);
  } else if (!rota__link_is_linked(&watcher->changed)) {
    rota__list_append(&rota__loop(loop)->changed, &watcher->changed);
  }
}

void rota__watcher_close(uv_loop_t *loop, struct rota_watcher *watcher) {
  rota__watcher_stop(loop, watcher, ~0u);
  rota__list_remove(&watcher->pending);
  if (watcher->fd >= 0) {
    struct rota_poller *poller = rota__loop_poller(loop);
    poller->ops->forget(poller, watcher->fd);
  }
}

bool rota__fd_is_watched(const uv_loop_t *loop, int fd) {
  return fd >= 0 && (size_t)fd < rota__loop(loop)->watchers_capacity && rota__loop(loop)->watchers[fd] != NULL;
}

int rota__fd_can_be_watched(uv_loop_t *loop, int fd) {
  (void)loop;
  return rota__poller_accepts(fd);
}

/* ---- the pending phase: deferred callbacks, such as the error of a connect or a write that failed at once ---- */

void rota__watcher_feed(uv_loop_t *loop, struct rota_watcher *watcher) {
  if (!rota__link_is_linked(&watcher->pending))
    rota__list_append(&rota__loop(loop)->pending, &watcher->pending);
}

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
  if (rota__list_empty(&rota__loop(loop)->pending))
    return;
  struct rota_link snapshot;
  rota__list_take(&snapshot, &rota__loop(loop)->pending);
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
