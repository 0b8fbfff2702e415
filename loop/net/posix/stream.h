/* Streams of POSIX from the inside.
 *
 *   stream.c           life (init, open, readiness, close), bytes in, connecting, and the end of the outgoing side
 *   stream_write.c     bytes out, and the queue of writes
 *   stream_listen.c    connections in, and descriptors received over a pipe
 *   tcp.c, pipe.c, tty.c   the kinds
 *
 * The watcher's callback depends on the state of the stream: rota__stream_ready if it carries bytes, connect_ready
 * (stream.c) while it connects, listen_ready (stream_listen.c) if it listens. */
#ifndef ROTA_NET_POSIX_STREAM_H
#define ROTA_NET_POSIX_STREAM_H

#include "loop/core/watcher.h"
#include "loop/net/stream.h"

static inline uv_stream_t *rota__stream_of_watcher(struct rota_watcher *watcher) {
  return rota__container_of(watcher, uv_stream_t, io.watcher);
}

/* The descriptor, or -1. */
static inline int rota__stream_fd(const uv_stream_t *stream) {
  return stream->io.watcher.fd;
}

/* ---- life ---- */

void rota__stream_init(uv_loop_t *loop, uv_stream_t *stream, const struct rota_handle_class *kind);
/* The stream takes over fd and does not change its blocking mode. Flags: ROTA_STREAM_READABLE, ROTA_STREAM_WRITABLE and
 * others that the caller knows. UV_EBUSY: the stream has another descriptor. */
int rota__stream_open(uv_stream_t *stream, int fd, unsigned int flags);
void rota__stream_ready(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events);
/* Stops everything and closes the descriptor; the caller tells the loop (rota__handle_closed). */
void rota__stream_close(uv_stream_t *stream);

/* For the class of a stream. */
int rota__stream_class_fd(const uv_handle_t *handle);

/* ---- bytes ---- */

/* There may be room to write, or a finished write to report: writes what it can, and reports. */
void rota__stream_write_ready(uv_stream_t *stream);
/* Ends all queued writes with this error; they are reported by the next rota__stream_write_report. */
void rota__stream_write_cancel(uv_stream_t *stream, int err);
/* Calls the callbacks of the finished writes. */
void rota__stream_write_report(uv_stream_t *stream);
/* All is written: ends the outgoing side if uv_shutdown was called. */
void rota__stream_shutdown_ready(uv_stream_t *stream);

/* ---- connections ---- */

/* Begins the request. The descriptor is connecting, or err is the error that the callback will get. */
void rota__stream_connect_start(uv_stream_t *stream, uv_connect_t *req, uv_connect_cb cb, int err);
/* The descriptor listens: cb is called for connections. */
int rota__stream_listen_start(uv_stream_t *stream, uv_connection_cb cb);
/* Options that were set before the handle had a socket. */
int rota__tcp_apply_options(uv_tcp_t *tcp, int fd);

/* Keeps descriptors that came over a pipe for uv_accept. Without memory they are closed, and the result is UV_ENOMEM.
 */
int rota__stream_passed_add(uv_stream_t *stream, const int *fds, size_t count);
void rota__stream_passed_close(uv_stream_t *stream);
unsigned int rota__stream_passed_count(const uv_stream_t *stream);

#endif
