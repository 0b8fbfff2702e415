/* The order in which ready sockets are reported. It is the system's own, for level-triggered events: a socket that was
 * reported in the last wait stays in front until the system has checked it again. Programs see this order when both
 * ends of a connection are in one process, so a poller must not change it. */
#include <string.h>

#include "test_net.h"

static uv_tcp_t ends[2];
static int peers[2];
static char told[8];
static size_t count;

static void connect_end(uv_loop_t *loop, int i) {
  struct sockaddr_in address = loopback(0);
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  CHECK_EQ(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
  CHECK_EQ(listen(listener, 1), 0);
  CHECK_EQ(getsockname(listener, (struct sockaddr *)&address, &length), 0);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  CHECK_EQ(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
  peers[i] = accept(listener, NULL, NULL);
  CHECK(peers[i] >= 0);
  close(listener);
  CHECK_EQ(uv_tcp_init(loop, &ends[i]), 0);
  CHECK_EQ(uv_tcp_open(&ends[i], fd), 0);
}

static void give_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  static char room[64];
  (void)handle;
  (void)suggested;
  *buf = uv_buf_init(room, sizeof room);
}

static void on_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)buf;
  CHECK_EQ(nread, 1);
  told[count++] = stream == stream_of(&ends[0]) ? 'a' : 'b';
  if (count == 1) {
    CHECK_EQ(send(peers[1], "1", 1, 0), 1);
    CHECK_EQ(send(peers[0], "2", 1, 0), 1);
  }
  if (count == 3)
    uv_stop(stream->loop);
}

TEST(order_of_ready_sockets_is_the_systems_for_levels) {
  uv_loop_t *loop = uv_default_loop();
  for (int i = 0; i < 2; i++) {
    connect_end(loop, i);
    CHECK_EQ(uv_read_start(stream_of(&ends[i]), give_buffer, on_read), 0);
  }
  uv_run(loop, UV_RUN_NOWAIT); /* both are watched */
  CHECK_EQ(send(peers[0], "0", 1, 0), 1);
  uv_run(loop, UV_RUN_DEFAULT);
  CHECK(strcmp(told, "aab") == 0);
  for (int i = 0; i < 2; i++) {
    close_handle(&ends[i]);
    close(peers[i]);
  }
  test_close_default_loop();
}
