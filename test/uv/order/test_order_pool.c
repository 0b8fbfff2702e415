/* Events from other threads: results of the thread pool and asyncs, both reported in the poll phase. */
#include "test_order.h"

#include "system.h"

/* ---- work ---- */

static uv_sem_t started, hold;

static void do_nothing(uv_work_t *request) {
  (void)request;
}

static void wait_for_release(uv_work_t *request) {
  (void)request;
  uv_sem_post(&started);
  uv_sem_wait(&hold);
}

static void never_run(uv_work_t *request) {
  (void)request;
  CHECK(0);
}

static void note_done(uv_work_t *request, int status) {
  CHECK_EQ(status, 0);
  note(request->data);
}

static void note_cancelled(uv_work_t *request, int status) {
  CHECK_EQ(status, UV_ECANCELED);
  note(request->data);
}

static void init_semaphores(void) {
  CHECK_EQ(uv_sem_init(&started, 0), 0);
  CHECK_EQ(uv_sem_init(&hold, 0), 0);
}

/* Queues work that does nothing, and returns when it is done but not reported: the only thread of the pool has begun
 * the next job, which blocks it until it is released. */
static void finish_untold(uv_loop_t *loop, uv_work_t *work, uv_work_t *next) {
  init_semaphores();
  work->data = "work";
  next->data = "next";
  CHECK_EQ(uv_queue_work(loop, work, do_nothing, note_done), 0);
  CHECK_EQ(uv_queue_work(loop, next, wait_for_release, note_done), 0);
  uv_sem_wait(&started);
}

static void release_next(uv_loop_t *loop) {
  uv_sem_post(&hold);
  while (strstr(story, "next") == NULL)
    uv_run(loop, UV_RUN_ONCE);
}

TEST(order_results_of_the_pool_are_told_in_the_poll_phase) {
  uv_loop_t *loop;
  uv_work_t work, next;
  uv_prepare_t prepare;
  uv_check_t check;
  set_variable("UV_THREADPOOL_SIZE", "1");
  loop = warm_loop();
  start_prepare(loop, &prepare, "prepare");
  start_check(loop, &check, "check");
  finish_untold(loop, &work, &next);
  CHECK_STR(told(), "");
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "prepare work check");
  release_next(loop);
  test_close_default_loop();
}

static uv_thread_t loop_thread;

static void check_other_thread(uv_work_t *request) {
  uv_thread_t here = uv_thread_self();
  (void)request;
  CHECK(!uv_thread_equal(&here, &loop_thread));
}

static void check_loop_thread(uv_work_t *request, int status) {
  uv_thread_t here = uv_thread_self();
  CHECK(uv_thread_equal(&here, &loop_thread));
  note_done(request, status);
}

TEST(order_work_runs_elsewhere_and_its_result_is_told_on_the_thread_of_the_loop) {
  uv_loop_t *loop = warm_loop();
  uv_work_t work;
  loop_thread = uv_thread_self();
  work.data = "work";
  CHECK_EQ(uv_queue_work(loop, &work, check_other_thread, check_loop_thread), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "work");
  test_close_default_loop();
}

/* With one thread there is only one order. */
TEST(order_work_is_first_in_first_out) {
  static uv_work_t works[5];
  static const char *const words[] = {"a", "b", "c", "d", "e"};
  uv_loop_t *loop;
  int i;
  set_variable("UV_THREADPOOL_SIZE", "1");
  loop = warm_loop();
  for (i = 0; i < 5; i++) {
    works[i].data = (void *)words[i];
    CHECK_EQ(uv_queue_work(loop, &works[i], do_nothing, note_done), 0);
  }
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "a b c d e");
  test_close_default_loop();
}

TEST(order_pool_has_4_threads_unless_told_otherwise) {
  static uv_work_t works[6];
  uv_loop_t *loop;
  int i;
  unset_variable("UV_THREADPOOL_SIZE");
  loop = warm_loop();
  init_semaphores();
  for (i = 0; i < 6; i++) {
    works[i].data = "work";
    CHECK_EQ(uv_queue_work(loop, &works[i], wait_for_release, note_done), 0);
  }
  for (i = 0; i < 4; i++)
    uv_sem_wait(&started);
  uv_sleep(100);
  CHECK_EQ(uv_sem_trywait(&started), UV_EAGAIN);
  for (i = 0; i < 6; i++)
    uv_sem_post(&hold);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "work work work work work work");
  test_close_default_loop();
}

/* ---- work that comes one after another ---- */

static uv_thread_t seen[4];
static int seen_count;
static uv_thread_t worker;

static void note_thread(uv_work_t *request) {
  (void)request;
  worker = uv_thread_self();
}

static void queue_again(uv_work_t *request, int status) {
  int i = 0;
  CHECK_EQ(status, 0);
  while (i < seen_count && !uv_thread_equal(&seen[i], &worker))
    i++;
  if (i == seen_count)
    seen[seen_count++] = worker;
  if (seen_count < 4)
    CHECK_EQ(uv_queue_work(request->loop, request, note_thread, queue_again), 0);
}

