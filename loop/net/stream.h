/* Streams: what TCP, pipes and terminals share, on all systems.
 *
 * stream.c has the public functions: it checks the arguments and keeps the state. The system's half is declared here,
 * and stands in posix/ and windows/, whose stream.h have the rest. */
#ifndef ROTA_NET_STREAM_H
#define ROTA_NET_STREAM_H

#include <stdbool.h>

#include "loop/core/handle.h"
#include "loop/core/req.h"
#include "uv.h"

static inline bool rota__stream_has_writes(const uv_stream_t *stream) {
  return !rota__list_empty(&stream->io.write_queue);
}

/* Whether this may be written. */
int rota__stream_check_write(const uv_stream_t *stream, const uv_buf_t *bufs, unsigned int nbufs,
                             const uv_stream_t *send_handle);
/* The outgoing side has ended, or could not be ended: calls the callback of uv_shutdown. */
void rota__stream_shutdown_end(uv_stream_t *stream, int status);

/* ---- the system's half ---- */

/* The reader is set: begins to report what there is to read. */
int rota__stream_read_begin(uv_stream_t *stream);
void rota__stream_read_end(uv_stream_t *stream);
/* The system has a file for the stream. */
bool rota__stream_is_open(const uv_stream_t *stream);
/* The request has its handle, callback and size. */
int rota__stream_write(uv_write_t *req, uv_stream_t *stream, const uv_buf_t bufs[], unsigned int nbufs);
/* uv_cancel of one write, for the class of a stream. */
int rota__stream_cancel_write(uv_write_t *req);
/* uv_shutdown was called: ends the outgoing side when all is written. */
void rota__stream_shutdown_begin(uv_stream_t *stream);
int rota__tcp_listen(uv_tcp_t *tcp, int backlog, uv_connection_cb cb);
int rota__pipe_listen(uv_pipe_t *pipe, int backlog, uv_connection_cb cb);

/* For the class of a stream. */
void rota__stream_class_close(uv_handle_t *handle);
void rota__stream_class_finish(uv_handle_t *handle);

#endif
