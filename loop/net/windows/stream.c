#include "loop/net/windows/stream.h"

#include <limits.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/limit.h"

enum {
  SUGGESTED_SIZE = 65536,
  READS_MAX = 32, /* for one wake-up: other streams must have their turn */
};

/* ---- life ---- */

void rota__stream_init(uv_loop_t *loop, uv_stream_t *stream, const struct rota_stream_kind *kind) {
  rota__handle_init(loop, (uv_handle_t *)stream, &kind->handle);
  stream->write_queue_size = 0;
  stream->alloc_cb = NULL;
  stream->read_cb = NULL;
  stream->stream = (struct rota_stream){0};
  rota__list_init(&stream->stream.write_queue);
  rota__list_init(&stream->stream.write_completed_queue);
  rota__list_init(&stream->stream.fed);
}

int rota__stream_attach(uv_stream_t *stream, HANDLE handle, bool may_skip) {
  int err = rota__iocp_attach(rota__loop_poller(stream->loop), handle);
  if (err == 0 && may_skip && rota__iocp_skip(handle))
    stream->stream.state |= ROTA_STATE_SKIPS;
  /* The file behind it is another process's, too, and reports to that one's port. */
  if (err == UV_EINVAL) {
    stream->stream.state |= ROTA_STATE_SHARED;
    err = 0;
  }
  return err;
}

/* An operation on a file that reports to a port of another process: the end sets an event, whose lowest bit tells the
 * system to leave the port alone; a thread of the system's waits for it, and tells our port. */
struct reporter {
  void *port;
  struct rota_io *io;
  HANDLE event;
};

static void CALLBACK report(TP_CALLBACK_INSTANCE *instance, void *argument, TP_WAIT *wait, TP_WAIT_RESULT result) {
  struct reporter *reporter = argument;
  (void)instance;
  (void)result;
  CloseHandle(reporter->event);
  while (!PostQueuedCompletionStatus(reporter->port, (DWORD)reporter->io->overlapped.InternalHigh, 0,
                                     &reporter->io->overlapped))
    Sleep(1);
  CloseThreadpoolWait(wait);
  rota__free(reporter);
}

static bool watch_event(uv_stream_t *stream, struct rota_io *io) {
  struct reporter *reporter = rota__calloc(1, sizeof(*reporter));
  if (reporter == NULL)
    return false;
  reporter->port = rota__stream_port(stream);
  reporter->io = io;
  reporter->event = CreateEventW(NULL, TRUE, FALSE, NULL);
  TP_WAIT *wait = reporter->event == NULL ? NULL : CreateThreadpoolWait(report, reporter, NULL);
  if (wait == NULL) {
    if (reporter->event != NULL)
      CloseHandle(reporter->event);
    rota__free(reporter);
    return false;
  }
  io->overlapped.hEvent = (HANDLE)((uintptr_t)reporter->event | 1);
  SetThreadpoolWait(wait, reporter->event, NULL);
  return true;
}

/* Without memory for the report, the operation must wait for it: its end would be told to the other process. */
OVERLAPPED *rota__stream_begin(uv_stream_t *stream, struct rota_io *io, rota_io_done done) {
  OVERLAPPED *overlapped = rota__io_begin(io, done);
  stream->stream.operations++;
  if (stream->stream.state & ROTA_STATE_SHARED)
    while (!watch_event(stream, io))
      Sleep(1);
  return overlapped;
}

void rota__stream_begun(uv_stream_t *stream, struct rota_io *io, DWORD error) {
  if (error == ERROR_IO_PENDING || (error == 0 && !(stream->stream.state & ROTA_STATE_SKIPS)))
    return;
  if (error != 0)
    rota__iocp_set_result(io, error, 0);
  if (stream->stream.state & ROTA_STATE_SHARED) /* else there is no event */
    SetEvent((HANDLE)((uintptr_t)io->overlapped.hEvent & ~(uintptr_t)1));
  else
    rota__op_defer(stream->loop, &io->op);
}

static void ended(uv_stream_t *stream) {
  const struct rota_stream_kind *kind = rota__stream_kind(stream);
  if (kind->free != NULL)
    kind->free(stream);
  rota__handle_closed((uv_handle_t *)stream);
}

