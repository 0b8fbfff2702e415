/* Poll: how long it may block, in which order it reports events, and that it ends. */
#include "test_order.h"

#include "system.h"

static void never(uv_timer_t *timer) {
  (void)timer;
  CHECK(0);
}

static void start_guard(uv_loop_t *loop, uv_timer_t *guard) {
  CHECK_EQ(uv_timer_init(loop, guard), 0);
  CHECK_EQ(uv_timer_start(guard, never, 10000, 0), 0);
}

/* ---- how long: uv_backend_timeout ---- */

TEST(order_backend_timeout_is_0_for_a_loop_with_nothing_active) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  CHECK_EQ(uv_backend_timeout(loop), 0);
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_backend_timeout(loop), 0);
  test_close_default_loop();
}

TEST(order_backend_timeout_is_0_when_only_unreferenced_handles_are_active) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  start_guard(loop, &timer);
  uv_unref((uv_handle_t *)&timer);
  CHECK_EQ(uv_backend_timeout(loop), 0);
  test_close_default_loop();
}

TEST(order_backend_timeout_is_endless_without_timers) {
  uv_loop_t *loop = warm_loop();
  uv_prepare_t prepare;
  start_prepare(loop, &prepare, "prepare");
  CHECK_EQ(uv_backend_timeout(loop), -1);
  test_close_default_loop();
}

TEST(order_backend_timeout_is_that_of_the_earliest_timer) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timers[3];
  start_timer(loop, &timers[0], "a", 3000);
  CHECK_EQ(uv_backend_timeout(loop), 3000);
  start_timer(loop, &timers[1], "b", 1000);
  CHECK_EQ(uv_backend_timeout(loop), 1000);
  start_timer(loop, &timers[2], "c", 2000);
  CHECK_EQ(uv_backend_timeout(loop), 1000);
  CHECK_EQ(uv_timer_stop(&timers[1]), 0);
  CHECK_EQ(uv_backend_timeout(loop), 2000);
  CHECK_EQ(uv_timer_start(&timers[1], note_timer, 0, 0), 0);
  CHECK_EQ(uv_backend_timeout(loop), 0);
  test_close_default_loop();
}

/* The timer alone would not keep the loop alive, but while something else does, it counts. */
TEST(order_backend_timeout_heeds_unreferenced_timers) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  uv_prepare_t prepare;
  start_prepare(loop, &prepare, "prepare");
  start_timer(loop, &timer, "timer", 700);
  uv_unref((uv_handle_t *)&timer);
  CHECK_EQ(uv_backend_timeout(loop), 700);
  test_close_default_loop();
}

TEST(order_backend_timeout_never_overflows) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  start_timer(loop, &timer, "timer", UINT64_MAX);
  CHECK_EQ(uv_backend_timeout(loop), 2147483647);
  CHECK_EQ(uv_timer_start(&timer, note_timer, 4294967296, 0), 0);
  CHECK_EQ(uv_backend_timeout(loop), 2147483647);
  test_close_default_loop();
}

TEST(order_backend_timeout_is_0_with_an_idle_handle) {
  uv_loop_t *loop = warm_loop();
  uv_idle_t idle;
  uv_timer_t timer;
  start_guard(loop, &timer);
  start_idle(loop, &idle, "idle");
  CHECK_EQ(uv_backend_timeout(loop), 0);
  uv_unref((uv_handle_t *)&idle);
  CHECK_EQ(uv_backend_timeout(loop), 0);
  CHECK_EQ(uv_idle_stop(&idle), 0);
  CHECK_EQ(uv_backend_timeout(loop), 10000);
  test_close_default_loop();
}

TEST(order_backend_timeout_is_0_when_the_loop_is_stopping) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  start_guard(loop, &timer);
  uv_stop(loop);
  CHECK_EQ(uv_backend_timeout(loop), 0);
  CHECK(uv_run(loop, UV_RUN_DEFAULT) != 0);
  CHECK(uv_backend_timeout(loop) > 0);
  test_close_default_loop();
}

TEST(order_backend_timeout_is_0_while_a_handle_is_closing) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timers[2];
  start_guard(loop, &timers[0]);
  start_guard(loop, &timers[1]);
  uv_close((uv_handle_t *)&timers[1], NULL);
  CHECK_EQ(uv_backend_timeout(loop), 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK(uv_backend_timeout(loop) > 0);
  test_close_default_loop();
}

TEST(order_backend_timeout_is_0_while_callbacks_are_pending) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  struct failing_connect failing;
  start_guard(loop, &timer);
  fail_later(loop, &failing, note_failed_connect, "pending");
  CHECK_EQ(uv_backend_timeout(loop), 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "pending");
  CHECK(uv_backend_timeout(loop) > 0);
  test_close_default_loop();
}

TEST(order_backend_timeout_is_0_until_watchers_are_registered) {
  uv_loop_t *loop = warm_loop();
  uv_poll_t poll;
  int fds[2];
  bare_pair(fds);
  start_poll(loop, &poll, "poll", (uv_os_sock_t)fds[0]);
  CHECK_EQ(uv_backend_timeout(loop), 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_EQ(uv_backend_timeout(loop), -1);
  test_close_default_loop();
}

static uv_timer_t prepared_timer;

static void start_timer_in_prepare(uv_prepare_t *prepare) {
  CHECK_EQ(uv_backend_timeout(prepare->loop), -1);
  start_timer(prepare->loop, &prepared_timer, "timer", 30);
  CHECK_EQ(uv_prepare_stop(prepare), 0);
}

TEST(order_poll_heeds_a_timer_started_in_prepare) {
  uv_loop_t *loop = warm_loop();
  uv_prepare_t prepare;
  uint64_t begin_ns = uv_hrtime();
  CHECK_EQ(uv_prepare_init(loop, &prepare), 0);
  CHECK_EQ(uv_prepare_start(&prepare, start_timer_in_prepare), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "timer");
  CHECK(elapsed_ms(begin_ns) >= 25);
  CHECK(elapsed_ms(begin_ns) < 5000);
  test_close_default_loop();
}

/* ---- how long: by the clock ---- */

TEST(order_nowait_never_blocks) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  uint64_t begin_ns = uv_hrtime();
  start_guard(loop, &timer);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK(elapsed_ms(begin_ns) < 5000);
  test_close_default_loop();
}

