#include "loop/core/watcher.h"

#include "loop/base/check.h"
#include "loop/base/list.h"
#include "loop/base/table.h"
#include "loop/core/internal.h"

void rota__watcher_init(struct rota_watcher *watcher, rota_watcher_cb cb, int fd) {
  watcher->cb = cb;
  rota__list_init(&watcher->pending);
  rota__list_init(&watcher->changed);
  watcher->wanted = 0;
  watcher->told = 0;
  watcher->fd = fd;
  watcher->generation = 0;
}

static int table_reserve(uv_loop_t *loop, int fd) {
  if ((size_t)fd < loop->core.watchers_capacity)
    return 0;
  struct rota_watcher **table =
      rota__table_grow(loop->core.watchers, &loop->core.watchers_capacity, (size_t)fd, sizeof(struct rota_watcher *));
  if (table == NULL)
    return UV_ENOMEM;
  loop->core.watchers = table;
  return 0;
}

int rota__watcher_start(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events) {
  rota__check(watcher->fd >= 0);
  int err = table_reserve(loop, watcher->fd);
  if (err < 0)
    return err;
  struct rota_watcher **place = &loop->core.watchers[watcher->fd];
  if (*place == NULL) {
    *place = watcher;
    watcher->generation = ++loop->core.generation;
    watcher->told = 0; /* the poller may know the descriptor, but by another generation */
  }
  if (*place != watcher)
    return UV_EEXIST; /* another watcher has this descriptor */
  watcher->wanted |= events;
  if (watcher->wanted == watcher->told)
    rota__list_remove(&watcher->changed);
  else if (!rota__link_is_linked(&watcher->changed))
    rota__list_append(&loop->core.changed, &watcher->changed);
  return 0;
}

void rota__watchers_tell_anew(uv_loop_t *loop) {
  for (size_t fd = 0; fd < loop->core.watchers_capacity; fd++) {
    struct rota_watcher *watcher = loop->core.watchers[fd];
    if (watcher == NULL)
      continue;
    watcher->told = 0;
    if (!rota__link_is_linked(&watcher->changed))
      rota__list_append(&loop->core.changed, &watcher->changed);
  }
}

static bool is_in_table(const uv_loop_t *loop, const struct rota_watcher *watcher) {
  return watcher->fd >= 0 && (size_t)watcher->fd < loop->core.watchers_capacity &&
         loop->core.watchers[watcher->fd] == watcher;
}

void rota__watcher_stop(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events) {
  if (!is_in_table(loop, watcher))
    return;
  watcher->wanted &= ~events;
  if (watcher->wanted == 0) {
    /* The poller is not told: that would cost a system call, and the owner often starts again. If an event comes
     * anyway, the poller is told then. */
    loop->core.watchers[watcher->fd] = NULL;
    watcher->told = 0;
    rota__list_remove(&watcher->changed);
  } else if (watcher->wanted == watcher->told) {
    rota__list_remove(&watcher->changed);
  } else if (!rota__link_is_linked(&watcher->changed)) {
    rota__list_append(&loop->core.changed, &watcher->changed);
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

void rota__watcher_feed(uv_loop_t *loop, struct rota_watcher *watcher) {
  if (!rota__link_is_linked(&watcher->pending))
    rota__list_append(&loop->core.pending, &watcher->pending);
}

int rota__fd_can_be_watched(uv_loop_t *loop, int fd) {
  (void)loop;
  return rota__poller_accepts(fd);
}