void rota__stream_end(uv_stream_t *stream) {
  if (--stream->stream.operations > 0 || !(stream->stream.state & ROTA_STATE_ENDING))
    return;
  stream->stream.state &= ~(unsigned int)ROTA_STATE_ENDING;
  stream->loop->active_handles--;
  ended(stream);
}

void rota__stream_class_close(uv_handle_t *handle) {
  uv_stream_t *stream = (uv_stream_t *)handle;
  uv_read_stop(stream);
  rota__stream_kind(stream)->release(stream);
  rota__handle_stop(handle);
  stream->flags &= ~(unsigned int)(ROTA_STREAM_READABLE | ROTA_STREAM_WRITABLE);
  if (stream->stream.operations == 0) {
    ended(stream);
    return;
  }
  /* It counts also if it is not referenced: its memory must not go before the operations have come back. */
  stream->stream.state |= ROTA_STATE_ENDING;
  stream->loop->active_handles++;
}

static void shutdown_done(uv_stream_t *stream, int status) {
  uv_shutdown_t *req = stream->stream.shutdown_req;
  stream->stream.shutdown_req = NULL;
  rota__req_end(stream->loop);
  if (req->cb == NULL)
    return;
  rota__req_call_begin(stream->loop, req, (rota_function)req->cb);
  req->cb(req, status);
  rota__call_end(stream->loop);
}

void rota__stream_class_finish(uv_handle_t *handle) {
  uv_stream_t *stream = (uv_stream_t *)handle;
  if (stream->stream.shutdown_req != NULL)
    shutdown_done(stream, UV_ECANCELED);
}

/* ---- reading ---- */

void rota__stream_want(uv_stream_t *stream) {
  if (rota__stream_kind(stream)->wants != NULL)
    rota__stream_kind(stream)->wants(stream);
  if (stream->stream.state & ROTA_STATE_WAITS_TO_READ)
    return;
  stream->stream.state |= ROTA_STATE_WAITS_TO_READ;
  rota__stream_begin(stream, &stream->stream.read, rota__stream_readable);
  rota__stream_begun(stream, &stream->stream.read, rota__stream_kind(stream)->wait(stream));
}

int uv_read_start(uv_stream_t *stream, uv_alloc_cb alloc_cb, uv_read_cb read_cb) {
  if (stream == NULL || alloc_cb == NULL || read_cb == NULL)
    return UV_EINVAL;
  if (rota__handle_is_closing((uv_handle_t *)stream))
    return UV_EINVAL;
  if (stream->flags & ROTA_STREAM_READING)
    return UV_EALREADY;
  if (!(stream->flags & ROTA_STREAM_READABLE))
    return UV_ENOTCONN;
  stream->flags |= ROTA_STREAM_READING;
  stream->flags &= ~(unsigned int)ROTA_STREAM_READ_EOF;
  stream->alloc_cb = alloc_cb;
  stream->read_cb = read_cb;
  rota__handle_start((uv_handle_t *)stream);
  rota__stream_want(stream);
  return 0;
}

/* An operation that waits is left alone: it takes no bytes. */
int uv_read_stop(uv_stream_t *stream) {
  if (!(stream->flags & ROTA_STREAM_READING))
    return 0;
  stream->flags &= ~(unsigned int)ROTA_STREAM_READING;
  if (!(stream->flags & ROTA_STREAM_LISTENING) && stream->stream.connect_req == NULL)
    rota__handle_stop((uv_handle_t *)stream);
  return 0;
}

void rota__stream_tell(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  uv_loop_t *loop = stream->loop;
  uv_read_cb read_cb = stream->read_cb;
  if (nread < 0 && nread != UV_ENOBUFS)
    uv_read_stop(stream);
  if (nread == UV_EOF)
    stream->flags |= ROTA_STREAM_READ_EOF;
  else if (nread < 0 && nread != UV_ENOBUFS)
    stream->flags &= ~(unsigned int)(ROTA_STREAM_READABLE | ROTA_STREAM_WRITABLE);
  rota__handle_call_begin(loop, stream, (rota_function)read_cb);
  read_cb(stream, nread, buf);
  rota__call_end(loop);
}

