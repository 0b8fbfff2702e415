/* The order among handles of one phase: idle, prepare, check and closing. */
#include "test_order.h"

/* A handle that is started is called before those that were started earlier, in all three phases. */
TEST(order_idle_last_started_runs_first) {
  uv_loop_t *loop = warm_loop();
  uv_idle_t idles[3];
  start_idle(loop, &idles[0], "a");
  start_idle(loop, &idles[1], "b");
  start_idle(loop, &idles[2], "c");
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "c b a");
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "c b a");
  test_close_default_loop();
}

TEST(order_prepare_last_started_runs_first) {
  uv_loop_t *loop = warm_loop();
  uv_prepare_t prepares[3];
  start_prepare(loop, &prepares[0], "a");
  start_prepare(loop, &prepares[1], "b");
  start_prepare(loop, &prepares[2], "c");
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "c b a");
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "c b a");
  test_close_default_loop();
}

TEST(order_check_last_started_runs_first) {
  uv_loop_t *loop = warm_loop();
  uv_check_t checks[3];
  start_check(loop, &checks[0], "a");
  start_check(loop, &checks[1], "b");
  start_check(loop, &checks[2], "c");
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "c b a");
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "c b a");
  test_close_default_loop();
}

TEST(order_check_started_again_while_active_keeps_its_place) {
  uv_loop_t *loop = warm_loop();
  uv_check_t checks[2];
  start_check(loop, &checks[0], "a");
  start_check(loop, &checks[1], "b");
  CHECK_EQ(uv_check_start(&checks[0], note_check), 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "b a");
  CHECK_EQ(uv_check_stop(&checks[0]), 0);
  CHECK_EQ(uv_check_start(&checks[0], note_check), 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "a b");
  test_close_default_loop();
}

/* ---- the snapshot ---- */

static uv_idle_t second_idle;
static uv_prepare_t second_prepare;
static uv_check_t second_check;

static void start_second_idle(uv_idle_t *idle) {
  note(idle->data);
  if (!uv_is_active((uv_handle_t *)&second_idle))
    start_idle(idle->loop, &second_idle, "second");
}

TEST(order_idle_started_by_an_idle_callback_waits_for_the_next_iteration) {
  uv_loop_t *loop = warm_loop();
  uv_idle_t idle;
  start_idle(loop, &idle, "first");
  CHECK_EQ(uv_idle_stop(&idle), 0);
  CHECK_EQ(uv_idle_start(&idle, start_second_idle), 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "first");
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "second first");
  test_close_default_loop();
}

static void start_second_prepare(uv_prepare_t *prepare) {
  note(prepare->data);
  if (!uv_is_active((uv_handle_t *)&second_prepare))
    start_prepare(prepare->loop, &second_prepare, "second");
}

TEST(order_prepare_started_by_a_prepare_callback_waits_for_the_next_iteration) {
  uv_loop_t *loop = warm_loop();
  uv_prepare_t prepare;
  start_prepare(loop, &prepare, "first");
  CHECK_EQ(uv_prepare_stop(&prepare), 0);
  CHECK_EQ(uv_prepare_start(&prepare, start_second_prepare), 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "first");
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "second first");
  test_close_default_loop();
}

static void start_second_check(uv_check_t *check) {
  note(check->data);
  if (!uv_is_active((uv_handle_t *)&second_check))
    start_check(check->loop, &second_check, "second");
}

TEST(order_check_started_by_a_check_callback_waits_for_the_next_iteration) {
  uv_loop_t *loop = warm_loop();
  uv_check_t check;
  start_check(loop, &check, "first");
  CHECK_EQ(uv_check_stop(&check), 0);
  CHECK_EQ(uv_check_start(&check, start_second_check), 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "first");
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "second first");
  test_close_default_loop();
}

static void restart_itself(uv_check_t *check) {
  note(check->data);
  CHECK_EQ(uv_check_stop(check), 0);
  CHECK_EQ(uv_check_start(check, restart_itself), 0);
}

TEST(order_check_that_restarts_itself_runs_once_in_an_iteration) {
  uv_loop_t *loop = warm_loop();
  uv_check_t check;
  start_check(loop, &check, "check");
  CHECK_EQ(uv_check_stop(&check), 0);
  CHECK_EQ(uv_check_start(&check, restart_itself), 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "check");
  test_close_default_loop();
}

static void stop_second_check(uv_check_t *check) {
  note(check->data);
  CHECK_EQ(uv_check_stop(&second_check), 0);
}

