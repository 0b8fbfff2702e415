/* Async handles: a callback on the loop's thread, asked for from anywhere. The way of a send is in wake.c.
 * An async handle is active from its initialisation until it is closed. */
#include "loop/core/async.h"

#include "loop/core/handle.h"
#include "loop/core/internal.h"

static void async_close(uv_handle_t *handle) {
  rota__wake_unsend((uv_async_t *)handle);
  rota__handle_stop(handle);
  rota__handle_closed(handle);
}

static const struct rota_handle_class async_class = {.type = UV_ASYNC, .close = async_close};

int uv_async_init(uv_loop_t *loop, uv_async_t *async, uv_async_cb async_cb) {
  rota__handle_init(loop, (uv_handle_t *)async, &async_class);
  async->async_cb = async_cb;
  async->next_sent = NULL;
  async->state = ROTA_ASYNC_QUIET;
  rota__handle_start((uv_handle_t *)async);
  return 0;
}
