/* Timers: a threshold in milliseconds of the loop's cached clock; timers that are due are removed first, then run in
 * order. */
#include "test_order.h"

static void busy_wait(uint64_t ms) {
  uint64_t begin_ns = uv_hrtime();
  while (uv_hrtime() - begin_ns < ms * 1000000)
    ;
}

TEST(order_timers_run_by_due_time) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timers[4];
  start_timer(loop, &timers[0], "c", 30);
  start_timer(loop, &timers[1], "a", 10);
  start_timer(loop, &timers[2], "d", 31);
  start_timer(loop, &timers[3], "b", 20);
  busy_wait(40);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "a b c d");
  test_close_default_loop();
}

TEST(order_timers_due_together_run_in_the_order_of_their_start) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timers[4];
  start_timer(loop, &timers[3], "a", 5);
  start_timer(loop, &timers[1], "b", 5);
  start_timer(loop, &timers[0], "c", 5);
  start_timer(loop, &timers[2], "d", 5);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "a b c d");
  test_close_default_loop();
}

TEST(order_timer_started_anew_goes_behind_its_equals) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timers[3];
  start_timer(loop, &timers[0], "a", 5);
  start_timer(loop, &timers[1], "b", 5);
  start_timer(loop, &timers[2], "c", 5);
  CHECK_EQ(uv_timer_start(&timers[0], note_timer, 5, 0), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "b c a");
  test_close_default_loop();
}

/* Due at the same moment, though one was started later with less time to wait. */
TEST(order_timers_of_different_length_due_together_run_in_the_order_of_their_start) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t early, late;
  uint64_t begin_ms, passed_ms;
  uv_update_time(loop);
  begin_ms = uv_now(loop);
  start_timer(loop, &early, "early", 100);
  busy_wait(20);
  uv_update_time(loop);
  passed_ms = uv_now(loop) - begin_ms;
  if (passed_ms >= 100)
    SKIP("the machine is too slow for this test");
  start_timer(loop, &late, "late", 100 - passed_ms);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "early late");
  test_close_default_loop();
}

/* ---- never early ---- */

static uint64_t due_ms;

static void check_due(uv_timer_t *timer) {
  CHECK(uv_now(timer->loop) >= due_ms);
  note("timer");
}

TEST(order_timer_is_never_early) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  uint64_t timeout_ms;
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  for (timeout_ms = 0; timeout_ms < 25; timeout_ms++) {
    uint64_t begin_ns;
    uv_update_time(loop);
    begin_ns = uv_hrtime();
    due_ms = uv_now(loop) + timeout_ms;
    CHECK_EQ(uv_timer_start(&timer, check_due, timeout_ms, 0), 0);
    CHECK_EQ(uv_timer_get_due_in(&timer), timeout_ms);
    CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
    CHECK_STR(told(), "timer");
    CHECK(elapsed_ms(begin_ns) + 1 >= timeout_ms); /* the cached clock has no fraction of a millisecond */
  }
  test_close_default_loop();
}

TEST(order_timer_counts_from_the_cached_clock) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  uv_update_time(loop);
  uv_sleep(300);
  start_timer(loop, &timer, "timer", 250); /* already due by the real clock */
  CHECK_EQ(uv_run(loop, UV_RUN_NOWAIT), 0);
  CHECK_STR(told(), "timer");
  test_close_default_loop();
}

static uv_timer_t due_meanwhile;

static void wait_in_callback(uv_timer_t *timer) {
  uint64_t before_ms = uv_now(timer->loop);
  note(timer->data);
  start_timer(timer->loop, &due_meanwhile, "too soon", 1);
  uv_unref((uv_handle_t *)&due_meanwhile);
  busy_wait(5);
  CHECK_EQ(uv_now(timer->loop), before_ms);
}

TEST(order_clock_stands_still_between_two_timers) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timers[2];
  CHECK_EQ(uv_timer_init(loop, &timers[0]), 0);
  timers[0].data = "a";
  CHECK_EQ(uv_timer_start(&timers[0], wait_in_callback, 0, 0), 0);
  start_timer(loop, &timers[1], "b", 0);
  CHECK_EQ(uv_run(loop, UV_RUN_NOWAIT), 0);
  CHECK_STR(told(), "a b");
  test_close_default_loop();
}

/* ---- due timers leave the queue before any callback runs ---- */

static uv_timer_t other_timer;
static int runs;

static void start_itself_with_zero(uv_timer_t *timer) {
  if (runs < 1000) { /* ends the test for a library that would never end it */
    runs++;
    CHECK_EQ(uv_timer_start(timer, start_itself_with_zero, 0, 0), 0);
  }
}

