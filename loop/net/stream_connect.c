/* A connection out.
 *
 * While it connects, the watcher's callback is the one below, and writes are only queued. An error that is known at
 * once is kept, and the loop reports it like any other: the callback never runs inside a connect function. */
#include "loop/net/stream.h"

#include "loop/os/socket.h"

void rota__stream_connect_start(uv_stream_t *stream, uv_connect_t *req, uv_connect_cb cb, int err) {
  struct rota_watcher *watcher = &stream->stream.watcher;
  rota__req_begin(stream->loop, (uv_req_t *)req, UV_CONNECT);
  req->handle = stream;
  req->cb = cb;
  rota__list_init(&req->link);
  stream->stream.connect_req = req;
  watcher->cb = rota__stream_connect_ready;
  if (err == 0)
    err = rota__watcher_start(stream->loop, watcher, POLLOUT);
  stream->stream.delayed_error = err;
  if (err < 0)
    rota__watcher_feed(stream->loop, watcher);
}

void rota__stream_connect_ready(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events) {
  uv_stream_t *stream = rota__stream_of_watcher(watcher);
  uv_connect_t *req = stream->stream.connect_req;
  int err = stream->stream.delayed_error;
  (void)events;
  if (err == 0)
    err = rota__os_socket_error(watcher->fd);
  if (err > 0)
    return; /* not yet */
  stream->stream.delayed_error = 0;
  stream->stream.connect_req = NULL;
  watcher->cb = rota__stream_ready;
  if (err < 0 || !rota__stream_has_writes(stream))
    rota__watcher_stop(loop, watcher, POLLOUT);
  rota__req_end(loop);

  if (req->cb != NULL) {
    rota__req_call_begin(loop, req, (rota_function)req->cb);
    req->cb(req, err);
    rota__call_end(loop);
  }
  if (rota__handle_is_closing((uv_handle_t *)stream))
    return;
  if (err < 0) {
    rota__stream_write_cancel(stream, UV_ECANCELED);
    rota__stream_write_report(stream);
  } else if (rota__stream_has_writes(stream)) {
    rota__stream_write_ready(stream);
  } else {
    rota__stream_write_report(stream); /* what was cancelled meanwhile */
    if (stream->stream.shutdown_req != NULL && !rota__handle_is_closing((uv_handle_t *)stream))
      rota__watcher_feed(loop, watcher);
  }
}
