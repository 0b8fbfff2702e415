/* Bytes out, and the queue of writes.
 *
 * A write is tried at once, from the caller's own buffers: it usually succeeds, and nothing is copied. The rest is kept
 * in the request and written when the descriptor has room. Invariants: the queue is in order, and only its first
 * request may be partly written; while there is a queue and no connection is being made, POLLOUT is watched;
 * write_queue_size is the number of bytes in the queue, and of those that failed unreported. A finished write waits in
 * the list of completed ones until the loop reports it: its callback never runs inside uv_write. */
#include "loop/net/posix/stream.h"

#include <limits.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/limit.h"
#include "loop/core/io_hook.h"
#include "loop/os/file.h"
#include "loop/os/socket.h"

enum {
  BATCH_MAX = 64, /* buffers of different requests that go out together */
  CALLS_MAX = 32, /* for one wake-up: other descriptors must have their turn */
};

_Static_assert(sizeof(uv_buf_t) == sizeof(struct iovec) && offsetof(uv_buf_t, base) == offsetof(struct iovec, iov_base),
               "a uv_buf_t is a struct iovec");

static size_t bytes_in(const uv_buf_t *bufs, unsigned int nbufs) {
  size_t size = 0;
  for (unsigned int i = 0; i < nbufs; i++)
    size += bufs[i].len;
  return size;
}

static int handle_fd(const uv_stream_t *handle) {
  const struct rota_handle_class *kind = handle->u.rota.kind;
  return kind->fd == NULL ? -1 : kind->fd((const uv_handle_t *)handle);
}

/* On a loop that a tool steers: an error that the system could give, or a part. */
static ssize_t send_or_fail(uv_stream_t *stream, const uv_buf_t *bufs, unsigned int nbufs) {
  int fd = rota__stream_fd(stream);
  int fault = rota__io_fault(stream->loop, "send", fd);
  if (fault < 0)
    return fault;
  const struct iovec *vector = (const struct iovec *)bufs;
  if (fault > 0 && nbufs > 0)
    return rota__os_send(fd, vector->iov_base, (vector->iov_len + 1) / 2);
  return rota__os_sendv(fd, vector, nbufs);
}

static ssize_t write_once(uv_stream_t *stream, const uv_buf_t *bufs, unsigned int nbufs, uv_stream_t *send_handle) {
  int fd = rota__stream_fd(stream);
  const struct iovec *vector = (const struct iovec *)bufs;
  if (nbufs > IOV_MAX)
    nbufs = IOV_MAX;
  if (rota__unlikely(send_handle != NULL)) {
    int passed = handle_fd(send_handle);
    return passed < 0 ? UV_EBADF : rota__os_send_descriptor(fd, vector, nbufs, passed);
  }
  if (rota__likely(!(stream->flags & (ROTA_STREAM_NOT_SOCKET | ROTA_STREAM_STEERED)))) {
    ssize_t n = nbufs == 1 ? rota__os_send(fd, bufs->base, bufs->len) : rota__os_sendv(fd, vector, nbufs);
    if (n != UV_ENOTSOCK)
      return n;
    stream->flags |= ROTA_STREAM_NOT_SOCKET;
  } else if (stream->flags & ROTA_STREAM_STEERED) {
    return send_or_fail(stream, bufs, nbufs);
  }
  return nbufs == 1 ? rota__os_write(fd, bufs->base, bufs->len) : rota__os_writev(fd, vector, (int)nbufs);
}

/* The only place that writes a stream's bytes. Returns the number of bytes written, or UV_EAGAIN if there is no room,
 * or another error. */
static ssize_t write_attempt(uv_stream_t *stream, const uv_buf_t *bufs, unsigned int nbufs, uv_stream_t *send_handle) {
  for (;;) {
    ssize_t n = write_once(stream, bufs, nbufs, send_handle);
    if (n == UV_ENOBUFS)
      n = UV_EAGAIN;
    if (rota__likely(n != UV_EAGAIN || !(stream->flags & ROTA_STREAM_BLOCKING_WRITES)))
      return n;
    int err = rota__os_wait_writable(rota__stream_fd(stream));
    if (err < 0)
      return err;
  }
}

/* Whether to try again at once after `written` bytes: a short write has filled the descriptor, unless there were more
 * buffers than one call takes. */
static bool may_take_more(const uv_stream_t *stream, const uv_buf_t *bufs, unsigned int nbufs, size_t written) {
  if (stream->flags & ROTA_STREAM_BLOCKING_WRITES)
    return true;
  return nbufs > IOV_MAX && written == bytes_in(bufs, IOV_MAX);
}

/* The bytes of a write that has failed count as queued up to its callback: a program that looks right after uv_write
 * sees that they were not written. The request has no more use for its buffers, and keeps the number there. */
static size_t *failed_bytes(uv_write_t *req) {
  return &req->small_bufs[0].len;
}

