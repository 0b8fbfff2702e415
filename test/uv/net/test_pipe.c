/* Pipes: local sockets with a name in the file system, and pipes and FIFOs that were opened by others. */
#include <sys/stat.h>

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
  CHECK_EQ(uv_pipe_init(loop, &server, 0), 0);
  CHECK_EQ(uv_pipe_bind(&server, "door"), 0);
  CHECK_EQ(uv_listen(stream_of(&server), 5, on_connection), 0);
  CHECK_EQ(uv_pipe_init(loop, &client, 0), 0);
  uv_pipe_connect(&connect_req, &client, "door", on_connect);
  CHECK_EQ(connects, 0);
  RUN_UNTIL(loop, connects == 1 && connections == 1);
  CHECK_EQ(connect_status, 0);
  CHECK(uv_is_readable(stream_of(&client)) && uv_is_writable(stream_of(&client)));
  CHECK_EQ(uv_read_start(stream_of(&accepted[0]), take_alloc, take), 0);
  CHECK_EQ(uv_try_write(stream_of(&client), &buf, 1), (long)buf.len);
  RUN_UNTIL(loop, taken_size == buf.len);
  CHECK_EQ(memcmp(taken, buf.base, buf.len), 0);
  uv_close((uv_handle_t *)&client, on_close);
  RUN_UNTIL(loop, taken_ends == 1);
  CHECK_EQ(taken_error, UV_EOF);
  test_close_default_loop();
}

TEST(pipe_file_goes_with_the_handle_that_made_it) {
  uv_loop_t *loop = uv_default_loop();
  struct stat status;
  CHECK_EQ(uv_pipe_init(loop, &server, 0), 0);
  CHECK_EQ(uv_pipe_bind(&server, "door"), 0);
  CHECK_EQ(stat("door", &status), 0);
  CHECK(S_ISSOCK(status.st_mode));
  CHECK_EQ(uv_pipe_init(loop, &client, 0), 0);
  CHECK_EQ(uv_pipe_bind(&client, "door"), UV_EADDRINUSE);
  uv_close((uv_handle_t *)&client, NULL);
  CHECK_EQ(stat("door", &status), 0); /* not the file of a pipe that could not bind */
  uv_close((uv_handle_t *)&server, NULL);
  CHECK_EQ(stat("door", &status), -1);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  test_close_default_loop();
}

TEST(pipe_bind_and_listen_in_the_wrong_state) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t ipc;
  CHECK_EQ(uv_pipe_init(loop, &server, 0), 0);
  CHECK_EQ(uv_listen(stream_of(&server), 5, on_connection), UV_EINVAL); /* no name yet */
  CHECK_EQ(uv_pipe_bind(&server, "no/such/directory/door"), UV_EACCES);
  CHECK_EQ(uv_pipe_bind(&server, "door"), 0);
  CHECK_EQ(uv_pipe_bind(&server, "other"), UV_EINVAL);
  CHECK_EQ(uv_pipe_init(loop, &ipc, 1), 0);
  CHECK_EQ(uv_pipe_bind(&ipc, "ipc"), 0);
  CHECK_EQ(uv_listen(stream_of(&ipc), 5, on_connection), UV_EINVAL);
  uv_close((uv_handle_t *)&server, NULL);
  CHECK_EQ(uv_pipe_bind(&server, "late"), UV_EINVAL);
  CHECK_EQ(uv_listen(stream_of(&server), 5, on_connection), UV_EINVAL);
  CHECK_EQ(access("late", F_OK), -1);
  test_close_default_loop();
}

TEST(pipe_connect_errors_are_told_by_the_callback) {
  uv_loop_t *loop = uv_default_loop();
  static const struct {
    const char *name;
    int status;
  } cases[] = {{"nobody", UV_ENOENT}, {"file", UV_ECONNREFUSED}, {"file/door", UV_ENOTDIR}};
  int fd = open("file", O_CREAT | O_WRONLY, 0600);
  CHECK(fd >= 0);
  close(fd);
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(uv_pipe_init(loop, &client, 0), 0);
    uv_pipe_connect(&connect_req, &client, cases[i].name, on_connect);
    CHECK_EQ(connects, i);
    CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
    CHECK_EQ(connects, i + 1);
    CHECK_EQ(connect_status, cases[i].status);
    CHECK(!uv_is_writable(stream_of(&client)));
    uv_close((uv_handle_t *)&client, on_close);
    CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  }
  test_close_default_loop();
}

TEST(pipe_close_while_connecting_cancels) {
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(uv_pipe_init(loop, &client, 0), 0);
  uv_pipe_connect(&connect_req, &client, "nobody", on_connect);
  uv_close((uv_handle_t *)&client, on_close);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(connects, 1);
  CHECK_EQ(connect_status, UV_ECANCELED);
  CHECK_EQ(closes, 1);
  test_close_default_loop();
}

