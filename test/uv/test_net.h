/* What the tests of streams share: connected pairs, a listener, a reader that keeps what it reads. */
#ifndef ROTA_TEST_UV_TEST_NET_H
#define ROTA_TEST_UV_TEST_NET_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#include "system.h"

static inline uv_stream_t *stream_of(void *handle) {
  return handle;
}

static inline void close_handle(void *handle) {
  if (!uv_is_closing(handle))
    uv_close(handle, NULL);
}

/* Two ends of a local stream, each behind a handle. */
static inline void open_pair(uv_loop_t *loop, uv_pipe_t *left, uv_pipe_t *right) {
  uv_file fds[2];
  local_pair(fds);
  CHECK_EQ(uv_pipe_init(loop, left, 0), 0);
  CHECK_EQ(uv_pipe_init(loop, right, 0), 0);
  CHECK_EQ(uv_pipe_open(left, fds[0]), 0);
  CHECK_EQ(uv_pipe_open(right, fds[1]), 0);
}

/* A local stream: one end behind a handle, the other for peer_read, peer_write and peer_close (system.h). */
static inline uv_file open_half(uv_loop_t *loop, uv_pipe_t *pipe) {
  uv_file fds[2];
  local_pair(fds);
  CHECK_EQ(uv_pipe_init(loop, pipe, 0), 0);
  CHECK_EQ(uv_pipe_open(pipe, fds[0]), 0);
  return fds[1];
}

static inline struct sockaddr_in loopback(int port) {
  struct sockaddr_in address;
  CHECK_EQ(uv_ip4_addr("127.0.0.1", port, &address), 0);
  return address;
}

static inline int port_of(const uv_tcp_t *tcp) {
  struct sockaddr_in address;
  int length = sizeof address;
  CHECK_EQ(uv_tcp_getsockname(tcp, (struct sockaddr *)&address, &length), 0);
  return ntohs(address.sin_port);
}

/* Listens on a free port of this machine, which is returned. */
static inline int listen_tcp(uv_loop_t *loop, uv_tcp_t *server, uv_connection_cb cb) {
  struct sockaddr_in address = loopback(0);
  CHECK_EQ(uv_tcp_init(loop, server), 0);
  CHECK_EQ(uv_tcp_bind(server, (struct sockaddr *)&address, 0), 0);
  CHECK_EQ(uv_listen(stream_of(server), 128, cb), 0);
  return port_of(server);
}

static inline int connect_tcp(uv_loop_t *loop, uv_tcp_t *client, uv_connect_t *req, int port, uv_connect_cb cb) {
  struct sockaddr_in address = loopback(port);
  CHECK_EQ(uv_tcp_init(loop, client), 0);
  return uv_tcp_connect(req, client, (struct sockaddr *)&address, cb);
}

/* A blocking client without a handle. */
static inline int connect_bare(int port) {
  struct sockaddr_in address = loopback(port);
  int fd = (int)socket(AF_INET, SOCK_STREAM, 0);
  CHECK(fd >= 0);
  CHECK_EQ(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
  return fd;
}

/* Keeps what it reads. */
static char taken[1 << 20];
static size_t taken_size;
static int taken_ends; /* how often the end, or an error, was told */
static int taken_error;

static inline void take_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  static char slab[65536];
  (void)handle;
  (void)suggested;
  *buf = uv_buf_init(slab, sizeof slab);
}

static inline void take(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)stream;
  if (nread < 0) {
    taken_ends++;
    taken_error = (int)nread;
    return;
  }
  CHECK(taken_size + (size_t)nread <= sizeof taken);
  memcpy(taken + taken_size, buf->base, (size_t)nread);
  taken_size += (size_t)nread;
}

static inline uv_buf_t text(const char *words) {
  return uv_buf_init((char *)words, (unsigned int)strlen(words));
}

/* Runs the loop until the condition holds, for a long time if necessary: a busy machine is no failure. */
#define RUN_UNTIL(loop, condition)                                                                                     \
  do {                                                                                                                 \
    uint64_t until_ns = uv_hrtime() + 40000000000u;                                                                    \
    while (!(condition)) {                                                                                             \
      uv_run((loop), UV_RUN_NOWAIT);                                                                                   \
      if (uv_hrtime() > until_ns)                                                                                      \
        test_fail(__FILE__, __LINE__, "waited in vain for %s", #condition);                                            \
    }                                                                                                                  \
  } while (0)

#endif
