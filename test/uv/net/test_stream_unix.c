/* Streams: what only descriptors of Unix have. */
#include "test_net.h"

static int written, shut, shut_status;

static void on_write(uv_write_t *req, int status) {
  (void)req;
  CHECK_EQ(status, 0);
  written++;
}

static void on_shutdown(uv_shutdown_t *req, int status) {
  CHECK(req->handle != NULL);
  shut++;
  shut_status = status;
}

static void read_slowly(void *argument) {
  static char buffer[4096];
  ssize_t n;
  uv_sleep(50);
  while ((n = read(*(int *)argument, buffer, sizeof buffer)) > 0)
    ;
}

TEST(stream_end_comes_once_and_the_stream_stays_readable_and_writable) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_file peer = open_half(loop, &pipe);
  CHECK_EQ(uv_read_start(stream_of(&pipe), take_alloc, take), 0);
  CHECK_EQ(peer_write(peer, "last words", 10), 10);
  CHECK_EQ(shutdown(peer, SHUT_WR), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0); /* ends: at its end a stream is not active any more */
  CHECK_EQ(taken_size, 10);
  CHECK_EQ(taken_ends, 1);
  CHECK_EQ(taken_error, UV_EOF);
  CHECK(!uv_is_active((uv_handle_t *)&pipe));
  CHECK(uv_is_readable(stream_of(&pipe)));
  CHECK(uv_is_writable(stream_of(&pipe)));
  for (int i = 0; i < 5; i++)
    uv_run(loop, UV_RUN_NOWAIT);
  CHECK_EQ(taken_ends, 1);
  CHECK_EQ(uv_read_start(stream_of(&pipe), take_alloc, take), 0); /* a second request is answered again */
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(taken_ends, 2);
  peer_close(peer);
  test_close_default_loop();
}

TEST(stream_pairs_have_the_flags_asked_for) {
  uv_file fds[2];
  uv_os_sock_t socks[2];
  CHECK_EQ(uv_pipe(fds, UV_NONBLOCK_PIPE, 0), 0);
  CHECK(fcntl(fds[0], F_GETFL) & O_NONBLOCK);
  CHECK(!(fcntl(fds[1], F_GETFL) & O_NONBLOCK));
  CHECK(fcntl(fds[0], F_GETFD) & FD_CLOEXEC);
  CHECK(fcntl(fds[1], F_GETFD) & FD_CLOEXEC);
  CHECK_EQ(write(fds[1], "x", 1), 1);
  close(fds[0]);
  close(fds[1]);
  CHECK_EQ(uv_socketpair(SOCK_STREAM, 0, socks, 0, UV_NONBLOCK_PIPE), 0);
  CHECK(!(fcntl(socks[0], F_GETFL) & O_NONBLOCK));
  CHECK(fcntl(socks[1], F_GETFL) & O_NONBLOCK);
  CHECK(fcntl(socks[0], F_GETFD) & FD_CLOEXEC);
  close(socks[0]);
  close(socks[1]);
  CHECK(uv_socketpair(-1, 0, socks, 0, 0) < 0);
}

TEST(stream_descriptor_of_a_reader_cannot_be_opened_twice) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe, other;
  uv_tcp_t tcp;
  uv_os_fd_t fd;
  uv_file peer = open_half(loop, &pipe);
  CHECK_EQ(uv_read_start(stream_of(&pipe), take_alloc, take), 0);
  CHECK_EQ(uv_fileno((uv_handle_t *)&pipe, &fd), 0);
  CHECK_EQ(uv_tcp_init(loop, &tcp), 0);
  CHECK_EQ(uv_tcp_open(&tcp, fd), UV_EEXIST);
  CHECK_EQ(uv_pipe_init(loop, &other, 0), 0);
  CHECK_EQ(uv_pipe_open(&other, fd), UV_EEXIST);
  CHECK_EQ(uv_pipe_open(&other, -1), UV_EBADF);
  CHECK_EQ(uv_pipe_open(&pipe, peer), UV_EBUSY); /* it has a descriptor already */
  peer_close(peer);
  test_close_default_loop();
}

