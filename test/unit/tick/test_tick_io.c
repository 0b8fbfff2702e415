/* The inner scheduler and I/O: a drain after each callback of one wake-up, and none after alloc callbacks. */
#include "tick_story.h"

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

static void alloc_two_bytes(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  static char bytes[2];
  (void)handle;
  (void)suggested;
  add_tick("t-alloc");
  note("alloc");
  *buffer = uv_buf_init(bytes, sizeof bytes);
}

static void act_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer) {
  (void)buffer;
  if (size == UV_EOF) {
    act("eof");
    uv_close((uv_handle_t *)stream, NULL);
  } else if (size > 0) {
    act("read");
  } else {
    CHECK_EQ(size, 0); /* nothing there after all */
  }
}

static void open_pair(uv_loop_t *loop, uv_pipe_t *pipe_handle, int *other) {
  int fds[2];
  CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
  CHECK_EQ(uv_pipe_init(loop, pipe_handle, 0), 0);
  CHECK_EQ(uv_pipe_open(pipe_handle, fds[0]), 0);
  *other = fds[1];
}

TEST(tick_io_drains_between_two_reads_of_one_wake_up) {
  static const char two_reads[] = "alloc read t-alloc t m alloc read t-alloc t m";
  uv_loop_t *loop = loop_with_ticks();
  uv_pipe_t reader;
  int other;
  open_pair(loop, &reader, &other);
  CHECK_EQ(write(other, "abcd", 4), 4);
  CHECK_EQ(uv_read_start((uv_stream_t *)&reader, alloc_two_bytes, act_read), 0);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  story[strlen(two_reads)] = '\0'; /* whether it asks a third time is its own affair */
  CHECK_STR(story, two_reads);
  uv_close((uv_handle_t *)&reader, NULL);
  close(other);
  uv_run(loop, UV_RUN_DEFAULT);
  end_loop_with_ticks();
}

TEST(tick_io_drains_after_the_end_of_a_stream) {
  uv_loop_t *loop = loop_with_ticks();
  uv_pipe_t reader;
  int other;
  open_pair(loop, &reader, &other);
  close(other);
  CHECK_EQ(uv_read_start((uv_stream_t *)&reader, alloc_two_bytes, act_read), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "alloc eof t-alloc t m");
  end_loop_with_ticks();
}

static void act_written(uv_write_t *request, int status) {
  CHECK_EQ(status, 0);
  act(request->data);
}

static void act_shut(uv_shutdown_t *request, int status) {
  CHECK_EQ(status, 0);
  act("shut");
  uv_close((uv_handle_t *)request->handle, NULL);
}

TEST(tick_io_drains_between_two_writes_of_one_stream) {
  uv_loop_t *loop = loop_with_ticks();
  uv_pipe_t writer;
  uv_write_t writes[2];
  uv_shutdown_t shutdown_request;
  uv_buf_t buffer = uv_buf_init("x", 1);
  int i, other;
  open_pair(loop, &writer, &other);
  for (i = 0; i < 2; i++) {
    writes[i].data = i == 0 ? "first" : "second";
    CHECK_EQ(uv_write(&writes[i], (uv_stream_t *)&writer, &buffer, 1, act_written), 0);
  }
  CHECK_EQ(uv_shutdown(&shutdown_request, (uv_stream_t *)&writer, act_shut), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "first t m second t m shut t m");
  close(other);
  end_loop_with_ticks();
}

static void act_cancelled(uv_write_t *request, int status) {
  CHECK_EQ(status, UV_ECANCELED);
  act(request->data);
}

/* Fills the socket first, so that the writes wait. */
TEST(tick_io_drains_between_the_cancelled_writes_of_a_closed_stream) {
  static char much[1 << 20];
  uv_loop_t *loop = loop_with_ticks();
  uv_pipe_t writer;
  uv_write_t writes[2];
  uv_buf_t buffer = uv_buf_init(much, sizeof much);
  int i, other;
  open_pair(loop, &writer, &other);
  for (i = 0; i < 2; i++) {
    writes[i].data = i == 0 ? "first" : "second";
    CHECK_EQ(uv_write(&writes[i], (uv_stream_t *)&writer, &buffer, 1, act_cancelled), 0);
  }
  writer.data = "close";
  uv_close((uv_handle_t *)&writer, act_close);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "first t m second t m close t m");
  close(other);
  end_loop_with_ticks();
}

