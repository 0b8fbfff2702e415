/* uv_cancel of a write, and uv_write_nwritten, which are of libuv 1.53. The expectations are what its library did, but
 * for a stream that is not connected yet: there it tells of a connection too early. */
#include <fcntl.h>
#include <sys/socket.h>

#include "test_net.h"

enum { LARGE = 1 << 22 }; /* more than a socket takes */

static char bytes[LARGE];
static uv_pipe_t pipe_handle;
static uv_write_t writes[4];
static int peer = -1;
static char story[128]; /* what was called, in order: a write's number and what became of it */
static size_t written[4];

static void on_write(uv_write_t *req, int status) {
  size_t number = (size_t)(req - writes);
  const char *end = status == 0 ? "ok" : status == UV_ECANCELED ? "cancelled" : uv_err_name(status);
  snprintf(story + strlen(story), sizeof story - strlen(story), "%zu %s;", number, end);
  written[number] = uv_write_nwritten(req);
}

static void on_shutdown(uv_shutdown_t *req, int status) {
  (void)req;
  CHECK_EQ(status, 0);
  strcat(story, "shut;");
}

static void on_connect(uv_connect_t *req, int status) {
  (void)req;
  strcat(story, status == 0 ? "connected;" : "refused;");
}

static void begin(void) {
  int sockets[2];
  CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  CHECK_EQ(uv_pipe_init(uv_default_loop(), &pipe_handle, 0), 0);
  CHECK_EQ(uv_pipe_open(&pipe_handle, sockets[0]), 0);
  peer = sockets[1];
  CHECK_EQ(fcntl(peer, F_SETFL, O_NONBLOCK), 0);
}

static void write_to(void *stream, int number, size_t size) {
  uv_buf_t buf = uv_buf_init(bytes, (unsigned int)size);
  CHECK_EQ(uv_write(&writes[number], stream, &buf, 1, on_write), 0);
}

static int cancel(int number) {
  return uv_cancel((uv_req_t *)&writes[number]);
}

/* What the peer got. */
static size_t drain(void) {
  static char room[1 << 16];
  size_t size = 0;
  for (ssize_t n; (n = read(peer, room, sizeof room)) > 0;)
    size += (size_t)n;
  return size;
}

static void end(void) {
  close(peer);
  test_close_default_loop();
}

TEST(write_that_waits_is_cancelled_and_what_comes_after_it_is_written) {
  begin();
  write_to(&pipe_handle, 0, LARGE);
  write_to(&pipe_handle, 1, LARGE);
  write_to(&pipe_handle, 2, 3);
  size_t queued = uv_stream_get_write_queue_size(stream_of(&pipe_handle));
  CHECK_EQ(cancel(1), 0);
  CHECK_EQ(cancel(1), 0);
  CHECK_EQ(cancel(0), 0);
  CHECK_STR(story, "");
  CHECK_EQ(uv_stream_get_write_queue_size(stream_of(&pipe_handle)), queued);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_NOWAIT), 1);
  CHECK_STR(story, "1 cancelled;0 cancelled;");
  CHECK_EQ(written[1], 0);
  CHECK(written[0] > 0 && written[0] < LARGE);
  CHECK_EQ(uv_stream_get_write_queue_size(stream_of(&pipe_handle)), 3);
  size_t got = 0;
  for (int i = 0; i < 1000 && strstr(story, "2 ok") == NULL; i++) {
    got += drain();
    uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  }
  got += drain();
  CHECK_STR(story, "1 cancelled;0 cancelled;2 ok;");
  CHECK_EQ(written[2], 3);
  CHECK_EQ(got, written[0] + 3);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_NOWAIT), 0);
  end();
}

TEST(write_that_has_ended_is_not_cancelled) {
  begin();
  write_to(&pipe_handle, 0, 3);
  CHECK_EQ(cancel(0), 0);
  uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  CHECK_STR(story, "0 ok;");
  CHECK_EQ(written[0], 3);
  CHECK_EQ(cancel(0), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_NOWAIT), 0);
  CHECK_STR(story, "0 ok;");
  close(peer);
  write_to(&pipe_handle, 1, 3);
  CHECK_EQ(cancel(1), 0);
  uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  CHECK_STR(story, "0 ok;1 EPIPE;");
  CHECK_EQ(written[1], 0);
  test_close_default_loop();
}

