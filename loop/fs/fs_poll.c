/* uv_fs_poll: watching a path by calling stat at an interval.
 *
 * Each start makes a look-out, with a timer and a stat request of its own. A stat that runs cannot be cancelled, so a
 * stopped look-out lives until its stat and its timer are done; a handle is closed when its last look-out is gone.
 * Invariant: of a look-out that was not stopped, either the timer is active or the stat is running. */
#include <stdbool.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/list.h"
#include "loop/core/handle.h"
#include "loop/fs/event.h"
#include "loop/fs/request.h"

struct polling {
  uv_fs_poll_t *handle;
  struct polling *older; /* stopped before this one began, and not freed yet */
  uv_fs_poll_cb cb;
  uint64_t interval_ms;
  uint64_t begun_ms;
  bool stopped;
  bool has_looked; /* there is a `status` */
  int status;      /* of the last look */
  uv_stat_t seen;  /* by the last look that succeeded */
  uv_timer_t timer;
  uv_fs_t req;
  char path[];
};

static void close_handle(uv_handle_t *handle);

static const struct rota_handle_class fs_poll_class = {.type = UV_FS_POLL, .close = close_handle};

int uv_fs_poll_init(uv_loop_t *loop, uv_fs_poll_t *handle) {
  rota__handle_init(loop, (uv_handle_t *)handle, &fs_poll_class);
  handle->poll_ctx = NULL;
  return 0;
}

static void look(struct polling *polling);
static void on_timer(uv_timer_t *timer);
static void on_stat(uv_fs_t *req);
static void on_gone(uv_handle_t *timer);

int uv_fs_poll_start(uv_fs_poll_t *handle, uv_fs_poll_cb poll_cb, const char *path, unsigned int interval) {
  if (rota__handle_is_active((uv_handle_t *)handle))
    return 0;
  if (rota__handle_is_closing((uv_handle_t *)handle))
    return UV_EINVAL;

  size_t size = strlen(path) + 1;
  struct polling *polling = rota__calloc(1, sizeof(*polling) + size);
  if (polling == NULL)
    return UV_ENOMEM;
  polling->handle = handle;
  polling->older = handle->poll_ctx;
  polling->cb = poll_cb;
  polling->interval_ms = interval > 0 ? interval : 1;
  memcpy(polling->path, path, size);
  uv_timer_init(handle->loop, &polling->timer);
  polling->timer.flags |= ROTA_HANDLE_INTERNAL;
  uv_unref((uv_handle_t *)&polling->timer);

  handle->poll_ctx = polling;
  rota__handle_start((uv_handle_t *)handle);
  look(polling);
  return 0;
}

static void look(struct polling *polling) {
  uv_loop_t *loop = polling->handle->loop;
  polling->begun_ms = uv_now(loop);
  rota__fs_stat_internal(loop, &polling->req, polling->path, on_stat);
}

static void on_timer(uv_timer_t *timer) {
  look(rota__container_of(timer, struct polling, timer));
}

static bool same_time(const uv_timespec_t *a, const uv_timespec_t *b) {
  return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* The access time is not compared: reading a file does not change it. */
static bool same_file(const uv_stat_t *a, const uv_stat_t *b) {
  return same_time(&a->st_ctim, &b->st_ctim) && same_time(&a->st_mtim, &b->st_mtim) &&
         same_time(&a->st_birthtim, &b->st_birthtim) && a->st_size == b->st_size && a->st_mode == b->st_mode &&
         a->st_uid == b->st_uid && a->st_gid == b->st_gid && a->st_ino == b->st_ino && a->st_dev == b->st_dev &&
         a->st_flags == b->st_flags && a->st_gen == b->st_gen;
}

/* The result of the first successful look is what later ones are compared with. The same error is reported once. */
static void report(struct polling *polling, int status, const uv_stat_t *now) {
  static const uv_stat_t nothing;
  uv_fs_poll_t *handle = polling->handle;
  uv_stat_t before = polling->seen;
  bool is_news;

  if (status < 0)
    is_news = !polling->has_looked || polling->status != status;
  else
    is_news = polling->has_looked && (polling->status < 0 || !same_file(&before, now));
  polling->has_looked = true;
  polling->status = status;
  if (status == 0)
    polling->seen = *now;
  if (!is_news)
    return;

  uv_loop_t *loop = handle->loop;
  rota__handle_call_begin(loop, handle, (rota_function)polling->cb);
  polling->cb(handle, status, &before, status < 0 ? &nothing : now);
  rota__call_end(loop);
}

static void on_stat(uv_fs_t *req) {
  struct polling *polling = rota__container_of(req, struct polling, req);
  if (!polling->stopped)
    report(polling, (int)req->result, &req->statbuf);
  if (polling->stopped) { /* maybe just now, by the callback */
    uv_close((uv_handle_t *)&polling->timer, on_gone);
    return;
  }
  /* The interval is counted from the start of a look: the time that a look takes is not added. */
  uint64_t taken_ms = uv_now(polling->timer.loop) - polling->begun_ms;
  uv_timer_start(&polling->timer, on_timer, polling->interval_ms - taken_ms % polling->interval_ms, 0);
}

int uv_fs_poll_stop(uv_fs_poll_t *handle) {
  if (!rota__handle_is_active((uv_handle_t *)handle))
    return 0;
  struct polling *polling = handle->poll_ctx;
  polling->stopped = true;
  if (uv_is_active((uv_handle_t *)&polling->timer))
    uv_close((uv_handle_t *)&polling->timer, on_gone);
  rota__handle_stop((uv_handle_t *)handle);
  return 0;
}

static void on_gone(uv_handle_t *timer) {
  struct polling *polling = rota__container_of(timer, struct polling, timer);
  uv_fs_poll_t *handle = polling->handle;
  if (handle->poll_ctx == polling) {
    handle->poll_ctx = polling->older;
  } else {
    struct polling *newer = handle->poll_ctx;
    while (newer->older != polling)
      newer = newer->older;
    newer->older = polling->older;
  }
  rota__free(polling);
  if (handle->poll_ctx == NULL && rota__handle_is_closing((uv_handle_t *)handle))
    rota__handle_closed((uv_handle_t *)handle);
}

static void close_handle(uv_handle_t *handle) {
  uv_fs_poll_t *poll = (uv_fs_poll_t *)handle;
  uv_fs_poll_stop(poll);
  if (poll->poll_ctx == NULL)
    rota__handle_closed(handle);
}

int uv_fs_poll_getpath(uv_fs_poll_t *handle, char *buffer, size_t *size) {
  bool is_active = rota__handle_is_active((uv_handle_t *)handle);
  struct polling *polling = handle->poll_ctx;
  return rota__watched_path(is_active ? polling->path : NULL, buffer, size);
}