TEST(stream_write_to_a_blocking_stream_takes_all) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_thread_t thread;
  static char bytes[1000000];
  uv_buf_t buf = uv_buf_init(bytes, sizeof bytes);
  uv_write_t req;
  uv_file fds[2];
  CHECK_EQ(uv_pipe(fds, 0, 0), 0);
  CHECK_EQ(uv_pipe_init(loop, &pipe, 0), 0);
  CHECK_EQ(uv_stream_set_blocking(stream_of(&pipe), 1), UV_EBADF);
  CHECK_EQ(uv_pipe_open(&pipe, fds[1]), 0);
  CHECK(fcntl(fds[1], F_GETFL) & O_NONBLOCK);
  CHECK_EQ(uv_stream_set_blocking(stream_of(&pipe), 1), 0);
  CHECK(!(fcntl(fds[1], F_GETFL) & O_NONBLOCK));
  CHECK_EQ(uv_thread_create(&thread, read_slowly, &fds[0]), 0);
  CHECK_EQ(uv_try_write(stream_of(&pipe), &buf, 1), sizeof bytes);
  CHECK_EQ(uv_write(&req, stream_of(&pipe), &buf, 1, on_write), 0);
  CHECK_EQ(pipe.write_queue_size, 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(written, 1);
  CHECK_EQ(uv_stream_set_blocking(stream_of(&pipe), 0), 0);
  CHECK(fcntl(fds[1], F_GETFL) & O_NONBLOCK);
  uv_close((uv_handle_t *)&pipe, NULL);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(uv_thread_join(&thread), 0);
  close(fds[0]);
  test_close_default_loop();
}

TEST(stream_shutdown_of_what_is_no_socket_says_so) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_shutdown_t req;
  uv_file fds[2];
  CHECK_EQ(uv_pipe(fds, 0, 0), 0);
  CHECK_EQ(uv_pipe_init(loop, &pipe, 0), 0);
  CHECK_EQ(uv_pipe_open(&pipe, fds[1]), 0);
  CHECK_EQ(uv_shutdown(&req, stream_of(&pipe), on_shutdown), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(shut, 1);
  CHECK_EQ(shut_status, UV_ENOTSOCK);
  close(fds[0]);
  test_close_default_loop();
}

static int messages;

static void take_message(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  messages += nread == 10;
  take(stream, nread, buf);
}

/* A socket that preserves message boundaries gives one message at a time. */
TEST(receive_messages_that_are_kept_apart) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t tcp;
  int fds[2];
  CHECK_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds), 0);
  CHECK_EQ(uv_tcp_init(loop, &tcp), 0);
  CHECK_EQ(uv_tcp_open(&tcp, fds[0]), 0);
  CHECK_EQ(uv_read_start(stream_of(&tcp), take_alloc, take_message), 0);
  for (int i = 0; i < 20; i++)
    CHECK_EQ(write(fds[1], "0123456789", 10), 10);
  RUN_UNTIL(loop, taken_size == 200);
  CHECK_EQ(messages, 20);
  close(fds[1]);
  test_close_default_loop();
}

TEST(stream_try_write_to_a_pipe) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe, reader, writer;
  uv_buf_t buf = text("anybody there?");
  uv_file fds[2], peer = open_half(loop, &pipe);
  end_at_broken_pipes(true);
  CHECK_EQ(uv_try_write(stream_of(&pipe), &buf, 1), (long)buf.len);
  peer_close(peer);
  CHECK_EQ(uv_try_write(stream_of(&pipe), &buf, 1), UV_EPIPE); /* without a signal */
  CHECK_EQ(uv_pipe(fds, 0, 0), 0);
  CHECK_EQ(uv_pipe_init(loop, &reader, 0), 0);
  CHECK_EQ(uv_pipe_open(&reader, fds[0]), 0);
  CHECK_EQ(uv_pipe_init(loop, &writer, 0), 0);
  CHECK_EQ(uv_pipe_open(&writer, fds[1]), 0);
  CHECK_EQ(uv_try_write(stream_of(&writer), &buf, 1), (long)buf.len);
  test_close_default_loop();
}