TEST(write_that_is_cancelled_lets_the_shutdown_go_on) {
  uv_shutdown_t shutdown_req;
  char one;
  begin();
  write_to(&pipe_handle, 0, LARGE);
  write_to(&pipe_handle, 1, LARGE);
  CHECK_EQ(uv_shutdown(&shutdown_req, stream_of(&pipe_handle), on_shutdown), 0);
  CHECK_EQ(cancel(0), 0);
  CHECK_EQ(cancel(1), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_NOWAIT), 0);
  CHECK_STR(story, "0 cancelled;1 cancelled;shut;");
  CHECK_EQ(drain(), written[0]);
  CHECK_EQ(read(peer, &one, 1), 0);
  end();
}

TEST(write_of_a_closing_stream_cannot_be_cancelled) {
  begin();
  write_to(&pipe_handle, 0, LARGE);
  write_to(&pipe_handle, 1, LARGE);
  CHECK_EQ(cancel(0), 0);
  uv_close((uv_handle_t *)&pipe_handle, NULL);
  CHECK_EQ(cancel(0), UV_EBUSY);
  CHECK_EQ(cancel(1), UV_EBUSY);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "0 cancelled;1 cancelled;");
  CHECK_EQ(written[1], 0);
  end();
}

/* With a queue of no connections the second one waits until the first is accepted. */
TEST(write_is_cancelled_before_there_is_a_connection) {
  uv_loop_t *loop = uv_default_loop();
  uv_connect_t connect_req;
  uv_tcp_t tcp;
  struct sockaddr_in address;
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0), others[2];
  CHECK_EQ(uv_ip4_addr("127.0.0.1", 0, &address), 0);
  CHECK_EQ(bind(listener, (struct sockaddr *)&address, size), 0);
  CHECK_EQ(getsockname(listener, (struct sockaddr *)&address, &size), 0);
  CHECK_EQ(listen(listener, 0), 0);
  for (int i = 0; i < 2; i++) {
    others[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    int unused = connect(others[i], (struct sockaddr *)&address, size);
    (void)unused;
  }
  CHECK_EQ(uv_tcp_init(loop, &tcp), 0);
  CHECK_EQ(uv_tcp_connect(&connect_req, &tcp, (struct sockaddr *)&address, on_connect), 0);
  write_to(&tcp, 0, 3);
  write_to(&tcp, 1, 3);
  CHECK_EQ(cancel(0), 0);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(uv_run(loop, UV_RUN_NOWAIT), 1);
  CHECK_STR(story, "");
  for (int i = 0; i < 2; i++)
    others[i] = accept(listener, NULL, NULL);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "connected;0 cancelled;1 ok;");
  CHECK_EQ(written[0], 0);
  CHECK_EQ(written[1], 3);
  close(listener);
  for (int i = 0; i < 2; i++)
    close(others[i]);
  test_close_default_loop();
}

TEST(write_is_cancelled_before_a_connection_without_other_writes) {
  uv_loop_t *loop = uv_default_loop();
  uv_connect_t connect_req;
  uv_tcp_t server, tcp;
  struct sockaddr_in address;
  int size = sizeof address;
  CHECK_EQ(uv_ip4_addr("127.0.0.1", 0, &address), 0);
  CHECK_EQ(uv_tcp_init(loop, &server), 0);
  CHECK_EQ(uv_tcp_bind(&server, (struct sockaddr *)&address, 0), 0);
  CHECK_EQ(uv_tcp_getsockname(&server, (struct sockaddr *)&address, &size), 0);
  CHECK_EQ(uv_listen(stream_of(&server), 5, NULL), 0);
  CHECK_EQ(uv_tcp_init(loop, &tcp), 0);
  CHECK_EQ(uv_tcp_connect(&connect_req, &tcp, (struct sockaddr *)&address, on_connect), 0);
  write_to(&tcp, 0, 3);
  CHECK_EQ(cancel(0), 0);
  uv_unref((uv_handle_t *)&server);
  RUN_UNTIL(loop, strstr(story, "0 ") != NULL);
  CHECK_STR(story, "connected;0 cancelled;");
  test_close_default_loop();
}

TEST(cancel_of_a_connection_or_a_shutdown_is_refused) {
  uv_shutdown_t shutdown_req;
  begin();
  CHECK_EQ(uv_shutdown(&shutdown_req, stream_of(&pipe_handle), on_shutdown), 0);
  CHECK_EQ(uv_cancel((uv_req_t *)&shutdown_req), UV_EINVAL);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  end();
}