TEST(pipe_names) {
  uv_loop_t *loop = uv_default_loop();
  char name[64];
  size_t size = sizeof name;
  CHECK_EQ(uv_pipe_init(loop, &server, 0), 0);
  CHECK_EQ(uv_pipe_getsockname(&server, name, &size), UV_EBADF);
  CHECK_EQ(uv_pipe_getpeername(&server, name, &size), UV_EBADF);
  CHECK_EQ(uv_pipe_bind(&server, "door"), 0);
  size = sizeof name;
  CHECK_EQ(uv_pipe_getsockname(&server, name, &size), 0);
  CHECK_EQ(size, 4);
  CHECK_EQ(memcmp(name, "door", 4), 0);
  size = sizeof name;
  CHECK_EQ(uv_pipe_getpeername(&server, name, &size), UV_ENOTCONN);
  size = 3;
  CHECK_EQ(uv_pipe_getsockname(&server, name, &size), UV_ENOBUFS);
  CHECK_EQ(size, 5); /* with room for a NUL */
  CHECK_EQ(uv_pipe_getsockname(&server, name, &size), 0);
  CHECK_EQ(size, 4);
  CHECK_EQ(uv_listen(stream_of(&server), 5, on_connection), 0);
  CHECK_EQ(uv_pipe_init(loop, &client, 0), 0);
  uv_pipe_connect(&connect_req, &client, "door", on_connect);
  RUN_UNTIL(loop, connects == 1 && connections == 1);
  size = sizeof name;
  CHECK_EQ(uv_pipe_getsockname(&client, name, &size), 0);
  CHECK_EQ(size, 0); /* a client has none */
  size = sizeof name;
  CHECK_EQ(uv_pipe_getpeername(&client, name, &size), 0);
  CHECK_EQ(size, 4);
  test_close_default_loop();
}

TEST(pipe_chmod_adds_for_all_users) {
  uv_loop_t *loop = uv_default_loop();
  struct stat status;
  umask(077);
  CHECK_EQ(uv_pipe_init(loop, &server, 0), 0);
  CHECK_EQ(uv_pipe_chmod(&server, UV_READABLE), UV_EBADF);
  CHECK_EQ(uv_pipe_chmod(NULL, UV_READABLE), UV_EBADF);
  CHECK_EQ(uv_pipe_bind(&server, "door"), 0);
  CHECK_EQ(uv_pipe_chmod(&server, 0), UV_EINVAL);
  CHECK_EQ(uv_pipe_chmod(&server, 12345678), UV_EINVAL);
  CHECK_EQ(stat("door", &status), 0);
  CHECK_EQ(status.st_mode & 077, 0);
  CHECK_EQ(uv_pipe_chmod(&server, UV_READABLE), 0);
  CHECK_EQ(stat("door", &status), 0);
  CHECK_EQ(status.st_mode & 077, 044);
  CHECK_EQ(uv_pipe_chmod(&server, UV_READABLE | UV_WRITABLE), 0);
  CHECK_EQ(stat("door", &status), 0);
  CHECK_EQ(status.st_mode & 077, 066);
  uv_close((uv_handle_t *)&server, NULL);
  CHECK_EQ(uv_pipe_chmod(&server, UV_READABLE), UV_EBADF);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  test_close_default_loop();
}

TEST(pipe_open_looks_at_what_the_descriptor_can_do) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t reader, writer, both;
  CHECK_EQ(mkfifo("fifo", 0600), 0);
  int both_fd = open("fifo", O_RDWR);
  int reader_fd = open("fifo", O_RDONLY | O_NONBLOCK);
  int writer_fd = open("fifo", O_WRONLY);
  uv_buf_t buf = text("through a FIFO");
  CHECK_EQ(uv_pipe_init(loop, &both, 0), 0);
  CHECK_EQ(uv_pipe_open(&both, both_fd), 0);
  CHECK(uv_is_readable(stream_of(&both)) && uv_is_writable(stream_of(&both)));
  CHECK_EQ(uv_pipe_init(loop, &reader, 0), 0);
  CHECK_EQ(uv_pipe_open(&reader, reader_fd), 0);
  CHECK(uv_is_readable(stream_of(&reader)) && !uv_is_writable(stream_of(&reader)));
  CHECK_EQ(uv_pipe_init(loop, &writer, 0), 0);
  CHECK_EQ(uv_pipe_open(&writer, writer_fd), 0);
  CHECK(!uv_is_readable(stream_of(&writer)) && uv_is_writable(stream_of(&writer)));
  CHECK(fcntl(writer_fd, F_GETFL) & O_NONBLOCK);
  CHECK_EQ(uv_read_start(stream_of(&reader), take_alloc, take), 0);
  CHECK_EQ(uv_try_write(stream_of(&writer), &buf, 1), (long)buf.len);
  RUN_UNTIL(loop, taken_size == buf.len);
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