static uv_tcp_t accepted;

static void act_connection(uv_stream_t *server, int status) {
  CHECK_EQ(status, 0);
  CHECK_EQ(uv_tcp_init(server->loop, &accepted), 0);
  CHECK_EQ(uv_accept(server, (uv_stream_t *)&accepted), 0);
  act("event");
  uv_close((uv_handle_t *)&accepted, NULL);
  uv_close((uv_handle_t *)server, NULL);
}

static void act_connect(uv_connect_t *request, int status) {
  CHECK_EQ(status, 0);
  act("event");
  uv_close((uv_handle_t *)request->handle, NULL);
}

TEST(tick_io_drains_after_connect_and_connection) {
  uv_loop_t *loop = loop_with_ticks();
  uv_tcp_t server, client;
  uv_connect_t request;
  struct sockaddr_in address;
  int size = sizeof address;
  CHECK_EQ(uv_ip4_addr("127.0.0.1", 0, &address), 0);
  CHECK_EQ(uv_tcp_init(loop, &server), 0);
  CHECK_EQ(uv_tcp_bind(&server, (struct sockaddr *)&address, 0), 0);
  CHECK_EQ(uv_listen((uv_stream_t *)&server, 8, act_connection), 0);
  CHECK_EQ(uv_tcp_getsockname(&server, (struct sockaddr *)&address, &size), 0);
  CHECK_EQ(uv_tcp_init(loop, &client), 0);
  CHECK_EQ(uv_tcp_connect(&request, &client, (struct sockaddr *)&address, act_connect), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "event t m event t m");
  end_loop_with_ticks();
}

static void act_poll(uv_poll_t *poll, int status, int events) {
  (void)events;
  CHECK_EQ(status, 0);
  act("poll");
  CHECK_EQ(uv_poll_stop(poll), 0);
}

TEST(tick_io_drains_between_two_descriptors_of_one_round) {
  uv_loop_t *loop = loop_with_ticks();
  uv_poll_t polls[2];
  int i, fds[2];
  for (i = 0; i < 2; i++) {
    CHECK_EQ(pipe(fds), 0);
    CHECK_EQ(write(fds[1], "x", 1), 1);
    CHECK_EQ(uv_poll_init(loop, &polls[i], fds[0]), 0);
    CHECK_EQ(uv_poll_start(&polls[i], UV_READABLE, act_poll), 0);
  }
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "poll t m poll t m");
  end_loop_with_ticks();
}

static void act_async(uv_async_t *async) {
  act("async");
  uv_close((uv_handle_t *)async, NULL);
}

TEST(tick_io_drains_between_two_asyncs) {
  uv_loop_t *loop = loop_with_ticks();
  uv_async_t asyncs[2];
  int i;
  for (i = 0; i < 2; i++) {
    CHECK_EQ(uv_async_init(loop, &asyncs[i], act_async), 0);
    CHECK_EQ(uv_async_send(&asyncs[i]), 0);
  }
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "async t m async t m");
  end_loop_with_ticks();
}

static void do_nothing(uv_work_t *request) {
  (void)request;
}

static void act_done(uv_work_t *request, int status) {
  (void)request;
  CHECK_EQ(status, 0);
  act("work");
}

TEST(tick_io_drains_between_two_results_of_the_pool) {
  uv_loop_t *loop = loop_with_ticks();
  uv_work_t works[2];
  CHECK_EQ(uv_queue_work(loop, &works[0], do_nothing, act_done), 0);
  CHECK_EQ(uv_queue_work(loop, &works[1], do_nothing, act_done), 0);
  uv_sleep(100);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "work t m work t m");
  end_loop_with_ticks();
}

static void act_stat(uv_fs_t *request) {
  CHECK_EQ(request->result, 0);
  act("file");
  uv_fs_req_cleanup(request);
}

