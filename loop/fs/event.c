/* uv_fs_event: watching a path. The system's half stands in posix/event.c and windows/event.c.
 *
 * Invariant: a started handle has a path and is watched. Callbacks may stop, close and start any handle, their own
 * included. */
#include "loop/fs/event.h"

#include "loop/base/alloc.h"
#include "loop/core/handle.h"

static void close_handle(uv_handle_t *handle) {
  uv_fs_event_stop((uv_fs_event_t *)handle);
  rota__handle_closed(handle);
}

static const struct rota_handle_class fs_event_class = {.type = UV_FS_EVENT, .close = close_handle};

int uv_fs_event_init(uv_loop_t *loop, uv_fs_event_t *handle) {
  rota__handle_init(loop, (uv_handle_t *)handle, &fs_event_class);
  handle->path = NULL;
  handle->watch = NULL;
  return 0;
}

int uv_fs_event_start(uv_fs_event_t *handle, uv_fs_event_cb cb, const char *path, unsigned int flags) {
  if (rota__handle_is_active((uv_handle_t *)handle) || rota__handle_is_closing((uv_handle_t *)handle))
    return UV_EINVAL;
  handle->path = rota__strdup(path);
  if (handle->path == NULL)
    return UV_ENOMEM;
  handle->cb = cb;
  int err = rota__fs_event_watch(handle, flags);
  if (err < 0) {
    rota__free(handle->path);
    handle->path = NULL;
    return err;
  }
  rota__handle_start((uv_handle_t *)handle);
  return 0;
}

int uv_fs_event_stop(uv_fs_event_t *handle) {
  if (!rota__handle_is_active((uv_handle_t *)handle))
    return 0;
  rota__handle_stop((uv_handle_t *)handle);
  rota__fs_event_unwatch(handle);
  handle->watch = NULL;
  rota__free(handle->path);
  handle->path = NULL;
  return 0;
}

int uv_fs_event_getpath(uv_fs_event_t *handle, char *buffer, size_t *size) {
  return rota__watched_path(rota__handle_is_active((uv_handle_t *)handle) ? handle->path : NULL, buffer, size);
}
