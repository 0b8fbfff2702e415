/* Names of sockets of Unix: abstract ones, ones that the kernel chooses, and ones that are too long. */
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
