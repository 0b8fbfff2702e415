/* The phases of one iteration: pending, idle, prepare, poll, check, closing, timers. */
#include "test_order.h"

struct all_phases {
  struct failing_connect failing;
  uv_idle_t idle;
  uv_prepare_t prepare;
  uv_poll_t poll;
  uv_check_t check;
  uv_timer_t timer;
  uv_timer_t closed;
};

static struct all_phases all;

/* Started in another order than they are to run in. */
static uv_loop_t *start_all_phases(void) {
  uv_loop_t *loop = warm_loop();
  start_timer(loop, &all.timer, "timer", 0);
  start_timer(loop, &all.closed, "never", 1000);
  all.closed.data = "closing";
  uv_close((uv_handle_t *)&all.closed, note_close);
  start_check(loop, &all.check, "check");
  start_poll(loop, &all.poll, "poll", readable_socket());
  start_prepare(loop, &all.prepare, "prepare");
  start_idle(loop, &all.idle, "idle");
  fail_later(loop, &all.failing, note_failed_connect, "pending");
  return loop;
}

TEST(order_pending_idle_prepare_poll_check_closing_timers) {
  uv_loop_t *loop = start_all_phases();
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "pending idle prepare poll check closing timer");
  test_close_default_loop();
}

TEST(order_once_runs_the_phases_as_nowait_does) {
  uv_loop_t *loop = start_all_phases();
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "pending idle prepare poll check closing timer");
  test_close_default_loop();
}

static void stop_loop_after_check(uv_check_t *check) {
  note(check->data);
  uv_stop(check->loop);
}

TEST(order_default_runs_timers_once_before_the_first_iteration) {
  uv_loop_t *loop = start_all_phases();
  CHECK_EQ(uv_check_stop(&all.check), 0);
  CHECK_EQ(uv_check_start(&all.check, stop_loop_after_check), 0);
  CHECK(uv_run(loop, UV_RUN_DEFAULT) != 0);
  CHECK_STR(told(), "timer pending idle prepare poll check closing");
  test_close_default_loop();
}

static void start_zero_timer_of_prepare(uv_prepare_t *prepare) {
  static uv_timer_t timer;
  note(prepare->data);
  start_timer(prepare->loop, &timer, "timer", 0);
  CHECK_EQ(uv_prepare_stop(prepare), 0);
}

TEST(order_zero_timer_started_in_prepare_runs_at_the_end_of_the_iteration) {
  uv_loop_t *loop = warm_loop();
  uv_check_t check;
  uv_prepare_t prepare;
  start_check(loop, &check, "check");
  start_prepare(loop, &prepare, "prepare");
  CHECK_EQ(uv_prepare_stop(&prepare), 0);
  CHECK_EQ(uv_prepare_start(&prepare, start_zero_timer_of_prepare), 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "prepare check timer");
  test_close_default_loop();
}

static void start_zero_timer_of_closed(uv_handle_t *handle) {
  static uv_timer_t timer;
  note("closing");
  start_timer(handle->loop, &timer, "timer", 0);
}

TEST(order_zero_timer_started_in_a_close_callback_runs_in_the_same_iteration) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t closed;
  CHECK_EQ(uv_timer_init(loop, &closed), 0);
  uv_close((uv_handle_t *)&closed, start_zero_timer_of_closed);
  CHECK_EQ(uv_run(loop, UV_RUN_NOWAIT), 0);
  CHECK_STR(told(), "closing timer");
  test_close_default_loop();
}

TEST(order_check_runs_though_poll_found_nothing) {
  uv_loop_t *loop = warm_loop();
  uv_check_t check;
  start_check(loop, &check, "check");
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "check check");
  test_close_default_loop();
}

/* ---- from an I/O callback ---- */

static void close_in_poll(uv_poll_t *poll, int status, int events) {
  note_poll(poll, status, events);
  poll->data = "closing";
  uv_close((uv_handle_t *)poll, note_close);
}

TEST(order_close_in_an_io_callback_waits_for_check) {
  uv_loop_t *loop = warm_loop();
  uv_check_t check;
  uv_poll_t poll;
  start_check(loop, &check, "check");
  start_poll(loop, &poll, "poll", readable_socket());
  CHECK_EQ(uv_poll_start(&poll, UV_READABLE, close_in_poll), 0);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "poll check closing");
  test_close_default_loop();
}

static uv_check_t late_check;
static uv_timer_t late_timer;

static void start_timer_and_check_in_poll(uv_poll_t *poll, int status, int events) {
  note_poll(poll, status, events);
  start_timer(poll->loop, &late_timer, "timer", 0);
  start_check(poll->loop, &late_check, "check");
  CHECK_EQ(uv_poll_stop(poll), 0);
}

TEST(order_check_started_in_an_io_callback_precedes_a_zero_timer) {
  uv_loop_t *loop = warm_loop();
  uv_poll_t poll;
  start_poll(loop, &poll, "poll", readable_socket());
  CHECK_EQ(uv_poll_start(&poll, UV_READABLE, start_timer_and_check_in_poll), 0);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "poll check timer");
  test_close_default_loop();
}

