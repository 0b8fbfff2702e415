/* The public functions of streams: what they check, and the state that is the same on all systems. */
#include "loop/net/stream.h"

#include <limits.h>

#include "loop/base/limit.h"

/* ---- reading ---- */

int uv_read_start(uv_stream_t *stream, uv_alloc_cb alloc_cb, uv_read_cb read_cb) {
  if (stream == NULL || alloc_cb == NULL || read_cb == NULL)
    return UV_EINVAL;
  if (rota__handle_is_closing((uv_handle_t *)stream))
    return UV_EINVAL;
  if (stream->flags & ROTA_STREAM_READING)
    return UV_EALREADY;
  if (!(stream->flags & ROTA_STREAM_READABLE))
    return UV_ENOTCONN;
  int err = rota__stream_read_begin(stream);
  if (err < 0)
    return err;
  stream->flags |= ROTA_STREAM_READING;
  stream->flags &= ~(unsigned int)ROTA_STREAM_READ_EOF;
  stream->alloc_cb = alloc_cb;
  stream->read_cb = read_cb;
  rota__handle_start((uv_handle_t *)stream);
  return 0;
}

int uv_read_stop(uv_stream_t *stream) {
  if (!(stream->flags & ROTA_STREAM_READING))
    return 0;
  stream->flags &= ~(unsigned int)ROTA_STREAM_READING;
  rota__stream_read_end(stream);
  stream->alloc_cb = NULL;
  stream->read_cb = NULL;
  return 0;
}

/* ---- writing ---- */

int rota__stream_check_write(const uv_stream_t *stream, const uv_buf_t *bufs, unsigned int nbufs,
                             const uv_stream_t *send_handle) {
  if (nbufs < 1 || nbufs > INT_MAX || rota__io_is_too_large(bufs, nbufs))
    return UV_EINVAL;
  if (rota__unlikely(!(stream->flags & ROTA_STREAM_WRITABLE)))
    return rota__stream_is_open(stream) ? UV_EPIPE : UV_EBADF;
  if (send_handle != NULL && (stream->type != UV_NAMED_PIPE || !((const uv_pipe_t *)stream)->ipc))
    return UV_EINVAL;
  return 0;
}

int uv_write2(uv_write_t *req, uv_stream_t *stream, const uv_buf_t bufs[], unsigned int nbufs, uv_stream_t *send_handle,
              uv_write_cb cb) {
  int err = rota__stream_check_write(stream, bufs, nbufs, send_handle);
  if (err < 0)
    return err;
  size_t bytes = 0;
  for (unsigned int i = 0; i < nbufs; i++)
    bytes += bufs[i].len;
  req->handle = stream;
  req->cb = cb;
  req->send_handle = send_handle;
  req->error = 0;
  req->rota.by.bytes = bytes;
  return rota__stream_write(req, stream, bufs, nbufs);
}

int uv_write(uv_write_t *req, uv_stream_t *stream, const uv_buf_t bufs[], unsigned int nbufs, uv_write_cb cb) {
  return uv_write2(req, stream, bufs, nbufs, NULL, cb);
}

int uv_try_write(uv_stream_t *stream, const uv_buf_t bufs[], unsigned int nbufs) {
  return uv_try_write2(stream, bufs, nbufs, NULL);
}

size_t uv_write_nwritten(const uv_write_t *req) {
  return (size_t)req->rota.by.bytes;
}

size_t uv_stream_get_write_queue_size(const uv_stream_t *stream) {
  return stream->write_queue_size;
}

/* ---- the end of the outgoing side ---- */

/* A shutdown waits for the writes queued before it; after uv_shutdown nothing more may be written. Its callback comes
 * from the loop, never from inside of uv_shutdown. */
int uv_shutdown(uv_shutdown_t *req, uv_stream_t *stream, uv_shutdown_cb cb) {
  if (!(stream->flags & ROTA_STREAM_WRITABLE) || (stream->flags & ROTA_STREAM_SHUT) ||
      stream->io.shutdown_req != NULL || rota__handle_is_closing((uv_handle_t *)stream))
    return UV_ENOTCONN;
  rota__req_begin(stream->loop, (uv_req_t *)req, UV_SHUTDOWN);
  req->handle = stream;
  req->cb = cb;
  stream->io.shutdown_req = req;
  stream->flags &= ~(unsigned int)ROTA_STREAM_WRITABLE;
  rota__stream_shutdown_begin(stream);
  return 0;
}

void rota__stream_shutdown_end(uv_stream_t *stream, int status) {
  uv_loop_t *loop = stream->loop;
  uv_shutdown_t *req = stream->io.shutdown_req;
  stream->io.shutdown_req = NULL;
  rota__req_end(loop);
  if (req->cb == NULL)
    return;
  rota__req_call_begin(loop, req, (rota_function)req->cb);
  req->cb(req, status);
  rota__call_end(loop);
}

/* ---- connections, and what a stream is asked ---- */

int uv_listen(uv_stream_t *stream, int backlog, uv_connection_cb cb) {
  if (rota__handle_is_closing((uv_handle_t *)stream))
    return UV_EINVAL;
  switch (stream->type) {
  case UV_TCP:
    return rota__tcp_listen((uv_tcp_t *)stream, backlog, cb);
  case UV_NAMED_PIPE:
    return rota__pipe_listen((uv_pipe_t *)stream, backlog, cb);
  default:
    return UV_EINVAL;
  }
}

int uv_is_readable(const uv_stream_t *stream) {
  return (stream->flags & ROTA_STREAM_READABLE) != 0;
}

int uv_is_writable(const uv_stream_t *stream) {
  return (stream->flags & ROTA_STREAM_WRITABLE) != 0;
}
