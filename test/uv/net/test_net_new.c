/* What streams have got since libuv 1.44: all of keep-alive, shared ports. */
#include "test_net.h"

static int option_of(uv_tcp_t *tcp, int level, int name) {
  int value = 0;
  socklen_t length = sizeof value;
  CHECK_EQ(getsockopt(socket_of(tcp), level, name, (char *)&value, &length), 0);
  return value;
}

TEST(tcp_keepalive_with_all_its_times) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t tcp, later;
  struct sockaddr_in address = loopback(0);
  CHECK_EQ(uv_tcp_init_ex(loop, &tcp, AF_INET), 0);
  CHECK_EQ(uv_tcp_keepalive(&tcp, 1, 0), UV_EINVAL);
  CHECK_EQ(uv_tcp_keepalive(&tcp, 1, 61), 0);
  CHECK_EQ(option_of(&tcp, IPPROTO_TCP, TCP_KEEPIDLE), 61);
  CHECK_EQ(option_of(&tcp, IPPROTO_TCP, TCP_KEEPINTVL), 1);
  CHECK_EQ(option_of(&tcp, IPPROTO_TCP, TCP_KEEPCNT), 10);
  CHECK_EQ(uv_tcp_keepalive_ex(&tcp, 1, 0, 10, 10), UV_EINVAL);
  CHECK_EQ(uv_tcp_keepalive_ex(&tcp, 1, 10, 0, 10), UV_EINVAL);
  CHECK_EQ(uv_tcp_keepalive_ex(&tcp, 1, 10, 10, 0), UV_EINVAL);
  CHECK_EQ(uv_tcp_keepalive_ex(&tcp, 0, 0, 0, 0), 0);
  CHECK_EQ(option_of(&tcp, SOL_SOCKET, SO_KEEPALIVE), 0);
  CHECK_EQ(uv_tcp_keepalive_ex(&tcp, 1, 20, 21, 22), 0);
  CHECK_EQ(option_of(&tcp, IPPROTO_TCP, TCP_KEEPIDLE), 20);
  CHECK_EQ(option_of(&tcp, IPPROTO_TCP, TCP_KEEPINTVL), 21);
  CHECK_EQ(option_of(&tcp, IPPROTO_TCP, TCP_KEEPCNT), 22);
  CHECK_EQ(uv_tcp_init(loop, &later), 0);
  CHECK_EQ(uv_tcp_keepalive(&later, 1, 0), UV_EINVAL); /* as documented; without a socket libuv 1.52.1 returns 0 */
  CHECK_EQ(uv_tcp_keepalive_ex(&later, 1, 30, 31, 32), 0);
  CHECK_EQ(uv_tcp_bind(&later, (struct sockaddr *)&address, 0), 0);
  CHECK_EQ(option_of(&later, SOL_SOCKET, SO_KEEPALIVE), 1);
  CHECK_EQ(option_of(&later, IPPROTO_TCP, TCP_KEEPIDLE), 30);
  CHECK_EQ(option_of(&later, IPPROTO_TCP, TCP_KEEPINTVL), 31);
  CHECK_EQ(option_of(&later, IPPROTO_TCP, TCP_KEEPCNT), 32);
  test_close_default_loop();
}

TEST(tcp_reuseport_lets_two_listen) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t first, second, third;
  struct sockaddr_in address = loopback(0);
  CHECK_EQ(uv_tcp_init(loop, &first), 0);
  CHECK_EQ(uv_tcp_bind(&first, (struct sockaddr *)&address, UV_TCP_REUSEPORT), 0);
  CHECK_EQ(uv_listen(stream_of(&first), 5, NULL), 0);
  address = loopback(port_of(&first));
  CHECK_EQ(uv_tcp_init(loop, &second), 0);
  CHECK_EQ(uv_tcp_bind(&second, (struct sockaddr *)&address, UV_TCP_REUSEPORT), 0);
  CHECK_EQ(uv_listen(stream_of(&second), 5, NULL), 0);
  CHECK_EQ(uv_tcp_init(loop, &third), 0);
  CHECK_EQ(uv_tcp_bind(&third, (struct sockaddr *)&address, 0), 0);
  CHECK_EQ(uv_listen(stream_of(&third), 5, NULL), UV_EADDRINUSE);
  test_close_default_loop();
}

TEST(stream_write_of_no_buffers_or_of_absurdly_many_is_refused) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_write_t req;
  uv_buf_t buf = text("x");
  uv_file peer = open_half(loop, &pipe);
  CHECK_EQ(uv_write(&req, stream_of(&pipe), &buf, 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_write(&req, stream_of(&pipe), &buf, (unsigned int)-42, NULL), UV_EINVAL);
  CHECK_EQ(uv_try_write(stream_of(&pipe), &buf, 0), UV_EINVAL);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  peer_close(peer);
  test_close_default_loop();
}

static bool stop_when_asked;

static void stop_in_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  take_alloc(handle, suggested, buf);
  if (stop_when_asked)
    uv_read_stop((uv_stream_t *)handle);
  else
    uv_close(handle, NULL);
}

TEST(stream_stopped_or_closed_when_asked_for_a_buffer_reads_nothing) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_file peer = open_half(loop, &pipe);
  stop_when_asked = true;
  CHECK_EQ(uv_read_start(stream_of(&pipe), stop_in_alloc, take), 0);
  CHECK_EQ(peer_write(peer, "kept", 4), 4);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(taken_size, 0);
  stop_when_asked = false;
  CHECK_EQ(uv_read_start(stream_of(&pipe), stop_in_alloc, take), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(taken_size, 0);
  CHECK_EQ(taken_ends, 0);
  peer_close(peer);
  test_close_default_loop();
}
