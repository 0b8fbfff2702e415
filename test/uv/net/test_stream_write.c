/* Writing: order, queue, limits, errors, shutdown, close. */
#include "test_net.h"

static int written, shut, closed;
static int statuses[8];
static uv_write_t *order[8];
static bool inside;

static void on_write(uv_write_t *req, int status) {
  CHECK(!inside);
  CHECK_EQ(closed, 0);
  CHECK_EQ(shut, 0);
  if (written < 8) {
    order[written] = req;
    statuses[written] = status;
  }
  written++;
}

static void on_close(uv_handle_t *handle) {
  (void)handle;
  closed++;
}

/* Empties the bare descriptor; the number of bytes that were in it. */
static size_t drain(uv_file fd) {
  static char buffer[65536];
  size_t size = 0;
  ssize_t n;
  while ((n = peer_read(fd, buffer, sizeof buffer)) > 0)
    size += (size_t)n;
  return size;
}

TEST(stream_write_callbacks_come_in_order_and_never_inside_of_uv_write) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_write_t reqs[3];
  uv_buf_t bufs[] = {text("one "), text("two "), text("three")};
  uv_file peer = open_half(loop, &pipe);
  inside = true;
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(uv_write(&reqs[i], stream_of(&pipe), &bufs[i], 1, on_write), 0);
    CHECK_EQ(pipe.write_queue_size, 0); /* it went at once */
  }
  CHECK_EQ(written, 0);
  inside = false;
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(written, 3);
  for (int i = 0; i < 3; i++) {
    CHECK(order[i] == &reqs[i]);
    CHECK_EQ(statuses[i], 0);
    CHECK(reqs[i].handle == stream_of(&pipe));
  }
  char words[14] = {0};
  CHECK_EQ(peer_read(peer, words, sizeof words), 13);
  CHECK_STR(words, "one two three");
  peer_close(peer);
  test_close_default_loop();
}

TEST(stream_write_queue_size_is_exact) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_write_t first, second;
  static char bytes[3000000];
  uv_file peer = open_half(loop, &pipe);
  uv_buf_t big = uv_buf_init(bytes, sizeof bytes);
  uv_buf_t small[2] = {text("abc"), text("de")};
  CHECK_EQ(uv_write(&first, stream_of(&pipe), &big, 1, on_write), 0);
  size_t queued = uv_stream_get_write_queue_size(stream_of(&pipe));
  CHECK(queued > 0 && queued < sizeof bytes);
  CHECK_EQ(pipe.write_queue_size, queued);
  CHECK_EQ(uv_write(&second, stream_of(&pipe), small, 2, on_write), 0);
  CHECK_EQ(pipe.write_queue_size, queued + 5);
  CHECK_EQ(uv_try_write(stream_of(&pipe), small, 2), UV_EAGAIN); /* it would overtake the queue */
  CHECK_EQ(pipe.write_queue_size, queued + 5);
  size_t got = drain(peer);
  CHECK_EQ(got, sizeof bytes - queued);
  while (pipe.write_queue_size > 0) {
    uv_run(loop, UV_RUN_NOWAIT);
    got += drain(peer);
    CHECK_EQ(got + pipe.write_queue_size, sizeof bytes + 5);
  }
  RUN_UNTIL(loop, written == 2);
  CHECK(order[0] == &first && order[1] == &second);
  CHECK_EQ(statuses[0], 0);
  CHECK_EQ(statuses[1], 0);
  CHECK_EQ(got, sizeof bytes + 5);
  CHECK_EQ(uv_try_write(stream_of(&pipe), small, 2), 5);
  peer_close(peer);
  test_close_default_loop();
}

TEST(stream_write_on_close_reports_0_for_the_done_and_ecanceled_for_the_queued) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_write_t done, half, queued;
  static char bytes[3000000];
  uv_file peer = open_half(loop, &pipe);
  uv_buf_t small = text("small"), big = uv_buf_init(bytes, sizeof bytes);
  CHECK_EQ(uv_write(&done, stream_of(&pipe), &small, 1, on_write), 0);
  CHECK_EQ(uv_write(&half, stream_of(&pipe), &big, 1, on_write), 0);
  CHECK_EQ(uv_write(&queued, stream_of(&pipe), &small, 1, on_write), 0);
  inside = true;
  uv_close((uv_handle_t *)&pipe, on_close);
  inside = false;
  CHECK_EQ(written, 0);
  CHECK_EQ(uv_write(&queued, stream_of(&pipe), &small, 1, on_write), UV_EBADF);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(written, 3);
  CHECK_EQ(closed, 1);
  CHECK(order[0] == &done && order[1] == &half && order[2] == &queued);
  CHECK_EQ(statuses[0], 0);
  CHECK_EQ(statuses[1], UV_ECANCELED);
  CHECK_EQ(statuses[2], UV_ECANCELED);
  CHECK_EQ(pipe.write_queue_size, 0);
  peer_close(peer);
  test_close_default_loop();
}

