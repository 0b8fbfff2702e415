/* Reading: buffers, limits, states, the end. (Writing is in test_stream_write.c.) */
#include "test_net.h"

static char slab[64];
static size_t slab_size;
static int allocs, reads, ends;
static const char *last_base;
static size_t last_len;
static size_t suggested_size;
static ssize_t last_nread;

static void alloc_slab(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  (void)handle;
  CHECK_EQ(allocs, reads); /* never ahead of time */
  allocs++;
  suggested_size = suggested;
  *buf = uv_buf_init(slab, (unsigned int)slab_size);
  last_base = buf->base;
  last_len = buf->len;
}

static void read_slab(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)stream;
  CHECK(buf->base == last_base);
  CHECK_EQ(buf->len, last_len);
  reads++;
  last_nread = nread;
  if (nread < 0)
    ends++;
}

TEST(stream_read_gets_exactly_the_buffer_that_alloc_gave) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_file peer = open_half(loop, &pipe);
  slab_size = 7;
  CHECK_EQ(uv_read_start(stream_of(&pipe), alloc_slab, read_slab), 0);
  CHECK_EQ(peer_write(peer, "hello", 5), 5);
  RUN_UNTIL(loop, reads > 0);
  CHECK_EQ(last_nread, 5);
  CHECK_EQ(memcmp(slab, "hello", 5), 0);
  CHECK_EQ(reads, 1);
  CHECK_EQ(suggested_size, 65536);
  peer_close(peer);
  test_close_default_loop();
}

TEST(stream_short_read_is_not_followed_by_another_in_the_same_wakeup) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_file peer = open_half(loop, &pipe);
  slab_size = sizeof slab;
  CHECK_EQ(uv_read_start(stream_of(&pipe), alloc_slab, read_slab), 0);
  for (int i = 1; i <= 10; i++) {
    CHECK_EQ(peer_write(peer, "x", 1), 1);
    RUN_UNTIL(loop, reads >= i);
    uv_run(loop, UV_RUN_NOWAIT);
    CHECK_EQ(reads, i); /* a second attempt would have reported 0 bytes */
    CHECK_EQ(last_nread, 1);
  }
  peer_close(peer);
  test_close_default_loop();
}

static int refusals;

static void alloc_nothing(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  if (refusals > 0) {
    take_alloc(handle, suggested, buf);
    return;
  }
  buf->base = NULL;
  buf->len = 0;
}

static void read_after_nothing(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  if (nread == UV_ENOBUFS) {
    refusals++;
    return;
  }
  take(stream, nread, buf);
}

TEST(stream_alloc_of_nothing_is_enobufs_and_loses_nothing) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_file peer = open_half(loop, &pipe);
  CHECK_EQ(uv_read_start(stream_of(&pipe), alloc_nothing, read_after_nothing), 0);
  CHECK_EQ(peer_write(peer, "all of it", 9), 9);
  RUN_UNTIL(loop, taken_size == 9);
  CHECK_EQ(refusals, 1);
  CHECK_EQ(memcmp(taken, "all of it", 9), 0);
  CHECK(uv_is_readable(stream_of(&pipe)));
  peer_close(peer);
  test_close_default_loop();
}

static int reads_at_check, rounds;

static void count_reads(uv_check_t *check) {
  (void)check;
  if (reads > reads_at_check)
    rounds++;
  CHECK(reads - reads_at_check <= 32);
  reads_at_check = reads;
}

TEST(stream_at_most_32_reads_for_one_wakeup) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_check_t check;
  static char bytes[100 * 16];
  uv_file peer = open_half(loop, &pipe);
  slab_size = 16;
  CHECK_EQ(uv_check_init(loop, &check), 0);
  CHECK_EQ(uv_check_start(&check, count_reads), 0);
  CHECK_EQ(peer_write(peer, bytes, sizeof bytes), sizeof bytes);
  CHECK_EQ(uv_read_start(stream_of(&pipe), alloc_slab, read_slab), 0);
  RUN_UNTIL(loop, reads >= 100);
  peer_close(peer);
  test_close_default_loop();
}

