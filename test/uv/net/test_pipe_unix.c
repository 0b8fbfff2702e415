/* Pipes: sockets with a name in the file system, and FIFOs. */
#include <sys/stat.h>

#include "test_net.h"

static uv_pipe_t server, client;
static uv_connect_t connect_req;
static int connects, connect_status;

static void on_connect(uv_connect_t *req, int status) {
  CHECK(req->handle != NULL);
  connects++;
  connect_status = status;
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
    uv_close((uv_handle_t *)&client, NULL);
    CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  }
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
