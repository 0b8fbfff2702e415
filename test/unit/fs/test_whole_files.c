/* rota_fs_read_file and rota_fs_write_file: files of every kind, alone and together, with io_uring and without;
 * cancelling, and that nothing stays open. */
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rota.h"
#include "test.h"

enum { LARGE = 300000, COUNT = 200 };

static void make_file(const char *name, size_t size) {
  char *bytes = malloc(size + 1);
  for (size_t i = 0; i < size; i++)
    bytes[i] = "0123456789"[i % 10];
  int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  CHECK(fd >= 0);
  CHECK_EQ(write(fd, bytes, size), (ssize_t)size);
  CHECK_EQ(close(fd), 0);
  free(bytes);
}

static const struct {
  const char *name;
  int64_t result;
  uv_fs_type failed;
} kinds[] = {
    {"small", 7, UV_FS_UNKNOWN},
    {"empty", 0, UV_FS_UNKNOWN},
    {"large", LARGE, UV_FS_UNKNOWN},
    {"fits", 16384 + 63, UV_FS_UNKNOWN},
    {"just", 16384 + 64, UV_FS_UNKNOWN},
    {"missing", UV_ENOENT, UV_FS_OPEN},
    {"folder", UV_EISDIR, UV_FS_READ},
    {"folder/one", 5, UV_FS_UNKNOWN},
    {"folder/two", 6, UV_FS_UNKNOWN},
    {"folder/missing", UV_ENOENT, UV_FS_OPEN},
    {"small/none", UV_ENOTDIR, UV_FS_OPEN},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void make_files(void) {
  make_file("small", 7);
  make_file("empty", 0);
  make_file("large", LARGE);
  make_file("fits", 16384 + 63);
  make_file("just", 16384 + 64);
  CHECK_EQ(mkdir("folder", 0700), 0);
  make_file("folder/one", 5);
  make_file("folder/two", 6);
  CHECK_EQ(mkfifo("pipe", 0600), 0);
}

static int open_descriptors(void) {
  int count = 0;
  DIR *directory = opendir("/proc/self/fd");
  while (readdir(directory) != NULL)
    count++;
  closedir(directory);
  return count;
}

static void check_kind(const uv_fs_t *req, int i) {
  CHECK_EQ(req->result, kinds[i % KINDS].result);
  CHECK_EQ(rota_fs_failed_step(req), kinds[i % KINDS].failed);
  CHECK_STR(req->path, kinds[i % KINDS].name);
  for (int64_t k = 0; k < req->result; k++)
    CHECK_EQ(((const char *)req->ptr)[k], "0123456789"[k % 10]);
}

static uv_fs_t reqs[COUNT + 2];
static int called;

static void on_kind(uv_fs_t *req) {
  check_kind(req, (int)(req - reqs));
  called++;
  if (called % 3 != 0) /* the others, later */
    uv_fs_req_cleanup(req);
}

static void read_kinds(const char *poller) {
  uv_loop_t loop;
  CHECK_EQ(poller != NULL ? uv_os_setenv("ROTA_POLLER", poller) : uv_os_unsetenv("ROTA_POLLER"), 0);
  int before = open_descriptors();
  CHECK_EQ(uv_loop_init(&loop), 0);
  called = 0;
  for (int i = 0; i < COUNT; i++)
    CHECK_EQ(rota_fs_read_file(&loop, &reqs[i], kinds[i % KINDS].name, O_RDONLY, 0, on_kind), 0);
  CHECK_EQ(uv_backend_timeout(&loop), 0); /* they have not all gone to the pool */
  CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(called, COUNT);
  CHECK_EQ(uv_loop_close(&loop), 0);
  for (int i = 0; i < COUNT; i++)
    uv_fs_req_cleanup(&reqs[i]);
  uv_library_shutdown(); /* threads end, and close their rings */
  CHECK_EQ(open_descriptors(), before);
}

TEST(whole_files_of_every_kind_together) {
  make_files();
  read_kinds("epoll");
  read_kinds(NULL);
}

TEST(whole_files_of_every_kind_at_once) {
  uv_fs_t req;
  make_files();
  int before = open_descriptors();
  for (int i = 0; i < KINDS; i++) {
    int result = rota_fs_read_file(NULL, &req, kinds[i].name, O_RDONLY, 0, NULL);
    CHECK_EQ(result, kinds[i].result);
    check_kind(&req, i);
    uv_fs_req_cleanup(&req);
  }
  CHECK_EQ(rota_fs_read_file(NULL, NULL, "small", O_RDONLY, 0, NULL), UV_EINVAL);
  CHECK_EQ(rota_fs_read_file(NULL, &req, NULL, O_RDONLY, 0, NULL), UV_EINVAL);
  CHECK_EQ(open_descriptors(), before);
}

/* A file of /proc says that it is empty. */
TEST(whole_files_without_a_length) {
  uv_fs_t req;
  CHECK(rota_fs_read_file(NULL, &req, "/proc/self/stat", O_RDONLY, 0, NULL) > 20);
  CHECK(memchr(req.ptr, '(', (size_t)req.result) != NULL);
  uv_fs_req_cleanup(&req);
}

static void on_limited(uv_fs_t *req) {
  CHECK_EQ(req->result, UV_EFBIG);
  CHECK_EQ(rota_fs_failed_step(req), UV_FS_FSTAT);
  CHECK(req->statbuf.st_size == 7 || req->statbuf.st_size == LARGE || req->statbuf.st_size > 100);
  uv_fs_req_cleanup(req);
  called++;
}

TEST(whole_files_with_a_limit) {
  uv_fs_t req;
  uv_loop_t *loop = uv_default_loop();
  make_files();
  CHECK_EQ(rota_fs_read_file(NULL, &req, "small", O_RDONLY, 7, NULL), 7);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(rota_fs_read_file(NULL, &req, "large", O_RDONLY, LARGE - 1, NULL), UV_EFBIG);
  CHECK_EQ(req.statbuf.st_size, LARGE);
  uv_fs_req_cleanup(&req);
  static const char *const names[] = {"small", "large", "/proc/self/smaps", "small", "large", "/proc/self/smaps"};
  for (int i = 0; i < 6; i++)
    CHECK_EQ(rota_fs_read_file(loop, &reqs[i], names[i], O_RDONLY, 6, on_limited), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(called, 6);
  test_close_default_loop();
}

static char *kept;

static void on_take(uv_fs_t *req) {
  CHECK_EQ(req->result, 5);
  if (called++ == 1)
    kept = rota_fs_take_bytes(req);
  uv_fs_req_cleanup(req);
}

TEST(whole_files_whose_bytes_are_taken) {
  uv_loop_t *loop = uv_default_loop();
  make_files();
  for (int i = 0; i < 4; i++)
    CHECK_EQ(rota_fs_read_file(loop, &reqs[i], "folder/one", O_RDONLY, 0, on_take), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(memcmp(kept, "01234", 5), 0);
  free(kept);
  test_close_default_loop();
}

static int pulled;

static void on_first(uv_fs_t *req) {
  called++;
  uv_fs_req_cleanup(req);
  for (uv_fs_t *next; (next = rota_fs_read_file_next(req->loop)) != NULL; pulled++) {
    CHECK_EQ(next->result, 7);
    uv_fs_req_cleanup(next);
  }
}

static void read_small(uv_loop_t *loop) {
  for (int i = 0; i < 100; i++)
    CHECK_EQ(rota_fs_read_file(loop, &reqs[i], "small", O_RDONLY, 0, on_first), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
}

TEST(whole_files_are_fetched_in_one_callback) {
  make_files();
  read_small(uv_default_loop());
  CHECK_EQ(called, 3); /* the first alone, 64, 35 */
  CHECK_EQ(pulled, 97);
  test_close_default_loop();
}

TEST(whole_files_have_callbacks_when_they_are_observed) {
  make_files();
  CHECK_EQ(rota_stats_start(), 0);
  read_small(uv_default_loop());
  CHECK_EQ(called, 100);
  test_close_default_loop();
}

static int cancelled;

static void on_cancelled(uv_fs_t *req) {
  cancelled += req->result == UV_ECANCELED;
  called++;
  CHECK(req->result == UV_ECANCELED || req->result == 7);
  CHECK_EQ(rota_fs_failed_step(req), UV_FS_UNKNOWN);
  CHECK_EQ(uv_cancel((uv_req_t *)req), req->result == UV_ECANCELED ? 0 : UV_EBUSY);
  uv_fs_req_cleanup(req);
}

TEST(whole_files_are_cancelled_before_they_are_sent) {
  uv_loop_t *loop = uv_default_loop();
  make_files();
  for (int i = 0; i < 20; i++)
    CHECK_EQ(rota_fs_read_file(loop, &reqs[i], "small", O_RDONLY, 0, on_cancelled), 0);
  for (int i = 5; i < 20; i += 2)
    CHECK_EQ(uv_cancel((uv_req_t *)&reqs[i]), 0);
  CHECK_EQ(uv_cancel((uv_req_t *)&reqs[5]), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(called, 20);
  CHECK_EQ(cancelled, 8);
  test_close_default_loop();
}

static uv_sem_t gate;

static void wait_at_gate(uv_work_t *work) {
  (void)work;
  uv_sem_wait(&gate);
}

static void cancel_all(uv_timer_t *timer) {
  for (int i = 0; i < 20; i++)
    CHECK_EQ(uv_cancel((uv_req_t *)&reqs[i]), 0);
  CHECK_EQ(called, 0);
  uv_close((uv_handle_t *)timer, NULL);
}

/* They do not wait for a thread: if they did, the gate would stay shut. */
static void open_gate(uv_timer_t *timer) {
  if (called < 20)
    return;
  uv_sem_post(&gate);
  uv_close((uv_handle_t *)timer, NULL);
}

TEST(whole_files_are_cancelled_before_a_thread_takes_them) {
  uv_loop_t *loop = uv_default_loop();
  uv_work_t work;
  uv_timer_t first, second;
  rota_pool_t *pool;
  make_files();
  CHECK_EQ(rota_pool_create(&pool, 1), 0);
  CHECK_EQ(rota_loop_use_pool(loop, pool), 0);
  CHECK_EQ(uv_sem_init(&gate, 0), 0);
  CHECK_EQ(uv_queue_work(loop, &work, wait_at_gate, NULL), 0);
  for (int i = 0; i < 20; i++)
    CHECK_EQ(rota_fs_read_file(loop, &reqs[i], "small", O_RDONLY, 0, on_cancelled), 0);
  uv_timer_init(loop, &first);
  uv_timer_start(&first, cancel_all, 10, 0);
  uv_timer_init(loop, &second);
  uv_timer_start(&second, open_gate, 20, 20);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(cancelled, 20);
  uv_sem_destroy(&gate);
  CHECK_EQ(rota_loop_use_pool(loop, NULL), 0);
  CHECK_EQ(rota_pool_destroy(pool), 0);
  test_close_default_loop();
}

static void write_to_pipe(void *argument) {
  (void)argument;
  while (__atomic_load_n(&called, __ATOMIC_SEQ_CST) < 10)
    uv_sleep(1);
  int fd = open("pipe", O_WRONLY | O_CLOEXEC);
  CHECK(fd >= 0);
  CHECK_EQ(write(fd, "some ", 5), 5);
  uv_sleep(20);
  CHECK_EQ(write(fd, "bytes", 5), 5);
  CHECK_EQ(close(fd), 0);
}

static void on_small(uv_fs_t *req) {
  CHECK_EQ(req->result, 7);
  uv_fs_req_cleanup(req);
  __atomic_fetch_add(&called, 1, __ATOMIC_SEQ_CST);
}

static void on_pipe(uv_fs_t *req) {
  CHECK_EQ(req->result, 10);
  CHECK_EQ(memcmp(req->ptr, "some bytes", 10), 0);
  CHECK_EQ(called, 10);
  uv_fs_req_cleanup(req);
  pulled++;
}

/* A pipe among other files does not delay them: its writer comes when they are done. */
static void read_pipe(int at) {
  uv_thread_t writer;
  uv_loop_t *loop = uv_default_loop();
  make_files();
  CHECK_EQ(uv_thread_create(&writer, write_to_pipe, NULL), 0);
  for (int i = 0; i < 11; i++)
    CHECK_EQ(rota_fs_read_file(loop, &reqs[i], i == at ? "pipe" : "small", O_RDONLY, 0, i == at ? on_pipe : on_small),
             0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(pulled, 1);
  CHECK_EQ(uv_thread_join(&writer), 0);
  test_close_default_loop();
}

TEST(whole_files_a_pipe_alone) {
  read_pipe(0);
}

TEST(whole_files_a_pipe_among_others) {
  read_pipe(5);
}

static void on_pipe_cancelled(uv_fs_t *req) {
  CHECK_EQ(req->result, UV_ECANCELED);
  uv_fs_req_cleanup(req);
  called++;
}

static void cancel_pipe(uv_timer_t *timer) {
  CHECK_EQ(uv_cancel((uv_req_t *)&reqs[1]), 0); /* its own job waits for the only thread */
  uv_close((uv_handle_t *)timer, NULL);
  uv_sem_post(&gate);
}

static uv_work_t blocker;
static uv_timer_t later;

static void on_before_pipe(uv_fs_t *req) {
  uv_fs_req_cleanup(req);
  CHECK_EQ(uv_queue_work(req->loop, &blocker, wait_at_gate, NULL), 0);
  uv_timer_start(&later, cancel_pipe, 10, 0);
}

/* The file that was opened for it is closed. */
TEST(whole_files_a_pipe_is_cancelled) {
  uv_loop_t *loop = uv_default_loop();
  rota_pool_t *pool;
  make_files();
  int before = open_descriptors();
  CHECK_EQ(rota_pool_create(&pool, 1), 0);
  CHECK_EQ(rota_loop_use_pool(loop, pool), 0);
  CHECK_EQ(uv_sem_init(&gate, 0), 0);
  uv_timer_init(loop, &later);
  CHECK_EQ(rota_fs_read_file(loop, &reqs[0], "small", O_RDONLY, 0, on_small), 0);
  CHECK_EQ(rota_fs_read_file(loop, &reqs[2], "small", O_RDONLY, 0, on_before_pipe), 0);
  CHECK_EQ(rota_fs_read_file(loop, &reqs[1], "pipe", O_RDONLY, 0, on_pipe_cancelled), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(called, 2);
  CHECK_EQ(rota_loop_use_pool(loop, NULL), 0);
  CHECK_EQ(rota_pool_destroy(pool), 0);
  uv_sem_destroy(&gate);
  int after = open_descriptors();
  CHECK(after <= before + 2); /* the loop's own, made meanwhile */
  test_close_default_loop();
}

static void on_written(uv_fs_t *req) {
  CHECK_EQ(req->result, *(int *)req->data);
  CHECK_EQ(rota_fs_failed_step(req), req->result >= 0           ? UV_FS_UNKNOWN
                                     : req->result == UV_ENOSPC ? UV_FS_WRITE
                                                                : UV_FS_OPEN);
  uv_fs_req_cleanup(req);
  called++;
}

TEST(whole_files_are_written) {
  static int results[] = {5, UV_ENOENT, UV_ENOSPC, 0};
  static const char *const names[] = {"written", "none/written", "/dev/full", "nothing"};
  uv_loop_t *loop = uv_default_loop();
  uv_buf_t buf = uv_buf_init((char *)"bytes", 5);
  for (int i = 0; i < 4; i++) {
    buf.len = i < 3 ? 5 : 0;
    reqs[i].data = &results[i];
    int flags = O_WRONLY | O_CREAT | O_TRUNC;
    CHECK_EQ(rota_fs_write_file(loop, &reqs[i], names[i], flags, 0600, &buf, on_written), 0);
    CHECK_EQ(rota_fs_write_file(NULL, &reqs[i + 4], names[i], flags, 0600, &buf, NULL), results[i]);
    uv_fs_req_cleanup(&reqs[i + 4]);
  }
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(called, 4);
  CHECK_EQ(rota_fs_read_file(NULL, &reqs[0], "written", O_RDONLY, 0, NULL), 5);
  CHECK_EQ(memcmp(reqs[0].ptr, "bytes", 5), 0);
  uv_fs_req_cleanup(&reqs[0]);
  test_close_default_loop();
}

static bool was_first, was_last;
static int faults;

static void on_steered(uv_fs_t *req) {
  if (req->result < 0) {
    faults++;
    CHECK(req->result == UV_EIO || req->result == UV_EMFILE);
    CHECK(rota_fs_failed_step(req) == UV_FS_OPEN || rota_fs_failed_step(req) == UV_FS_READ);
  } else {
    CHECK_EQ(req->result, 7);
  }
  was_first |= req != &reqs[called] && called == 0;
  was_last |= req != &reqs[called];
  called = (called + 1) % 4;
  uv_fs_req_cleanup(req);
}

/* Under a schedule each file is a job: jobs end in any order, and each may fail. */
TEST(whole_files_are_steered) {
  rota_schedule_options_t options = {.seed = 7, .faults = "disk"};
  make_files();
  CHECK_EQ(rota_schedule_start(&options), 0);
  uv_loop_t *loop = uv_default_loop();
  for (int round = 0; round < 100; round++) {
    for (int i = 0; i < 4; i++)
      CHECK_EQ(rota_fs_read_file(loop, &reqs[i], "small", O_RDONLY, 0, on_steered), 0);
    CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
    CHECK_EQ(called, 0);
  }
  CHECK(was_first);
  CHECK(was_last);
  CHECK(faults > 0);
  test_close_default_loop();
}