static struct failing_connect late_failing;

static void fail_in_poll(uv_poll_t *poll, int status, int events) {
  note_poll(poll, status, events);
  fail_later(poll->loop, &late_failing, note_failed_connect, "pending");
  CHECK_EQ(uv_poll_stop(poll), 0);
}

TEST(order_pending_callbacks_made_by_poll_run_before_check) {
  uv_loop_t *loop = warm_loop();
  uv_check_t check;
  uv_poll_t poll;
  start_check(loop, &check, "check");
  start_poll(loop, &poll, "poll", readable_socket());
  CHECK_EQ(uv_poll_start(&poll, UV_READABLE, fail_in_poll), 0);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "poll pending check");
  test_close_default_loop();
}

static struct failing_connect chain[20];
static int chained;

static void fail_again(uv_connect_t *request, int status) {
  CHECK_EQ(status, UV_ENOENT);
  note("pending");
  if (++chained < 20)
    fail_later(request->handle->loop, &chain[chained], fail_again, "pending");
}

/* One in the pending phase, and one in each of the 8 rounds after poll. */
TEST(order_pending_runs_at_most_8_rounds_after_poll) {
  uv_loop_t *loop = warm_loop();
  uv_check_t check;
  start_check(loop, &check, "check");
  fail_later(loop, &chain[0], fail_again, "pending");
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "pending pending pending pending pending pending pending pending pending check");
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "pending pending pending pending pending pending pending pending pending check");
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "pending pending check");
  test_close_default_loop();
}

/* ---- the current time ---- */

static uint64_t prepared_ms;

static void take_some_time(uv_prepare_t *prepare) {
  prepared_ms = uv_now(prepare->loop);
  uv_sleep(20);
}

static void check_that_time_has_passed(uv_check_t *check) {
  CHECK(uv_now(check->loop) >= prepared_ms + 20);
  note("check");
}

static void check_that_time_has_passed_at_close(uv_handle_t *handle) {
  CHECK(uv_now(handle->loop) >= prepared_ms + 20);
  note("close");
}

/* The idle handle keeps poll from waiting; poll would find nothing either. */
TEST(order_time_in_check_and_close_callbacks_is_that_after_a_poll_that_did_not_wait) {
  uv_loop_t *loop = warm_loop();
  uv_idle_t idle;
  uv_prepare_t prepare;
  uv_check_t check;
  uv_timer_t timer;
  start_idle(loop, &idle, "idle");
  CHECK_EQ(uv_prepare_init(loop, &prepare), 0);
  CHECK_EQ(uv_prepare_start(&prepare, take_some_time), 0);
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  uv_close((uv_handle_t *)&timer, check_that_time_has_passed_at_close);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "idle close");
  CHECK_EQ(uv_check_init(loop, &check), 0);
  CHECK_EQ(uv_check_start(&check, check_that_time_has_passed), 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "idle check");
  test_close_default_loop();
}

/* Events that a callback of poll causes come after check, however quickly they are ready: programs expect an immediate
 * to be the first thing after the callback. */
static struct {
  uv_poll_t poll;
  uv_check_t check;
  uv_async_t async;
  uv_work_t work;
  uv_sem_t worked;
} quick;

static void quick_work(uv_work_t *work) {
  (void)work;
  uv_sem_post(&quick.worked);
}

static void quick_work_done(uv_work_t *work, int status) {
  (void)work;
  CHECK_EQ(status, 0);
  note("work");
}

static void quick_poll(uv_poll_t *poll, int status, int events) {
  (void)events;
  CHECK_EQ(status, 0);
  note("poll");
  CHECK_EQ(uv_poll_stop(poll), 0);
  CHECK_EQ(uv_check_start(&quick.check, note_check), 0);
  CHECK_EQ(uv_async_send(&quick.async), 0);
  CHECK_EQ(uv_queue_work(poll->loop, &quick.work, quick_work, quick_work_done), 0);
  /* Until the pool has signalled the loop. If it is late, the test checks less; jobs of a steered loop wait for the
   * loop. */
  for (int i = 0; i < 100 && uv_sem_trywait(&quick.worked) != 0; i++)
    uv_sleep(1);
  uv_sleep(10);
}

TEST(order_what_poll_brings_about_comes_after_check) {
  uv_loop_t *loop = warm_loop();
  CHECK_EQ(uv_sem_init(&quick.worked, 0), 0);
  CHECK_EQ(uv_async_init(loop, &quick.async, note_async), 0);
  quick.async.data = "async";
  CHECK_EQ(uv_check_init(loop, &quick.check), 0);
  quick.check.data = "check";
  CHECK_EQ(uv_poll_init_socket(loop, &quick.poll, readable_socket()), 0);
  CHECK_EQ(uv_poll_start(&quick.poll, UV_READABLE, quick_poll), 0);
  while (strstr(story, "work") == NULL || strstr(story, "async") == NULL)
    CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK(strncmp(told(), "poll check", strlen("poll check")) == 0);
  uv_sem_destroy(&quick.worked);
  test_close_default_loop();
}