TEST(stream_read_start_in_the_wrong_state) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe, fresh;
  uv_tcp_t tcp;
  uv_file ends_of_pipe[2];
  uv_file peer = open_half(loop, &pipe);
  CHECK_EQ(uv_read_start(stream_of(&pipe), take_alloc, take), 0);
  CHECK_EQ(uv_read_start(stream_of(&pipe), take_alloc, take), UV_EALREADY);
  CHECK_EQ(uv_read_start(NULL, take_alloc, take), UV_EINVAL);
  CHECK_EQ(uv_read_stop(stream_of(&pipe)), 0);
  CHECK_EQ(uv_read_start(stream_of(&pipe), NULL, take), UV_EINVAL);
  CHECK_EQ(uv_read_start(stream_of(&pipe), take_alloc, NULL), UV_EINVAL);
  uv_close((uv_handle_t *)&pipe, NULL);
  CHECK_EQ(uv_read_start(stream_of(&pipe), take_alloc, take), UV_EINVAL);

  CHECK_EQ(uv_tcp_init(loop, &tcp), 0);
  CHECK_EQ(uv_read_start(stream_of(&tcp), take_alloc, take), UV_ENOTCONN);
  CHECK_EQ(uv_pipe(ends_of_pipe, 0, 0), 0);
  CHECK_EQ(uv_pipe_init(loop, &fresh, 0), 0);
  CHECK_EQ(uv_read_start(stream_of(&fresh), take_alloc, take), UV_ENOTCONN);
  CHECK_EQ(uv_pipe_open(&fresh, ends_of_pipe[1]), 0);
  CHECK_EQ(uv_read_start(stream_of(&fresh), take_alloc, take), UV_ENOTCONN); /* the end for writing */
  close(ends_of_pipe[0]);
  peer_close(peer);
  test_close_default_loop();
}

static void read_and_stop(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)buf;
  reads++;
  last_nread = nread;
  CHECK_EQ(uv_read_stop(stream), 0);
  CHECK_EQ(uv_read_stop(stream), 0);
}

static void alloc_five(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  (void)handle;
  (void)suggested;
  *buf = uv_buf_init(slab, 5);
}

TEST(stream_read_stop_in_the_callback_leaves_the_rest) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_file peer = open_half(loop, &pipe);
  CHECK_EQ(uv_read_stop(stream_of(&pipe)), 0);
  CHECK_EQ(uv_read_start(stream_of(&pipe), alloc_five, read_and_stop), 0);
  CHECK(uv_is_active((uv_handle_t *)&pipe));
  CHECK_EQ(peer_write(peer, "firstother", 10), 10);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0); /* a stream that does not read does not keep the loop alive */
  CHECK_EQ(reads, 1);
  CHECK_EQ(last_nread, 5);
  CHECK(!uv_is_active((uv_handle_t *)&pipe));
  CHECK_EQ(uv_read_start(stream_of(&pipe), take_alloc, take), 0);
  RUN_UNTIL(loop, taken_size > 0);
  CHECK_EQ(taken_size, 5);
  CHECK_EQ(memcmp(taken, "other", 5), 0);
  peer_close(peer);
  test_close_default_loop();
}

TEST(stream_hangup_does_not_lose_what_was_written_before) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_file fds[2];
  static char bytes[60000];
  memset(bytes, 'b', sizeof bytes);
  CHECK_EQ(uv_pipe(fds, UV_NONBLOCK_PIPE, 0), 0);
  CHECK_EQ(uv_pipe_init(loop, &pipe, 0), 0);
  CHECK_EQ(uv_pipe_open(&pipe, fds[0]), 0);
  CHECK_EQ(write(fds[1], bytes, sizeof bytes), sizeof bytes);
  close(fds[1]);
  CHECK_EQ(uv_read_start(stream_of(&pipe), take_alloc, take), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(taken_size, sizeof bytes);
  CHECK_EQ(taken_ends, 1);
  CHECK_EQ(taken_error, UV_EOF);
  test_close_default_loop();
}

