/* The end of a pipe's outgoing side. The system has no half of a pipe that could be shut down alone: the other side
 * sees the end when this one is closed.
 *
 * So a shutdown waits until the other side has read everything: closing drops what was not read. An end that can only
 * write is closed then. One that reads, too, stays open, for the other side may want to answer: it is closed when
 * nothing has come for a while in which the program wanted to read, and the program reads an end, as with libuv. */
#include "loop/base/alloc.h"
#include "loop/net/windows/pipe.h"

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
