/* Reading from TCP: nothing may be lost, doubled or out of order, and data that is not read stays in the socket, with
 * every poller. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "system.h"

enum { TOTAL = 3000000 };

static uv_tcp_t listener, server;
static int client = -1;
static int accepted;

static void on_connection(uv_stream_t *stream, int status) {
  CHECK_EQ(status, 0);
  CHECK_EQ(uv_tcp_init(stream->loop, &server), 0);
  CHECK_EQ(uv_accept(stream, (uv_stream_t *)&server), 0);
  accepted = 1;
}

static void connect_pair(uv_loop_t *loop) {
  struct sockaddr_in address;
  int length = sizeof address;
  CHECK_EQ(uv_ip4_addr("127.0.0.1", 0, &address), 0);
  CHECK_EQ(uv_tcp_init(loop, &listener), 0);
  CHECK_EQ(uv_tcp_bind(&listener, (struct sockaddr *)&address, 0), 0);
  CHECK_EQ(uv_listen((uv_stream_t *)&listener, 8, on_connection), 0);
  CHECK_EQ(uv_tcp_getsockname(&listener, (struct sockaddr *)&address, &length), 0);
  client = (int)socket(AF_INET, SOCK_STREAM, 0);
  CHECK(client >= 0);
  CHECK_EQ(connect(client, (struct sockaddr *)&address, sizeof address), 0);
  int one = 1;
  setsockopt(client, IPPROTO_TCP, TCP_NODELAY, (char *)&one, sizeof one);
  while (!accepted)
    uv_run(loop, UV_RUN_ONCE);
}

static char buffer[65536];
static size_t buffer_size = sizeof buffer;
static size_t received;
static int reads, stop_each_time, ended;
static ssize_t last_nread;

static unsigned char pattern(size_t position) {
  return (unsigned char)(position * 31 + position / 251);
}

static void give_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  (void)handle;
  (void)suggested;
  *buf = uv_buf_init(buffer, (unsigned int)buffer_size);
}

static void on_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  last_nread = nread;
  reads++;
  if (nread < 0) {
    ended++;
    return;
  }
  for (ssize_t i = 0; i < nread; i++)
    CHECK_EQ((unsigned char)buf->base[i], pattern(received + (size_t)i));
  received += (size_t)nread;
  if (stop_each_time && nread > 0)
    CHECK_EQ(uv_read_stop(stream), 0);
}

static void start(void) {
  CHECK_EQ(uv_read_start((uv_stream_t *)&server, give_buffer, on_read), 0);
}

static size_t sent;

static void send_some(size_t count) {
  static unsigned char bytes[65536];
  while (count > 0) {
    size_t n = count < sizeof bytes ? count : sizeof bytes;
    for (size_t i = 0; i < n; i++)
      bytes[i] = pattern(sent + i);
    ssize_t written = send(client, (char *)bytes, n, 0);
    CHECK(written > 0);
    sent += (size_t)written;
    count -= (size_t)written;
  }
}

static void sender(void *argument) {
  (void)argument;
  unsigned int seed = 1;
  while (sent < TOTAL) {
    seed = seed * 1103515245 + 12345;
    size_t piece = (seed >> 16) % 3 == 0 ? 30000 : (seed >> 20) % 200 + 1;
    send_some(piece < TOTAL - sent ? piece : TOTAL - sent);
  }
  shutdown(client, SHUT_WR);
}

static void receive_all(size_t size, int stop) {
  uv_loop_t *loop = uv_default_loop();
  uv_thread_t thread;
  connect_pair(loop);
  buffer_size = size;
  stop_each_time = stop;
  start();
  CHECK_EQ(uv_thread_create(&thread, sender, NULL), 0);
  while (!ended) {
    uv_run(loop, UV_RUN_ONCE);
    if (stop && !ended && !uv_is_active((uv_handle_t *)&server))
      start();
  }
  CHECK_EQ(uv_thread_join(&thread), 0);
  CHECK_EQ(received, TOTAL);
  CHECK_EQ(last_nread, UV_EOF);
  CHECK_EQ(ended, 1);
  close_socket(client);
  test_close_default_loop();
}

TEST(receive_messages_of_all_sizes) {
  receive_all(sizeof buffer, 0);
}

TEST(receive_into_buffers_smaller_than_the_messages) {
  receive_all(777, 0);
}

TEST(receive_with_a_stop_after_every_message) {
  receive_all(sizeof buffer, 1);
}

TEST(receive_with_stops_and_small_buffers) {
  receive_all(1000, 1);
}

TEST(receive_nothing_while_stopped) {
  uv_loop_t *loop = uv_default_loop();
  char byte;
  connect_pair(loop);
  start();
  send_some(100);
  while (received < 100)
    uv_run(loop, UV_RUN_ONCE);
  CHECK_EQ(uv_read_stop((uv_stream_t *)&server), 0);
  send_some(50);
  for (int i = 0; i < 5; i++) {
    uv_run(loop, UV_RUN_NOWAIT);
    uv_sleep(2);
  }
  CHECK_EQ(received, 100);
  /* Data that came after the stop is in the socket, for the descriptor's next owner. */
  CHECK_EQ(recv(socket_of(&server), &byte, 1, MSG_PEEK), 1);
  CHECK_EQ((unsigned char)byte, pattern(100));
  start();
  while (received < 150)
    uv_run(loop, UV_RUN_ONCE);
  close_socket(client);
  test_close_default_loop();
}

