/* Handles sent over pipes. */
#include "test_net.h"

static uv_pipe_t left, right;
static int writes, write_status;

static void open_ipc(uv_loop_t *loop, int fds[2]) {
  local_pair(fds);
  CHECK_EQ(uv_pipe_init(loop, &left, 1), 0);
  CHECK_EQ(uv_pipe_open(&left, fds[0]), 0);
  CHECK_EQ(uv_pipe_init(loop, &right, 1), 0);
  CHECK_EQ(uv_pipe_open(&right, fds[1]), 0);
}

static void on_write(uv_write_t *req, int status) {
  (void)req;
  writes++;
  write_status = status;
}

TEST(ipc_listening_socket_is_passed_and_serves) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t server, received;
  uv_write_t req;
  uv_buf_t buf = text("take it");
  int fds[2];
  open_ipc(loop, fds);
  int port = listen_tcp(loop, &server, NULL);
  CHECK_EQ(uv_write2(&req, stream_of(&left), &buf, 1, stream_of(&server), on_write), 0);
  CHECK_EQ(uv_read_start(stream_of(&right), take_alloc, take), 0);
  RUN_UNTIL(loop, taken_size == buf.len && writes == 1);
  CHECK_EQ(write_status, 0);
  CHECK_EQ(uv_pipe_pending_count(&right), 1);
  CHECK_EQ(uv_pipe_pending_type(&right), UV_TCP);
  CHECK_EQ(uv_tcp_init(loop, &received), 0);
  CHECK_EQ(uv_accept(stream_of(&right), stream_of(&received)), 0);
  CHECK_EQ(uv_pipe_pending_count(&right), 0);
  CHECK_EQ(uv_pipe_pending_type(&right), UV_UNKNOWN_HANDLE);
  CHECK_EQ(uv_accept(stream_of(&right), stream_of(&received)), UV_EAGAIN);
  CHECK_EQ(port_of(&received), port);
  close_handle(&server);
  uv_run(loop, UV_RUN_NOWAIT);
  CHECK_EQ(uv_listen(stream_of(&received), 5, NULL), 0);
  close_socket(connect_bare(port));
  test_close_default_loop();
}

TEST(ipc_handles_and_words_keep_their_order_when_writes_wait) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t server;
  uv_write_t reqs[3];
  static char bytes[900000];
  uv_buf_t big = uv_buf_init(bytes, sizeof bytes), small = text("handle");
  int fds[2];
  memset(bytes, 'b', sizeof bytes);
  open_ipc(loop, fds);
  listen_tcp(loop, &server, NULL);
  CHECK_EQ(uv_write(&reqs[0], stream_of(&left), &big, 1, on_write), 0);
  CHECK(left.write_queue_size > 0);
  CHECK_EQ(uv_write2(&reqs[1], stream_of(&left), &small, 1, stream_of(&server), on_write), 0);
  CHECK_EQ(uv_try_write2(stream_of(&left), &small, 1, stream_of(&server)), UV_EAGAIN);
  CHECK_EQ(uv_write2(&reqs[2], stream_of(&left), &small, 1, stream_of(&server), on_write), 0);
  CHECK_EQ(uv_read_start(stream_of(&right), take_alloc, take), 0);
  RUN_UNTIL(loop, writes == 3 && taken_size == sizeof bytes + 12);
  CHECK_EQ(write_status, 0);
  CHECK_EQ(uv_pipe_pending_count(&right), 2);
  CHECK_EQ(memcmp(taken + sizeof bytes, "handlehandle", 12), 0);
  test_close_default_loop();
}

TEST(ipc_try_write_sends_a_handle) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t server;
  uv_buf_t buf = text("x");
  int fds[2];
  open_ipc(loop, fds);
  listen_tcp(loop, &server, NULL);
  CHECK_EQ(uv_try_write2(stream_of(&left), &buf, 1, stream_of(&server)), 1);
  CHECK_EQ(uv_read_start(stream_of(&right), take_alloc, take), 0);
  RUN_UNTIL(loop, taken_size == 1);
  CHECK_EQ(uv_pipe_pending_count(&right), 1);
  test_close_default_loop();
}

TEST(ipc_handle_without_a_descriptor_cannot_be_sent) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t fresh;
  uv_write_t req;
  uv_buf_t buf = text("x");
  int fds[2];
  open_ipc(loop, fds);
  CHECK_EQ(uv_tcp_init(loop, &fresh), 0);
  CHECK_EQ(uv_write2(&req, stream_of(&left), &buf, 1, stream_of(&fresh), on_write), UV_EBADF);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(writes, 0);
  test_close_default_loop();
}

/* ---- between processes ---- */