static int errors_told;

static void while_reading(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)buf;
  CHECK_EQ(nread, UV_ECONNRESET);
  CHECK(uv_is_active((uv_handle_t *)stream));
  CHECK_EQ(uv_read_start(stream, take_alloc, while_reading), UV_EALREADY);
  errors_told++;
}

TEST(stream_reads_until_its_reader_was_told_of_an_error) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t client;
  uv_connect_t connect_req;
  struct linger linger = {1, 0};
  int port, listener = listen_bare(&port);
  CHECK_EQ(connect_tcp(loop, &client, &connect_req, port, NULL), 0);
  RUN_UNTIL(loop, uv_loop_alive(loop) == 0);
  int peer = accept(listener, NULL, NULL);
  CHECK(peer >= 0);
  CHECK_EQ(uv_read_start(stream_of(&client), take_alloc, while_reading), 0);
  CHECK_EQ(setsockopt(peer, SOL_SOCKET, SO_LINGER, &linger, sizeof linger), 0);
  close(peer);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(errors_told, 1);
  CHECK(!uv_is_active((uv_handle_t *)&client));
  close(listener);
  test_close_default_loop();
}

static size_t queued_in_callback[3];
static int failed_writes, failed_status;

static void on_failed_write(uv_write_t *req, int status) {
  queued_in_callback[failed_writes++] = uv_stream_get_write_queue_size(req->handle);
  failed_status = status;
}

TEST(stream_write_that_failed_counts_as_queued_up_to_its_callback) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_write_t req;
  uv_file fds[2];
  char text[] = "text";
  uv_buf_t bufs[6];
  for (int i = 0; i < 6; i++)
    bufs[i] = uv_buf_init(text, 4);
  signal(SIGPIPE, SIG_IGN);
  CHECK_EQ(uv_pipe(fds, 0, UV_NONBLOCK_PIPE), 0);
  CHECK_EQ(uv_pipe_init(loop, &pipe, 0), 0);
  CHECK_EQ(uv_pipe_open(&pipe, fds[1]), 0);
  close(fds[0]);
  CHECK_EQ(uv_write(&req, stream_of(&pipe), bufs, 6, on_failed_write), 0);
  CHECK_EQ(uv_stream_get_write_queue_size(stream_of(&pipe)), 24);
  CHECK_EQ(uv_try_write(stream_of(&pipe), bufs, 1), UV_EAGAIN);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(failed_writes, 1);
  CHECK_EQ(failed_status, UV_EPIPE);
  CHECK_EQ(queued_in_callback[0], 0);
  CHECK_EQ(uv_try_write(stream_of(&pipe), bufs, 1), UV_EPIPE);
  uv_close((uv_handle_t *)&pipe, NULL);
  test_close_default_loop();
}

TEST(stream_writes_that_are_cancelled_leave_the_queue_one_by_one) {
  static char full[65536];
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_write_t reqs[3];
  uv_file fds[2];
  uv_buf_t buf = uv_buf_init(full, sizeof full);
  CHECK_EQ(uv_pipe(fds, 0, UV_NONBLOCK_PIPE), 0);
  CHECK_EQ(uv_pipe_init(loop, &pipe, 0), 0);
  CHECK_EQ(uv_pipe_open(&pipe, fds[1]), 0);
  while (uv_try_write(stream_of(&pipe), &buf, 1) > 0)
    ;
  for (unsigned int i = 0; i < 3; i++) {
    buf.len = 1 + i;
    CHECK_EQ(uv_write(&reqs[i], stream_of(&pipe), &buf, 1, on_failed_write), 0);
  }
  uv_close((uv_handle_t *)&pipe, NULL);
  CHECK_EQ(uv_stream_get_write_queue_size(stream_of(&pipe)), 6);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(failed_writes, 3);
  CHECK_EQ(failed_status, UV_ECANCELED);
  CHECK_EQ(queued_in_callback[0], 5);
  CHECK_EQ(queued_in_callback[1], 3);
  CHECK_EQ(queued_in_callback[2], 0);
  close(fds[0]);
  test_close_default_loop();
}
