/* Files that several requests read or write at their own position, files that have none, and FIFOs. */
#include "test_fs.h"

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
  forget_content(fd);
  close(fd);
  free(block);
  fd = open("blocks", flags);
  CHECK(fd >= 0);
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
    uv_buf_t buf = uv_buf_init(&byte, 1);
    uv_fs_t req;
    CHECK_EQ(uv_fs_read(NULL, &req, fd, &buf, 1, (int64_t)i * BLOCK, NULL), 1);
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

/* ---- a loop that goes on with what another thread has begun ---- */

static void on_done(uv_fs_t *req) {
  req->data = NULL;
  uv_fs_req_cleanup(req);
}

static void start_read(uv_fs_t *req, int fd, char *to, int64_t offset) {
  uv_buf_t buf = uv_buf_init(to, 1);
  req->data = req;
  CHECK_EQ(uv_fs_read(uv_default_loop(), req, fd, &buf, 1, offset, on_done), 0);
}

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
  make_pipe(begun_ends);
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
