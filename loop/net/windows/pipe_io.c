/* Bytes of a pipe.
 *
 * A handle that was opened for waiting (the standard input of a child, as a rule) cannot be read in the background. A
 * thread of the pipe's own waits there for something to read, and writes are made on threads of the system, one after
 * the other. */
#include "loop/net/windows/pipe.h"

#include <string.h>

#include "loop/base/alloc.h"
#include "loop/os/windows/convert.h"

struct rota_pipe_reader {
  HANDLE thread;
  HANDLE pipe;
  HANDLE go; /* an event: wait for something to read */
  void *port;
  struct rota_io *io;
  volatile LONG asked; /* the loop expects a report */
  volatile LONG ends;
};

static DWORD wait_for_bytes(const struct rota_pipe_reader *reader) {
  char none;
  DWORD bytes;
  if (reader->ends)
    return ERROR_OPERATION_ABORTED;
  return ReadFile(reader->pipe, &none, 0, &bytes, NULL) ? 0 : GetLastError();
}

/* Every question is answered, also one that came just before the end: the stream is not closed before. */
static DWORD CALLBACK reader_main(void *argument) {
  struct rota_pipe_reader *reader = argument;
  while (!reader->ends && WaitForSingleObject(reader->go, INFINITE) == WAIT_OBJECT_0)
    if (InterlockedExchange(&reader->asked, 0))
      rota__iocp_post(reader->port, reader->io, wait_for_bytes(reader), 0);
  if (InterlockedExchange(&reader->asked, 0))
    rota__iocp_post(reader->port, reader->io, ERROR_OPERATION_ABORTED, 0);
  return 0;
}

static struct rota_pipe_reader *reader_of(uv_pipe_t *pipe) {
  struct rota_pipe_reader *reader = pipe->reader;
  if (reader != NULL)
    return reader;
  reader = rota__calloc(1, sizeof(*reader));
  if (reader == NULL)
    return NULL;
  reader->pipe = pipe->handle;
  reader->port = rota__stream_port((uv_stream_t *)pipe);
  reader->io = &pipe->io.read;
  reader->go = CreateEventW(NULL, FALSE, FALSE, NULL);
  reader->thread = reader->go == NULL ? NULL : CreateThread(NULL, 65536, reader_main, reader, 0, NULL);
  if (reader->thread == NULL) {
    if (reader->go != NULL)
      CloseHandle(reader->go);
    rota__free(reader);
    return NULL;
  }
  pipe->reader = reader;
  return reader;
}

void rota__pipe_reader_end(uv_pipe_t *pipe) {
  struct rota_pipe_reader *reader = pipe->reader;
  if (reader == NULL)
    return;
  InterlockedExchange(&reader->ends, 1);
  SetEvent(reader->go);
  do
    CancelSynchronousIo(reader->thread);
  while (WaitForSingleObject(reader->thread, 5) == WAIT_TIMEOUT);
  CloseHandle(reader->thread);
  CloseHandle(reader->go);
  rota__free(reader);
  pipe->reader = NULL;
}

DWORD rota__pipe_wait(uv_stream_t *stream) {
  uv_pipe_t *pipe = (uv_pipe_t *)stream;
  static char none;
  if (pipe->handle == INVALID_HANDLE_VALUE)
    return ERROR_BROKEN_PIPE; /* it was shut down */
  if (!pipe->is_synchronous)
    return ReadFile(pipe->handle, &none, 0, NULL, &stream->io.read.overlapped) ? 0 : GetLastError();
  struct rota_pipe_reader *reader = reader_of(pipe);
  if (reader == NULL)
    return ERROR_NOT_ENOUGH_MEMORY;
  InterlockedExchange(&reader->asked, 1);
  SetEvent(reader->go);
  return ERROR_IO_PENDING;
}

ssize_t rota__pipe_available(uv_pipe_t *pipe) {
  DWORD available;
  if (PeekNamedPipe(pipe->handle, NULL, 0, NULL, &available, NULL))
    return available == 0 ? UV_EAGAIN : (ssize_t)available;
  DWORD error = GetLastError();
  return error == ERROR_BROKEN_PIPE || error == ERROR_PIPE_NOT_CONNECTED ? UV_EOF : rota__os_translate((int)error);
}