TEST(receive_stop_right_after_start_takes_nothing) {
  uv_loop_t *loop = uv_default_loop();
  char bytes[100];
  connect_pair(loop);
  send_some(100);
  uv_sleep(5);
  start();
  CHECK_EQ(uv_read_stop((uv_stream_t *)&server), 0);
  uv_run(loop, UV_RUN_NOWAIT);
  CHECK_EQ(recv(socket_of(&server), bytes, sizeof bytes, MSG_PEEK), 100);
  close_socket(client);
  test_close_default_loop();
}

/* A reader with small buffers reads a line and stops; the bytes after the line are for the descriptor's next owner. */
TEST(receive_no_more_than_was_asked_for) {
  uv_loop_t *loop = uv_default_loop();
  char bytes[100];
  connect_pair(loop);
  buffer_size = 8;
  start();
  for (int i = 0; i < 3; i++) {
    send_some(8);
    while (received < sent)
      uv_run(loop, UV_RUN_ONCE);
    uv_run(loop, UV_RUN_NOWAIT);
  }
  stop_each_time = 1;
  send_some(34);
  while (received < 32)
    uv_run(loop, UV_RUN_ONCE);
  for (int i = 0; i < 3; i++)
    uv_run(loop, UV_RUN_NOWAIT);
  CHECK_EQ(received, 32);
  CHECK_EQ(recv(socket_of(&server), bytes, sizeof bytes, 0), 26);
  for (size_t i = 0; i < 26; i++)
    CHECK_EQ((unsigned char)bytes[i], pattern(32 + i));
  close_socket(client);
  test_close_default_loop();
}

TEST(receive_held_bytes_are_dropped_with_their_handle) {
  uv_loop_t *loop = uv_default_loop();
  connect_pair(loop);
  buffer_size = 10;
  stop_each_time = 1;
  start();
  send_some(20000);
  while (received == 0)
    uv_run(loop, UV_RUN_ONCE);
  uv_run(loop, UV_RUN_NOWAIT);
  close_socket(client);
  test_close_default_loop();
}

TEST(receive_an_end_behind_the_last_bytes) {
  uv_loop_t *loop = uv_default_loop();
  connect_pair(loop);
  start();
  send_some(10);
  close_socket(client);
  while (!ended)
    uv_run(loop, UV_RUN_ONCE);
  CHECK_EQ(received, 10);
  CHECK_EQ(last_nread, UV_EOF);
  test_close_default_loop();
}

TEST(receive_a_reset) {
  uv_loop_t *loop = uv_default_loop();
  connect_pair(loop);
  start();
  uv_run(loop, UV_RUN_NOWAIT);
  struct linger linger = {1, 0};
  setsockopt(client, SOL_SOCKET, SO_LINGER, (char *)&linger, sizeof linger);
  close_socket(client);
  while (!ended)
    uv_run(loop, UV_RUN_ONCE);
  CHECK_EQ(last_nread, UV_ECONNRESET);
  test_close_default_loop();
}

