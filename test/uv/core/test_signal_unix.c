/* Signals: which handles are called, how often, in which order, and what remains afterwards. */
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

static int calls, last_signum, close_calls;
static char story[1000];

static void count(uv_signal_t *handle, int signum) {
  (void)handle;
  calls++;
  last_signum = signum;
}

static void count_and_stop(uv_signal_t *handle, int signum) {
  count(handle, signum);
  uv_signal_stop(handle);
}

static void count_and_close(uv_signal_t *handle, int signum) {
  count(handle, signum);
  uv_close((uv_handle_t *)handle, NULL);
}

static void on_close(uv_handle_t *handle) {
  (void)handle;
  close_calls++;
}

static void never(uv_signal_t *handle, int signum) {
  (void)handle;
  test_fail(__FILE__, __LINE__, "signal %d came to a watcher that should not have got it", signum);
}

/* Adds the handle's name (its data) and the signal's number to the story. */
static void tell(uv_signal_t *handle, int signum) {
  snprintf(story + strlen(story), sizeof story - strlen(story), "%s%d ", (const char *)handle->data,
           signum == SIGUSR1 ? 1 : 2);
}

static bool is_default(int signum) {
  struct sigaction action;
  CHECK_EQ(sigaction(signum, NULL, &action), 0);
  return action.sa_handler == SIG_DFL;
}

TEST(signal_numbers_that_cannot_be_watched) {
  const int numbers[] = {0, -1, SIGKILL, SIGSTOP, 32, 33, 65, 100000};
  uv_signal_t handle;
  CHECK_EQ(uv_signal_init(uv_default_loop(), &handle), 0);
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    CHECK_EQ(uv_signal_start(&handle, never, numbers[i]), UV_EINVAL);
    CHECK_EQ(uv_signal_start_oneshot(&handle, never, numbers[i]), UV_EINVAL);
    CHECK(!uv_is_active((uv_handle_t *)&handle));
  }
  CHECK_EQ(uv_signal_stop(&handle), 0);
  test_close_default_loop();
}

TEST(signal_every_one_is_counted) {
  uv_signal_t handle;
  uv_signal_init(uv_default_loop(), &handle);
  CHECK_EQ(uv_signal_start(&handle, count, SIGUSR1), 0);
  CHECK_EQ(handle.signum, SIGUSR1);
  for (int i = 0; i < 10; i++)
    raise(SIGUSR1);
  uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  CHECK_EQ(calls, 10);
  CHECK_EQ(last_signum, SIGUSR1);
  test_close_default_loop();
}

TEST(signal_all_watchers_in_the_order_of_the_signals) {
  uv_signal_t a, b, c;
  uv_signal_init(uv_default_loop(), &a);
  uv_signal_init(uv_default_loop(), &b);
  uv_signal_init(uv_default_loop(), &c);
  a.data = b.data = "x";
  c.data = "y";
  uv_signal_start(&a, tell, SIGUSR1);
  uv_signal_start(&b, tell, SIGUSR1);
  uv_signal_start(&c, tell, SIGUSR2);
  raise(SIGUSR2);
  raise(SIGUSR1);
  raise(SIGUSR2);
  uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  CHECK_STR(story, "y2 x1 x1 y2 ");
  test_close_default_loop();
}

TEST(signal_default_comes_back_with_the_last_watcher) {
  uv_signal_t a, b;
  uv_signal_init(uv_default_loop(), &a);
  uv_signal_init(uv_default_loop(), &b);
  CHECK(is_default(SIGUSR1));
  uv_signal_start(&a, never, SIGUSR1);
  uv_signal_start(&b, never, SIGUSR1);
  CHECK(!is_default(SIGUSR1));
  uv_signal_stop(&a);
  CHECK(!is_default(SIGUSR1));
  CHECK_EQ(a.signum, 0);
  uv_close((uv_handle_t *)&b, NULL);
  CHECK(is_default(SIGUSR1));
  test_close_default_loop();
}

TEST(signal_other_number_replaces_the_first) {
  uv_signal_t handle;
  uv_signal_init(uv_default_loop(), &handle);
  uv_signal_start(&handle, never, SIGUSR1);
  CHECK_EQ(uv_signal_start(&handle, count_and_close, SIGUSR2), 0);
  CHECK(is_default(SIGUSR1));
  CHECK_EQ(handle.signum, SIGUSR2);
  raise(SIGUSR2);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(calls, 1);
  test_close_default_loop();
}