/* The lowest bit of the event tells the system to leave the port alone. */
static int own_event(uv_pipe_t *pipe, OVERLAPPED *overlapped) {
  if (pipe->event == NULL)
    pipe->event = CreateEventW(NULL, TRUE, FALSE, NULL);
  if (pipe->event == NULL)
    return rota__os_last_error();
  *overlapped = (OVERLAPPED){.hEvent = (HANDLE)((uintptr_t)pipe->event | 1)};
  return 0;
}

ssize_t rota__pipe_read_now(uv_pipe_t *pipe, void *to, DWORD length) {
  OVERLAPPED overlapped;
  DWORD bytes = 0;
  bool read;
  if (pipe->is_synchronous) {
    read = ReadFile(pipe->handle, to, length, &bytes, NULL);
  } else {
    int err = own_event(pipe, &overlapped);
    if (err < 0)
      return err;
    read = ReadFile(pipe->handle, to, length, &bytes, &overlapped) ||
           (GetLastError() == ERROR_IO_PENDING && GetOverlappedResult(pipe->handle, &overlapped, &bytes, TRUE));
  }
  if (read)
    return bytes == 0 ? UV_EAGAIN : (ssize_t)bytes;
  DWORD error = GetLastError();
  return error == ERROR_BROKEN_PIPE ? UV_EOF : rota__os_translate((int)error);
}

ssize_t rota__pipe_receive(uv_stream_t *stream, const uv_buf_t *buf) {
  uv_pipe_t *pipe = (uv_pipe_t *)stream;
  if (pipe->ipc)
    return rota__pipe_frame_receive(pipe, buf);
  ssize_t available = rota__pipe_available(pipe);
  if (available < 0)
    return available;
  return rota__pipe_read_now(pipe, buf->base, (DWORD)available < buf->len ? (DWORD)available : buf->len);
}

/* ---- out ---- */

static DWORD write_all(const struct rota_waiting_write *write) {
  const char *data = write->data;
  if (write->is_flush) {
    (void)FlushFileBuffers(write->pipe); /* what nobody reads any more is no concern of a shutdown */
    return 0;
  }
  for (DWORD at = 0, bytes = 0; at < write->length; at += bytes)
    if (!WriteFile(write->pipe, data + at, write->length - at, &bytes, NULL))
      return GetLastError() == ERROR_NO_DATA ? ERROR_BROKEN_PIPE : GetLastError();
  return 0;
}

static DWORD CALLBACK write_and_wait(void *argument) {
  struct rota_waiting_write *write = argument;
  void *port = write->port;
  struct rota_io *io = write->io;
  DWORD error = ERROR_OPERATION_ABORTED, length = write->length;
  if (InterlockedCompareExchange(&write->stage, ROTA_STAGE_RUNS, ROTA_STAGE_QUEUED) == ROTA_STAGE_QUEUED) {
    error = write_all(write);
    InterlockedExchange(&write->stage, ROTA_STAGE_ENDED);
  }
  rota__iocp_post(port, io, error, length);
  return 0;
}

void rota__pipe_start_write(struct rota_waiting_write *write) {
  write->stage = ROTA_STAGE_QUEUED;
  if (QueueUserWorkItem(write_and_wait, write, WT_EXECUTELONGFUNCTION))
    return;
  /* The loop must not wait itself: the other side may be its own. */
  write->stage = ROTA_STAGE_ENDED;
  rota__iocp_post(write->port, write->io, ERROR_NOT_ENOUGH_MEMORY, 0);
}

/* The first write of the queue is under way, the others wait. */
static struct rota_waiting_write *first_write(const uv_pipe_t *pipe) {
  const struct rota_link *queue = &pipe->io.write_queue;
  if (rota__list_empty(queue))
    return NULL;
  return rota__container_of(rota__list_first(queue), uv_write_t, link)->waiting;
}

