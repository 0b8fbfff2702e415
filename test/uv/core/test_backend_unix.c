/* A loop inside of another: a program polls uv_backend_fd, and runs the loop when it is readable. Everything that
 * uv_run would handle must make it readable. */
#include <poll.h>
#include <sys/epoll.h>

#include "test_net.h"

static uv_loop_t *loop;
static int calls;

/* Polls as such a program does, for a long time if necessary, and runs the loop. Timers do not count. */
static void pump_until(const int *what, int count) {
  while (*what < count) {
    struct pollfd backend = {.fd = uv_backend_fd(loop), .events = POLLIN};
    int timeout_ms = uv_backend_timeout(loop);
    int n = poll(&backend, 1, timeout_ms < 0 ? 30000 : timeout_ms);
    CHECK(n == 1 || timeout_ms == 0);
    uv_run(loop, UV_RUN_NOWAIT);
  }
}

/* Nothing is left over: the descriptor is quiet. */
static void check_quiet(void) {
  struct pollfd backend = {.fd = uv_backend_fd(loop), .events = POLLIN};
  for (int i = 0; i < 3; i++)
    uv_run(loop, UV_RUN_NOWAIT);
  CHECK_EQ(poll(&backend, 1, 0), 0);
}

static void on_async(uv_async_t *async) {
  (void)async;
  calls++;
}

static void send_async(void *async) {
  uv_sleep(5);
  uv_async_send(async);
}

TEST(backend_wakes_for_every_async) {
  uv_async_t async;
  loop = uv_default_loop();
  CHECK_EQ(uv_async_init(loop, &async, on_async), 0);
  for (int i = 0; i < 20; i++) {
    uv_thread_t thread;
    CHECK_EQ(uv_thread_create(&thread, send_async, &async), 0);
    pump_until(&calls, i + 1);
    CHECK_EQ(uv_thread_join(&thread), 0);
  }
  check_quiet();
  test_close_default_loop();
}

static void send_from_a_thread(uv_async_t *async) {
  uv_thread_t thread;
  CHECK_EQ(uv_thread_create(&thread, send_async, async->data), 0);
  CHECK_EQ(uv_thread_join(&thread), 0);
}

/* The loop is awake at that time, and nothing rings. */
TEST(backend_wakes_for_an_async_that_a_thread_sent_to_during_a_callback) {
  uv_async_t first, second;
  loop = uv_default_loop();
  CHECK_EQ(uv_async_init(loop, &second, on_async), 0);
  CHECK_EQ(uv_async_init(loop, &first, send_from_a_thread), 0);
  first.data = &second;
  (void)uv_backend_fd(loop);
  uv_run(loop, UV_RUN_NOWAIT);
  CHECK_EQ(uv_async_send(&first), 0);
  pump_until(&calls, 1);
  check_quiet();
  test_close_default_loop();
}

static void send_from_poll(uv_poll_t *poll, int status, int events) {
  (void)events;
  CHECK_EQ(status, 0);
  CHECK_EQ(uv_poll_stop(poll), 0);
  CHECK_EQ(uv_async_send(poll->data), 0);
}

/* It is called in the next iteration, for which the program must be woken. */
TEST(backend_wakes_for_an_async_that_a_callback_sent_to) {
  uv_async_t async;
  uv_poll_t poll;
  int fds[2];
  loop = uv_default_loop();
  CHECK_EQ(pipe(fds), 0);
  CHECK_EQ(write(fds[1], "x", 1), 1);
  CHECK_EQ(uv_async_init(loop, &async, on_async), 0);
  CHECK_EQ(uv_poll_init(loop, &poll, fds[0]), 0);
  poll.data = &async;
  CHECK_EQ(uv_poll_start(&poll, UV_READABLE, send_from_poll), 0);
  pump_until(&calls, 1);
  check_quiet();
  test_close_default_loop();
  close(fds[0]);
  close(fds[1]);
}

static void on_job(uv_work_t *req) {
  (void)req;
  uv_sleep(5);
}

static void after_job(uv_work_t *req, int status) {
  (void)req;
  CHECK_EQ(status, 0);
  calls++;
}

TEST(backend_wakes_for_jobs_of_the_pool) {
  uv_work_t req;
  loop = uv_default_loop();
  for (int i = 0; i < 5; i++) {
    CHECK_EQ(uv_queue_work(loop, &req, on_job, after_job), 0);
    pump_until(&calls, i + 1);
  }
  test_close_default_loop();
}

static void on_file(uv_fs_t *req) {
  CHECK(req->result >= 0);
  calls++;
}

/* Started between two runs of the loop; only the descriptor tells that they are done. */
TEST(backend_wakes_for_file_operations) {
  uv_fs_t req;
  char bytes[16];
  uv_buf_t buf = uv_buf_init(bytes, sizeof bytes);
  loop = uv_default_loop();
  CHECK(uv_backend_fd(loop) >= 0);
  for (int i = 0; i < 5; i++) {
    calls = 0;
    CHECK_EQ(uv_fs_open(loop, &req, test_program(), UV_FS_O_RDONLY, 0, on_file), 0);
    pump_until(&calls, 1);
    uv_file file = (uv_file)req.result;
    uv_fs_req_cleanup(&req);
    CHECK_EQ(uv_fs_read(loop, &req, file, &buf, 1, 0, on_file), 0);
    pump_until(&calls, 2);
    CHECK_EQ(req.result, sizeof bytes);
    uv_fs_req_cleanup(&req);
    CHECK_EQ(uv_fs_close(loop, &req, file, on_file), 0);
    pump_until(&calls, 3);
    uv_fs_req_cleanup(&req);
  }
  check_quiet();
  test_close_default_loop();
}