static void read_what_is_there(uv_stream_t *stream) {
  for (int reads = 0; reads < READS_MAX && (stream->flags & ROTA_STREAM_READING); reads++) {
    uv_buf_t buf = {0, NULL};
    stream->alloc_cb((uv_handle_t *)stream, SUGGESTED_SIZE, &buf);
    if (!(stream->flags & ROTA_STREAM_READING))
      return; /* the alloc callback stopped or closed it */
    if (buf.base == NULL || buf.len == 0) {
      rota__stream_tell(stream, UV_ENOBUFS, &buf);
      return;
    }
    ssize_t n = rota__stream_kind(stream)->receive(stream, &buf);
    if (n == UV_EAGAIN) {
      rota__stream_tell(stream, 0, &buf); /* the buffer goes back to its owner */
      return;
    }
    rota__stream_tell(stream, n, &buf);
    if (n < (ssize_t)buf.len)
      return;
  }
}

void rota__stream_readable(struct rota_op *op, int32_t result, uint32_t bytes) {
  uv_stream_t *stream = rota__container_of(rota__io_of(op), uv_stream_t, stream.read);
  (void)bytes;
  stream->stream.state &= ~(unsigned int)ROTA_STATE_WAITS_TO_READ;
  if ((stream->flags & ROTA_STREAM_READING) && !rota__handle_is_closing((uv_handle_t *)stream)) {
    uv_buf_t none = {0, NULL};
    if (result < 0)
      rota__stream_tell(stream, result, &none);
    else
      read_what_is_there(stream);
    if ((stream->flags & ROTA_STREAM_READING) && !rota__handle_is_closing((uv_handle_t *)stream))
      rota__stream_want(stream);
  }
  rota__stream_end(stream);
}

/* ---- writing ---- */

int64_t rota__stream_gather(uv_write_t *req, const uv_buf_t *bufs, unsigned int nbufs, const void **data) {
  size_t bytes = rota__stream_bytes(bufs, nbufs), at = 0;
  *data = bufs[0].base;
  if (nbufs == 1)
    return (int64_t)bytes;
  req->copy = rota__malloc(bytes > 0 ? bytes : 1);
  if (req->copy == NULL)
    return UV_ENOMEM;
  for (unsigned int i = 0; i < nbufs; i++) {
    memcpy((char *)req->copy + at, bufs[i].base, bufs[i].len);
    at += bufs[i].len;
  }
  *data = req->copy;
  return (int64_t)bytes;
}

static void on_shut(struct rota_op *op, int32_t result, uint32_t bytes);

static void shut_if_written(uv_stream_t *stream) {
  struct rota_stream *s = &stream->stream;
  if (s->shutdown_req == NULL || !rota__list_empty(&s->write_queue) || (s->state & ROTA_STATE_SHUTTING))
    return;
  if (rota__handle_is_closing((uv_handle_t *)stream)) {
    shutdown_done(stream, UV_ECANCELED);
    return;
  }
  uv_shutdown_t *req = s->shutdown_req;
  s->state |= ROTA_STATE_SHUTTING;
  s->operations++;
  rota__io_begin(&req->io, on_shut);
  DWORD error = rota__stream_kind(stream)->shut(stream, req);
  if (error == ERROR_IO_PENDING)
    return;
  rota__iocp_set_result(&req->io, error, 0);
  rota__op_defer(stream->loop, &req->io.op);
}

static bool is_framed(const uv_stream_t *stream) {
  return stream->type == UV_NAMED_PIPE && ((const uv_pipe_t *)stream)->ipc;
}

static void forget_write(uv_stream_t *stream, uv_write_t *req) {
  rota__list_remove(&req->link);
  stream->write_queue_size -= req->length;
  rota__free(req->copy);
  rota__free(req->waiting);
  rota__req_end(stream->loop);
}

static void tell_write(uv_stream_t *stream, uv_write_t *req) {
  int status = req->error;
  forget_write(stream, req);
  if (req->cb != NULL) {
    rota__req_call_begin(stream->loop, req, (rota_function)req->cb);
    req->cb(req, status);
    rota__call_end(stream->loop);
  }
  if (rota__stream_kind(stream)->sent != NULL)
    rota__stream_kind(stream)->sent(stream);
}