TEST(tick_io_drains_between_two_file_operations) {
  uv_loop_t *loop = loop_with_ticks();
  uv_fs_t requests[2];
  CHECK_EQ(uv_fs_stat(loop, &requests[0], ".", act_stat), 0);
  CHECK_EQ(uv_fs_stat(loop, &requests[1], ".", act_stat), 0);
  uv_sleep(100);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "file t m file t m");
  end_loop_with_ticks();
}

static void act_signal(uv_signal_t *handle, int number) {
  CHECK_EQ(number, SIGUSR2);
  act("signal");
  uv_close((uv_handle_t *)handle, NULL);
}

TEST(tick_io_drains_between_two_watchers_of_one_signal) {
  uv_loop_t *loop = loop_with_ticks();
  uv_signal_t handles[2];
  int i;
  for (i = 0; i < 2; i++) {
    CHECK_EQ(uv_signal_init(loop, &handles[i]), 0);
    CHECK_EQ(uv_signal_start(&handles[i], act_signal, SIGUSR2), 0);
  }
  CHECK_EQ(raise(SIGUSR2), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "signal t m signal t m");
  end_loop_with_ticks();
}

static void alloc_datagram(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  static char bytes[100];
  (void)handle;
  (void)suggested;
  *buffer = uv_buf_init(bytes, sizeof bytes);
}

static int datagrams;

static void act_datagram(uv_udp_t *handle, ssize_t size, const uv_buf_t *buffer, const struct sockaddr *address,
                         unsigned flags) {
  (void)buffer;
  (void)flags;
  if (size == 0 && address == NULL)
    return;
  CHECK_EQ(size, 1);
  act("receive");
  if (++datagrams == 2)
    uv_close((uv_handle_t *)handle, NULL);
}

static void act_sent(uv_udp_send_t *request, int status) {
  (void)request;
  CHECK_EQ(status, 0);
  act("send");
}

TEST(tick_io_drains_between_two_datagrams) {
  uv_loop_t *loop = loop_with_ticks();
  uv_udp_t receiver, sender;
  uv_udp_send_t sends[2];
  uv_buf_t buffer = uv_buf_init("x", 1);
  struct sockaddr_in address;
  int i, size = sizeof address;
  CHECK_EQ(uv_ip4_addr("127.0.0.1", 0, &address), 0);
  CHECK_EQ(uv_udp_init(loop, &receiver), 0);
  CHECK_EQ(uv_udp_bind(&receiver, (struct sockaddr *)&address, 0), 0);
  CHECK_EQ(uv_udp_getsockname(&receiver, (struct sockaddr *)&address, &size), 0);
  CHECK_EQ(uv_udp_init(loop, &sender), 0);
  for (i = 0; i < 2; i++)
    CHECK_EQ(uv_udp_send(&sends[i], &sender, &buffer, 1, (struct sockaddr *)&address, act_sent), 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) >= 0);
  CHECK_EQ(uv_udp_recv_start(&receiver, alloc_datagram, act_datagram), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "send t m send t m receive t m receive t m");
  uv_close((uv_handle_t *)&sender, NULL);
  end_loop_with_ticks();
}

/* ---- Node's order, from an I/O callback ---- */

static uv_check_t immediate;
static uv_timer_t timeout;

static void act_immediate(uv_check_t *check) {
  act("check");
  CHECK_EQ(uv_check_stop(check), 0);
}

static void start_both(uv_poll_t *poll, int status, int events) {
  act_poll(poll, status, events);
  start_timer(poll->loop, &timeout, "timer", act_timer);
  CHECK_EQ(uv_check_init(poll->loop, &immediate), 0);
  CHECK_EQ(uv_check_start(&immediate, act_immediate), 0);
}

TEST(tick_io_ticks_then_microtasks_then_check_then_timers) {
  uv_loop_t *loop = loop_with_ticks();
  uv_poll_t poll;
  int fds[2];
  CHECK_EQ(pipe(fds), 0);
  CHECK_EQ(write(fds[1], "x", 1), 1);
  CHECK_EQ(uv_poll_init(loop, &poll, fds[0]), 0);
  CHECK_EQ(uv_poll_start(&poll, UV_READABLE, start_both), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "poll t m check t m timer t m");
  end_loop_with_ticks();
}