/* left: how many of its bytes were not written. They are in write_queue_size. */
static void complete(uv_stream_t *stream, uv_write_t *req, int err, size_t left) {
  req->error = err;
  req->rota.by.bytes -= left;
  if (req->bufs != NULL && req->bufs != req->small_bufs)
    rota__free(req->bufs);
  req->bufs = NULL;
  *failed_bytes(req) = left;
  rota__list_append(&stream->io.write_completed_queue, &req->link);
}

/* Keeps the buffers in the request, without the first `written` bytes. */
static int remember(uv_write_t *req, const uv_buf_t *bufs, unsigned int nbufs, size_t written) {
  while (nbufs > 0 && written >= bufs->len) {
    written -= bufs->len;
    bufs++;
    nbufs--;
  }
  if (nbufs > sizeof req->small_bufs / sizeof req->small_bufs[0]) {
    uv_buf_t *copy = rota__malloc(nbufs * sizeof *copy);
    if (copy == NULL)
      return UV_ENOMEM;
    req->bufs = copy;
  } else {
    req->bufs = req->small_bufs;
  }
  memcpy(req->bufs, bufs, nbufs * sizeof *bufs);
  req->nbufs = nbufs;
  req->write_index = 0;
  if (written > 0) {
    req->bufs[0].base += written;
    req->bufs[0].len -= written;
  }
  return 0;
}

/* Removes the first `written` bytes from the kept buffers. */
static void advance(uv_write_t *req, size_t written) {
  rota__check(req->bufs != NULL); /* it is in the queue */
  while (req->write_index < req->nbufs && written >= req->bufs[req->write_index].len) {
    written -= req->bufs[req->write_index].len;
    req->write_index++;
  }
  if (written > 0) {
    req->bufs[req->write_index].base += written;
    req->bufs[req->write_index].len -= written;
  }
}

/* The buffers for one system call: those of the first request, or, if several requests wait, those of many, collected
 * in `room`. A handle is sent with the first byte of its request, so a request with a handle begins a new call. */
struct batch {
  const uv_buf_t *bufs;
  unsigned int nbufs;
  unsigned int requests;
  size_t size;
  uv_buf_t room[BATCH_MAX];
};

static void gather(const uv_stream_t *stream, struct batch *batch) {
  const struct rota_link *queue = &stream->io.write_queue;
  const uv_write_t *req = rota__container_of(queue->next, uv_write_t, link);
  unsigned int left = req->nbufs - req->write_index;
  batch->requests = 1;
  if (req->send_handle != NULL || req->link.next == queue || left >= BATCH_MAX) {
    batch->bufs = req->bufs + req->write_index;
    batch->nbufs = left > IOV_MAX ? IOV_MAX : left;
    batch->size = bytes_in(batch->bufs, batch->nbufs);
    return;
  }
  batch->bufs = batch->room;
  batch->nbufs = 0;
  batch->size = 0;
  for (;;) {
    for (unsigned int i = req->write_index; i < req->nbufs && batch->nbufs < BATCH_MAX; i++) {
      batch->room[batch->nbufs++] = req->bufs[i];
      batch->size += req->bufs[i].len;
    }
    if (batch->nbufs == BATCH_MAX || req->link.next == queue)
      return;
    req = rota__container_of(req->link.next, uv_write_t, link);
    if (req->send_handle != NULL)
      return;
    batch->requests++;
  }
}

/* The first `requests` of the queue were offered, and `written` of their bytes taken. */
static void settle(uv_stream_t *stream, unsigned int requests, size_t written) {
  stream->write_queue_size -= written;
  for (; requests > 0; requests--) {
    uv_write_t *req = rota__container_of(rota__list_first(&stream->io.write_queue), uv_write_t, link);
    size_t left = bytes_in(req->bufs + req->write_index, req->nbufs - req->write_index);
    if (written > 0)
      req->send_handle = NULL;
    if (written < left) {
      advance(req, written);
      return;
    }
    written -= left;
    rota__list_remove(&req->link);
    complete(stream, req, 0, 0);
  }
}

/* A request that is in the queue ends without being written, or without its rest. */
static void fail(uv_stream_t *stream, uv_write_t *req, int err) {
  size_t left = bytes_in(req->bufs + req->write_index, req->nbufs - req->write_index);
  rota__list_remove(&req->link);
  complete(stream, req, err, left);
}

static void fail_first(uv_stream_t *stream, int err) {
  fail(stream, rota__container_of(rota__list_first(&stream->io.write_queue), uv_write_t, link), err);
}

/* Writes from the queue until the descriptor is full, the queue is empty, or the limit for one wake-up is reached. */
static void write_queued(uv_stream_t *stream) {
  struct batch batch;
  for (unsigned int calls = 0; calls < CALLS_MAX && rota__stream_has_writes(stream); calls++) {
    uv_write_t *req = rota__container_of(rota__list_first(&stream->io.write_queue), uv_write_t, link);
    gather(stream, &batch);
    ssize_t n = write_attempt(stream, batch.bufs, batch.nbufs, req->send_handle);
    if (n == UV_EAGAIN)
      break;
    if (n < 0) {
      fail_first(stream, (int)n);
      continue;
    }
    settle(stream, batch.requests, (size_t)n);
    if ((size_t)n < batch.size && !(stream->flags & ROTA_STREAM_BLOCKING_WRITES))
      break; /* a short write has filled the descriptor */
  }
  if (!rota__stream_has_writes(stream))
    rota__watcher_stop(stream->loop, &stream->io.watcher, POLLOUT);
}