/* A read ends at urgent data, even if more follows. */
TEST(receive_what_is_behind_urgent_data) {
  uv_loop_t *loop = uv_default_loop();
  connect_pair(loop);
  start();
  send_some(3);
  while (received < 3)
    uv_run(loop, UV_RUN_ONCE);
  for (int round = 0; round < 3; round++) {
    send_some(3);
    CHECK_EQ(send(client, "!", 1, MSG_OOB), 1);
    send_some(3);
    while (received < sent)
      uv_run(loop, UV_RUN_ONCE);
  }
  /* The urgent byte is not read: no callback is called for it. */
  uv_run(loop, UV_RUN_NOWAIT);
  int before = reads;
  for (int i = 0; i < 10; i++)
    uv_run(loop, UV_RUN_NOWAIT);
  CHECK_EQ(reads, before);
  shutdown(client, SHUT_WR);
  while (!ended)
    uv_run(loop, UV_RUN_ONCE);
  close_socket(client);
  test_close_default_loop();
}

/* A reader that stops between two messages, and one that the peer closes meanwhile. */
TEST(receive_an_end_that_came_while_stopped) {
  uv_loop_t *loop = uv_default_loop();
  connect_pair(loop);
  start();
  send_some(10);
  while (received < 10)
    uv_run(loop, UV_RUN_ONCE);
  CHECK_EQ(uv_read_stop((uv_stream_t *)&server), 0);
  send_some(10);
  close_socket(client);
  for (int i = 0; i < 3; i++)
    uv_run(loop, UV_RUN_NOWAIT);
  start();
  while (!ended)
    uv_run(loop, UV_RUN_ONCE);
  CHECK_EQ(received, 20);
  CHECK_EQ(last_nread, UV_EOF);
  test_close_default_loop();
}

static void run_once_elsewhere(void *argument) {
  uv_run(argument, UV_RUN_ONCE);
}

TEST(receive_on_a_loop_that_moves_between_threads) {
  uv_loop_t *loop = uv_default_loop();
  connect_pair(loop);
  buffer_size = 100;
  start();
  for (int i = 0; i < 20; i++) {
    size_t before = received;
    send_some(1500);
    uv_thread_t thread;
    CHECK_EQ(uv_thread_create(&thread, run_once_elsewhere, loop), 0);
    CHECK_EQ(uv_thread_join(&thread), 0);
    while (received < before + 1500)
      uv_run(loop, UV_RUN_ONCE);
  }
  CHECK_EQ(received, sent);
  close_socket(client);
  test_close_default_loop();
}

enum { CROWD = 1101 };
static uv_tcp_t crowd[CROWD];
static int crowd_accepted, crowd_replies;

static void crowd_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)stream;
  (void)buf;
  if (nread > 0)
    crowd_replies++;
}

/* Closing one descriptor may deliver bytes of the others: they must wait for their turn. */
static unsigned int next_number[CROWD];
static int closes;

static void numbered_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  int self = (int)((uv_tcp_t *)stream - crowd);
  if (nread <= 0)
    return;
  for (ssize_t i = 0; i < nread; i++)
    CHECK_EQ((unsigned char)buf->base[i], next_number[self]++ & 0xff);
  crowd_replies += (int)nread;
  int victim = self - 1;
  if (self % 3 == 1 && !uv_is_closing((uv_handle_t *)&crowd[victim])) {
    uv_close((uv_handle_t *)&crowd[victim], NULL);
    closes++;
  }
}

static void crowd_connection(uv_stream_t *stream, int status) {
  CHECK_EQ(status, 0);
  uv_tcp_t *handle = &crowd[crowd_accepted++];
  CHECK_EQ(uv_tcp_init(stream->loop, handle), 0);
  CHECK_EQ(uv_accept(stream, (uv_stream_t *)handle), 0);
  CHECK_EQ(uv_read_start((uv_stream_t *)handle, give_buffer, crowd_read), 0);
}

static int crowd_clients[CROWD];

