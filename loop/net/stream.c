/* The life of a stream: init, open, readiness, close.
 *
 * Invariant: the watcher's descriptor is -1 until the stream is opened, and again after it is closed; without a
 * descriptor nothing is read, written or watched. Requests live longer than the descriptor: they end in the closing
 * phase, before the close callback, so that every promised callback comes exactly once. */
#include "loop/net/stream.h"

#include <unistd.h>

#include "loop/os/file.h"

void rota__stream_init(uv_loop_t *loop, uv_stream_t *stream, const struct rota_handle_class *kind) {
  rota__handle_init(loop, (uv_handle_t *)stream, kind);
  stream->write_queue_size = 0;
  stream->alloc_cb = NULL;
  stream->read_cb = NULL;
  stream->stream.connect_req = NULL;
  stream->stream.shutdown_req = NULL;
  stream->stream.connection_cb = NULL;
  stream->stream.delayed_error = 0;
  stream->stream.accepted_fd = -1;
  stream->stream.queued_fds = NULL;
  rota__list_init(&stream->stream.write_queue);
  rota__list_init(&stream->stream.write_completed_queue);
  rota__watcher_init(&stream->stream.watcher, rota__stream_ready, -1);
}

int rota__stream_open(uv_stream_t *stream, int fd, unsigned int flags) {
  int present = rota__stream_fd(stream);
  if (present != -1 && present != fd)
    return UV_EBUSY;
  if (stream->type == UV_TCP) {
    int err = rota__tcp_apply_options((uv_tcp_t *)stream, fd);
    if (err < 0)
      return err;
  }
  stream->flags |= flags;
  stream->stream.watcher.fd = fd;
  return 0;
}

void rota__stream_ready(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events) {
  uv_stream_t *stream = rota__stream_of_watcher(watcher);
  (void)loop;
  if (events & (POLLIN | POLLERR | POLLHUP))
    rota__stream_read_ready(stream, events);
  if (watcher->fd == -1)
    return; /* the reader closed it */
  if (events & (POLLOUT | POLLERR | POLLHUP))
    rota__stream_write_ready(stream);
}

void rota__stream_close(uv_stream_t *stream) {
  int fd = rota__stream_fd(stream);
  rota__watcher_close(stream->loop, &stream->stream.watcher);
  uv_read_stop(stream);
  rota__handle_stop((uv_handle_t *)stream);
  stream->flags &= ~(unsigned int)(ROTA_STREAM_READABLE | ROTA_STREAM_WRITABLE);
  stream->stream.watcher.fd = -1;
  /* Standard input, output and error stay open: else the next opened file would get their number, and what is printed.
   */
  if (fd > STDERR_FILENO)
    rota__os_close(fd);
  rota__stream_passed_close(stream);
}

void rota__stream_class_close(uv_handle_t *handle) {
  rota__stream_close((uv_stream_t *)handle);
  rota__handle_closed(handle);
}

void rota__stream_class_finish(uv_handle_t *handle) {
  uv_stream_t *stream = (uv_stream_t *)handle;
  uv_connect_t *connect_req = stream->stream.connect_req;
  if (connect_req != NULL) {
    stream->stream.connect_req = NULL;
    rota__req_end(stream->loop);
    if (connect_req->cb != NULL) {
      rota__req_call_begin(stream->loop, connect_req, (rota_function)connect_req->cb);
      connect_req->cb(connect_req, UV_ECANCELED);
      rota__call_end(stream->loop);
    }
  }
  rota__stream_write_cancel(stream, UV_ECANCELED);
  rota__stream_write_report(stream);
  rota__stream_shutdown_ready(stream);
}

int rota__stream_class_fd(const uv_handle_t *handle) {
  return rota__stream_fd((const uv_stream_t *)handle);
}

size_t uv_stream_get_write_queue_size(const uv_stream_t *stream) {
  return stream->write_queue_size;
}

int uv_is_readable(const uv_stream_t *stream) {
  return (stream->flags & ROTA_STREAM_READABLE) != 0;
}

int uv_is_writable(const uv_stream_t *stream) {
  return (stream->flags & ROTA_STREAM_WRITABLE) != 0;
}

int uv_stream_set_blocking(uv_stream_t *stream, int blocking) {
  return rota__os_set_nonblocking(rota__stream_fd(stream), !blocking);
}
