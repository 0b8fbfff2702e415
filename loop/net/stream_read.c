/* Bytes in.
 *
 * A small message: the descriptor is ready, the reader gives a buffer, one system call fills it, the reader gets it
 * back. A buffer is asked for just before the call that fills it, never ahead of time: readers share one buffer among
 * all their streams. If a call does not fill the buffer, the socket is empty, and there is no second call, unless the
 * peer has hung up: then the end of the stream is read at once. */
#include "loop/net/stream.h"

#include "loop/core/io_hook.h"
#include "loop/os/file.h"
#include "loop/os/socket.h"

enum {
  SUGGESTED_SIZE = 65536,
  READS_MAX = 32, /* for one wake-up: other descriptors must have their turn */
};

int uv_read_start(uv_stream_t *stream, uv_alloc_cb alloc_cb, uv_read_cb read_cb) {
  if (stream == NULL || alloc_cb == NULL || read_cb == NULL)
    return UV_EINVAL;
  if (rota__handle_is_closing((uv_handle_t *)stream))
    return UV_EINVAL;
  if (stream->flags & ROTA_STREAM_READING)
    return UV_EALREADY;
  if (!(stream->flags & ROTA_STREAM_READABLE))
    return UV_ENOTCONN;
  int err = rota__watcher_start(stream->loop, &stream->stream.watcher, POLLIN);
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
  rota__watcher_stop(stream->loop, &stream->stream.watcher, POLLIN);
  rota__handle_stop((uv_handle_t *)stream);
  stream->alloc_cb = NULL;
  stream->read_cb = NULL;
  return 0;
}

static bool is_ipc(const uv_stream_t *stream) {
  return stream->type == UV_NAMED_PIPE && ((const uv_pipe_t *)stream)->ipc;
}

static ssize_t read_with_descriptors(uv_stream_t *stream, const uv_buf_t *buf) {
  int passed[ROTA_OS_PASSED_MAX];
  size_t passed_count = 0;
  ssize_t n = rota__os_recv_descriptors(rota__stream_fd(stream), buf->base, buf->len, passed, &passed_count);
  if (passed_count > 0) {
    int err = rota__stream_passed_add(stream, passed, passed_count);
    if (err < 0)
      return err;
  }
  return n;
}

/* The one place where a stream's bytes are taken from the system. */
static ssize_t read_attempt(uv_stream_t *stream, const uv_buf_t *buf) {
  if (stream->type == UV_TCP) {
    struct rota_io_hook *hook = rota__io_hook(stream->loop);
    if (rota__unlikely(hook != NULL))
      return hook->receive(hook, rota__stream_fd(stream), buf);
    return rota__os_recv(rota__stream_fd(stream), buf->base, buf->len);
  }
  if (is_ipc(stream) && !(stream->flags & ROTA_STREAM_NOT_SOCKET)) {
    ssize_t n = read_with_descriptors(stream, buf);
    if (n != UV_ENOTSOCK)
      return n;
    stream->flags |= ROTA_STREAM_NOT_SOCKET;
  }
  return rota__os_read(rota__stream_fd(stream), buf->base, buf->len);
}

static void tell_reader(uv_stream_t *stream, uv_read_cb read_cb, ssize_t nread, const uv_buf_t *buf) {
  uv_loop_t *loop = stream->loop;
  rota__handle_call_begin(loop, stream, (rota_function)read_cb);
  read_cb(stream, nread, buf);
  rota__call_end(loop);
}

void rota__stream_read_ready(uv_stream_t *stream, unsigned int events) {
  for (unsigned int reads = 0; reads < READS_MAX && (stream->flags & ROTA_STREAM_READING); reads++) {
    uv_buf_t buf = {NULL, 0};
    uv_read_cb read_cb = stream->read_cb;
    stream->alloc_cb((uv_handle_t *)stream, SUGGESTED_SIZE, &buf);
    if (!(stream->flags & ROTA_STREAM_READING))
      return; /* the alloc callback stopped or closed it */
    if (buf.base == NULL || buf.len == 0) {
      tell_reader(stream, read_cb, UV_ENOBUFS, &buf);
      return;
    }

    ssize_t n = read_attempt(stream, &buf);
    if (rota__likely(n > 0)) {
      bool emptied = (size_t)n < buf.len && !(events & POLLHUP);
      tell_reader(stream, read_cb, n, &buf);
      if (emptied)
        return;
    } else if (n == UV_EAGAIN) {
      tell_reader(stream, read_cb, 0, &buf); /* the buffer goes back to its owner */
      return;
    } else if (n == 0) {
      uv_read_stop(stream);
      stream->flags |= ROTA_STREAM_READ_EOF;
      tell_reader(stream, read_cb, UV_EOF, &buf);
      return;
    } else {
      stream->flags &= ~(unsigned int)(ROTA_STREAM_READABLE | ROTA_STREAM_WRITABLE);
      tell_reader(stream, read_cb, n, &buf); /* it still reads: only the end is the end of reading */
      uv_read_stop(stream);
      return;
    }
  }
}
