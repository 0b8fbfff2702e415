/* What streams have got since libuv 1.44: names of given length, all of keep-alive, shared ports. */
#include <sys/stat.h>

#include "test_net.h"

static int connects, connect_status, connections;
static uv_pipe_t accepted;

static void on_connect(uv_connect_t *req, int status) {
  (void)req;
  connects++;
  connect_status = status;
}

static void on_connection(uv_stream_t *stream, int status) {
  CHECK_EQ(status, 0);
  CHECK_EQ(uv_pipe_init(stream->loop, &accepted, 0), 0);
  CHECK_EQ(uv_accept(stream, stream_of(&accepted)), 0);
  connections++;
}

TEST(pipe_abstract_name_may_hold_any_bytes_and_has_no_file) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t server, client;
  uv_connect_t req;
  char name[32], back[64];
  int length = snprintf(name, sizeof name, "%crota%d%cend", 0, (int)getpid(), 0);
  size_t size = sizeof back;
  CHECK_EQ(uv_pipe_init(loop, &server, 0), 0);
  CHECK_EQ(uv_pipe_bind2(&server, name, (size_t)length, 0), 0);
  CHECK_EQ(uv_pipe_getsockname(&server, back, &size), 0);
  CHECK_EQ(size, length);
  CHECK_EQ(memcmp(back, name, size), 0);
  size = (size_t)length - 1;
  CHECK_EQ(uv_pipe_getsockname(&server, back, &size), UV_ENOBUFS);
  CHECK_EQ(size, length);
  CHECK_EQ(uv_pipe_getsockname(&server, back, &size), 0); /* no NUL behind it, so no room for one */
  CHECK_EQ(uv_listen(stream_of(&server), 5, on_connection), 0);
  CHECK_EQ(uv_pipe_init(loop, &client, 0), 0);
  CHECK_EQ(uv_pipe_connect2(&req, &client, name, (size_t)length, 0, on_connect), 0);
  RUN_UNTIL(loop, connects == 1 && connections == 1);
  CHECK_EQ(connect_status, 0);
  size = sizeof back;
  CHECK_EQ(uv_pipe_getpeername(&client, back, &size), 0);
  CHECK_EQ(size, length);
  CHECK_EQ(memcmp(back, name, size), 0);
  test_close_default_loop();
}

TEST(pipe_bind_to_nothing_lets_the_kernel_choose) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t server, client;
  uv_connect_t req;
  char name[64];
  size_t size = sizeof name;
  CHECK_EQ(uv_pipe_init(loop, &server, 0), 0);
  CHECK_EQ(uv_pipe_bind2(&server, "", 0, 0), 0);
  CHECK_EQ(uv_pipe_getsockname(&server, name, &size), 0);
  CHECK_EQ(size, 6);
  CHECK_EQ(name[0], 0);
  CHECK_EQ(uv_listen(stream_of(&server), 5, on_connection), 0);
  CHECK_EQ(uv_pipe_init(loop, &client, 0), 0);
  CHECK_EQ(uv_pipe_connect2(&req, &client, name, size, 0, on_connect), 0);
  RUN_UNTIL(loop, connects == 1);
  CHECK_EQ(connect_status, 0);
  test_close_default_loop();
}

TEST(pipe_names_that_cannot_be) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_connect_t req;
  char name[512];
  memset(name, '@', sizeof name);
  CHECK_EQ(uv_pipe_init(loop, &pipe, 0), 0);
  CHECK_EQ(uv_pipe_bind2(&pipe, "bad\0path", 8, 0), UV_EINVAL);
  CHECK_EQ(uv_pipe_bind2(&pipe, "path", 4, 2), UV_EINVAL);
  CHECK_EQ(uv_pipe_bind2(&pipe, NULL, 0, 0), UV_EINVAL);
  CHECK_EQ(uv_pipe_bind2(&pipe, name, sizeof name, UV_PIPE_NO_TRUNCATE), UV_EINVAL);
  CHECK_EQ(uv_pipe_connect2(&req, &pipe, "bad\0path", 8, 0, on_connect), UV_EINVAL);
  CHECK_EQ(uv_pipe_connect2(&req, &pipe, "path", 4, 2, on_connect), UV_EINVAL);
  CHECK_EQ(uv_pipe_connect2(&req, &pipe, NULL, 0, 0, on_connect), UV_EINVAL);
  CHECK_EQ(uv_pipe_connect2(&req, &pipe, "", 0, 0, on_connect), UV_EINVAL);
  CHECK_EQ(uv_pipe_connect2(&req, &pipe, name, sizeof name, UV_PIPE_NO_TRUNCATE, on_connect), UV_EINVAL);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(connects, 0);
  uv_pipe_connect(&req, &pipe, "", on_connect); /* cannot return it: the callback tells */
  CHECK_EQ(connects, 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(connects, 1);
  CHECK_EQ(connect_status, UV_EINVAL);
  test_close_default_loop();
}

TEST(pipe_long_name_is_cut_unless_that_is_forbidden) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  char name[512], back[512];
  struct stat status;
  size_t size = sizeof back;
  memset(name, '@', sizeof name);
  CHECK_EQ(uv_pipe_init(loop, &pipe, 0), 0);
  CHECK_EQ(uv_pipe_bind2(&pipe, name, 300, 0), 0);
  CHECK_EQ(uv_pipe_getsockname(&pipe, back, &size), 0);
  CHECK_EQ(size, 108);
  CHECK_EQ(memcmp(back, name, size), 0);
  CHECK_EQ(stat(back, &status), 0);
  CHECK_EQ(uv_pipe_chmod(&pipe, UV_READABLE), 0);
  uv_close((uv_handle_t *)&pipe, NULL);
  CHECK_EQ(stat(back, &status), -1); /* and removed */
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  test_close_default_loop();
}

static int option_of(uv_tcp_t *tcp, int level, int name) {
  uv_os_fd_t fd;
  int value;
  socklen_t length = sizeof value;
  CHECK_EQ(uv_fileno((uv_handle_t *)tcp, &fd), 0);
  CHECK_EQ(getsockopt(fd, level, name, &value, &length), 0);
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
  int peer = open_half(loop, &pipe);
  CHECK_EQ(uv_write(&req, stream_of(&pipe), &buf, 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_write(&req, stream_of(&pipe), &buf, (unsigned int)-42, NULL), UV_EINVAL);
  CHECK_EQ(uv_try_write(stream_of(&pipe), &buf, 0), UV_EINVAL);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  close(peer);
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
  int peer = open_half(loop, &pipe);
  stop_when_asked = true;
  CHECK_EQ(uv_read_start(stream_of(&pipe), stop_in_alloc, take), 0);
  CHECK_EQ(write(peer, "kept", 4), 4);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(taken_size, 0);
  stop_when_asked = false;
  CHECK_EQ(uv_read_start(stream_of(&pipe), stop_in_alloc, take), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(taken_size, 0);
  CHECK_EQ(taken_ends, 0);
  close(peer);
  test_close_default_loop();
}
