/* FIFOs, and descriptors that are files at one time and pipes or sockets at another. */
#include "test.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static void on_done(uv_fs_t *req) {
  req->data = NULL;
  uv_fs_req_cleanup(req);
}

static void start_read(uv_fs_t *req, int fd, char *to, int64_t offset) {
  uv_buf_t buf = uv_buf_init(to, 1);
  req->data = req;
  CHECK_EQ(uv_fs_read(uv_default_loop(), req, fd, &buf, 1, offset, on_done), 0);
}

static ssize_t read_one(int fd, char *to, int64_t offset) {
  uv_fs_t req;
  start_read(&req, fd, to, offset);
  while (req.data != NULL)
    uv_run(uv_default_loop(), UV_RUN_ONCE);
  return req.result;
}

static ssize_t write_one(int fd, char byte) {
  uv_fs_t req;
  uv_buf_t buf = uv_buf_init(&byte, 1);
  req.data = &req;
  CHECK_EQ(uv_fs_write(uv_default_loop(), &req, fd, &buf, 1, -1, on_done), 0);
  while (req.data != NULL)
    uv_run(uv_default_loop(), UV_RUN_ONCE);
  return req.result;
}

TEST(fs_read_at_an_offset_from_what_has_no_positions_fails_and_takes_nothing) {
  int ends[2];
  char byte = 0;
  for (int kind = 0; kind < 2; kind++) {
    CHECK_EQ(kind == 0 ? pipe(ends) : socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    CHECK_EQ(write(ends[1], "x", 1), 1);
    CHECK_EQ(read_one(ends[0], &byte, 0), UV_ESPIPE);
    CHECK_EQ(read_one(ends[0], &byte, -1), 1);
    CHECK_EQ(byte, 'x');
    close(ends[0]);
    close(ends[1]);
  }
  test_close_default_loop();
}

/* The number of a closed file now means a pipe. */
TEST(fs_read_at_an_offset_from_a_pipe_that_has_the_number_of_a_file_fails) {
  uv_fs_t req;
  int ends[2];
  char byte = 0;
  int fd = uv_fs_open(NULL, &req, test_program(), O_RDONLY, 0, NULL);
  CHECK(fd >= 0);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(read_one(fd, &byte, 1), 1);
  CHECK_EQ(byte, 'E'); /* ELF */
  req.data = &req;
  CHECK_EQ(uv_fs_close(uv_default_loop(), &req, fd, on_done), 0);
  while (req.data != NULL)
    uv_run(uv_default_loop(), UV_RUN_ONCE);
  CHECK_EQ(pipe(ends), 0);
  CHECK_EQ(ends[0], fd);
  CHECK_EQ(write(ends[1], "x", 1), 1);
  CHECK_EQ(read_one(ends[0], &byte, 0), UV_ESPIPE);
  test_close_default_loop();
}

TEST(fs_read_that_waits_does_not_keep_a_write_to_the_same_descriptor_waiting) {
  int ends[2];
  char byte = 0, other = 0;
  uv_fs_t reading;
  CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  start_read(&reading, ends[0], &byte, -1);
  uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  CHECK_EQ(write_one(ends[0], 'a'), 1);
  CHECK_EQ(read(ends[1], &other, 1), 1);
  CHECK_EQ(other, 'a');
  CHECK(reading.data != NULL);
  CHECK_EQ(write(ends[1], "b", 1), 1);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(byte, 'b');
  test_close_default_loop();
}

static void start_open(uv_fs_t *req, int flags) {
  req->data = req;
  CHECK_EQ(uv_fs_open(uv_default_loop(), req, "fifo", flags, 0, on_done), 0);
}

/* Lets all waiting threads run. */
static void let_pass(void) {
  for (int i = 0; i < 10; i++) {
    uv_run(uv_default_loop(), UV_RUN_NOWAIT);
    uv_sleep(5);
  }
}

static void write_and_go(void *unused) {
  (void)unused;
  int fd = open("fifo", O_WRONLY);
  CHECK(fd >= 0);
  CHECK_EQ(write(fd, "x", 1), 1);
  close(fd);
}

TEST(fs_open_of_a_fifo_for_reading_waits_for_a_writer) {
  uv_fs_t req;
  char byte = 0;
  CHECK_EQ(mkfifo("fifo", 0600), 0);
  start_open(&req, O_RDONLY);
  let_pass();
  CHECK(req.data != NULL);
  int writer = open("fifo", O_WRONLY); /* and says nothing */
  CHECK(writer >= 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK(req.result >= 0);
  int reader = (int)req.result;
  CHECK_EQ(fcntl(reader, F_GETFL) & (O_ACCMODE | O_NONBLOCK), O_RDONLY);
  CHECK_EQ(write(writer, "x", 1), 1);
  CHECK_EQ(read_one(reader, &byte, -1), 1);
  CHECK_EQ(byte, 'x');
  close(writer);
  CHECK_EQ(read_one(reader, &byte, -1), 0);
  close(reader);
  test_close_default_loop();
}

/* The writer is there before, or comes while the file is being opened, and is gone at once. */
TEST(fs_open_of_a_fifo_for_reading_misses_no_writer) {
  CHECK_EQ(mkfifo("fifo", 0600), 0);
  for (int i = 0; i < 200; i++) {
    uv_thread_t thread;
    uv_fs_t req;
    char byte = 0;
    CHECK_EQ(uv_thread_create(&thread, write_and_go, NULL), 0);
    if (i % 4 == 0)
      uv_sleep(2);
    start_open(&req, O_RDONLY);
    CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
    CHECK(req.result >= 0);
    CHECK_EQ(read((int)req.result, &byte, 1), 1);
    CHECK_EQ(byte, 'x');
    CHECK_EQ(uv_thread_join(&thread), 0);
    close((int)req.result);
  }
  test_close_default_loop();
}

TEST(fs_open_of_a_fifo_for_writing_waits_for_a_reader) {
  uv_fs_t req;
  CHECK_EQ(mkfifo("fifo", 0600), 0);
  start_open(&req, O_WRONLY);
  let_pass();
  CHECK(req.data != NULL);
  int reader = open("fifo", O_RDONLY | O_NONBLOCK);
  CHECK(reader >= 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK(req.result >= 0);
  CHECK_EQ(write_one((int)req.result, 'x'), 1);
  close((int)req.result);
  close(reader);
  test_close_default_loop();
}

TEST(fs_open_of_a_fifo_that_must_not_wait_does_not) {
  uv_fs_t req;
  CHECK_EQ(mkfifo("fifo", 0600), 0);
  start_open(&req, O_WRONLY | O_NONBLOCK);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(req.result, UV_ENXIO);
  start_open(&req, O_RDONLY | O_NONBLOCK);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK(req.result >= 0);
  close((int)req.result);
  test_close_default_loop();
}
