/* What rota.h has besides ticks: the version, the backend's name, and pools of a loop's own. */
#include "rota.h"
#include "test.h"

TEST(rota_version_is_that_of_the_header) {
  char text[40];
  snprintf(text, sizeof text, "%d.%d.%d", ROTA_VERSION_MAJOR, ROTA_VERSION_MINOR, ROTA_VERSION_PATCH);
  CHECK_STR(rota_version(), text);
  CHECK_STR(ROTA_VERSION_STRING, text);
}

TEST(rota_backend_is_the_one_that_was_asked_for) {
  uv_loop_t loop;
  CHECK_EQ(uv_os_setenv("ROTA_POLLER", "epoll"), 0);
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK_STR(rota_backend_name(&loop), "epoll");
  CHECK_EQ(uv_loop_close(&loop), 0);
  CHECK_EQ(uv_os_unsetenv("ROTA_POLLER"), 0);
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK(strcmp(rota_backend_name(&loop), "epoll") == 0 || strcmp(rota_backend_name(&loop), "io_uring") == 0);
  CHECK_EQ(uv_loop_close(&loop), 0);
}

/* ---- pools ---- */

static uv_sem_t started, hold;
static int done;

static void wait_for_release(uv_work_t *request) {
  (void)request;
  uv_sem_post(&started);
  uv_sem_wait(&hold);
}

static void do_nothing(uv_work_t *request) {
  (void)request;
}

static void count_done(uv_work_t *request, int status) {
  (void)request;
  CHECK_EQ(status, 0);
  done++;
}

static void init_semaphores(void) {
  CHECK_EQ(uv_sem_init(&started, 0), 0);
  CHECK_EQ(uv_sem_init(&hold, 0), 0);
}

TEST(rota_pool_of_its_own_is_not_delayed_by_the_process_pool) {
  uv_loop_t *loop = uv_default_loop();
  uv_loop_t other;
  uv_work_t held, work;
  rota_pool_t *pool;
  CHECK_EQ(uv_os_setenv("UV_THREADPOOL_SIZE", "1"), 0);
  init_semaphores();
  CHECK_EQ(uv_queue_work(loop, &held, wait_for_release, count_done), 0);
  uv_sem_wait(&started);

  CHECK_EQ(uv_loop_init(&other), 0);
  CHECK_EQ(rota_pool_create(&pool, 1), 0);
  CHECK_EQ(rota_loop_use_pool(&other, pool), 0);
  CHECK_EQ(uv_queue_work(&other, &work, do_nothing, count_done), 0);
  CHECK_EQ(uv_run(&other, UV_RUN_DEFAULT), 0);
  CHECK_EQ(done, 1);

  CHECK_EQ(uv_loop_close(&other), 0);
  CHECK_EQ(rota_pool_destroy(pool), 0);
  uv_sem_post(&hold);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(done, 2);
  test_close_default_loop();
}

TEST(rota_pool_cannot_be_destroyed_while_a_loop_uses_it) {
  uv_loop_t loop;
  rota_pool_t *pool;
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK_EQ(rota_pool_create(&pool, 2), 0);
  CHECK_EQ(rota_loop_use_pool(&loop, pool), 0);
  CHECK_EQ(rota_loop_use_pool(&loop, pool), 0); /* the same one again */
  CHECK_EQ(rota_pool_destroy(pool), UV_EBUSY);
  CHECK_EQ(rota_loop_use_pool(&loop, NULL), 0);
  CHECK_EQ(rota_pool_destroy(pool), 0);
  CHECK_EQ(rota_pool_create(&pool, 2), 0);
  CHECK_EQ(rota_loop_use_pool(&loop, pool), 0);
  CHECK_EQ(uv_loop_close(&loop), 0); /* which gives it up too */
  CHECK_EQ(rota_pool_destroy(pool), 0);
}