TEST(order_once_blocks_until_the_earliest_timer_and_runs_it) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer, guard;
  uint64_t begin_ns = uv_hrtime();
  uv_update_time(loop);
  start_guard(loop, &guard);
  start_timer(loop, &timer, "timer", 50);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "timer");
  CHECK(elapsed_ms(begin_ns) >= 49);
  CHECK(elapsed_ms(begin_ns) < 5000);
  test_close_default_loop();
}

TEST(order_once_does_not_block_when_a_callback_was_pending) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  struct failing_connect failing;
  uint64_t begin_ns = uv_hrtime();
  start_guard(loop, &timer);
  fail_later(loop, &failing, note_failed_connect, "pending");
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "pending");
  CHECK(elapsed_ms(begin_ns) < 5000);
  test_close_default_loop();
}

TEST(order_once_does_not_block_with_an_idle_handle) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  uv_idle_t idle;
  uint64_t begin_ns = uv_hrtime();
  start_guard(loop, &timer);
  start_idle(loop, &idle, "idle");
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "idle");
  CHECK(elapsed_ms(begin_ns) < 5000);
  test_close_default_loop();
}

TEST(order_once_does_not_block_with_a_closing_handle) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer, closed;
  uint64_t begin_ns = uv_hrtime();
  start_guard(loop, &timer);
  start_guard(loop, &closed);
  closed.data = "closing";
  uv_close((uv_handle_t *)&closed, note_close);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "closing");
  CHECK(elapsed_ms(begin_ns) < 5000);
  test_close_default_loop();
}

/* The timer is due now, so poll must not wait for the second one. */
TEST(order_once_does_not_block_when_a_timer_is_due) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t due, later;
  start_timer(loop, &due, "due", 0);
  start_timer(loop, &later, "later", 3000);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "due");
  test_close_default_loop();
}

static void stop_in_prepare(uv_prepare_t *prepare) {
  note(prepare->data);
  uv_stop(prepare->loop);
}

TEST(order_stop_in_prepare_keeps_poll_from_blocking) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  uv_prepare_t prepare;
  uv_check_t check;
  uint64_t begin_ns = uv_hrtime();
  start_guard(loop, &timer);
  start_prepare(loop, &prepare, "prepare");
  start_check(loop, &check, "check");
  CHECK_EQ(uv_prepare_stop(&prepare), 0);
  CHECK_EQ(uv_prepare_start(&prepare, stop_in_prepare), 0);
  CHECK(uv_run(loop, UV_RUN_DEFAULT) != 0);
  CHECK_STR(told(), "prepare check");
  CHECK(elapsed_ms(begin_ns) < 5000);
  test_close_default_loop();
}

/* ---- the events ---- */

TEST(order_descriptor_that_stays_ready_is_told_once_in_an_iteration) {
  uv_loop_t *loop = warm_loop();
  uv_poll_t poll;
  uv_check_t check;
  start_check(loop, &check, "check");
  start_poll(loop, &poll, "poll", readable_socket());
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "poll check poll check poll check");
  test_close_default_loop();
}

static uv_poll_t twins[2];

static void stop_twin(uv_poll_t *poll, int status, int events) {
  note_poll(poll, status, events);
  CHECK_EQ(uv_poll_stop(poll == &twins[0] ? &twins[1] : &twins[0]), 0);
}

TEST(order_event_is_not_told_when_its_watcher_was_stopped_by_another_of_the_round) {
  uv_loop_t *loop = warm_loop();
  start_poll(loop, &twins[0], "poll", readable_socket());
  start_poll(loop, &twins[1], "poll", readable_socket());
  CHECK_EQ(uv_poll_start(&twins[0], UV_READABLE, stop_twin), 0);
  CHECK_EQ(uv_poll_start(&twins[1], UV_READABLE, stop_twin), 0);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "poll");
  test_close_default_loop();
}

/* ---- that it ends ---- */

/* More descriptors than the loop takes from the system at once. While as many as it takes are ready, it asks again, but
 * only so often in one iteration. */
enum { FLOOD = 1200, AT_ONCE = 1024, ROUNDS = 48 };

static int flood_callbacks;

static void count_poll(uv_poll_t *poll, int status, int events) {
  (void)poll;
  (void)events;
  CHECK_EQ(status, 0);
  flood_callbacks++;
}

TEST(order_flood_of_ready_descriptors_does_not_starve_the_timers) {
  uv_loop_t *loop = warm_loop();
  static uv_poll_t polls[FLOOD];
  uv_timer_t timer;
  int i, fd = (int)readable_socket();
  allow_descriptors(FLOOD + 100);
  for (i = 0; i < FLOOD; i++) {
    CHECK_EQ(uv_poll_init_socket(loop, &polls[i], (uv_os_sock_t)copy_socket(fd)), 0);
    CHECK_EQ(uv_poll_start(&polls[i], UV_READABLE, count_poll), 0);
  }
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_EQ(flood_callbacks, AT_ONCE * ROUNDS);

  flood_callbacks = 0;
  start_timer(loop, &timer, "timer", 1);
  uv_sleep(2);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "timer");
  CHECK_EQ(flood_callbacks, AT_ONCE * ROUNDS);
  test_close_default_loop();
}
