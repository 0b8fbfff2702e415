/* Named pipes, between their files. */
#ifndef ROTA_NET_WINDOWS_PIPE_H
#define ROTA_NET_WINDOWS_PIPE_H

#include "loop/net/windows/stream.h"

enum { ROTA_PIPE_QUOTA = 65536 };

/* A socket that came over the pipe and was not accepted yet. */
struct rota_passed {
  struct rota_passed *next;
  SOCKET socket;
  bool is_listener;
  bool is_ipv6;
  int delayed_error;
};

/* What an IPC pipe knows of its frames. */
struct rota_pipe_channel {
  DWORD peer;               /* the process on the other side; 0: not known yet */
  uint32_t payload_left;    /* of the frame that is being read */
  unsigned int head_length; /* bytes of the next frame's head that are there */
  struct rota_passed *passed;
  unsigned char head[1024];
};

/* A thread that waits for something to read, where the system cannot wait in the background. */
struct rota_pipe_reader;

enum rota_waiting_stage { ROTA_STAGE_WAITS, ROTA_STAGE_QUEUED, ROTA_STAGE_RUNS, ROTA_STAGE_ENDED };

/* A write on a handle that waits, or a flush: what a thread of the system needs. The thread touches neither it nor the
 * handle after ROTA_STAGE_ENDED but for the report: so a handle whose number is another file's by then gets no bytes.
 */
struct rota_waiting_write {
  HANDLE pipe;
  void *port;
  struct rota_io *io;
  const void *data;
  DWORD length;
  bool is_flush;
  volatile LONG stage;
};

extern const struct rota_stream_kind rota__pipe_kind;

/* pipe.c: gives the pipe this handle, whose directions are among the flags. */
int rota__pipe_take(uv_pipe_t *pipe, HANDLE handle, unsigned int flags);
void rota__pipe_close_handle(uv_pipe_t *pipe);
/* pipe_listen.c */
int rota__pipe_bind(uv_pipe_t *pipe);
HANDLE rota__pipe_server_handle(const uv_pipe_t *pipe); /* of its first instance */
void rota__pipe_server_close(uv_pipe_t *pipe);
void rota__pipe_server_free(uv_pipe_t *pipe);
/* pipe_io.c */
DWORD rota__pipe_wait(uv_stream_t *stream);
ssize_t rota__pipe_receive(uv_stream_t *stream, const uv_buf_t *buf);
DWORD rota__pipe_send(uv_stream_t *stream, uv_write_t *req, const uv_buf_t *bufs, unsigned int nbufs);
int rota__pipe_try_send(uv_stream_t *stream, const uv_buf_t *bufs, unsigned int nbufs);
void rota__pipe_sent(uv_stream_t *stream);
void rota__pipe_reader_end(uv_pipe_t *pipe);
/* A thread of the system carries it out. */
void rota__pipe_start_write(struct rota_waiting_write *write);
/* No thread uses the handle any more. */
void rota__pipe_end_write(const uv_pipe_t *pipe, struct rota_waiting_write *write);
void rota__pipe_writer_end(uv_pipe_t *pipe);
/* How many bytes are there, or an error. */
ssize_t rota__pipe_available(uv_pipe_t *pipe);
/* Reads bytes that are there. */
ssize_t rota__pipe_read_now(uv_pipe_t *pipe, void *to, DWORD length);
DWORD rota__pipe_shut(uv_stream_t *stream, uv_shutdown_t *req);
void rota__pipe_shut_told(uv_stream_t *stream);
void rota__pipe_wants(uv_stream_t *stream);
void rota__pipe_shut_end(uv_pipe_t *pipe);  /* the handle is about to be closed */
void rota__pipe_shut_free(uv_pipe_t *pipe); /* and no operation is under way */
/* pipe_ipc.c */
int rota__pipe_channel_open(uv_pipe_t *pipe);
void rota__pipe_channel_close(uv_pipe_t *pipe);
ssize_t rota__pipe_frame_receive(uv_pipe_t *pipe, const uv_buf_t *buf);
/* Fills req->copy with a frame. Returns its length, or an error. */
int64_t rota__pipe_frame_make(uv_pipe_t *pipe, uv_write_t *req, const uv_buf_t *bufs, unsigned int nbufs);

#endif