TEST(rota_pool_cannot_be_changed_while_the_loop_has_work) {
  uv_loop_t *loop = uv_default_loop();
  uv_work_t work;
  rota_pool_t *pool;
  init_semaphores();
  CHECK_EQ(rota_pool_create(&pool, 1), 0);
  CHECK_EQ(uv_queue_work(loop, &work, wait_for_release, count_done), 0);
  CHECK_EQ(rota_loop_use_pool(loop, pool), UV_EBUSY);
  uv_sem_post(&hold);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(rota_loop_use_pool(loop, pool), 0);
  CHECK_EQ(uv_queue_work(loop, &work, do_nothing, count_done), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(done, 2);
  test_close_default_loop();
  CHECK_EQ(rota_pool_destroy(pool), 0);
}

TEST(rota_pool_may_be_shared_by_loops) {
  uv_loop_t loops[2];
  uv_work_t works[2];
  rota_pool_t *pool;
  int i;
  CHECK_EQ(rota_pool_create(&pool, 1), 0);
  for (i = 0; i < 2; i++) {
    CHECK_EQ(uv_loop_init(&loops[i]), 0);
    CHECK_EQ(rota_loop_use_pool(&loops[i], pool), 0);
    CHECK_EQ(uv_queue_work(&loops[i], &works[i], do_nothing, count_done), 0);
  }
  for (i = 0; i < 2; i++) {
    CHECK_EQ(uv_run(&loops[i], UV_RUN_DEFAULT), 0);
    CHECK_EQ(done, i + 1);
    CHECK_EQ(rota_pool_destroy(pool), UV_EBUSY);
    CHECK_EQ(uv_loop_close(&loops[i]), 0);
  }
  CHECK_EQ(rota_pool_destroy(pool), 0);
}

TEST(rota_pool_has_1_to_1024_threads) {
  rota_pool_t *pool;
  CHECK_EQ(rota_pool_create(&pool, 0), UV_EINVAL);
  CHECK_EQ(rota_pool_create(&pool, 1025), UV_EINVAL);
  CHECK_EQ(rota_pool_create(&pool, 1024), 0);
  CHECK_EQ(rota_pool_destroy(pool), 0);
}

/* Three jobs that do not end leave one of four threads to others, however many threads there were when they were
 * queued, awake or asleep. */
TEST(rota_pool_has_a_thread_for_each_job_while_it_may_start_one) {
  enum { ROUNDS = 60, STUCK = 3 };
  uv_loop_t loop;
  uv_work_t stuck[STUCK], quick[2];
  CHECK_EQ(uv_loop_init(&loop), 0);
  init_semaphores();
  for (int round = 0; round < ROUNDS; round++) {
    rota_pool_t *pool;
    CHECK_EQ(rota_pool_create(&pool, 4), 0);
    CHECK_EQ(rota_loop_use_pool(&loop, pool), 0);
    for (int i = 0; i < round % 3; i++)
      CHECK_EQ(uv_queue_work(&loop, &quick[i], do_nothing, count_done), 0);
    CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
    if (round % 2 == 0)
      uv_sleep(2); /* they sleep now */
    done = 0;
    for (int i = 0; i < STUCK; i++)
      CHECK_EQ(uv_queue_work(&loop, &stuck[i], wait_for_release, count_done), 0);
    CHECK_EQ(uv_queue_work(&loop, &quick[0], do_nothing, count_done), 0);
    while (done == 0) /* forever, if it is not taken */
      uv_run(&loop, UV_RUN_ONCE);
    for (int i = 0; i < STUCK; i++) {
      uv_sem_wait(&started);
      uv_sem_post(&hold);
    }
    CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
    CHECK_EQ(done, STUCK + 1);
    CHECK_EQ(rota_loop_use_pool(&loop, NULL), 0);
    CHECK_EQ(rota_pool_destroy(pool), 0);
  }
  CHECK_EQ(uv_loop_close(&loop), 0);
}
