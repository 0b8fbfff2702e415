/* Pipes: servers and clients of a name. What is of sockets in the file system is in test_pipe_unix.c. */
#include "test_net.h"

static uv_pipe_t server, client, accepted[2];
static uv_connect_t connect_req;
static int connections, connects, connect_status, closes;

static void on_connection(uv_stream_t *stream, int status) {
  CHECK_EQ(status, 0);
  CHECK_EQ(uv_pipe_init(stream->loop, &accepted[connections], 0), 0);
  CHECK_EQ(uv_accept(stream, stream_of(&accepted[connections])), 0);
  connections++;
}

static void on_connect(uv_connect_t *req, int status) {
  CHECK(req->handle != NULL);
  connects++;
  connect_status = status;
}

static void on_close(uv_handle_t *handle) {
  (void)handle;
  closes++;
}

TEST(pipe_server_and_client) {
  uv_loop_t *loop = uv_default_loop();
  uv_buf_t buf = text("through the file system");
  uv_write_t write_req;
  CHECK_EQ(uv_pipe_init(loop, &server, 0), 0);
  CHECK_EQ(uv_pipe_bind(&server, local_name("door")), 0);
  CHECK_EQ(uv_listen(stream_of(&server), 5, on_connection), 0);
  CHECK_EQ(uv_pipe_init(loop, &client, 0), 0);
  uv_pipe_connect(&connect_req, &client, local_name("door"), on_connect);
  CHECK_EQ(connects, 0);
  RUN_UNTIL(loop, connects == 1 && connections == 1);
  CHECK_EQ(connect_status, 0);
  CHECK(uv_is_readable(stream_of(&client)) && uv_is_writable(stream_of(&client)));
  CHECK_EQ(uv_read_start(stream_of(&accepted[0]), take_alloc, take), 0);
  CHECK_EQ(uv_write(&write_req, stream_of(&client), &buf, 1, NULL), 0);
  RUN_UNTIL(loop, taken_size == buf.len);
  CHECK_EQ(memcmp(taken, buf.base, buf.len), 0);
  uv_close((uv_handle_t *)&client, on_close);
  RUN_UNTIL(loop, taken_ends == 1);
  CHECK_EQ(taken_error, UV_EOF);
  test_close_default_loop();
}

TEST(pipe_bind_and_listen_in_the_wrong_state) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t ipc;
  CHECK_EQ(uv_pipe_init(loop, &server, 0), 0);
  CHECK_EQ(uv_listen(stream_of(&server), 5, on_connection), UV_EINVAL); /* no name yet */
  CHECK_EQ(uv_pipe_bind(&server, "no/such/directory/door"), UV_EACCES);
  CHECK_EQ(uv_pipe_bind(&server, local_name("door")), 0);
  CHECK_EQ(uv_pipe_bind(&server, local_name("other")), UV_EINVAL);
  CHECK_EQ(uv_pipe_init(loop, &ipc, 1), 0);
  CHECK_EQ(uv_pipe_bind(&ipc, local_name("ipc")), 0);
  CHECK_EQ(uv_listen(stream_of(&ipc), 5, on_connection), UV_EINVAL);
  uv_close((uv_handle_t *)&server, NULL);
  CHECK_EQ(uv_pipe_bind(&server, local_name("late")), UV_EINVAL);
  CHECK_EQ(uv_listen(stream_of(&server), 5, on_connection), UV_EINVAL);
  test_close_default_loop();
}

TEST(pipe_close_while_connecting_cancels) {
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(uv_pipe_init(loop, &client, 0), 0);
  uv_pipe_connect(&connect_req, &client, local_name("nobody"), on_connect);
  uv_close((uv_handle_t *)&client, on_close);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(connects, 1);
  CHECK_EQ(connect_status, UV_ECANCELED);
  CHECK_EQ(closes, 1);
  test_close_default_loop();
}

TEST(pipe_names) {
  uv_loop_t *loop = uv_default_loop();
  const char *door = local_name("door");
  size_t length = strlen(door);
  char name[128];
  size_t size = sizeof name;
  CHECK_EQ(uv_pipe_init(loop, &server, 0), 0);
  CHECK_EQ(uv_pipe_getsockname(&server, name, &size), UV_EBADF);
  CHECK_EQ(size, 0);
  size = sizeof name;
  CHECK_EQ(uv_pipe_getpeername(&server, name, &size), UV_EBADF);
  CHECK_EQ(size, 0);
  CHECK_EQ(uv_pipe_bind(&server, door), 0);
  size = sizeof name;
  CHECK_EQ(uv_pipe_getsockname(&server, name, &size), 0);
  CHECK_EQ(size, length);
  CHECK_EQ(memcmp(name, door, length), 0);
  size = sizeof name;
  CHECK_EQ(uv_pipe_getpeername(&server, name, &size), UV_ENOTCONN);
  size = length - 1;
  CHECK_EQ(uv_pipe_getsockname(&server, name, &size), UV_ENOBUFS);
  CHECK_EQ(size, length + 1); /* with room for a NUL */
  CHECK_EQ(uv_pipe_getsockname(&server, name, &size), 0);
  CHECK_EQ(size, length);
  CHECK_EQ(uv_listen(stream_of(&server), 5, on_connection), 0);
  CHECK_EQ(uv_pipe_init(loop, &client, 0), 0);
  uv_pipe_connect(&connect_req, &client, door, on_connect);
  RUN_UNTIL(loop, connects == 1 && connections == 1);
  size = sizeof name;
  CHECK_EQ(uv_pipe_getsockname(&client, name, &size), 0);
  CHECK_EQ(size, 0); /* a client has none */
  size = sizeof name;
  CHECK_EQ(uv_pipe_getpeername(&client, name, &size), 0);
  CHECK_EQ(size, length);
  test_close_default_loop();
}

TEST(pipe_without_received_handles_has_none_pending) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t plain, ipc;
  CHECK_EQ(uv_pipe_init(loop, &plain, 0), 0);
  CHECK_EQ(uv_pipe_init(loop, &ipc, 1), 0);
  CHECK_EQ(plain.ipc, 0);
  CHECK_EQ(ipc.ipc, 1);
  uv_pipe_pending_instances(&plain, 4);
  CHECK_EQ(uv_pipe_pending_count(&plain), 0);
  CHECK_EQ(uv_pipe_pending_type(&plain), UV_UNKNOWN_HANDLE);
  CHECK_EQ(uv_pipe_pending_count(&ipc), 0);
  CHECK_EQ(uv_pipe_pending_type(&ipc), UV_UNKNOWN_HANDLE);
  CHECK_EQ(uv_accept(stream_of(&ipc), stream_of(&plain)), UV_EAGAIN);
  test_close_default_loop();
}