void rota__pipe_end_write(const uv_pipe_t *pipe, struct rota_waiting_write *write) {
  if (InterlockedCompareExchange(&write->stage, ROTA_STAGE_ENDED, ROTA_STAGE_QUEUED) == ROTA_STAGE_QUEUED)
    return;
  while (InterlockedCompareExchange(&write->stage, ROTA_STAGE_RUNS, ROTA_STAGE_RUNS) == ROTA_STAGE_RUNS) {
    CancelIoEx(pipe->handle, NULL);
    Sleep(1);
  }
}

/* Before the handle is closed: no thread writes to it afterwards. */
void rota__pipe_writer_end(uv_pipe_t *pipe) {
  struct rota_waiting_write *write = first_write(pipe);
  if (write != NULL)
    rota__pipe_end_write(pipe, write);
}

static DWORD send_waiting(uv_pipe_t *pipe, uv_write_t *req, const void *data, DWORD length) {
  struct rota_waiting_write *write = rota__malloc(sizeof(*write));
  if (write == NULL) {
    req->error = UV_ENOMEM;
    return ERROR_NOT_ENOUGH_MEMORY;
  }
  *write = (struct rota_waiting_write){
      pipe->handle, rota__stream_port((uv_stream_t *)pipe), &req->io, data, length, false, ROTA_STAGE_WAITS};
  req->waiting = write;
  if (first_write(pipe) == write)
    rota__pipe_start_write(write);
  return ERROR_IO_PENDING;
}

/* A write has ended: the next one may begin. */
void rota__pipe_sent(uv_stream_t *stream) {
  struct rota_waiting_write *next = first_write((uv_pipe_t *)stream);
  if (next == NULL || next->stage != ROTA_STAGE_WAITS)
    return;
  if (!rota__handle_is_closing((uv_handle_t *)stream)) {
    rota__pipe_start_write(next);
    return;
  }
  next->stage = ROTA_STAGE_ENDED;
  rota__iocp_set_result(next->io, ERROR_OPERATION_ABORTED, 0);
  rota__op_defer(stream->loop, &next->io->op);
}

/* The program wants to wait (uv_stream_set_blocking). */
static DWORD send_blocking(uv_pipe_t *pipe, const void *data, DWORD length) {
  OVERLAPPED overlapped;
  DWORD bytes, error = 0;
  if (own_event(pipe, &overlapped) < 0)
    return ERROR_NOT_ENOUGH_MEMORY;
  if (!WriteFile(pipe->handle, data, length, NULL, &overlapped) &&
      (GetLastError() != ERROR_IO_PENDING || !GetOverlappedResult(pipe->handle, &overlapped, &bytes, TRUE)))
    error = GetLastError();
  return error;
}

/* A write that fails at once is an error of uv_write, as with libuv. */
static DWORD refuse(uv_write_t *req, DWORD error) {
  if (error == ERROR_NO_DATA || error == ERROR_BROKEN_PIPE || error == ERROR_PIPE_NOT_CONNECTED)
    req->error = UV_EPIPE;
  else if (error != 0 && error != ERROR_IO_PENDING)
    req->error = rota__os_translate((int)error);
  return error;
}

DWORD rota__pipe_send(uv_stream_t *stream, uv_write_t *req, const uv_buf_t *bufs, unsigned int nbufs) {
  uv_pipe_t *pipe = (uv_pipe_t *)stream;
  const void *data = NULL;
  int64_t length;
  if (pipe->ipc) {
    length = rota__pipe_frame_make(pipe, req, bufs, nbufs);
    data = req->copy;
  } else {
    length = rota__stream_gather(req, bufs, nbufs, &data);
  }
  if (length < 0) {
    req->error = (int)length;
    return ERROR_INVALID_PARAMETER;
  }
  if (pipe->is_synchronous)
    return send_waiting(pipe, req, data, (DWORD)length);
  if (stream->flags & ROTA_STREAM_BLOCKING_WRITES)
    return refuse(req, send_blocking(pipe, data, (DWORD)length));
  return refuse(req, WriteFile(pipe->handle, data, (DWORD)length, NULL, &req->io.overlapped) ? 0 : GetLastError());
}

