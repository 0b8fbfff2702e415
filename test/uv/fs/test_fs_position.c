/* Files that several requests read or write at their own position, files that have none, and FIFOs. */
#include "test.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- several requests at the position ---- */

enum { BLOCKS = 8, BLOCK = 1 << 18 };

struct block_request {
  uv_fs_t req;
  char *block;
  int done;
};

static struct block_request requests[BLOCKS];

static void on_block(uv_fs_t *req) {
  ((struct block_request *)req->data)->done++;
  uv_fs_req_cleanup(req);
}

/* Every block consists of bytes that are its number. What is read from it is not in memory, if the system can help it.
 */
static int open_blocks(int flags) {
  char *block = malloc(BLOCK);
  int fd = open("blocks", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  CHECK(fd >= 0);
  for (int i = 0; i < 2 * BLOCKS; i++) {
    memset(block, i, BLOCK);
    CHECK_EQ(write(fd, block, BLOCK), BLOCK);
  }
  CHECK_EQ(fsync(fd), 0);
  posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  close(fd);
  free(block);
  fd = open("blocks", flags);
  CHECK(fd >= 0);
  posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
  return fd;
}

static void begin(int i, int fd, int number_to_write) {
  struct block_request *request = &requests[i];
  request->block = malloc(BLOCK);
  request->req.data = request;
  memset(request->block, number_to_write, BLOCK);
  uv_buf_t buf = uv_buf_init(request->block, BLOCK);
  if (number_to_write > 0)
    CHECK_EQ(uv_fs_write(uv_default_loop(), &request->req, fd, &buf, 1, -1, on_block), 0);
  else
    CHECK_EQ(uv_fs_read(uv_default_loop(), &request->req, fd, &buf, 1, -1, on_block), 0);
}

static void end_blocks(int fd) {
  for (int i = 0; i < BLOCKS; i++)
    free(requests[i].block);
  close(fd);
  test_close_default_loop();
}

static void check_that_reads_get_other_bytes(int fd, int other) {
  int seen[BLOCKS] = {0};
  for (int i = 0; i < BLOCKS; i++)
    begin(i, i % 2 == 0 ? fd : other, 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  for (int i = 0; i < BLOCKS; i++) {
    int number = requests[i].block[0];
    CHECK_EQ(requests[i].done, 1);
    CHECK_EQ(requests[i].req.result, BLOCK);
    CHECK(number < BLOCKS && requests[i].block[BLOCK - 1] == number);
    CHECK_EQ(seen[number]++, 0);
  }
  CHECK_EQ(lseek(fd, 0, SEEK_CUR), BLOCKS * BLOCK);
  end_blocks(fd);
}

TEST(fs_reads_at_the_position_that_are_under_way_together_get_other_bytes) {
  int fd = open_blocks(O_RDONLY);
  check_that_reads_get_other_bytes(fd, fd);
}

/* A position belongs to what was opened, not to a descriptor. */
TEST(fs_reads_at_the_position_through_two_descriptors_get_other_bytes) {
  int fd = open_blocks(O_RDONLY), other = dup(fd);
  CHECK(other >= 0);
  check_that_reads_get_other_bytes(fd, other);
  close(other);
}

/* In any order, each gets a block of its own. */
TEST(fs_reads_and_writes_at_the_position_that_are_under_way_together_have_other_bytes) {
  int fd = open_blocks(O_RDWR);
  int read_from[BLOCKS] = {0};
  for (int i = 0; i < BLOCKS; i++)
    begin(i, fd, i % 3 == 1 ? 100 + i : 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(lseek(fd, 0, SEEK_CUR), BLOCKS * BLOCK);
  for (int i = 0; i < BLOCKS; i++) {
    CHECK_EQ(requests[i].req.result, BLOCK);
    if (i % 3 != 1)
      CHECK_EQ(read_from[(int)requests[i].block[0]]++, 0);
  }
  int written = 0;
  for (int i = 0; i < BLOCKS; i++) {
    char byte;
    CHECK_EQ(pread(fd, &byte, 1, (off_t)i * BLOCK), 1);
    CHECK_EQ(read_from[i], byte < 100);
    written += byte >= 100;
  }
  CHECK_EQ(written, 3);
  end_blocks(fd);
}

/* Some of them may be running or done; those that can be cancelled take no bytes. */
TEST(fs_reads_at_the_position_that_wait_can_be_cancelled) {
  int fd = open_blocks(O_RDONLY);
  int cancelled[BLOCKS] = {0}, count = 0;
  for (int i = 0; i < BLOCKS; i++)
    begin(i, fd, 0);
  for (int i = 1; i < BLOCKS; i += 2) {
    int err = uv_cancel((uv_req_t *)&requests[i].req);
    CHECK(err == 0 || err == UV_EBUSY);
    cancelled[i] = err == 0;
    count += err == 0;
  }
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  for (int i = 0; i < BLOCKS; i++) {
    CHECK_EQ(requests[i].done, 1);
    CHECK_EQ(requests[i].req.result, cancelled[i] ? UV_ECANCELED : BLOCK);
  }
  CHECK_EQ(lseek(fd, 0, SEEK_CUR), (BLOCKS - count) * BLOCK);
  end_blocks(fd);
}

/* ---- files without positions ---- */

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

/* ---- a loop that goes on with what another thread has begun ---- */

static int begun_ends[2];
static char begun_byte;
static uv_fs_t begun;

static void begin_to_read(void *unused) {
  (void)unused;
  start_read(&begun, begun_ends[0], &begun_byte, -1);
  uv_run(uv_default_loop(), UV_RUN_NOWAIT);
}

TEST(fs_read_begun_on_a_thread_that_has_ended_is_not_cancelled) {
  uv_thread_t thread;
  CHECK_EQ(pipe(begun_ends), 0);
  uv_default_loop();
  CHECK_EQ(uv_thread_create(&thread, begin_to_read, NULL), 0);
  CHECK_EQ(uv_thread_join(&thread), 0);
  uv_sleep(20);
  CHECK_EQ(write(begun_ends[1], "x", 1), 1);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(begun.result, 1);
  CHECK_EQ(begun_byte, 'x');
  test_close_default_loop();
}

/* ---- FIFOs ---- */

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

static void write_and_go(void *unused) {
  (void)unused;
  int fd = open("fifo", O_WRONLY);
  CHECK(fd >= 0);
  CHECK_EQ(write(fd, "x", 1), 1);
  close(fd);
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