/* However busy one of them is: a program that waits for all of them must not wait forever. */
TEST(order_work_that_comes_one_after_another_comes_to_all_threads_in_the_end) {
  static uv_work_t work;
  unset_variable("UV_THREADPOOL_SIZE");
  uv_loop_t *loop = warm_loop();
  CHECK_EQ(uv_queue_work(loop, &work, note_thread, queue_again), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(seen_count, 4);
  test_close_default_loop();
}

/* ---- cancelling ---- */

TEST(order_cancelled_work_never_runs_but_is_told_later) {
  uv_work_t running, cancelled;
  uv_loop_t *loop;
  set_variable("UV_THREADPOOL_SIZE", "1");
  loop = warm_loop();
  init_semaphores();
  running.data = "running";
  cancelled.data = "cancelled";
  CHECK_EQ(uv_queue_work(loop, &running, wait_for_release, note_done), 0);
  CHECK_EQ(uv_queue_work(loop, &cancelled, never_run, note_cancelled), 0);
  uv_sem_wait(&started);
  CHECK_EQ(uv_cancel((uv_req_t *)&running), UV_EBUSY);
  CHECK_EQ(uv_cancel((uv_req_t *)&cancelled), 0);
  CHECK_STR(told(), "");
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "cancelled");
  uv_sem_post(&hold);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "running");
  test_close_default_loop();
}

TEST(order_done_work_cannot_be_cancelled_before_it_is_told) {
  uv_loop_t *loop;
  uv_work_t work, next;
  set_variable("UV_THREADPOOL_SIZE", "1");
  loop = warm_loop();
  finish_untold(loop, &work, &next);
  CHECK_EQ(uv_cancel((uv_req_t *)&work), UV_EBUSY);
  while (strstr(story, "work") == NULL)
    uv_run(loop, UV_RUN_ONCE);
  release_next(loop);
  CHECK_STR(told(), "work next");
  test_close_default_loop();
}

TEST(order_work_cancelled_twice_is_told_once) {
  uv_work_t running, cancelled;
  uv_loop_t *loop;
  set_variable("UV_THREADPOOL_SIZE", "1");
  loop = warm_loop();
  init_semaphores();
  running.data = "running";
  cancelled.data = "cancelled";
  CHECK_EQ(uv_queue_work(loop, &running, wait_for_release, note_done), 0);
  uv_sem_wait(&started);
  CHECK_EQ(uv_queue_work(loop, &cancelled, never_run, note_cancelled), 0);
  CHECK_EQ(uv_cancel((uv_req_t *)&cancelled), 0);
  CHECK_EQ(uv_cancel((uv_req_t *)&cancelled), 0);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "cancelled");
  uv_sem_post(&hold);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "running");
  test_close_default_loop();
}

TEST(order_request_that_is_no_work_cannot_be_cancelled) {
  uv_loop_t *loop = warm_loop();
  struct failing_connect failing;
  fail_later(loop, &failing, note_failed_connect, "pending");
  CHECK_EQ(uv_cancel((uv_req_t *)&failing.request), UV_EINVAL);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  test_close_default_loop();
}

/* ---- asyncs ---- */

TEST(order_sends_before_the_callback_are_one) {
  uv_loop_t *loop = warm_loop();
  uv_async_t async;
  int i;
  CHECK_EQ(uv_async_init(loop, &async, note_async), 0);
  async.data = "async";
  for (i = 0; i < 100; i++)
    CHECK_EQ(uv_async_send(&async), 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "async");
  CHECK_EQ(uv_async_send(&async), 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "async");
  test_close_default_loop();
}

TEST(order_asyncs_are_told_in_the_poll_phase) {
  uv_loop_t *loop = warm_loop();
  uv_async_t async;
  uv_prepare_t prepare;
  uv_check_t check;
  start_prepare(loop, &prepare, "prepare");
  start_check(loop, &check, "check");
  CHECK_EQ(uv_async_init(loop, &async, note_async), 0);
  async.data = "async";
  CHECK_EQ(uv_async_send(&async), 0);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "prepare async check");
  test_close_default_loop();
}

static int sends_left = 2;

static void send_again(uv_async_t *async) {
  note_async(async);
  if (sends_left-- > 0)
    CHECK_EQ(uv_async_send(async), 0);
}

TEST(order_async_sent_in_its_own_callback_is_told_again_in_a_later_iteration) {
  uv_loop_t *loop = warm_loop();
  uv_async_t async;
  uv_check_t check;
  start_check(loop, &check, "check");
  CHECK_EQ(uv_async_init(loop, &async, send_again), 0);
  async.data = "async";
  CHECK_EQ(uv_async_send(&async), 0);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "async check async check async check");
  test_close_default_loop();
}

static void send_from_thread(void *argument) {
  uv_sleep(50);
  CHECK_EQ(uv_async_send(argument), 0);
}

TEST(order_async_sent_by_another_thread_wakes_the_loop) {
  uv_loop_t *loop = warm_loop();
  uv_async_t async;
  uv_thread_t thread;
  CHECK_EQ(uv_async_init(loop, &async, note_async), 0);
  async.data = "async";
  CHECK_EQ(uv_thread_create(&thread, send_from_thread, &async), 0);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "async");
  CHECK_EQ(uv_thread_join(&thread), 0);
  test_close_default_loop();
}

static void note_closed_async(uv_handle_t *handle) {
  (void)handle;
  note("closing");
}

TEST(order_async_closed_after_a_send_is_not_told) {
  uv_loop_t *loop = warm_loop();
  uv_async_t async;
  CHECK_EQ(uv_async_init(loop, &async, note_async), 0);
  async.data = "async";
  CHECK_EQ(uv_async_send(&async), 0);
  uv_close((uv_handle_t *)&async, note_closed_async);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "closing");
  test_close_default_loop();
}
