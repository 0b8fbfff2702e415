/* When the peer sees the end: when the handle is closed, not after further iterations of the loop. */
#include "test_net.h"

static uv_tcp_t server, connection;
static int accepted;

static void on_connection(uv_stream_t *stream, int status) {
  CHECK_EQ(status, 0);
  CHECK_EQ(uv_tcp_init(stream->loop, &connection), 0);
  CHECK_EQ(uv_accept(stream, stream_of(&connection)), 0);
  CHECK_EQ(uv_read_start(stream_of(&connection), take_alloc, take), 0);
  accepted = 1;
}

/* The loop does not run meanwhile; the time limit of the test catches an end that does not come. */
static void check_end_comes(int fd) {
  char byte;
  CHECK_EQ(recv(fd, &byte, 1, 0), 0);
}

static void close_after(int messages, int stop_first) {
  uv_loop_t *loop = uv_default_loop();
  int client = connect_bare(listen_tcp(loop, &server, on_connection));
  RUN_UNTIL(loop, accepted);
  for (int i = 0; i < messages; i++) {
    CHECK_EQ(send(client, "x", 1, 0), 1);
    RUN_UNTIL(loop, taken_size == (size_t)i + 1);
  }
  uv_run(loop, UV_RUN_NOWAIT);
  if (stop_first)
    CHECK_EQ(uv_read_stop(stream_of(&connection)), 0);
  uv_close((uv_handle_t *)&connection, NULL);
  check_end_comes(client);
  close_socket(client);
  test_close_default_loop();
}

TEST(end_seen_when_a_reader_is_closed) {
  close_after(5, 0);
}

TEST(end_seen_when_a_stopped_reader_is_closed) {
  close_after(5, 1);
}

TEST(end_seen_when_one_that_never_read_anything_is_closed) {
  close_after(0, 0);
}
