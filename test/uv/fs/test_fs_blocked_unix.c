/* What was begun has its effect, though the loop never comes to it: the process ends. A thread of the pool would have
 * done it; a poller must not be later. What does not block says so. */
#include "test_fs.h"

#include <errno.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static void never(uv_fs_t *req) {
  (void)req;
}

static void finish(uv_fs_t *req, ssize_t expected) {
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  if (expected >= 0)
    CHECK_EQ(req->result, expected);
  CHECK(req->result >= 0);
  uv_fs_req_cleanup(req);
}

TEST(fs_close_gives_up_a_lock_that_a_callback_waits_for) {
  fs_make("file", "text");
  int first = open("file", O_RDWR), second = open("file", O_RDWR);
  uv_fs_t req;
  CHECK_EQ(flock(first, LOCK_EX), 0);
  CHECK_EQ(uv_fs_close(uv_default_loop(), &req, first, fs_done), 0);
  CHECK_EQ(flock(second, LOCK_EX), 0);
  finish(&req, 0);
  close(second);
  test_close_default_loop();
}

TEST(fs_open_for_reading_is_seen_by_a_callback_that_opens_the_fifo_for_writing) {
  uv_fs_t req;
  CHECK_EQ(mkfifo("fifo", 0600), 0);
  CHECK_EQ(uv_fs_open(uv_default_loop(), &req, "fifo", O_RDONLY, 0, fs_done), 0);
  int fd = open("fifo", O_WRONLY);
  CHECK(fd >= 0);
  finish(&req, -1);
  close(fd);
  close((int)req.result);
  test_close_default_loop();
}

TEST(fs_open_for_writing_is_seen_by_a_callback_that_opens_the_fifo_for_reading) {
  uv_fs_t req;
  CHECK_EQ(mkfifo("fifo", 0600), 0);
  CHECK_EQ(uv_fs_open(uv_default_loop(), &req, "fifo", O_WRONLY, 0, fs_done), 0);
  int fd = open("fifo", O_RDONLY);
  CHECK(fd >= 0);
  finish(&req, -1);
  close(fd);
  close((int)req.result);
  test_close_default_loop();
}

TEST(fs_read_of_a_pipe_makes_room_that_a_callback_waits_for) {
  static char bytes[4096], room[sizeof(bytes)];
  uv_buf_t buf = uv_buf_init(room, sizeof(room));
  int fds[2], count = 0;
  uv_fs_t req;
  CHECK_EQ(pipe(fds), 0);
  CHECK_EQ(fcntl(fds[1], F_SETFL, O_NONBLOCK), 0);
  while (write(fds[1], bytes, sizeof(bytes)) > 0)
    count++;
  CHECK(count > 0);
  CHECK_EQ(fcntl(fds[1], F_SETFL, 0), 0);
  CHECK_EQ(uv_fs_read(uv_default_loop(), &req, fds[0], &buf, 1, -1, fs_done), 0);
  CHECK_EQ(write(fds[1], bytes, sizeof(bytes)), (ssize_t)sizeof(bytes));
  finish(&req, sizeof(bytes));
  close(fds[0]);
  close(fds[1]);
  test_close_default_loop();
}

TEST(fs_read_of_a_pipe_that_does_not_block_says_that_nothing_is_there) {
  int fds[2];
  char bytes[8];
  uv_buf_t buf = uv_buf_init(bytes, sizeof(bytes));
  uv_fs_t req;
  CHECK_EQ(pipe(fds), 0);
  CHECK_EQ(fcntl(fds[0], F_SETFL, O_NONBLOCK), 0);
  CHECK_EQ(fs_wait(uv_fs_read(uv_default_loop(), &req, fds[0], &buf, 1, -1, fs_done), &req), UV_EAGAIN);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(write(fds[1], "ab", 2), 2);
  CHECK_EQ(fs_wait(uv_fs_read(uv_default_loop(), &req, fds[0], &buf, 1, -1, fs_done), &req), 2);
  uv_fs_req_cleanup(&req);
  close(fds[0]);
  close(fds[1]);
  test_close_default_loop();
}

/* ---- a process that ends ---- */

static int synced_to = -1;

/* In the place of the C library's. */
int fsync(int fd) {
  if (synced_to >= 0 && write(synced_to, "s", 1) != 1)
    abort();
  long result = syscall(SYS_fsync, fd);
  return (int)result;
}

static int begin_write(uv_loop_t *loop, uv_fs_t *req, int fd) {
  static char text[] = "text";
  uv_buf_t buf = uv_buf_init(text, 4);
  return uv_fs_write(loop, req, fd, &buf, 1, 0, never);
}

static int begin_sync(uv_loop_t *loop, uv_fs_t *req, int fd) {
  return uv_fs_fsync(loop, req, fd, never);
}

static void begin_and_exit(int (*begin)(uv_loop_t *loop, uv_fs_t *req, int fd), int fd) {
  pid_t child = fork();
  int status;
  CHECK(child >= 0);
  if (child == 0) {
    static uv_loop_t loop;
    static uv_fs_t req;
    CHECK_EQ(uv_loop_init(&loop), 0);
    CHECK_EQ(begin(&loop, &req, fd), 0);
    exit(0);
  }
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
}

TEST(fs_write_and_sync_are_done_before_the_process_ends) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  SKIP("a sanitizer looks at the loop that the child leaves open");
#endif
  int fds[2];
  char byte = 0;
  fs_make("file", "");
  int fd = open("file", O_RDWR);
  begin_and_exit(begin_write, fd);
  CHECK_STR(fs_content("file"), "text");
  CHECK_EQ(pipe(fds), 0);
  synced_to = fds[1];
  begin_and_exit(begin_sync, fd);
  synced_to = -1;
  close(fds[1]);
  CHECK_EQ(read(fds[0], &byte, 1), 1);
  CHECK_EQ(byte, 's');
  close(fds[0]);
  close(fd);
}