/* Callbacks come in the order of the writes. One that succeeded at once may be known before one that the port reports:
 * it waits, without a `done`. */
void rota__stream_written(struct rota_op *op, int32_t result, uint32_t bytes) {
  uv_write_t *req = rota__container_of(rota__io_of(op), uv_write_t, io);
  uv_stream_t *stream = req->handle;
  struct rota_link *queue = &stream->stream.write_queue;
  if (req->error != 0)
    result = req->error;
  if (result < 0) /* in a frame there are other bytes than the program's */
    req->rota.by.bytes = is_framed(stream) ? 0 : bytes;
  if (result == UV_EOF)
    result = UV_EPIPE; /* the other side of a pipe has gone */
  if (result < 0 && rota__handle_is_closing((uv_handle_t *)stream))
    result = UV_ECANCELED; /* what the system calls it depends on how far the write had come */
  req->error = result;
  op->done = NULL;
  while (!rota__list_empty(queue)) {
    uv_write_t *first = rota__container_of(rota__list_first(queue), uv_write_t, link);
    if (first->io.op.done != NULL)
      break;
    tell_write(stream, first);
  }
  shut_if_written(stream);
  rota__stream_end(stream);
}

static int check_write(const uv_stream_t *stream, const uv_buf_t *bufs, unsigned int nbufs) {
  if (nbufs < 1 || nbufs > INT_MAX || rota__io_is_too_large(bufs, nbufs))
    return UV_EINVAL;
  if (rota__stream_kind(stream)->handle.fd((const uv_handle_t *)stream) < 0 && !(stream->flags & ROTA_STREAM_SHUT))
    return UV_EBADF;
  return stream->flags & ROTA_STREAM_WRITABLE ? 0 : UV_EPIPE;
}

int uv_write2(uv_write_t *req, uv_stream_t *stream, const uv_buf_t bufs[], unsigned int nbufs, uv_stream_t *send_handle,
              uv_write_cb cb) {
  const struct rota_stream_kind *kind = rota__stream_kind(stream);
  int err = check_write(stream, bufs, nbufs);
  if (err < 0)
    return err;
  if (send_handle != NULL && (stream->type != UV_NAMED_PIPE || !((uv_pipe_t *)stream)->ipc))
    return UV_EINVAL;
  size_t bytes = rota__stream_bytes(bufs, nbufs);
  req->handle = stream;
  req->cb = cb;
  req->send_handle = send_handle;
  req->copy = NULL;
  req->waiting = NULL;
  req->error = 0;
  req->length = (uint32_t)bytes;
  req->rota.by.bytes = bytes;
  rota__req_begin(stream->loop, (uv_req_t *)req, UV_WRITE);
  rota__list_append(&stream->stream.write_queue, &req->link);
  stream->write_queue_size += bytes;
  rota__stream_begin(stream, &req->io, rota__stream_written);
  DWORD error = kind->send(stream, req, bufs, nbufs);
  err = req->error;
  if (err < 0 && !(stream->stream.state & ROTA_STATE_SHARED)) {
    forget_write(stream, req);
    stream->stream.operations--;
    return err;
  }
  if (error == 0) { /* nothing waits, though the callback is still to come */
    stream->write_queue_size -= req->length;
    req->length = 0;
  }
  rota__stream_begun(stream, &req->io, error);
  return 0;
}

/* What has ended is no error, as with libuv. Not cancelled is what a thread writes, and a frame: the other side could
 * not read what comes after a part of it. */
int rota__stream_cancel_write(uv_write_t *req) {
  uv_stream_t *stream = req->handle;
  if (rota__handle_is_closing((uv_handle_t *)stream))
    return UV_EBUSY;
  if (req->io.op.done == NULL)
    return 0;
  if (req->waiting != NULL || is_framed(stream))
    return UV_EBUSY;
  HANDLE handle = (HANDLE)(intptr_t)rota__stream_kind(stream)->handle.fd((const uv_handle_t *)stream);
  CancelIoEx(handle, &req->io.overlapped);
  return 0;
}

size_t uv_write_nwritten(const uv_write_t *req) {
  return (size_t)req->rota.by.bytes;
}