TEST(signal_other_callback_replaces_the_first) {
  uv_signal_t handle;
  uv_signal_init(uv_default_loop(), &handle);
  uv_signal_start(&handle, never, SIGUSR1);
  raise(SIGUSR1);
  CHECK_EQ(uv_signal_start(&handle, count_and_close, SIGUSR1), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(calls, 1);
  test_close_default_loop();
}

TEST(signal_one_shot_is_over_the_moment_it_comes) {
  uv_signal_t a, b;
  uv_signal_init(uv_default_loop(), &a);
  uv_signal_init(uv_default_loop(), &b);
  CHECK_EQ(uv_signal_start_oneshot(&a, count, SIGUSR1), 0);
  CHECK_EQ(uv_signal_start_oneshot(&b, count, SIGUSR1), 0);
  CHECK(!is_default(SIGUSR1));
  raise(SIGUSR1);
  CHECK(is_default(SIGUSR1));
  CHECK_EQ(calls, 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(calls, 2);
  CHECK(!uv_is_active((uv_handle_t *)&a));
  test_close_default_loop();
}

TEST(signal_one_shot_among_steady_ones) {
  uv_signal_t once, steady;
  uv_signal_init(uv_default_loop(), &once);
  uv_signal_init(uv_default_loop(), &steady);
  uv_signal_start_oneshot(&once, count, SIGUSR1);
  uv_signal_start(&steady, count, SIGUSR1);
  raise(SIGUSR1);
  CHECK(!is_default(SIGUSR1));
  raise(SIGUSR1);
  uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  CHECK_EQ(calls, 3);
  CHECK(!uv_is_active((uv_handle_t *)&once));
  uv_signal_start_oneshot(&once, count, SIGUSR1);
  uv_signal_stop(&steady);
  raise(SIGUSR1);
  CHECK(is_default(SIGUSR1));
  uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  CHECK_EQ(calls, 4);
  test_close_default_loop();
}

static void start_once_more(uv_signal_t *handle, int signum) {
  if (++calls < 3)
    CHECK_EQ(uv_signal_start_oneshot(handle, start_once_more, signum), 0);
}

TEST(signal_one_shot_started_again_in_its_callback) {
  uv_signal_t handle;
  uv_signal_init(uv_default_loop(), &handle);
  uv_signal_start_oneshot(&handle, start_once_more, SIGUSR1);
  for (int i = 1; i <= 3; i++) {
    CHECK(uv_is_active((uv_handle_t *)&handle));
    raise(SIGUSR1);
    uv_run(uv_default_loop(), UV_RUN_NOWAIT);
    CHECK_EQ(calls, i);
  }
  CHECK(!uv_is_active((uv_handle_t *)&handle));
  CHECK(is_default(SIGUSR1));
  test_close_default_loop();
}

TEST(signal_watcher_of_the_same_signal_gets_another_callback_only) {
  uv_signal_t handle;
  uv_signal_init(uv_default_loop(), &handle);
  CHECK_EQ(uv_signal_start(&handle, never, SIGUSR1), 0);
  CHECK_EQ(uv_signal_start_oneshot(&handle, count, SIGUSR1), 0);
  for (int i = 1; i <= 2; i++) {
    raise(SIGUSR1);
    uv_run(uv_default_loop(), UV_RUN_NOWAIT);
    CHECK_EQ(calls, i);
    CHECK(uv_is_active((uv_handle_t *)&handle));
  }
  uv_signal_stop(&handle);
  CHECK_EQ(uv_signal_start_oneshot(&handle, never, SIGUSR1), 0);
  CHECK_EQ(uv_signal_start(&handle, count, SIGUSR1), 0);
  raise(SIGUSR1);
  CHECK(is_default(SIGUSR1));
  uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  CHECK_EQ(calls, 3);
  CHECK(!uv_is_active((uv_handle_t *)&handle));
  test_close_default_loop();
}

TEST(signal_start_that_fails_has_stopped_the_watcher) {
  static const int wrong[] = {SIGKILL, -1, 1000};
  uv_signal_t handle;
  uv_signal_init(uv_default_loop(), &handle);
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(uv_signal_start(&handle, never, SIGUSR1), 0);
    CHECK_EQ(uv_signal_start(&handle, never, 0), UV_EINVAL);
    CHECK(uv_is_active((uv_handle_t *)&handle));
    CHECK_EQ(uv_signal_start(&handle, never, wrong[i]), UV_EINVAL);
    CHECK(!uv_is_active((uv_handle_t *)&handle));
    CHECK(is_default(SIGUSR1));
  }
  test_close_default_loop();
}

static uv_signal_t victim;

static void stop_the_other(uv_signal_t *handle, int signum) {
  count(handle, signum);
  uv_signal_stop(&victim);
}

TEST(signal_watcher_stopped_by_another_is_not_called) {
  uv_signal_t first;
  uv_signal_init(uv_default_loop(), &first);
  uv_signal_init(uv_default_loop(), &victim);
  /* Whichever comes first, it stops the other one or itself. */
  uv_signal_start(&first, stop_the_other, SIGUSR1);
  uv_signal_start(&victim, count_and_stop, SIGUSR1);
  raise(SIGUSR1);
  raise(SIGUSR1);
  uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  CHECK(calls == 2 || calls == 3);
  CHECK(!uv_is_active((uv_handle_t *)&victim));
  test_close_default_loop();
}

TEST(signal_undelivered_at_close_is_dropped_and_close_does_not_hang) {
  uv_signal_t handle;
  uv_signal_init(uv_default_loop(), &handle);
  uv_signal_start(&handle, never, SIGUSR1);
  for (int i = 0; i < 100; i++)
    raise(SIGUSR1);
  uv_close((uv_handle_t *)&handle, on_close);
  CHECK_EQ(close_calls, 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(close_calls, 1);
  test_close_default_loop();
}

TEST(signal_undelivered_at_stop_is_dropped) {
  uv_signal_t handle;
  uv_signal_init(uv_default_loop(), &handle);
  uv_signal_start(&handle, never, SIGUSR1);
  raise(SIGUSR1);
  uv_signal_stop(&handle);
  uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  test_close_default_loop();
}

TEST(signal_before_the_start_is_not_for_a_new_watcher) {
  uv_signal_t early, late;
  uv_signal_init(uv_default_loop(), &early);
  uv_signal_init(uv_default_loop(), &late);
  uv_signal_start(&early, count, SIGUSR1);
  raise(SIGUSR1);
  uv_signal_start(&late, never, SIGUSR1);
  uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  CHECK_EQ(calls, 1);
  test_close_default_loop();
}

static void on_readable(uv_poll_t *handle, int status, int events) {
  (void)status;
  (void)events;
  strcat(story, "poll ");
  uv_poll_stop(handle);
}

static void tell_signal(uv_signal_t *handle, int signum) {
  (void)handle;
  (void)signum;
  strcat(story, "signal ");
}

TEST(signal_comes_after_the_other_events_of_a_round) {
  uv_signal_t handle;
  uv_poll_t polls[3];
  int fds[2];
  CHECK_EQ(pipe(fds), 0);
  uv_signal_init(uv_default_loop(), &handle);
  uv_signal_start(&handle, tell_signal, SIGUSR1);
  uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  raise(SIGUSR1);
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(uv_poll_init(uv_default_loop(), &polls[i], dup(fds[0])), 0);
    CHECK_EQ(uv_poll_start(&polls[i], UV_READABLE, on_readable), 0);
  }
  CHECK_EQ(write(fds[1], "x", 1), 1);
  uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  CHECK_STR(story, "poll poll poll signal ");
  test_close_default_loop();
}

TEST(signal_storm_does_not_lose_another_signal) {
  uv_signal_t noise, news;
  uv_signal_init(uv_default_loop(), &noise);
  uv_signal_init(uv_default_loop(), &news);
  uv_signal_start(&noise, count, SIGUSR1);
  uv_signal_start(&news, count_and_stop, SIGUSR2);
  for (int i = 0; i < 100000; i++)
    raise(SIGUSR1);
  raise(SIGUSR2);
  for (int i = 0; i < 10 && uv_is_active((uv_handle_t *)&news); i++)
    uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  CHECK(!uv_is_active((uv_handle_t *)&news));
  CHECK(calls > 1000);
  test_close_default_loop();
}

static void raise_again(uv_signal_t *handle, int signum) {
  (void)handle;
  calls++;
  raise(signum);
}

/* Both had their turns, even if one was slow. */
static void stop_after_calls(uv_timer_t *timer) {
  if (calls > 1)
    uv_stop(timer->loop);
}

TEST(signal_raised_by_its_own_callback_does_not_starve_the_loop) {
  uv_signal_t handle;
  uv_timer_t timer;
  uv_signal_init(uv_default_loop(), &handle);
  uv_timer_init(uv_default_loop(), &timer);
  uv_signal_start(&handle, raise_again, SIGUSR1);
  uv_update_time(uv_default_loop());
  uv_timer_start(&timer, stop_after_calls, 50, 50);
  raise(SIGUSR1);
  uv_run(uv_default_loop(), UV_RUN_DEFAULT);
  CHECK(calls > 1);
  uv_signal_stop(&handle);
  test_close_default_loop();
}

enum { THREADS = 8, ROUNDS = 50 };

static uv_sem_t ready_sem, got_sem;

static void thread_got(uv_signal_t *handle, int signum) {
  (void)signum;
  uv_sem_post(&got_sem);
  if (++*(int *)handle->data == ROUNDS)
    uv_close((uv_handle_t *)handle, NULL);
}

static void watch_in_thread(void *unused) {
  uv_loop_t loop;
  uv_signal_t handle;
  int got = 0;
  (void)unused;
  CHECK_EQ(uv_loop_init(&loop), 0);
  uv_signal_init(&loop, &handle);
  handle.data = &got;
  CHECK_EQ(uv_signal_start(&handle, thread_got, SIGUSR1), 0);
  uv_sem_post(&ready_sem);
  CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(got, ROUNDS);
  CHECK_EQ(uv_loop_close(&loop), 0);
}

static int churn = 1; /* only touched atomically */

static void start_and_stop_in_thread(void *unused) {
  (void)unused;
  while (__atomic_load_n(&churn, __ATOMIC_RELAXED)) {
    uv_loop_t loop;
    uv_signal_t a, b;
    CHECK_EQ(uv_loop_init(&loop), 0);
    uv_signal_init(&loop, &a);
    uv_signal_init(&loop, &b);
    uv_signal_start(&a, count, SIGUSR1);
    uv_signal_start(&b, never, SIGUSR2);
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_close((uv_handle_t *)&a, NULL);
    uv_close((uv_handle_t *)&b, NULL);
    CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
    CHECK_EQ(uv_loop_close(&loop), 0);
  }
}

TEST(signal_reaches_every_loop_of_every_thread) {
  uv_thread_t threads[THREADS], churner;
  uv_sem_init(&ready_sem, 0);
  uv_sem_init(&got_sem, 0);
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(uv_thread_create(&threads[i], watch_in_thread, NULL), 0);
  for (int i = 0; i < THREADS; i++)
    uv_sem_wait(&ready_sem);
  CHECK_EQ(uv_thread_create(&churner, start_and_stop_in_thread, NULL), 0);
  for (int round = 0; round < ROUNDS; round++) {
    CHECK_EQ(uv_kill(uv_os_getpid(), SIGUSR1), 0);
    for (int i = 0; i < THREADS; i++)
      uv_sem_wait(&got_sem);
  }
  __atomic_store_n(&churn, 0, __ATOMIC_RELAXED);
  uv_thread_join(&churner);
  for (int i = 0; i < THREADS; i++)
    uv_thread_join(&threads[i]);
  CHECK(is_default(SIGUSR1));
}

static void wait_for_good_end(pid_t pid) {
  int status;
  CHECK_EQ(waitpid(pid, &status, 0), pid);
  CHECK_EQ(status, 0);
}

TEST(signal_before_a_fork_belongs_to_the_parent) {
  uv_signal_t handle;
  pid_t pid;
  uv_signal_init(uv_default_loop(), &handle);
  uv_signal_start(&handle, count_and_stop, SIGUSR1);
  raise(SIGUSR1);
  pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    CHECK_EQ(uv_loop_fork(uv_default_loop()), 0);
    uv_run(uv_default_loop(), UV_RUN_NOWAIT);
    CHECK_EQ(calls, 0);
    raise(SIGUSR1);
    CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
    CHECK_EQ(calls, 1);
    _exit(0);
  }
  wait_for_good_end(pid);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(calls, 1);
  test_close_default_loop();
}

TEST(signal_to_a_forked_child_does_not_reach_the_parent) {
  uv_signal_t handle;
  pid_t pid;
  uv_signal_init(uv_default_loop(), &handle);
  uv_signal_start(&handle, never, SIGUSR1);
  uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    raise(SIGUSR1); /* and never says uv_loop_fork */
    _exit(0);
  }
  wait_for_good_end(pid);
  uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  test_close_default_loop();
}