/* The array of buffers belongs to the caller again when uv_write returns; the bytes do not. */
static void write_in_pieces(unsigned int pieces, size_t piece_size) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_write_t req;
  size_t size = pieces * piece_size;
  char *bytes = malloc(size), *back = malloc(size);
  uv_buf_t *bufs = malloc(pieces * sizeof *bufs);
  CHECK(bytes != NULL && back != NULL && bufs != NULL);
  for (size_t i = 0; i < size; i++)
    bytes[i] = (char)(i * 7 + i / 251);
  for (unsigned int i = 0; i < pieces; i++)
    bufs[i] = uv_buf_init(bytes + i * piece_size, (unsigned int)piece_size);
  uv_file peer = open_half(loop, &pipe);
  CHECK_EQ(uv_write(&req, stream_of(&pipe), bufs, pieces, on_write), 0);
  memset(bufs, 0xff, pieces * sizeof *bufs);
  free(bufs);
  size_t got = 0;
  while (got < size) {
    ssize_t n = peer_read(peer, back + got, size - got);
    if (n > 0)
      got += (size_t)n;
    else
      CHECK(n < 0 && errno == EAGAIN);
    uv_run(loop, UV_RUN_NOWAIT);
  }
  RUN_UNTIL(loop, written == 1);
  CHECK_EQ(statuses[0], 0);
  CHECK_EQ(memcmp(bytes, back, size), 0);
  CHECK_EQ(drain(peer), 0);
  free(bytes);
  free(back);
  peer_close(peer);
  test_close_default_loop();
}

TEST(stream_write_of_more_buffers_than_one_call_takes) {
  write_in_pieces(5000, 3);
}

TEST(stream_write_that_stops_in_the_middle_of_many_large_buffers) {
  write_in_pieces(50, 70001);
}

TEST(stream_write_that_stops_in_the_middle_of_few_large_buffers) {
  write_in_pieces(4, 1000001);
}

TEST(stream_write_of_empty_buffers_is_done) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_write_t reqs[2];
  uv_buf_t bufs[3] = {text(""), text("x"), text("")};
  uv_file peer = open_half(loop, &pipe);
  CHECK_EQ(uv_write(&reqs[0], stream_of(&pipe), bufs, 1, on_write), 0);
  CHECK_EQ(uv_write(&reqs[1], stream_of(&pipe), bufs, 3, on_write), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(written, 2);
  CHECK_EQ(statuses[0], 0);
  CHECK_EQ(statuses[1], 0);
  CHECK_EQ(drain(peer), 1);
  peer_close(peer);
  test_close_default_loop();
}

TEST(stream_write_to_a_socket_whose_peer_is_gone_fails_without_a_signal) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_write_t reqs[2];
  uv_buf_t buf = text("anybody there?");
  uv_file peer = open_half(loop, &pipe);
  end_at_broken_pipes(true);
  peer_close(peer);
  inside = true;
  CHECK_EQ(uv_write(&reqs[0], stream_of(&pipe), &buf, 1, on_write), 0);
  CHECK_EQ(uv_write(&reqs[1], stream_of(&pipe), &buf, 1, on_write), 0);
  inside = false;
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(written, 2);
  CHECK(order[0] == &reqs[0] && order[1] == &reqs[1]);
  CHECK_EQ(statuses[0], UV_EPIPE);
  CHECK_EQ(statuses[1], UV_EPIPE);
  CHECK_EQ(pipe.write_queue_size, 0);
  test_close_default_loop();
}

TEST(stream_write_to_a_pipe_whose_reader_is_gone_fails) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_write_t req;
  uv_buf_t buf = text("anybody there?");
  uv_file fds[2];
  end_at_broken_pipes(false);
  CHECK_EQ(uv_pipe(fds, 0, 0), 0);
  CHECK_EQ(uv_pipe_init(loop, &pipe, 0), 0);
  CHECK_EQ(uv_pipe_open(&pipe, fds[1]), 0);
  CHECK(!uv_is_readable(stream_of(&pipe)));
  CHECK(uv_is_writable(stream_of(&pipe)));
  close(fds[0]);
  CHECK_EQ(uv_write(&req, stream_of(&pipe), &buf, 1, on_write), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(written, 1);
  CHECK_EQ(statuses[0], UV_EPIPE);
  test_close_default_loop();
}

