/* What keeps a loop alive, what uv_run returns, and how it is stopped. */
#include "test_order.h"

/* ---- alive ---- */

TEST(order_new_loop_is_not_alive) {
  uv_loop_t loop;
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK_EQ(uv_loop_alive(&loop), 0);
  CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(uv_run(&loop, UV_RUN_ONCE), 0);
  CHECK_EQ(uv_run(&loop, UV_RUN_NOWAIT), 0);
  CHECK_EQ(uv_loop_close(&loop), 0);
}

TEST(order_alive_with_an_active_and_referenced_handle) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_loop_alive(loop), 0);
  CHECK_EQ(uv_timer_start(&timer, note_timer, 1000, 0), 0);
  CHECK(uv_loop_alive(loop) != 0);
  uv_unref((uv_handle_t *)&timer);
  CHECK_EQ(uv_loop_alive(loop), 0);
  uv_ref((uv_handle_t *)&timer);
  CHECK(uv_loop_alive(loop) != 0);
  CHECK_EQ(uv_timer_stop(&timer), 0);
  CHECK_EQ(uv_loop_alive(loop), 0);
  test_close_default_loop();
}

TEST(order_alive_while_a_handle_is_closing) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  timer.data = "closing";
  uv_unref((uv_handle_t *)&timer);
  uv_close((uv_handle_t *)&timer, note_close);
  CHECK(uv_loop_alive(loop) != 0);
  CHECK_EQ(uv_run(loop, UV_RUN_NOWAIT), 0);
  CHECK_EQ(uv_loop_alive(loop), 0);
  CHECK_STR(told(), "closing");
  test_close_default_loop();
}

static void do_nothing(uv_work_t *request) {
  (void)request;
}

static void note_done(uv_work_t *request, int status) {
  CHECK_EQ(status, 0);
  note(request->data);
}

TEST(order_alive_while_a_request_is_active) {
  uv_loop_t *loop = warm_loop();
  uv_work_t work;
  work.data = "work";
  CHECK_EQ(uv_queue_work(loop, &work, do_nothing, note_done), 0);
  CHECK(uv_loop_alive(loop) != 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "work");
  CHECK_EQ(uv_loop_alive(loop), 0);
  test_close_default_loop();
}

TEST(order_pending_callback_keeps_the_loop_alive) {
  uv_loop_t *loop = warm_loop();
  struct failing_connect failing;
  fail_later(loop, &failing, note_failed_connect, "pending");
  CHECK(uv_loop_alive(loop) != 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "pending");
  test_close_default_loop();
}

TEST(order_ref_and_unref_do_not_count) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  start_timer(loop, &timer, "timer", 1000);
  uv_ref((uv_handle_t *)&timer);
  uv_ref((uv_handle_t *)&timer);
  CHECK_EQ(uv_has_ref((uv_handle_t *)&timer), 1);
  uv_unref((uv_handle_t *)&timer);
  uv_unref((uv_handle_t *)&timer);
  CHECK_EQ(uv_has_ref((uv_handle_t *)&timer), 0);
  CHECK_EQ(uv_loop_alive(loop), 0);
  uv_ref((uv_handle_t *)&timer);
  CHECK(uv_loop_alive(loop) != 0);
  test_close_default_loop();
}

TEST(order_handle_unreferenced_while_inactive_stays_so_when_started) {
  uv_loop_t *loop = warm_loop();
  uv_check_t check;
  CHECK_EQ(uv_check_init(loop, &check), 0);
  uv_unref((uv_handle_t *)&check);
  CHECK_EQ(uv_check_start(&check, note_check), 0);
  CHECK(uv_is_active((uv_handle_t *)&check));
  CHECK_EQ(uv_loop_alive(loop), 0);
  test_close_default_loop();
}

TEST(order_unreferenced_timer_runs_while_something_else_keeps_the_loop_alive) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timers[3];
  start_timer(loop, &timers[0], "unreferenced", 5);
  start_timer(loop, &timers[1], "referenced", 20);
  start_timer(loop, &timers[2], "too late", 10000);
  uv_unref((uv_handle_t *)&timers[0]);
  uv_unref((uv_handle_t *)&timers[2]);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "unreferenced referenced");
  test_close_default_loop();
}

TEST(order_loop_that_is_not_alive_runs_nothing) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  uv_check_t check;
  start_timer(loop, &timer, "timer", 0);
  start_check(loop, &check, "check");
  uv_unref((uv_handle_t *)&timer);
  uv_unref((uv_handle_t *)&check);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_ONCE), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_NOWAIT), 0);
  CHECK_STR(told(), "");
  test_close_default_loop();
}

TEST(order_running_a_loop_that_is_not_alive_updates_its_clock) {
  uv_loop_t *loop = warm_loop();
  uint64_t before_ms = uv_now(loop);
  uv_sleep(20);
  CHECK_EQ(uv_now(loop), before_ms);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK(uv_now(loop) >= before_ms + 19);
  test_close_default_loop();
}

