/* Streams of Windows from the inside: what TCP, pipes and terminals share.
 *
 *   stream.c       life, reading, writing, shutting down: the parts that do not depend on the kind
 *   tcp.c          sockets: bind, connect, options
 *   tcp_listen.c   connections in
 *   pipe.c         named pipes: bind, connect, open
 *   pipe_listen.c  connections in
 *   pipe_io.c      bytes in and out, and the end of the outgoing side
 *   pipe_ipc.c     frames, and handles that are passed on
 *   tty.c          the console; tty_input.c, tty_screen.c: its keys, its screen
 *
 * An operation is begun and its end is reported by the port (poller/iocp.h). While one is under way, the system may
 * write into the handle: so a closed handle stays until the last of them has come back.
 *
 * Reading waits without a buffer: an operation of no bytes ends when there is something to read. Only then is the
 * reader asked for a buffer, as on the other systems, and what is there is read without waiting. */
#ifndef ROTA_NET_WINDOWS_STREAM_H
#define ROTA_NET_WINDOWS_STREAM_H

#include "loop/core/internal.h"
#include "loop/net/stream.h"
#include "loop/poller/iocp.h"

enum rota_stream_state {
  ROTA_STATE_WAITS_TO_READ = 1u << 0, /* the operation of no bytes is under way */
  ROTA_STATE_ENDING = 1u << 1,        /* closed, and operations are under way: the loop waits for them */
  ROTA_STATE_SHUTTING = 1u << 2,      /* the shutdown itself is under way */
  ROTA_STATE_SHARED = 1u << 3,        /* another process reports to its port: see rota__stream_begin */
  ROTA_STATE_BROKEN = 1u << 4,        /* pipes: the other side has gone */
  ROTA_STATE_PASSED = 1u << 5,        /* another process has the socket, too */
  ROTA_STATE_ONE_ACCEPT = 1u << 6,    /* only one operation waits for connections */
  ROTA_STATE_SKIPS = 1u << 7,         /* the port does not report what succeeds at once */
};

/* What depends on the kind. */
struct rota_stream_kind {
  struct rota_handle_class handle; /* first: the class of the handle points to it */
  /* Begins to wait for something to read: stream->io.read. The result: 0, or a code of the system's. */
  DWORD (*wait)(uv_stream_t *stream);
  /* What is there: a number of bytes, UV_EAGAIN, UV_EOF, or another error. */
  ssize_t (*receive)(uv_stream_t *stream, const uv_buf_t *buf);
  /* Begins req->io. The result as for wait; or req->error is set, and the write is refused. */
  DWORD (*send)(uv_stream_t *stream, uv_write_t *req, const uv_buf_t *bufs, unsigned int nbufs);
  /* A write has ended, and was reported. May be null. */
  void (*sent)(uv_stream_t *stream);
  /* Without waiting: a number of bytes, or an error. */
  int (*try_send)(uv_stream_t *stream, const uv_buf_t *bufs, unsigned int nbufs);
  /* All writes are done: ends the outgoing side. The result as for wait, of req->io. */
  DWORD (*shut)(uv_stream_t *stream, uv_shutdown_t *req);
  /* The stream is about to be read. May be null. */
  void (*wants)(uv_stream_t *stream);
  /* The program was told of the shutdown. May be null. */
  void (*shut_told)(uv_stream_t *stream);
  /* Cancels what is under way, and closes the handle of the system. */
  void (*release)(uv_stream_t *stream);
  /* No operation is under way any more. May be null. */
  void (*free)(uv_stream_t *stream);
};

static inline const struct rota_stream_kind *rota__stream_kind(const uv_stream_t *stream) {
  return (const struct rota_stream_kind *)stream->u.rota.kind;
}

static inline void *rota__stream_port(const uv_stream_t *stream) {
  return rota__loop_poller(stream->loop)->port;
}

void rota__stream_init(uv_loop_t *loop, uv_stream_t *stream, const struct rota_stream_kind *kind);
/* The handle of the system is there: its operations are reported to the loop's port; with may_skip, only those that do
 * not succeed at once. */
int rota__stream_attach(uv_stream_t *stream, HANDLE handle, bool may_skip);

/* Before an operation of the stream. Its end must be answered with rota__stream_end. */
OVERLAPPED *rota__stream_begin(uv_stream_t *stream, struct rota_io *io, rota_io_done done);
/* After the call that begins it, with what the call has given. What has ended is told in the pending phase. */
void rota__stream_begun(uv_stream_t *stream, struct rota_io *io, DWORD error);
void rota__stream_end(uv_stream_t *stream);

/* Waits for something to read, unless it does already. */
void rota__stream_want(uv_stream_t *stream);
/* The wait is over: for kinds whose operations do not end by themselves. */
void rota__stream_readable(struct rota_op *op, int32_t result, uint32_t bytes);
/* Tells the reader, once. Errors end the reading. */
void rota__stream_tell(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf);
/* For kinds that end a write by another operation than req->io's own. */
void rota__stream_written(struct rota_op *op, int32_t result, uint32_t bytes);

/* One block for the system: several buffers are copied into req->copy. Returns its length, or UV_ENOMEM. */
int64_t rota__stream_gather(uv_write_t *req, const uv_buf_t *bufs, unsigned int nbufs, const void **data);

static inline size_t rota__stream_bytes(const uv_buf_t *bufs, unsigned int nbufs) {
  size_t bytes = 0;
  for (unsigned int i = 0; i < nbufs; i++)
    bytes += bufs[i].len;
  return bytes;
}

/* tcp.c, tcp_listen.c */
int rota__tcp_have_socket(uv_tcp_t *tcp, int family);
int rota__tcp_accept(uv_tcp_t *server, uv_stream_t *client);
void rota__tcp_accepts_release(uv_tcp_t *tcp);
/* For pipes that pass sockets on. */
int rota__tcp_take(uv_tcp_t *tcp, SOCKET socket, bool is_shared);
int rota__pipe_accept(uv_pipe_t *server, uv_stream_t *client);
int rota__pipe_accept_passed(uv_pipe_t *pipe, uv_stream_t *client);

/* For loop/proc. Makes a pipe: the stream gets one end, *child is the other, which a child inherits. Flags are those of
 * a uv_stdio_container_t. */
int rota__pipe_to_child(uv_stream_t *stream, unsigned int flags, HANDLE *child);
/* An IPC pipe passes sockets to this process. */
void rota__pipe_set_peer(uv_stream_t *stream, DWORD process);

/* ---- the console's input: tty_input.c ---- */

/* As in struct rota_stream_kind. */
DWORD rota__tty_wait(uv_stream_t *stream);
ssize_t rota__tty_receive(uv_stream_t *stream, const uv_buf_t *buf);
/* The console's mode has changed already. */
void rota__tty_set_raw(uv_tty_t *tty, bool is_raw);
/* Ends the thread, if there is one. */
void rota__tty_end_reader(uv_tty_t *tty);

/* ---- the console's output: tty_screen.c ---- */

/* Remembers colours and cursor of the console, which a program can ask back. The first console that is opened counts:
 * later ones may have been changed by then. */
void rota__screen_remember(HANDLE console);
/* Returns 0, or an error of the system. */
DWORD rota__screen_write(struct rota_tty_screen *screen, HANDLE console, const WCHAR *units, int count);

#endif
