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
  stream->io = (struct rota_stream){0};
  rota__list_init(&stream->io.write_queue);
  rota__list_init(&stream->io.write_completed_queue);
  rota__list_init(&stream->io.fed);
}

int rota__stream_attach(uv_stream_t *stream, HANDLE handle, bool may_skip) {
  int err = rota__iocp_attach(rota__loop_poller(stream->loop), handle);
  if (err == 0 && may_skip && rota__iocp_skip(handle))
    stream->io.state |= ROTA_STATE_SKIPS;
  /* The file behind it is another process's, too, and reports to that one's port. */
  if (err == UV_EINVAL) {
    stream->io.state |= ROTA_STATE_SHARED;
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
  stream->io.operations++;
  if (stream->io.state & ROTA_STATE_SHARED)
    while (!watch_event(stream, io))
      Sleep(1);
  return overlapped;
}

void rota__stream_begun(uv_stream_t *stream, struct rota_io *io, DWORD error) {
  if (error == ERROR_IO_PENDING || (error == 0 && !(stream->io.state & ROTA_STATE_SKIPS)))
    return;
  if (error != 0)
    rota__iocp_set_result(io, error, 0);
  if (stream->io.state & ROTA_STATE_SHARED) /* else there is no event */
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
  if (--stream->io.operations > 0 || !(stream->io.state & ROTA_STATE_ENDING))
    return;
  stream->io.state &= ~(unsigned int)ROTA_STATE_ENDING;
  stream->loop->active_handles--;
  ended(stream);
}

void rota__stream_class_close(uv_handle_t *handle) {
  uv_stream_t *stream = (uv_stream_t *)handle;
  uv_read_stop(stream);
  rota__stream_kind(stream)->release(stream);
  rota__handle_stop(handle);
  stream->flags &= ~(unsigned int)(ROTA_STREAM_READABLE | ROTA_STREAM_WRITABLE);
  if (stream->io.operations == 0) {
    ended(stream);
    return;
  }
  /* It counts also if it is not referenced: its memory must not go before the operations have come back. */
  stream->io.state |= ROTA_STATE_ENDING;
  stream->loop->active_handles++;
}

void rota__stream_class_finish(uv_handle_t *handle) {
  uv_stream_t *stream = (uv_stream_t *)handle;
  if (stream->io.shutdown_req != NULL)
    rota__stream_shutdown_end(stream, UV_ECANCELED);
}

/* ---- reading ---- */

void rota__stream_want(uv_stream_t *stream) {
  if (rota__stream_kind(stream)->wants != NULL)
    rota__stream_kind(stream)->wants(stream);
  if (stream->io.state & ROTA_STATE_WAITS_TO_READ)
    return;
  stream->io.state |= ROTA_STATE_WAITS_TO_READ;
  rota__stream_begin(stream, &stream->io.read, rota__stream_readable);
  rota__stream_begun(stream, &stream->io.read, rota__stream_kind(stream)->wait(stream));
}

int rota__stream_read_begin(uv_stream_t *stream) {
  rota__stream_want(stream);
  return 0;
}

/* An operation that waits is left alone: it takes no bytes. */
void rota__stream_read_end(uv_stream_t *stream) {
  if (!(stream->flags & ROTA_STREAM_LISTENING) && stream->io.connect_req == NULL)
    rota__handle_stop((uv_handle_t *)stream);
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
  uv_stream_t *stream = rota__container_of(rota__io_of(op), uv_stream_t, io.read);
  (void)bytes;
  stream->io.state &= ~(unsigned int)ROTA_STATE_WAITS_TO_READ;
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

/* Ends the outgoing side once the queue is empty. */
void rota__stream_shutdown_begin(uv_stream_t *stream) {
  struct rota_stream *s = &stream->io;
  if (s->shutdown_req == NULL || !rota__list_empty(&s->write_queue) || (s->state & ROTA_STATE_SHUTTING))
    return;
  if (rota__handle_is_closing((uv_handle_t *)stream)) {
    rota__stream_shutdown_end(stream, UV_ECANCELED);
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
  struct rota_link *queue = &stream->io.write_queue;
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
  rota__stream_shutdown_begin(stream);
  rota__stream_end(stream);
}

bool rota__stream_is_open(const uv_stream_t *stream) {
  return rota__stream_kind(stream)->handle.fd((const uv_handle_t *)stream) >= 0 || (stream->flags & ROTA_STREAM_SHUT);
}

int rota__stream_write(uv_write_t *req, uv_stream_t *stream, const uv_buf_t bufs[], unsigned int nbufs) {
  const struct rota_stream_kind *kind = rota__stream_kind(stream);
  req->copy = NULL;
  req->waiting = NULL;
  req->length = (uint32_t)req->rota.by.bytes;
  rota__req_begin(stream->loop, (uv_req_t *)req, UV_WRITE);
  rota__list_append(&stream->io.write_queue, &req->link);
  stream->write_queue_size += req->length;
  rota__stream_begin(stream, &req->io, rota__stream_written);
  DWORD error = kind->send(stream, req, bufs, nbufs);
  int err = req->error;
  if (err < 0 && !(stream->io.state & ROTA_STATE_SHARED)) {
    forget_write(stream, req);
    stream->io.operations--;
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

int uv_try_write2(uv_stream_t *stream, const uv_buf_t bufs[], unsigned int nbufs, uv_stream_t *send_handle) {
  if (rota__handle_is_closing((uv_handle_t *)stream))
    return UV_EBADF;
  if (stream->io.connect_req != NULL || !rota__list_empty(&stream->io.write_queue))
    return UV_EAGAIN;
  int err = rota__stream_check_write(stream, bufs, nbufs, NULL);
  if (err < 0)
    return err;
  if (send_handle != NULL)
    return UV_EAGAIN; /* it takes a frame, which uv_write2 makes */
  return rota__stream_kind(stream)->try_send(stream, bufs, nbufs);
}

/* ---- the end of the outgoing side ---- */

static void on_shut(struct rota_op *op, int32_t result, uint32_t bytes) {
  uv_shutdown_t *req = rota__container_of(rota__io_of(op), uv_shutdown_t, io);
  uv_stream_t *stream = req->handle;
  (void)bytes;
  const struct rota_stream_kind *kind = rota__stream_kind(stream);
  stream->io.state &= ~(unsigned int)ROTA_STATE_SHUTTING;
  if (stream->io.shutdown_req != NULL) {
    stream->flags |= ROTA_STREAM_SHUT;
    if (rota__handle_is_closing((uv_handle_t *)stream))
      result = UV_ECANCELED;
    rota__stream_shutdown_end(stream, result);
    if (kind->shut_told != NULL && result == 0 && !rota__handle_is_closing((uv_handle_t *)stream))
      kind->shut_told(stream);
  }
  rota__stream_end(stream);
}

/* ---- connections, and what a stream is asked ---- */

int uv_accept(uv_stream_t *server, uv_stream_t *client) {
  switch (server->type) {
  case UV_TCP:
    return rota__tcp_accept((uv_tcp_t *)server, client);
  case UV_NAMED_PIPE:
    return rota__pipe_accept((uv_pipe_t *)server, client);
  default:
    return UV_EINVAL;
  }
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