TEST(order_check_stopped_by_another_of_the_same_iteration_does_not_run) {
  uv_loop_t *loop = warm_loop();
  uv_check_t check;
  start_check(loop, &second_check, "second");
  start_check(loop, &check, "first");
  CHECK_EQ(uv_check_stop(&check), 0);
  CHECK_EQ(uv_check_start(&check, stop_second_check), 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "first");
  test_close_default_loop();
}

static void close_second_idle(uv_idle_t *idle) {
  note(idle->data);
  if (!uv_is_closing((uv_handle_t *)&second_idle)) {
    second_idle.data = "closing";
    uv_close((uv_handle_t *)&second_idle, note_close);
  }
}

TEST(order_idle_closed_by_another_of_the_same_iteration_does_not_run) {
  uv_loop_t *loop = warm_loop();
  uv_idle_t idle;
  start_idle(loop, &second_idle, "second");
  start_idle(loop, &idle, "first");
  CHECK_EQ(uv_idle_stop(&idle), 0);
  CHECK_EQ(uv_idle_start(&idle, close_second_idle), 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "first closing");
  test_close_default_loop();
}

/* ---- closing ---- */

static void init_and_close(uv_loop_t *loop, uv_timer_t *handle, const char *word, uv_close_cb cb) {
  CHECK_EQ(uv_timer_init(loop, handle), 0);
  handle->data = (void *)word;
  uv_close((uv_handle_t *)handle, cb);
}

TEST(order_close_callbacks_run_last_in_first_out) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t handles[3];
  init_and_close(loop, &handles[0], "a", note_close);
  init_and_close(loop, &handles[1], "b", note_close);
  init_and_close(loop, &handles[2], "c", note_close);
  CHECK_STR(told(), "");
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "c b a");
  test_close_default_loop();
}

static uv_timer_t closed_later;

static void close_another(uv_handle_t *handle) {
  note(handle->data);
  init_and_close(handle->loop, &closed_later, "later", note_close);
}

TEST(order_handle_closed_in_a_close_callback_waits_for_the_next_iteration) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t handle;
  uv_check_t check;
  start_check(loop, &check, "check");
  init_and_close(loop, &handle, "first", close_another);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "check first");
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_STR(told(), "check later");
  test_close_default_loop();
}

static void close_itself_in_timer(uv_timer_t *timer) {
  note(timer->data);
  timer->data = "closing";
  uv_close((uv_handle_t *)timer, note_close);
}

TEST(order_close_in_a_timer_callback_waits_for_the_next_closing_phase) {
  uv_loop_t *loop = warm_loop();
  uv_timer_t timer;
  uv_prepare_t prepare;
  uv_check_t check;
  start_prepare(loop, &prepare, "prepare");
  start_check(loop, &check, "check");
  uv_unref((uv_handle_t *)&prepare);
  uv_unref((uv_handle_t *)&check);
  start_timer(loop, &timer, "timer", 0);
  CHECK_EQ(uv_timer_start(&timer, close_itself_in_timer, 0, 0), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(told(), "timer prepare check closing");
  test_close_default_loop();
}

static void close_itself_in_check(uv_check_t *check) {
  note(check->data);
  check->data = "closing";
  uv_close((uv_handle_t *)check, note_close);
}

TEST(order_close_in_a_check_callback_is_told_in_the_same_iteration) {
  uv_loop_t *loop = warm_loop();
  uv_check_t check;
  start_check(loop, &check, "check");
  CHECK_EQ(uv_check_stop(&check), 0);
  CHECK_EQ(uv_check_start(&check, close_itself_in_check), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_NOWAIT), 0);
  CHECK_STR(told(), "check closing");
  test_close_default_loop();
}

/* ---- handles that nobody has initialized ---- */

/* libwebsockets has signal watchers in memory that is all zero, and stops them also if it never made them. */
TEST(order_handle_that_is_all_zero_can_be_stopped) {
  static uv_signal_t watcher;
  static uv_idle_t idle;
  static uv_prepare_t prepare;
  static uv_check_t check;
  static uv_fs_event_t event;
  static uv_fs_poll_t poll;
  static uv_tcp_t stream;
  CHECK_EQ(uv_signal_stop(&watcher), 0);
  CHECK_EQ(uv_idle_stop(&idle), 0);
  CHECK_EQ(uv_prepare_stop(&prepare), 0);
  CHECK_EQ(uv_check_stop(&check), 0);
  CHECK_EQ(uv_fs_event_stop(&event), 0);
  CHECK_EQ(uv_fs_poll_stop(&poll), 0);
  CHECK_EQ(uv_read_stop((uv_stream_t *)&stream), 0);
}
