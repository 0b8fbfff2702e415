/* The end of the outgoing side of a stream.
 *
 * A shutdown waits for the writes queued before it; after uv_shutdown nothing more may be written. Its callback comes
 * from the loop, never from inside of uv_shutdown. */
#include "loop/net/stream.h"

#include "loop/os/socket.h"

int uv_shutdown(uv_shutdown_t *req, uv_stream_t *stream, uv_shutdown_cb cb) {
  if (!(stream->flags & ROTA_STREAM_WRITABLE) || (stream->flags & ROTA_STREAM_SHUT) ||
      stream->stream.shutdown_req != NULL || rota__handle_is_closing((uv_handle_t *)stream))
    return UV_ENOTCONN;
  rota__req_begin(stream->loop, (uv_req_t *)req, UV_SHUTDOWN);
  req->handle = stream;
  req->cb = cb;
  stream->stream.shutdown_req = req;
  stream->flags &= ~(unsigned int)ROTA_STREAM_WRITABLE;
  /* Otherwise the end of the last write, or of connecting, calls this again. */
  if (!rota__stream_has_writes(stream) && stream->stream.connect_req == NULL)
    rota__watcher_feed(stream->loop, &stream->stream.watcher);
  return 0;
}

void rota__stream_shutdown_ready(uv_stream_t *stream) {
  uv_shutdown_t *req = stream->stream.shutdown_req;
  uv_loop_t *loop = stream->loop;
  int err = UV_ECANCELED;
  if (req == NULL)
    return;
  stream->stream.shutdown_req = NULL;
  rota__req_end(loop);
  if (!rota__handle_is_closing((uv_handle_t *)stream)) {
    err = rota__os_shutdown_write(rota__stream_fd(stream));
    if (err == 0)
      stream->flags |= ROTA_STREAM_SHUT;
  }
  if (req->cb == NULL)
    return;
  rota__req_call_begin(loop, req, (rota_function)req->cb);
  req->cb(req, err);
  rota__call_end(loop);
}
