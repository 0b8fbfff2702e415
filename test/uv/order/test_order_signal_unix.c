/* Signals in the loop's order: after the other events of a round. A process of Windows cannot send itself one. */
#include "test_order.h"

#include <signal.h>

static void note_signal(uv_signal_t *handle, int number) {
  CHECK_EQ(number, SIGUSR1);
  note(handle->data);
}

TEST(order_signals_come_after_the_other_events_of_a_round) {
  uv_loop_t *loop = warm_loop();
  uv_signal_t signal_handle;
  uv_poll_t poll;
  CHECK_EQ(uv_signal_init(loop, &signal_handle), 0);
  signal_handle.data = "signal";
  CHECK_EQ(uv_signal_start(&signal_handle, note_signal, SIGUSR1), 0);
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  start_poll(loop, &poll, "poll", readable_socket());
  CHECK_EQ(raise(SIGUSR1), 0);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "poll signal");
  test_close_default_loop();
}

TEST(order_signals_come_after_asyncs) {
  uv_loop_t *loop = warm_loop();
  uv_signal_t signal_handle;
  uv_async_t async;
  CHECK_EQ(uv_signal_init(loop, &signal_handle), 0);
  signal_handle.data = "signal";
  CHECK_EQ(uv_signal_start(&signal_handle, note_signal, SIGUSR1), 0);
  CHECK_EQ(uv_async_init(loop, &async, note_async), 0);
  async.data = "async";
  CHECK(uv_run(loop, UV_RUN_NOWAIT) != 0);
  CHECK_EQ(raise(SIGUSR1), 0);
  CHECK_EQ(uv_async_send(&async), 0);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "async signal");
  test_close_default_loop();
}

TEST(order_signals_run_between_prepare_and_check) {
  uv_loop_t *loop = warm_loop();
  uv_signal_t signal_handle;
  uv_prepare_t prepare;
  uv_check_t check;
  CHECK_EQ(uv_signal_init(loop, &signal_handle), 0);
  signal_handle.data = "signal";
  CHECK_EQ(uv_signal_start(&signal_handle, note_signal, SIGUSR1), 0);
  start_prepare(loop, &prepare, "prepare");
  start_check(loop, &check, "check");
  CHECK_EQ(raise(SIGUSR1), 0);
  CHECK(uv_run(loop, UV_RUN_ONCE) != 0);
  CHECK_STR(told(), "prepare signal check");
  test_close_default_loop();
}