int uv_write(uv_write_t *req, uv_stream_t *stream, const uv_buf_t bufs[], unsigned int nbufs, uv_write_cb cb) {
  return uv_write2(req, stream, bufs, nbufs, NULL, cb);
}

int uv_try_write2(uv_stream_t *stream, const uv_buf_t bufs[], unsigned int nbufs, uv_stream_t *send_handle) {
  if (rota__handle_is_closing((uv_handle_t *)stream))
    return UV_EBADF;
  if (stream->stream.connect_req != NULL || !rota__list_empty(&stream->stream.write_queue))
    return UV_EAGAIN;
  int err = check_write(stream, bufs, nbufs);
  if (err < 0)
    return err;
  if (send_handle != NULL)
    return UV_EAGAIN; /* it takes a frame, which uv_write2 makes */
  return rota__stream_kind(stream)->try_send(stream, bufs, nbufs);
}

int uv_try_write(uv_stream_t *stream, const uv_buf_t bufs[], unsigned int nbufs) {
  return uv_try_write2(stream, bufs, nbufs, NULL);
}

/* ---- the end of the outgoing side ---- */

static void on_shut(struct rota_op *op, int32_t result, uint32_t bytes) {
  uv_shutdown_t *req = rota__container_of(rota__io_of(op), uv_shutdown_t, io);
  uv_stream_t *stream = req->handle;
  (void)bytes;
  const struct rota_stream_kind *kind = rota__stream_kind(stream);
  stream->stream.state &= ~(unsigned int)ROTA_STATE_SHUTTING;
  if (stream->stream.shutdown_req != NULL) {
    stream->flags |= ROTA_STREAM_SHUT;
    if (rota__handle_is_closing((uv_handle_t *)stream))
      result = UV_ECANCELED;
    shutdown_done(stream, result);
    if (kind->shut_told != NULL && result == 0 && !rota__handle_is_closing((uv_handle_t *)stream))
      kind->shut_told(stream);
  }
  rota__stream_end(stream);
}

int uv_shutdown(uv_shutdown_t *req, uv_stream_t *stream, uv_shutdown_cb cb) {
  if (!(stream->flags & ROTA_STREAM_WRITABLE) || (stream->flags & ROTA_STREAM_SHUT) ||
      stream->stream.shutdown_req != NULL || rota__handle_is_closing((uv_handle_t *)stream))
    return UV_ENOTCONN;
  rota__req_begin(stream->loop, (uv_req_t *)req, UV_SHUTDOWN);
  req->handle = stream;
  req->cb = cb;
  stream->stream.shutdown_req = req;
  stream->flags &= ~(unsigned int)ROTA_STREAM_WRITABLE;
  shut_if_written(stream);
  return 0;
}

/* ---- connections, and what a stream is asked ---- */

static bool can_listen(const uv_stream_t *stream) {
  return stream->type == UV_TCP || stream->type == UV_NAMED_PIPE;
}

int uv_listen(uv_stream_t *stream, int backlog, uv_connection_cb cb) {
  const struct rota_stream_kind *kind = rota__stream_kind(stream);
  if (!can_listen(stream) || rota__handle_is_closing((uv_handle_t *)stream))
    return UV_EINVAL;
  return kind->listen(stream, backlog, cb);
}

int uv_accept(uv_stream_t *server, uv_stream_t *client) {
  return can_listen(server) ? rota__stream_kind(server)->accept(server, client) : UV_EINVAL;
}

int uv_is_readable(const uv_stream_t *stream) {
  return (stream->flags & ROTA_STREAM_READABLE) != 0;
}

int uv_is_writable(const uv_stream_t *stream) {
  return (stream->flags & ROTA_STREAM_WRITABLE) != 0;
}

size_t uv_stream_get_write_queue_size(const uv_stream_t *stream) {
  return stream->write_queue_size;
}

/* As libuv on this system: pipes only. */
int uv_stream_set_blocking(uv_stream_t *stream, int blocking) {
  if (stream->type != UV_NAMED_PIPE)
    return UV_EINVAL;
  if (blocking)
    stream->flags |= ROTA_STREAM_BLOCKING_WRITES;
  else
    stream->flags &= ~(unsigned int)ROTA_STREAM_BLOCKING_WRITES;
  return 0;
}