TEST(stream_write_that_waits_fails_when_the_peer_goes) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_write_t reqs[3];
  static char bytes[3000000];
  uv_buf_t big = uv_buf_init(bytes, sizeof bytes);
  end_at_broken_pipes(false);
  uv_file peer = open_half(loop, &pipe);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(uv_write(&reqs[i], stream_of(&pipe), &big, 1, on_write), 0);
  for (int i = 0; i < 3; i++)
    uv_run(loop, UV_RUN_NOWAIT);
  CHECK_EQ(written, 0);
  peer_close(peer);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(written, 3);
  for (int i = 0; i < 3; i++) {
    CHECK(order[i] == &reqs[i]);
    CHECK(statuses[i] < 0);
  }
  CHECK_EQ(pipe.write_queue_size, 0);
  test_close_default_loop();
}

TEST(stream_write_in_the_wrong_state) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t fresh, unconnected, server;
  uv_pipe_t reader, pipe;
  uv_write_t req;
  uv_shutdown_t shutdown_req;
  uv_file fds[2];
  uv_buf_t buf = text("x");
  uv_file peer = open_half(loop, &pipe);
  CHECK_EQ(uv_tcp_init(loop, &fresh), 0);
  CHECK_EQ(uv_write(&req, stream_of(&fresh), &buf, 1, on_write), UV_EBADF);
  CHECK_EQ(uv_try_write(stream_of(&fresh), &buf, 1), UV_EBADF);
  CHECK_EQ(uv_shutdown(&shutdown_req, stream_of(&fresh), NULL), UV_ENOTCONN);
  CHECK_EQ(uv_tcp_init_ex(loop, &unconnected, AF_INET), 0);
  CHECK_EQ(uv_write(&req, stream_of(&unconnected), &buf, 1, on_write), UV_EPIPE);
  CHECK_EQ(uv_try_write(stream_of(&unconnected), &buf, 1), UV_EPIPE);
  listen_tcp(loop, &server, NULL);
  CHECK_EQ(uv_write(&req, stream_of(&server), &buf, 1, on_write), UV_EPIPE);
  CHECK_EQ(uv_shutdown(&shutdown_req, stream_of(&server), NULL), UV_ENOTCONN);
  CHECK(!uv_is_writable(stream_of(&server)));
  CHECK(!uv_is_readable(stream_of(&server)));
  CHECK_EQ(uv_pipe(fds, 0, 0), 0);
  CHECK_EQ(uv_pipe_init(loop, &reader, 0), 0);
  CHECK_EQ(uv_pipe_open(&reader, fds[0]), 0);
  CHECK_EQ(uv_write(&req, stream_of(&reader), &buf, 1, on_write), UV_EPIPE);
  CHECK_EQ(uv_shutdown(&shutdown_req, stream_of(&reader), NULL), UV_ENOTCONN);
  /* a handle can be sent over a pipe made for it alone */
  CHECK_EQ(uv_write2(&req, stream_of(&pipe), &buf, 1, stream_of(&server), on_write), UV_EINVAL);
  close_handle(&server);
  CHECK_EQ(uv_run(loop, UV_RUN_NOWAIT), 0);
  CHECK_EQ(written, 0);
  close(fds[1]);
  peer_close(peer);
  test_close_default_loop();
}

static uv_write_t again;
static int agains;

static void write_again(uv_write_t *req, int status) {
  uv_buf_t buf = text("again");
  CHECK_EQ(status, 0);
  CHECK(!inside);
  if (++agains == 5)
    return;
  inside = true;
  CHECK_EQ(uv_write(req, req->handle, &buf, 1, write_again), 0);
  inside = false;
}

TEST(stream_write_request_can_be_used_again_in_its_callback) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_buf_t buf = text("first");
  uv_file peer = open_half(loop, &pipe);
  CHECK_EQ(uv_write(&again, stream_of(&pipe), &buf, 1, write_again), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(agains, 5);
  CHECK_EQ(drain(peer), 25);
  peer_close(peer);
  test_close_default_loop();
}

TEST(stream_write_without_a_callback) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_write_t req;
  uv_shutdown_t shutdown_req;
  uv_buf_t buf = text("quiet");
  uv_file peer = open_half(loop, &pipe);
  CHECK_EQ(uv_write(&req, stream_of(&pipe), &buf, 1, NULL), 0);
  CHECK_EQ(uv_shutdown(&shutdown_req, stream_of(&pipe), NULL), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(drain(peer), 5);
  char end;
  CHECK_EQ(peer_read(peer, &end, 1), 0);
  peer_close(peer);
  test_close_default_loop();
}

static int shut_status;

static void on_shutdown(uv_shutdown_t *req, int status) {
  CHECK(!inside);
  CHECK(req->handle != NULL);
  shut++;
  shut_status = status;
}

