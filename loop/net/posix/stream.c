/* Streams of POSIX: life, bytes in, connecting, and the end of the outgoing side.
 *
 * Invariant: the watcher's descriptor is -1 until the stream is opened, and again after it is closed; without a
 * descriptor nothing is read, written or watched. Requests live longer than the descriptor: they end in the closing
 * phase, before the close callback, so that every promised callback comes exactly once. */
#include "loop/net/posix/stream.h"

#include <unistd.h>

#include "loop/core/io_hook.h"
#include "loop/os/file.h"
#include "loop/os/socket.h"

enum {
  SUGGESTED_SIZE = 65536,
  READS_MAX = 32, /* for one wake-up: other descriptors must have their turn */
};

/* ---- init, open ---- */

void rota__stream_init(uv_loop_t *loop, uv_stream_t *stream, const struct rota_handle_class *kind) {
  rota__handle_init(loop, (uv_handle_t *)stream, kind);
  stream->write_queue_size = 0;
  stream->alloc_cb = NULL;
  stream->read_cb = NULL;
  stream->io.connect_req = NULL;
  stream->io.shutdown_req = NULL;
  stream->io.connection_cb = NULL;
  stream->io.delayed_error = 0;
  stream->io.accepted_fd = -1;
  stream->io.queued_fds = NULL;
  rota__list_init(&stream->io.write_queue);
  rota__list_init(&stream->io.write_completed_queue);
  rota__watcher_init(&stream->io.watcher, rota__stream_ready, -1);
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
  stream->io.watcher.fd = fd;
  return 0;
}

bool rota__stream_is_open(const uv_stream_t *stream) {
  return rota__stream_fd(stream) >= 0;
}

int uv_stream_set_blocking(uv_stream_t *stream, int blocking) {
  return rota__os_set_nonblocking(rota__stream_fd(stream), !blocking);
}

/* ---- bytes in ----
 *
 * A small message: the descriptor is ready, the reader gives a buffer, one system call fills it, the reader gets it
 * back. A buffer is asked for just before the call that fills it, never ahead of time: readers share one buffer among
 * all their streams. If a call does not fill the buffer, the socket is empty, and there is no second call, unless the
 * peer has hung up: then the end of the stream is read at once. */

int rota__stream_read_begin(uv_stream_t *stream) {
  return rota__watcher_start(stream->loop, &stream->io.watcher, POLLIN);
}

void rota__stream_read_end(uv_stream_t *stream) {
  rota__watcher_stop(stream->loop, &stream->io.watcher, POLLIN);
  rota__handle_stop((uv_handle_t *)stream);
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

/* There may be something to read: reads and calls the reader, if there is one. */
static void read_ready(uv_stream_t *stream, unsigned int events) {
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

void rota__stream_ready(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events) {
  uv_stream_t *stream = rota__stream_of_watcher(watcher);
  (void)loop;
  if (events & (POLLIN | POLLERR | POLLHUP))
    read_ready(stream, events);
  if (watcher->fd == -1)
    return; /* the reader closed it */
  if (events & (POLLOUT | POLLERR | POLLHUP))
    rota__stream_write_ready(stream);
}

/* ---- connecting ----
 *
 * While it connects, the watcher's callback is the one below, and writes are only queued. An error that is known at
 * once is kept, and the loop reports it like any other: the callback never runs inside a connect function. */

static void connect_ready(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events) {
  uv_stream_t *stream = rota__stream_of_watcher(watcher);
  uv_connect_t *req = stream->io.connect_req;
  int err = stream->io.delayed_error;
  (void)events;
  if (err == 0)
    err = rota__os_socket_error(watcher->fd);
  if (err > 0)
    return; /* not yet */
  stream->io.delayed_error = 0;
  stream->io.connect_req = NULL;
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
    if (stream->io.shutdown_req != NULL && !rota__handle_is_closing((uv_handle_t *)stream))
      rota__watcher_feed(loop, watcher);
  }
}

void rota__stream_connect_start(uv_stream_t *stream, uv_connect_t *req, uv_connect_cb cb, int err) {
  struct rota_watcher *watcher = &stream->io.watcher;
  rota__req_begin(stream->loop, (uv_req_t *)req, UV_CONNECT);
  req->handle = stream;
  req->cb = cb;
  rota__list_init(&req->link);
  stream->io.connect_req = req;
  watcher->cb = connect_ready;
  if (err == 0)
    err = rota__watcher_start(stream->loop, watcher, POLLOUT);
  stream->io.delayed_error = err;
  if (err < 0)
    rota__watcher_feed(stream->loop, watcher);
}

/* ---- the end of the outgoing side ---- */

void rota__stream_shutdown_begin(uv_stream_t *stream) {
  /* Otherwise the end of the last write, or of connecting, calls rota__stream_shutdown_ready. */
  if (!rota__stream_has_writes(stream) && stream->io.connect_req == NULL)
    rota__watcher_feed(stream->loop, &stream->io.watcher);
}

void rota__stream_shutdown_ready(uv_stream_t *stream) {
  int err = UV_ECANCELED;
  if (stream->io.shutdown_req == NULL)
    return;
  if (!rota__handle_is_closing((uv_handle_t *)stream)) {
    err = rota__os_shutdown_write(rota__stream_fd(stream));
    if (err == 0)
      stream->flags |= ROTA_STREAM_SHUT;
  }
  rota__stream_shutdown_end(stream, err);
}

/* ---- close ---- */

void rota__stream_close(uv_stream_t *stream) {
  int fd = rota__stream_fd(stream);
  rota__watcher_close(stream->loop, &stream->io.watcher);
  uv_read_stop(stream);
  rota__handle_stop((uv_handle_t *)stream);
  stream->flags &= ~(unsigned int)(ROTA_STREAM_READABLE | ROTA_STREAM_WRITABLE);
  stream->io.watcher.fd = -1;
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
  uv_connect_t *connect_req = stream->io.connect_req;
  if (connect_req != NULL) {
    stream->io.connect_req = NULL;
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
