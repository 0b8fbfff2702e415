/* Random bytes. */
#include "system.h"

static char bytes[256];
static const char zeros[256];
static int calls;

static void expect_nothing(uv_random_t *req, int status, void *buf, size_t buflen) {
  (void)req;
  CHECK_EQ(status, 0);
  CHECK(buf == bytes);
  CHECK_EQ(buflen, 0);
  CHECK(memcmp(bytes, zeros, sizeof(zeros)) == 0);
  calls++;
}

static void expect_bytes(uv_random_t *req, int status, void *buf, size_t buflen) {
  (void)req;
  CHECK_EQ(status, 0);
  CHECK(buf == bytes);
  CHECK_EQ(buflen, sizeof(bytes));
  CHECK(memcmp(bytes, zeros, sizeof(zeros)) != 0);
  calls++;
}

TEST(random_at_once) {
  CHECK_EQ(uv_random(NULL, NULL, bytes, sizeof(bytes), 1, NULL), UV_EINVAL);
  CHECK_EQ(uv_random(NULL, NULL, bytes, (size_t)0x7FFFFFFF + 1, 0, NULL), UV_E2BIG);
  CHECK_EQ(uv_random(NULL, NULL, bytes, (size_t)-1, 1, NULL), UV_E2BIG);
  CHECK_EQ(uv_random(NULL, NULL, bytes, 0, 0, NULL), 0);
  CHECK(memcmp(bytes, zeros, sizeof(zeros)) == 0);
  CHECK_EQ(uv_random(NULL, NULL, bytes, sizeof(bytes), 0, NULL), 0);
  CHECK(memcmp(bytes, zeros, sizeof(zeros)) != 0);
}

TEST(random_on_the_pool) {
  uv_random_t req;
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(uv_random(loop, &req, bytes, sizeof(bytes), 1, expect_bytes), UV_EINVAL);
  CHECK_EQ(uv_random(loop, &req, bytes, (size_t)-1, 1, expect_bytes), UV_E2BIG);
  CHECK_EQ(uv_loop_alive(loop), 0);

  CHECK_EQ(uv_random(loop, &req, bytes, 0, 0, expect_nothing), 0);
  CHECK_EQ(calls, 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(calls, 1);

  CHECK_EQ(uv_random(loop, &req, bytes, sizeof(bytes), 0, expect_bytes), 0);
  CHECK_EQ(uv_req_get_type((uv_req_t *)&req), UV_RANDOM);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(calls, 2);
  test_close_default_loop();
}

static uv_sem_t release;

static void hold_thread(uv_work_t *req) {
  (void)req;
  uv_sem_wait(&release);
}

static void expect_cancelled(uv_random_t *req, int status, void *buf, size_t buflen) {
  (void)req;
  CHECK_EQ(status, UV_ECANCELED);
  CHECK(buf == bytes);
  CHECK_EQ(buflen, sizeof(bytes));
  CHECK(memcmp(bytes, zeros, sizeof(zeros)) == 0);
  calls++;
}

TEST(random_cancelled) {
  uv_loop_t *loop = uv_default_loop();
  uv_work_t work;
  uv_random_t req;
  set_variable("UV_THREADPOOL_SIZE", "1");
  CHECK_EQ(uv_sem_init(&release, 0), 0);
  CHECK_EQ(uv_queue_work(loop, &work, hold_thread, NULL), 0);
  CHECK_EQ(uv_random(loop, &req, bytes, sizeof(bytes), 0, expect_cancelled), 0);
  CHECK_EQ(uv_cancel((uv_req_t *)&req), 0);
  CHECK_EQ(calls, 0);
  uv_sem_post(&release);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(calls, 1);
  uv_sem_destroy(&release);
  test_close_default_loop();
}