TEST(order_loop_close_is_busy_while_a_handle_is_not_closed) {
  uv_loop_t loop;
  uv_timer_t timer;
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK_EQ(uv_timer_init(&loop, &timer), 0);
  CHECK_EQ(uv_loop_close(&loop), UV_EBUSY);
  uv_close((uv_handle_t *)&timer, NULL);
  CHECK_EQ(uv_loop_close(&loop), UV_EBUSY);
  CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(uv_loop_close(&loop), 0);
}

/* netdata closes its loops until it is told that they are busy. */
TEST(order_closed_loop_is_busy_when_it_is_closed_again) {
  uv_loop_t loop;
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK_EQ(uv_loop_close(&loop), 0);
  CHECK_EQ(uv_loop_close(&loop), UV_EBUSY);
  CHECK_EQ(uv_loop_close(&loop), UV_EBUSY);
}

/* ---- what uv_run returns ---- */

TEST(order_once_returns_nonzero_while_handles_are_active) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timers[2];
  start_timer(loop, &timers[0], "a", 1);
  start_timer(loop, &timers[1], "b", 200);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  while (uv_run(loop, UV_RUN_ONCE) != 0)
    ;
  CHECK_STR(told(), "a b");
  test_close_default_loop();
}

/* Whether the loop is alive is checked after the timers. */
TEST(order_once_returns_0_when_its_timers_were_the_last) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  start_timer(loop, &timer, "timer", 10);
  CHECK_EQ(uv_run(loop, UV_RUN_ONCE), 0);
  CHECK_STR(told(), "timer");
  test_close_default_loop();
}

TEST(order_nowait_returns_0_when_its_timers_were_the_last) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  start_timer(loop, &timer, "timer", 0);
  CHECK_EQ(uv_run(loop, UV_RUN_NOWAIT), 0);
  CHECK_STR(told(), "timer");
  test_close_default_loop();
}

TEST(order_nowait_returns_nonzero_while_handles_are_active) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  start_timer(loop, &timer, "timer", 1000);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "");
  test_close_default_loop();
}

/* ---- uv_stop ---- */

TEST(order_stop_before_run_keeps_anything_from_running_once) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  uv_check_t check;
  start_timer(loop, &timer, "timer", 0);
  start_check(loop, &check, "check");
  uv_unref((uv_handle_t *)&check);
  uv_stop(loop);
  CHECK(uv_run(loop, UV_RUN_DEFAULT) != 0);
  CHECK_STR(told(), "");
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "timer check");
  test_close_default_loop();
}

TEST(order_stop_before_once_and_nowait_keeps_anything_from_running) {
  uv_loop_t *loop = warm_loop();
  uv_check_t check;
  start_check(loop, &check, "check");
  uv_stop(loop);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  uv_stop(loop);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "");
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "check");
  test_close_default_loop();
}

static void stop_in_poll(uv_poll_t *poll, int status, int events) {
  note_poll(poll, status, events);
  uv_stop(poll->loop);
}

TEST(order_stop_in_a_callback_lets_the_iteration_end) {
  uv_loop_t *loop = warm_loop();
  uv_poll_t poll;
  uv_check_t check;
  uv_timer_t closed;
  start_check(loop, &check, "check");
  start_poll(loop, &poll, "poll", readable_socket());
  CHECK_EQ(uv_poll_start(&poll, UV_READABLE, stop_in_poll), 0);
  CHECK_EQ(uv_timer_init(loop, &closed), 0);
  closed.data = "closing";
  uv_close((uv_handle_t *)&closed, note_close);
  CHECK(uv_run(loop, UV_RUN_DEFAULT) != 0);
  CHECK_STR(told(), "poll check closing");
  test_close_default_loop();
}

static void stop_in_timer(uv_timer_t *timer) {
  note(timer->data);
  uv_stop(timer->loop);
}

TEST(order_stop_in_a_timer_callback_lets_the_other_due_timers_run) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timers[3];
  CHECK_EQ(uv_timer_init(loop, &timers[0]), 0);
  timers[0].data = "a";
  CHECK_EQ(uv_timer_start(&timers[0], stop_in_timer, 0, 0), 0);
  start_timer(loop, &timers[1], "b", 0);
  start_timer(loop, &timers[2], "c", 1000);
  CHECK(uv_run(loop, UV_RUN_DEFAULT) != 0);
  CHECK_STR(told(), "a b");
  test_close_default_loop();
}

TEST(order_stop_in_the_timers_before_the_first_iteration_keeps_it_from_beginning) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  uv_check_t check;
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  timer.data = "timer";
  CHECK_EQ(uv_timer_start(&timer, stop_in_timer, 0, 0), 0);
  start_check(loop, &check, "check");
  CHECK(uv_run(loop, UV_RUN_DEFAULT) != 0);
  CHECK_STR(told(), "timer");
  test_close_default_loop();
}

TEST(order_stopped_loop_goes_on_when_run_again) {
  uv_loop_t *loop = warm_loop();
  uv_poll_t poll;
  start_poll(loop, &poll, "poll", readable_socket());
  CHECK_EQ(uv_poll_start(&poll, UV_READABLE, stop_in_poll), 0);
  CHECK(uv_run(loop, UV_RUN_DEFAULT) != 0);
  CHECK(uv_run(loop, UV_RUN_DEFAULT) != 0);
  CHECK_STR(told(), "poll poll");
  test_close_default_loop();
}