HELPER(ipc_child) {
  static uv_pipe_t channel;
  static uv_tcp_t received;
  uv_loop_t *loop = uv_default_loop();
  uv_buf_t buf = text("from the child");
  CHECK_EQ(uv_pipe_init(loop, &channel, 1), 0);
  CHECK_EQ(uv_pipe_open(&channel, 3), 0);
  CHECK_EQ(uv_read_start(stream_of(&channel), take_alloc, take), 0);
  RUN_UNTIL(loop, taken_size > 0);
  CHECK_EQ(uv_pipe_pending_count(&channel), 1);
  CHECK_EQ(uv_pipe_pending_type(&channel), UV_TCP);
  CHECK_EQ(uv_tcp_init(loop, &received), 0);
  CHECK_EQ(uv_accept(stream_of(&channel), stream_of(&received)), 0);
  CHECK_EQ(uv_try_write(stream_of(&received), &buf, 1), (long)buf.len);
  return 0;
}

static uv_tcp_t accepted;
static int connections;

static void on_connection(uv_stream_t *stream, int status) {
  CHECK_EQ(status, 0);
  CHECK_EQ(uv_tcp_init(stream->loop, &accepted), 0);
  CHECK_EQ(uv_accept(stream, stream_of(&accepted)), 0);
  connections++;
}

static int64_t child_status = -1;

static void on_exit_of_child(uv_process_t *process, int64_t status, int signal_number) {
  CHECK_EQ(signal_number, 0);
  child_status = status;
  uv_close((uv_handle_t *)process, NULL);
}

TEST(ipc_connection_goes_to_a_child) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t server;
  uv_pipe_t channel;
  uv_process_t child;
  uv_write_t req;
  uv_buf_t buf = text("yours");
  char *arguments[] = {(char *)test_program(), "--helper", "ipc_child", NULL};
  uv_stdio_container_t stdio[4] = {
      {.flags = UV_INHERIT_FD, .data.fd = 0},
      {.flags = UV_INHERIT_FD, .data.fd = 1},
      {.flags = UV_INHERIT_FD, .data.fd = 2},
      {.flags = UV_CREATE_PIPE | UV_READABLE_PIPE | UV_WRITABLE_PIPE, .data.stream = stream_of(&channel)}};
  uv_process_options_t options = {
      .file = test_program(), .args = arguments, .stdio = stdio, .stdio_count = 4, .exit_cb = on_exit_of_child};
  int port = listen_tcp(loop, &server, on_connection);
  int fd = connect_bare(port);
  RUN_UNTIL(loop, connections == 1);
  CHECK_EQ(uv_pipe_init(loop, &channel, 1), 0);
  CHECK_EQ(uv_spawn(loop, &child, &options), 0);
  CHECK_EQ(uv_write2(&req, stream_of(&channel), &buf, 1, stream_of(&accepted), on_write), 0);
  RUN_UNTIL(loop, child_status != -1);
  CHECK_EQ(child_status, 0);
  char words[32] = {0};
  CHECK_EQ(recv(fd, words, sizeof words - 1, 0), 14);
  CHECK_STR(words, "from the child");
  close_socket(fd);
  test_close_default_loop();
}

static int first_reads;

static void read_some_and_stop(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  CHECK_EQ(nread, 1);
  CHECK_EQ(buf->base[0], '1');
  if (++first_reads == 50)
    CHECK_EQ(uv_read_stop(stream), 0);
}

/* A program that stops reading and passes the connection on has not read the bytes that come afterwards: the new owner
 * gets them. */
TEST(ipc_connection_passed_on_after_reading_keeps_the_bytes_that_follow) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t server, received;
  uv_write_t req;
  uv_buf_t buf = text("x");
  int fds[2];
  open_ipc(loop, fds);
  int port = listen_tcp(loop, &server, on_connection);
  int fd = connect_bare(port);
  RUN_UNTIL(loop, connections == 1);
  CHECK_EQ(uv_read_start(stream_of(&accepted), take_alloc, read_some_and_stop), 0);
  for (int i = 1; i <= 50; i++) {
    CHECK_EQ(send(fd, "1", 1, 0), 1);
    RUN_UNTIL(loop, first_reads == i);
  }
  CHECK_EQ(send(fd, "23", 2, 0), 2);
  for (int i = 0; i < 3; i++)
    uv_run(loop, UV_RUN_NOWAIT);
  CHECK_EQ(uv_write2(&req, stream_of(&left), &buf, 1, stream_of(&accepted), on_write), 0);
  CHECK_EQ(uv_read_start(stream_of(&right), take_alloc, take), 0);
  RUN_UNTIL(loop, taken_size == 1 && writes == 1);
  CHECK_EQ(uv_tcp_init(loop, &received), 0);
  CHECK_EQ(uv_accept(stream_of(&right), stream_of(&received)), 0);
  uv_close((uv_handle_t *)&accepted, NULL);
  CHECK_EQ(uv_read_start(stream_of(&received), take_alloc, take), 0);
  CHECK_EQ(send(fd, "4", 1, 0), 1);
  RUN_UNTIL(loop, taken_size == 4);
  CHECK_EQ(memcmp(taken, "x234", 4), 0);
  close_socket(fd);
  test_close_default_loop();
}