/* The system cannot write a part of what is given without waiting. */
int rota__pipe_try_send(uv_stream_t *stream, const uv_buf_t *bufs, unsigned int nbufs) {
  (void)stream;
  (void)bufs;
  (void)nbufs;
  return UV_EAGAIN;
}

/* ---- the end of the outgoing side ----
 *
 * The system has no half of a pipe that could be shut down alone: the other side
 * sees the end when this one is closed.
 *
 * So a shutdown waits until the other side has read everything: closing drops what was not read. An end that can only
 * write is closed then. One that reads, too, stays open, for the other side may want to answer: it is closed when
 * nothing has come for a while in which the program wanted to read, and the program reads an end, as with libuv. */

enum { SILENCE_MS = 50 };

struct rota_pipe_shut {
  uv_timer_t silence; /* first */
  uv_pipe_t *pipe;
  bool has_timer; /* the program was told of the shutdown */
  struct rota_waiting_write flush;
};

DWORD rota__pipe_shut(uv_stream_t *stream, uv_shutdown_t *req) {
  uv_pipe_t *pipe = (uv_pipe_t *)stream;
  if (pipe->handle == INVALID_HANDLE_VALUE)
    return 0;
  struct rota_pipe_shut *shut = rota__calloc(1, sizeof(*shut));
  if (shut == NULL)
    return ERROR_NOT_ENOUGH_MEMORY;
  shut->pipe = pipe;
  shut->flush = (struct rota_waiting_write){
      .pipe = pipe->handle, .port = rota__stream_port(stream), .io = &req->io, .is_flush = true};
  pipe->shut = shut;
  rota__pipe_start_write(&shut->flush);
  return ERROR_IO_PENDING;
}

static void on_silence(uv_timer_t *timer) {
  uv_pipe_t *pipe = ((struct rota_pipe_shut *)timer)->pipe;
  uv_stream_t *stream = (uv_stream_t *)pipe;
  uv_buf_t none = {0, NULL};
  if (!(stream->flags & ROTA_STREAM_READING))
    return; /* the wait begins with the next read */
  if (rota__pipe_available(pipe) > 0)
    return; /* it is about to be read */
  rota__pipe_close_handle(pipe);
  rota__stream_tell(stream, UV_EOF, &none);
}

/* Everything that comes begins the wait again. */
void rota__pipe_wants(uv_stream_t *stream) {
  struct rota_pipe_shut *shut = ((uv_pipe_t *)stream)->shut;
  if (shut != NULL && shut->has_timer)
    uv_timer_start(&shut->silence, on_silence, SILENCE_MS, 0);
}

void rota__pipe_shut_told(uv_stream_t *stream) {
  uv_pipe_t *pipe = (uv_pipe_t *)stream;
  struct rota_pipe_shut *shut = pipe->shut;
  if (!(stream->flags & ROTA_STREAM_READABLE)) {
    rota__pipe_close_handle(pipe);
    return;
  }
  if (shut == NULL || (stream->flags & ROTA_STREAM_READ_EOF))
    return; /* both sides know */
  uv_timer_init(stream->loop, &shut->silence);
  uv_unref((uv_handle_t *)&shut->silence);
  shut->silence.flags |= ROTA_HANDLE_INTERNAL;
  shut->has_timer = true;
  if (stream->flags & ROTA_STREAM_READING)
    rota__pipe_wants(stream);
}

static void on_gone(uv_handle_t *timer) {
  rota__free((struct rota_pipe_shut *)timer);
}

void rota__pipe_shut_end(uv_pipe_t *pipe) {
  struct rota_pipe_shut *shut = pipe->shut;
  if (shut == NULL)
    return;
  rota__pipe_end_write(pipe, &shut->flush);
  if (!shut->has_timer)
    return;
  pipe->shut = NULL;
  uv_close((uv_handle_t *)&shut->silence, on_gone);
}

void rota__pipe_shut_free(uv_pipe_t *pipe) {
  rota__free(pipe->shut);
  pipe->shut = NULL;
}