static void close_at_once(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)buf;
  (void)nread;
  reads++;
  uv_close((uv_handle_t *)stream, NULL);
  CHECK(!uv_is_readable(stream));
  CHECK(!uv_is_writable(stream));
}

TEST(stream_closed_in_its_read_callback_reads_no_more) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_file peer = open_half(loop, &pipe);
  CHECK_EQ(uv_read_start(stream_of(&pipe), alloc_five, close_at_once), 0);
  CHECK_EQ(peer_write(peer, "firstother", 10), 10);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(reads, 1);
  peer_close(peer);
  test_close_default_loop();
}

TEST(stream_reset_by_the_peer_is_neither_readable_nor_writable) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t client;
  uv_connect_t connect_req;
  int port, listener = listen_bare(&port);
  CHECK_EQ(connect_tcp(loop, &client, &connect_req, port, NULL), 0);
  RUN_UNTIL(loop, uv_loop_alive(loop) == 0);
  int peer = (int)accept(listener, NULL, NULL);
  CHECK(peer >= 0);
  CHECK_EQ(uv_read_start(stream_of(&client), take_alloc, take), 0);
  struct linger linger = {1, 0};
  CHECK_EQ(setsockopt(peer, SOL_SOCKET, SO_LINGER, (char *)&linger, sizeof linger), 0);
  close_socket(peer);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(taken_ends, 1);
  CHECK_EQ(taken_error, UV_ECONNRESET);
  CHECK(!uv_is_readable(stream_of(&client)));
  CHECK(!uv_is_writable(stream_of(&client)));
  CHECK_EQ(uv_read_start(stream_of(&client), take_alloc, take), UV_ENOTCONN);
  close_socket(listener);
  test_close_default_loop();
}

TEST(stream_closing_a_standard_descriptor_leaves_it_open) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_file fds[2];
  CHECK_EQ(uv_pipe(fds, 0, 0), 0);
  CHECK_EQ(dup2(fds[0], 0), 0);
  CHECK_EQ(uv_pipe_init(loop, &pipe, 0), 0);
  CHECK_EQ(uv_pipe_open(&pipe, 0), 0);
  CHECK_EQ(uv_read_start(stream_of(&pipe), take_alloc, take), 0);
  uv_close((uv_handle_t *)&pipe, NULL);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK(descriptor_is_open(0));
  close(fds[0]);
  close(fds[1]);
  test_close_default_loop();
}

TEST(stream_buffer_sizes) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t tcp, fresh;
  uv_pipe_t pipe;
  uv_timer_t timer;
  uv_file peer = open_half(loop, &pipe);
  int value = 0;
  CHECK_EQ(uv_tcp_init_ex(loop, &tcp, AF_INET), 0);
  CHECK_EQ(uv_tcp_init(loop, &fresh), 0);
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_send_buffer_size((uv_handle_t *)&tcp, &value), 0);
  CHECK(value > 0);
  value = 20000;
  CHECK_EQ(uv_recv_buffer_size((uv_handle_t *)&tcp, &value), 0);
  value = 0;
  CHECK_EQ(uv_recv_buffer_size((uv_handle_t *)&tcp, &value), 0);
  CHECK(value == 20000 || value == 40000); /* Linux doubles it */
  value = 0;
  CHECK_EQ(uv_send_buffer_size((uv_handle_t *)&pipe, &value), 0);
  CHECK(value > 0);
  value = 0;
  CHECK_EQ(uv_send_buffer_size((uv_handle_t *)&fresh, &value), UV_EBADF);
  CHECK_EQ(uv_send_buffer_size((uv_handle_t *)&timer, &value), UV_ENOTSUP);
  CHECK_EQ(uv_recv_buffer_size((uv_handle_t *)&tcp, NULL), UV_EINVAL);
  CHECK_EQ(uv_recv_buffer_size(NULL, &value), UV_EINVAL);
  peer_close(peer);
  test_close_default_loop();
}
