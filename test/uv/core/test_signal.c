/* Signals, as far as they are the same everywhere. Those that a process sends itself: the file _unix beside this one.
 */
#include "test.h"

#include <signal.h>

static void never(uv_signal_t *handle, int signum) {
  (void)handle;
  test_fail(__FILE__, __LINE__, "signal %d came to a watcher that should not have got it", signum);
}

TEST(signal_watcher_can_be_started_stopped_and_changed) {
  uv_signal_t handle;
  CHECK_EQ(uv_signal_init(uv_default_loop(), &handle), 0);
  CHECK_EQ(uv_signal_start(&handle, never, 0), UV_EINVAL);
  CHECK(!uv_is_active((uv_handle_t *)&handle));
  CHECK_EQ(uv_signal_start(&handle, never, SIGINT), 0);
  CHECK_EQ(handle.signum, SIGINT);
  CHECK(uv_is_active((uv_handle_t *)&handle));
  CHECK_EQ(uv_signal_start_oneshot(&handle, never, SIGTERM), 0);
  CHECK_EQ(handle.signum, SIGTERM);
  CHECK_EQ(uv_signal_stop(&handle), 0);
  CHECK_EQ(uv_signal_stop(&handle), 0);
  CHECK_EQ(handle.signum, 0);
  CHECK(!uv_is_active((uv_handle_t *)&handle));
  test_close_default_loop();
}

TEST(signal_watcher_without_reference_lets_the_loop_end) {
  uv_signal_t handle;
  uv_signal_init(uv_default_loop(), &handle);
  uv_signal_start(&handle, never, SIGINT);
  CHECK(uv_loop_alive(uv_default_loop()));
  uv_unref((uv_handle_t *)&handle);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  test_close_default_loop();
}

TEST(signal_loops_leave_no_descriptors) {
  int before = 0;
  for (int i = 0; i < 20; i++) {
    uv_loop_t loop;
    uv_signal_t handle;
    CHECK_EQ(uv_loop_init(&loop), 0);
    CHECK_EQ(uv_signal_init(&loop, &handle), 0);
    CHECK_EQ(uv_signal_start(&handle, never, SIGINT), 0);
    uv_close((uv_handle_t *)&handle, NULL);
    CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
    CHECK_EQ(uv_loop_close(&loop), 0);
    if (i == 0)
      before = test_count_descriptors();
  }
  CHECK_EQ(test_count_descriptors(), before);
}

TEST(kill_says_what_is_wrong) {
  CHECK_EQ(uv_kill(uv_os_getpid(), 0), 0);
  CHECK_EQ(uv_kill(uv_os_getpid(), -1), UV_EINVAL);
  CHECK_EQ(uv_kill(uv_os_getpid(), 4096), UV_EINVAL);
  CHECK_EQ(uv_kill(0x7ffffff0, 0), UV_ESRCH);
}
