/* There is no memory for the pool: the job is done at once, and so it cannot be cancelled any more, also when there is
 * a pool later. */
#include <stdbool.h>
#include <stdlib.h>

#include "test.h"

static bool refuses;
static int runs, done;

static void *take(size_t size) {
  return refuses ? NULL : malloc(size);
}

static void *take_zeroed(size_t count, size_t size) {
  return refuses ? NULL : calloc(count, size);
}

static void *resize(void *memory, size_t size) {
  return refuses ? NULL : realloc(memory, size);
}

static void on_work(uv_work_t *req) {
  (void)req;
  runs++;
}

static void on_done(uv_work_t *req, int status) {
  (void)req;
  CHECK_EQ(status, 0);
  done++;
}

TEST(job_that_was_done_without_a_pool_is_not_cancelled) {
  uv_work_t first, second;
  CHECK_EQ(uv_replace_allocator(take, resize, take_zeroed, free), 0);
  uv_loop_t *loop = uv_default_loop();
  CHECK(loop != NULL);
  refuses = true;
  CHECK_EQ(uv_queue_work(loop, &first, on_work, on_done), 0);
  refuses = false;
  CHECK_EQ(runs, 1);
  CHECK_EQ(uv_queue_work(loop, &second, on_work, on_done), 0);
  CHECK_EQ(uv_cancel((uv_req_t *)&first), UV_EBUSY);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(runs, 2);
  CHECK_EQ(done, 2);
  test_close_default_loop();
}
