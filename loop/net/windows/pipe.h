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

extern const struct rota_stream_kind rota__pipe_kind;

/* pipe.c: gives the pipe this handle, whose directions are among the flags. */
int rota__pipe_take(uv_pipe_t *pipe, HANDLE handle, unsigned int flags);
/* pipe_listen.c */
int rota__pipe_listen(uv_stream_t *stream, int backlog, uv_connection_cb cb);
int rota__pipe_accept(uv_stream_t *server, uv_stream_t *client);
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
void rota__pipe_writer_end(uv_pipe_t *pipe);
/* How many bytes are there, or an error. */
ssize_t rota__pipe_available(uv_pipe_t *pipe);
/* Reads bytes that are there. */
ssize_t rota__pipe_read_now(uv_pipe_t *pipe, void *to, DWORD length);
/* pipe_ipc.c */
int rota__pipe_channel_open(uv_pipe_t *pipe);
void rota__pipe_channel_close(uv_pipe_t *pipe);
ssize_t rota__pipe_frame_receive(uv_pipe_t *pipe, const uv_buf_t *buf);
/* Fills req->copy with a frame. Returns its length, or an error. */
int64_t rota__pipe_frame_make(uv_pipe_t *pipe, uv_write_t *req, const uv_buf_t *bufs, unsigned int nbufs);

#endif