TEST(order_zero_timer_that_starts_itself_does_not_starve_the_loop) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  uv_check_t check;
  start_check(loop, &check, "check");
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, start_itself_with_zero, 0, 0), 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_EQ(runs, 1);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_EQ(runs, 2);
  CHECK_STR(told(), "check check");
  test_close_default_loop();
}

static void start_other_with_zero(uv_timer_t *timer) {
  note(timer->data);
  start_timer(timer->loop, &other_timer, "other", 0);
}

TEST(order_zero_timer_started_in_a_timer_callback_waits_for_the_next_iteration) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  uv_check_t check;
  start_check(loop, &check, "check");
  uv_unref((uv_handle_t *)&check);
  start_timer(loop, &timer, "timer", 0);
  CHECK_EQ(uv_timer_start(&timer, start_other_with_zero, 0, 0), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "timer check other");
  test_close_default_loop();
}

static void stop_other(uv_timer_t *timer) {
  note(timer->data);
  CHECK_EQ(uv_timer_stop(&other_timer), 0);
}

TEST(order_due_timer_stopped_by_another_does_not_run) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timers[2];
  start_timer(loop, &timers[0], "a", 0);
  start_timer(loop, &other_timer, "stopped", 0);
  start_timer(loop, &timers[1], "b", 0);
  CHECK_EQ(uv_timer_start(&timers[0], stop_other, 0, 0), 0);
  CHECK_EQ(uv_timer_start(&other_timer, note_timer, 0, 0), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "b a");
  test_close_default_loop();
}

static void close_other(uv_timer_t *timer) {
  note(timer->data);
  other_timer.data = "closing";
  uv_close((uv_handle_t *)&other_timer, note_close);
}

TEST(order_due_timer_closed_by_another_does_not_run) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timers[2];
  CHECK_EQ(uv_timer_init(loop, &timers[0]), 0);
  timers[0].data = "a";
  CHECK_EQ(uv_timer_start(&timers[0], close_other, 0, 0), 0);
  start_timer(loop, &other_timer, "closed", 0);
  start_timer(loop, &timers[1], "b", 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "a b closing");
  test_close_default_loop();
}

static void put_off_other(uv_timer_t *timer) {
  note(timer->data);
  CHECK_EQ(uv_timer_start(&other_timer, note_timer, 20, 0), 0);
}

TEST(order_due_timer_put_off_by_another_runs_when_it_is_due_again) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timers[2];
  CHECK_EQ(uv_timer_init(loop, &timers[0]), 0);
  timers[0].data = "a";
  CHECK_EQ(uv_timer_start(&timers[0], put_off_other, 0, 0), 0);
  start_timer(loop, &other_timer, "other", 0);
  start_timer(loop, &timers[1], "b", 10);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "a b other");
  test_close_default_loop();
}

static void start_other_anew(uv_timer_t *timer) {
  note(timer->data);
  CHECK_EQ(uv_timer_start(&other_timer, note_timer, 0, 0), 0);
}

TEST(order_due_timer_started_anew_by_another_waits_for_the_next_iteration) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  uv_check_t check;
  start_check(loop, &check, "check");
  uv_unref((uv_handle_t *)&check);
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  timer.data = "timer";
  CHECK_EQ(uv_timer_start(&timer, start_other_anew, 0, 0), 0);
  start_timer(loop, &other_timer, "other", 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "timer check other");
  test_close_default_loop();
}

/* ---- repeating ---- */

static void look_at_repeating(uv_timer_t *timer) {
  CHECK(uv_is_active((uv_handle_t *)timer));
  CHECK_EQ(uv_timer_get_due_in(timer), uv_timer_get_repeat(timer));
  note("repeating");
  if (++runs == 3)
    CHECK_EQ(uv_timer_stop(timer), 0);
}

TEST(order_repeating_timer_is_started_again_before_its_callback) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, look_at_repeating, 0, 5), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "repeating repeating repeating");
  test_close_default_loop();
}

/* A loop that was late does not catch up on missed repetitions. */
TEST(order_repeating_timer_runs_once_however_late_it_is) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  timer.data = "repeating";
  CHECK_EQ(uv_timer_start(&timer, note_timer, 200, 200), 0);
  uv_sleep(450);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "repeating");
  test_close_default_loop();
}

static void look_at_itself(uv_timer_t *timer) {
  CHECK(!uv_is_active((uv_handle_t *)timer));
  CHECK_EQ(uv_timer_get_due_in(timer), 0);
  note("timer");
}

TEST(order_timer_is_not_active_in_its_own_callback) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, look_at_itself, 1, 0), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "timer");
  test_close_default_loop();
}