TEST(stream_shutdown_waits_for_the_queued_writes) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_write_t req;
  uv_shutdown_t shutdown_req, other;
  static char bytes[3000000];
  uv_buf_t big = uv_buf_init(bytes, sizeof bytes);
  uv_file peer = open_half(loop, &pipe);
  CHECK_EQ(uv_write(&req, stream_of(&pipe), &big, 1, on_write), 0);
  CHECK_EQ(uv_shutdown(&shutdown_req, stream_of(&pipe), on_shutdown), 0);
  CHECK(!uv_is_writable(stream_of(&pipe)));
  CHECK_EQ(uv_shutdown(&other, stream_of(&pipe), on_shutdown), UV_ENOTCONN);
  CHECK_EQ(uv_write(&req, stream_of(&pipe), &big, 1, on_write), UV_EPIPE);
  for (int i = 0; i < 5; i++)
    uv_run(loop, UV_RUN_NOWAIT);
  CHECK_EQ(shut, 0);
  size_t got = 0;
  while (shut == 0) {
    got += drain(peer);
    uv_run(loop, UV_RUN_NOWAIT);
  }
  got += drain(peer);
  CHECK_EQ(got, sizeof bytes);
  CHECK_EQ(written, 1);
  CHECK_EQ(shut_status, 0);
  char end;
  CHECK_EQ(peer_read(peer, &end, 1), 0);
  CHECK_EQ(uv_shutdown(&other, stream_of(&pipe), on_shutdown), UV_ENOTCONN);
  CHECK(uv_is_readable(stream_of(&pipe))); /* only one side is shut */
  peer_close(peer);
  test_close_default_loop();
}

TEST(stream_shutdown_callback_comes_from_the_loop) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_shutdown_t req;
  uv_file peer = open_half(loop, &pipe);
  inside = true;
  CHECK_EQ(uv_shutdown(&req, stream_of(&pipe), on_shutdown), 0);
  inside = false;
  CHECK_EQ(shut, 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(shut, 1);
  CHECK_EQ(shut_status, 0);
  peer_close(peer);
  test_close_default_loop();
}

static void on_close_after_shutdown(uv_handle_t *handle) {
  (void)handle;
  CHECK_EQ(shut, 1);
  closed++;
}

TEST(stream_shutdown_is_cancelled_by_close) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_shutdown_t req;
  uv_file peer = open_half(loop, &pipe);
  CHECK_EQ(uv_shutdown(&req, stream_of(&pipe), on_shutdown), 0);
  uv_close((uv_handle_t *)&pipe, on_close_after_shutdown);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(shut, 1);
  CHECK_EQ(shut_status, UV_ECANCELED);
  CHECK_EQ(closed, 1);
  peer_close(peer);
  test_close_default_loop();
}

enum { MANY = 700 };

static int many_written;

static void on_one_of_many(uv_write_t *req, int status) {
  CHECK_EQ(status, 0);
  CHECK_EQ(req - (uv_write_t *)req->data, many_written);
  many_written++;
}

/* Queued writes may be sent together: only the number of system calls shows it. */
TEST(stream_write_of_many_requests_keeps_bytes_and_callbacks_in_order) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  static uv_write_t reqs[MANY];
  static char bytes[2000000], back[sizeof bytes + 1];
  size_t size = 0, got = 0;
  uv_file peer = open_half(loop, &pipe);
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (char)(i * 13 + i / 241);
  for (int i = 0; i < MANY; i++) {
    size_t lengths[6] = {i == 0 ? 900000 : (size_t)i % 5, (size_t)i % 3 * 700, 0, 1, (size_t)i % 7, 11};
    unsigned int nbufs = (unsigned int)i % 6 + 1;
    uv_buf_t bufs[6];
    for (unsigned int j = 0; j < nbufs; j++) {
      bufs[j] = uv_buf_init(bytes + size, (unsigned int)lengths[j]);
      size += lengths[j];
    }
    CHECK(size <= sizeof bytes);
    reqs[i].data = reqs;
    CHECK_EQ(uv_write(&reqs[i], stream_of(&pipe), bufs, nbufs, on_one_of_many), 0);
  }
  while (got < size || many_written < MANY) {
    ssize_t n = peer_read(peer, back + got, got % 3000 + 1);
    if (n > 0)
      got += (size_t)n;
    else
      uv_run(loop, UV_RUN_NOWAIT);
    CHECK(got <= size);
  }
  CHECK_EQ(memcmp(bytes, back, size), 0);
  CHECK_EQ(pipe.write_queue_size, 0);
  peer_close(peer);
  test_close_default_loop();
}