static void gather_crowd(uv_loop_t *loop) {
  struct sockaddr_in address;
  int length = sizeof address;
  allow_descriptors(2 * CROWD + 100);
  CHECK_EQ(uv_ip4_addr("127.0.0.1", 0, &address), 0);
  CHECK_EQ(uv_tcp_init(loop, &listener), 0);
  CHECK_EQ(uv_tcp_bind(&listener, (struct sockaddr *)&address, 0), 0);
  CHECK_EQ(uv_listen((uv_stream_t *)&listener, 1024, crowd_connection), 0);
  CHECK_EQ(uv_tcp_getsockname(&listener, (struct sockaddr *)&address, &length), 0);
  for (int i = 0; i < CROWD; i++) {
    crowd_clients[i] = (int)socket(AF_INET, SOCK_STREAM, 0);
    CHECK_EQ(connect(crowd_clients[i], (struct sockaddr *)&address, sizeof address), 0);
    uv_run(loop, UV_RUN_NOWAIT);
  }
  while (crowd_accepted < CROWD)
    uv_run(loop, UV_RUN_ONCE);
}

static void dismiss_crowd(void) {
  for (int i = 0; i < CROWD; i++)
    close_socket(crowd_clients[i]);
  test_close_default_loop();
}

/* More messages at once than a poller may have buffers for. */
TEST(receive_from_a_crowd_at_once) {
  uv_loop_t *loop = uv_default_loop();
  gather_crowd(loop);
  for (int round = 1; round <= 5; round++) {
    for (int i = 0; i < CROWD; i++)
      CHECK_EQ(send(crowd_clients[i], "0123456789", 10, 0), 10);
    while (crowd_replies < round * CROWD)
      uv_run(loop, UV_RUN_ONCE);
  }
  dismiss_crowd();
}

static int paused, heard;

static void pause_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)buf;
  if (nread <= 0)
    return;
  if (stream == (uv_stream_t *)&crowd[CROWD - 1])
    heard += (int)nread;
  else if (nread == 100)
    paused += uv_read_stop(stream) == 0;
  crowd_replies++;
}

/* Paused readers with unread data take nothing from one that reads. */
TEST(receive_while_a_thousand_others_pause) {
  static const char message[1500];
  uv_loop_t *loop = uv_default_loop();
  gather_crowd(loop);
  buffer_size = 100;
  for (int i = 0; i < CROWD; i++) {
    CHECK_EQ(uv_read_stop((uv_stream_t *)&crowd[i]), 0);
    CHECK_EQ(uv_read_start((uv_stream_t *)&crowd[i], give_buffer, pause_read), 0);
    CHECK_EQ(send(crowd_clients[i], message, 5, 0), 5);
  }
  while (crowd_replies < CROWD)
    uv_run(loop, UV_RUN_ONCE);
  for (int i = 0; i < 3; i++)
    uv_run(loop, UV_RUN_NOWAIT);
  for (int i = 0; i < CROWD - 1; i++)
    CHECK_EQ(send(crowd_clients[i], message, sizeof message, 0), sizeof message);
  while (paused < CROWD - 1)
    uv_run(loop, UV_RUN_ONCE);
  for (int i = 1; i <= 3; i++) {
    CHECK_EQ(send(crowd_clients[CROWD - 1], message, 3, 0), 3);
    while (heard < 5 + i * 3)
      uv_run(loop, UV_RUN_ONCE);
  }
  CHECK_EQ(paused, CROWD - 1);
  dismiss_crowd();
}

TEST(receive_in_order_while_others_are_closed) {
  uv_loop_t *loop = uv_default_loop();
  gather_crowd(loop);
  for (int i = 0; i < CROWD; i++) {
    CHECK_EQ(uv_read_stop((uv_stream_t *)&crowd[i]), 0);
    CHECK_EQ(uv_read_start((uv_stream_t *)&crowd[i], give_buffer, numbered_read), 0);
  }
  buffer_size = 7;
  for (unsigned int number = 0; number < 200; number += 10) {
    for (int i = 1; i < CROWD; i++) {
      unsigned char bytes[10];
      for (unsigned int k = 0; k < 10; k++)
        bytes[k] = (unsigned char)(number + k);
      if (!uv_is_closing((uv_handle_t *)&crowd[i]))
        (void)!send(crowd_clients[i], (char *)bytes, sizeof bytes, 0);
      uv_run(loop, UV_RUN_NOWAIT);
    }
  }
  for (int i = 0; i < 50; i++)
    uv_run(loop, UV_RUN_NOWAIT);
  CHECK_EQ(closes, CROWD / 3);
  dismiss_crowd();
}
