/* When the peer sees the end: when the handle is closed, not after further iterations of the loop; and when the process
 * is dead, not some time later. */
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

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

/* The loop does not run meanwhile. */
static void check_end_comes(int fd) {
  struct pollfd end = {.fd = fd, .events = POLLIN};
  char byte;
  CHECK_EQ(poll(&end, 1, 20000), 1);
  CHECK_EQ(recv(fd, &byte, 1, 0), 0);
}

static void close_after(int messages, int stop_first) {
  uv_loop_t *loop = uv_default_loop();
  int client = connect_bare(listen_tcp(loop, &server, on_connection));
  RUN_UNTIL(loop, accepted);
  for (int i = 0; i < messages; i++) {
    CHECK_EQ(write(client, "x", 1), 1);
    RUN_UNTIL(loop, taken_size == (size_t)i + 1);
  }
  uv_run(loop, UV_RUN_NOWAIT);
  if (stop_first)
    CHECK_EQ(uv_read_stop(stream_of(&connection)), 0);
  uv_close((uv_handle_t *)&connection, NULL);
  check_end_comes(client);
  close(client);
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

/* Reads from descriptor 0, which is a socket, until it is killed. */
HELPER(end_seen_reader) {
  uv_pipe_t pipe;
  if (uv_pipe_init(uv_default_loop(), &pipe, 0) != 0 || uv_pipe_open(&pipe, 0) != 0 ||
      uv_read_start(stream_of(&pipe), take_alloc, take) != 0)
    return 1;
  for (int i = 0; i < 3; i++)
    uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  if (write(1, "r", 1) != 1)
    return 1;
  return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}

TEST(end_seen_when_a_process_is_dead) {
  for (int round = 0; round < 10; round++) {
    int channel[2];
    char byte;
    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, channel), 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      dup2(channel[1], 0);
      dup2(channel[1], 1);
      close(channel[0]);
      close(channel[1]);
      execl(test_program(), test_program(), "--helper", "end_seen_reader", (char *)NULL);
      _exit(127);
    }
    close(channel[1]);
    CHECK_EQ(recv(channel[0], &byte, 1, 0), 1);
    CHECK_EQ(kill(child, SIGKILL), 0);
    CHECK_EQ(waitpid(child, NULL, 0), child);
    CHECK_EQ(recv(channel[0], &byte, 1, MSG_DONTWAIT), 0);
    close(channel[0]);
  }
}