/* The descriptor was not asked for before the operations. */
TEST(backend_asked_for_later_wakes_for_file_operations) {
  uv_fs_t reqs[3];
  loop = uv_default_loop();
  for (int i = 0; i < 3; i++)
    CHECK_EQ(uv_fs_open(loop, &reqs[i], test_program(), UV_FS_O_RDONLY, 0, on_file), 0);
  pump_until(&calls, 3);
  for (int i = 0; i < 3; i++) {
    close((int)reqs[i].result);
    uv_fs_req_cleanup(&reqs[i]);
  }
  test_close_default_loop();
}

static int reads;

static void give_little(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  static char little[4];
  (void)handle;
  (void)suggested;
  *buf = uv_buf_init(little, sizeof little);
}

static void on_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)stream;
  (void)buf;
  if (nread > 0)
    reads += (int)nread;
  if (nread == UV_EOF)
    taken_ends++;
}

static uv_tcp_t server, connection;

static void on_connection(uv_stream_t *stream, int status) {
  CHECK_EQ(status, 0);
  CHECK_EQ(uv_tcp_init(loop, &connection), 0);
  CHECK_EQ(uv_accept(stream, stream_of(&connection)), 0);
  CHECK_EQ(uv_read_start(stream_of(&connection), give_little, on_read), 0);
  calls++;
}

TEST(backend_wakes_for_streams_and_for_what_was_left_in_them) {
  static const char message[1000];
  loop = uv_default_loop();
  int client = connect_bare(listen_tcp(loop, &server, on_connection));
  pump_until(&calls, 1);
  for (int i = 1; i <= 5; i++) {
    CHECK_EQ(write(client, message, 3), 3);
    pump_until(&reads, i * 3);
  }
  reads = 0;
  CHECK_EQ(write(client, message, sizeof message), sizeof message); /* more than is read in one go */
  pump_until(&reads, sizeof message);
  close(client);
  pump_until(&taken_ends, 1);
  check_quiet();
  test_close_default_loop();
}

static void run_elsewhere(void *argument) {
  (void)argument;
  uv_run(loop, UV_RUN_NOWAIT);
}

static void ask_elsewhere(void *fd) {
  *(int *)fd = uv_backend_fd(loop);
}

TEST(backend_descriptor_is_the_same_on_every_thread) {
  uv_async_t async;
  uv_thread_t thread;
  int fd = -1;
  loop = uv_default_loop();
  CHECK_EQ(uv_async_init(loop, &async, on_async), 0);
  CHECK_EQ(uv_thread_create(&thread, run_elsewhere, NULL), 0);
  CHECK_EQ(uv_thread_join(&thread), 0);
  CHECK(uv_backend_fd(loop) >= 0);
  CHECK_EQ(uv_thread_create(&thread, ask_elsewhere, &fd), 0);
  CHECK_EQ(uv_thread_join(&thread), 0);
  CHECK_EQ(fd, uv_backend_fd(loop));
  CHECK_EQ(uv_async_send(&async), 0);
  pump_until(&calls, 1);
  test_close_default_loop();
}

static void on_poll(uv_poll_t *handle, int status, int events) {
  (void)handle;
  (void)status;
  (void)events;
}

TEST(backend_descriptor_is_an_epoll_descriptor_without_what_is_stopped) {
  uv_poll_t handle;
  uv_os_sock_t fds[2];
  struct epoll_event event = {.events = EPOLLOUT};
  loop = uv_default_loop();
  CHECK_EQ(uv_socketpair(SOCK_STREAM, 0, fds, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE), 0);
  CHECK_EQ(uv_poll_init(loop, &handle, fds[0]), 0);
  CHECK_EQ(uv_poll_start(&handle, UV_READABLE, on_poll), 0);
  uv_run(loop, UV_RUN_NOWAIT);
  event.events = 0;
  CHECK_EQ(epoll_ctl(uv_backend_fd(loop), EPOLL_CTL_ADD, fds[0], &event), -1);
  CHECK_EQ(errno, EEXIST);
  CHECK_EQ(uv_poll_stop(&handle), 0);
  CHECK_EQ(epoll_ctl(uv_backend_fd(loop), EPOLL_CTL_MOD, fds[0], &event), -1);
  CHECK_EQ(errno, ENOENT);
  test_close_default_loop();
  close(fds[0]);
  close(fds[1]);
}

/* A program may register a descriptor of its own with the loop's epoll: it is removed when it fires. */
TEST(backend_descriptor_with_something_foreign_in_it) {
  uv_os_sock_t fds[2];
  uv_async_t async; /* keeps the loop alive */
  loop = uv_default_loop();
  CHECK_EQ(uv_socketpair(SOCK_STREAM, 0, fds, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE), 0);
  struct epoll_event event = {.events = EPOLLOUT, .data.fd = fds[0]};
  CHECK_EQ(uv_async_init(loop, &async, on_async), 0);
  CHECK_EQ(epoll_ctl(uv_backend_fd(loop), EPOLL_CTL_ADD, fds[0], &event), 0);
  check_quiet();
  CHECK_EQ(epoll_ctl(uv_backend_fd(loop), EPOLL_CTL_MOD, fds[0], &event), -1);
  CHECK_EQ(errno, ENOENT);
  close(fds[0]);
  close(fds[1]);
  test_close_default_loop();
}