/* Tries a write with an empty queue at once. Returns whether it is finished, with its result in err; if not, err is 0
 * and `written` bytes were written. */
static bool write_at_once(uv_stream_t *stream, const uv_buf_t *bufs, unsigned int nbufs, uv_write_t *req,
                          size_t *written, int *err) {
  size_t size = req->rota.by.bytes;
  ssize_t n = write_attempt(stream, bufs, nbufs, req->send_handle);
  *written = n > 0 ? (size_t)n : 0;
  *err = n < 0 && n != UV_EAGAIN ? (int)n : 0;
  if (n > 0)
    req->send_handle = NULL; /* it went with the first byte */
  return *err < 0 || (n >= 0 && *written == size);
}

int rota__stream_write(uv_write_t *req, uv_stream_t *stream, const uv_buf_t bufs[], unsigned int nbufs) {
  bool connecting = stream->io.connect_req != NULL;
  size_t written = 0;
  int err = 0;
  if (req->send_handle != NULL && handle_fd(req->send_handle) < 0)
    return UV_EBADF;
  req->bufs = NULL;

  if (rota__likely(!connecting && !rota__stream_has_writes(stream)) &&
      rota__likely(write_at_once(stream, bufs, nbufs, req, &written, &err)))
    goto finished;

  err = remember(req, bufs, nbufs, written);
  if (err < 0 && written == 0)
    return err;
  if (err == 0 && !connecting)
    err = rota__watcher_start(stream->loop, &stream->io.watcher, POLLOUT);
  if (err < 0)
    goto finished; /* a part was written: the callback must report the error */
  rota__req_begin(stream->loop, (uv_req_t *)req, UV_WRITE);
  stream->write_queue_size += req->rota.by.bytes - written;
  rota__list_append(&stream->io.write_queue, &req->link);
  if (written > 0 && may_take_more(stream, bufs, nbufs, written)) {
    write_queued(stream);
    rota__watcher_feed(stream->loop, &stream->io.watcher);
  }
  return 0;

finished:
  rota__req_begin(stream->loop, (uv_req_t *)req, UV_WRITE);
  size_t left = err < 0 ? req->rota.by.bytes - written : 0;
  stream->write_queue_size += left;
  complete(stream, req, err, left);
  rota__watcher_feed(stream->loop, &stream->io.watcher);
  return 0;
}

int uv_try_write2(uv_stream_t *stream, const uv_buf_t bufs[], unsigned int nbufs, uv_stream_t *send_handle) {
  if (stream->io.connect_req != NULL || rota__stream_has_writes(stream) || stream->write_queue_size > 0)
    return UV_EAGAIN;
  int err = rota__stream_check_write(stream, bufs, nbufs, send_handle);
  if (err < 0)
    return err;
  return (int)write_attempt(stream, bufs, nbufs, send_handle);
}

/* A request without buffers has ended, and its callback is due or was made: that is no error, as with libuv. What is
 * cancelled before there is a connection is reported after the connection is. */
int rota__stream_cancel_write(uv_write_t *req) {
  uv_stream_t *stream = req->handle;
  if (rota__handle_is_closing((uv_handle_t *)stream))
    return UV_EBUSY;
  if (req->bufs == NULL)
    return 0;
  fail(stream, req, UV_ECANCELED);
  if (stream->io.connect_req != NULL)
    return 0;
  if (!rota__stream_has_writes(stream))
    rota__watcher_stop(stream->loop, &stream->io.watcher, POLLOUT);
  rota__watcher_feed(stream->loop, &stream->io.watcher);
  return 0;
}

void rota__stream_write_cancel(uv_stream_t *stream, int err) {
  while (rota__stream_has_writes(stream))
    fail_first(stream, err);
}

void rota__stream_write_report(uv_stream_t *stream) {
  uv_loop_t *loop = stream->loop;
  struct rota_link done;
  if (rota__list_empty(&stream->io.write_completed_queue))
    return;
  /* Writes that finish during these callbacks are reported in the next pending phase. */
  rota__list_take(&done, &stream->io.write_completed_queue);
  while (!rota__list_empty(&done)) {
    uv_write_t *req = rota__container_of(rota__list_first(&done), uv_write_t, link);
    rota__list_remove(&req->link);
    stream->write_queue_size -= *failed_bytes(req);
    rota__req_end(loop);
    if (req->cb == NULL)
      continue;
    rota__req_call_begin(loop, req, (rota_function)req->cb);
    req->cb(req, req->error);
    rota__call_end(loop);
  }
}

void rota__stream_write_ready(uv_stream_t *stream) {
  if (rota__stream_has_writes(stream))
    write_queued(stream);
  rota__stream_write_report(stream);
  if (stream->io.shutdown_req != NULL && rota__stream_fd(stream) != -1 && !rota__stream_has_writes(stream))
    rota__stream_shutdown_ready(stream);
}
