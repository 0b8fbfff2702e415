/* Histograms against a sorted reference, and the statistics of loops and of the pool. */
#include "observe/stats/histogram.h"

#include <signal.h>

#include "trace_file.h"

/* ---- histograms ---- */

static struct rota_histogram histogram;

TEST(histogram_has_a_bucket_for_every_value) {
  unsigned int before = 0;
  for (unsigned int i = 0; i < ROTA_HISTOGRAM_BUCKETS; i++) {
    uint64_t first = rota__histogram_bucket_first(i), last = rota__histogram_bucket_last(i);
    CHECK_EQ(rota__histogram_bucket(first), i);
    CHECK_EQ(rota__histogram_bucket(last), i);
    CHECK(last - first <= first / ROTA_HISTOGRAM_STEPS);
    if (i > 0)
      CHECK_EQ(first, rota__histogram_bucket_last(before) + 1);
    before = i;
  }
  CHECK_EQ(rota__histogram_bucket(UINT64_MAX), ROTA_HISTOGRAM_BUCKETS - 1);
  CHECK_EQ(rota__histogram_bucket(0), 0);
}

static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

static int by_value(const void *a, const void *b) {
  uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return left < right ? -1 : left > right;
}

static void check_against_sorted(uint64_t *values, size_t count) {
  static const double percents[] = {0, 1, 10, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100};
  uint64_t sum = 0;
  rota__histogram_clear(&histogram);
  CHECK_EQ(rota__histogram_percentile(&histogram, 50), 0);
  for (size_t i = 0; i < count; i++) {
    sum += values[i];
    if (i % 2 == 0)
      rota__histogram_record(&histogram, values[i]);
    else
      rota__histogram_record_shared(&histogram, values[i]);
  }
  qsort(values, count, sizeof(*values), by_value);
  for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
    double exact = percents[i] / 100 * (double)count;
    size_t rank = (size_t)exact;
    if ((double)rank < exact || rank == 0)
      rank++;
    uint64_t truth = values[rank - 1];
    uint64_t found = rota__histogram_percentile(&histogram, percents[i]);
    CHECK(found >= truth);
    CHECK(found - truth <= truth / ROTA_HISTOGRAM_STEPS);
  }
  CHECK_EQ(atomic_load(&histogram.count), count);
  CHECK_EQ(atomic_load(&histogram.sum), sum);
  CHECK_EQ(~atomic_load(&histogram.smallest_inverted), values[0]);
  CHECK_EQ(atomic_load(&histogram.largest), values[count - 1]);
}

TEST(histogram_percentiles_are_those_of_the_sorted_values) {
  static uint64_t values[20000];
  static const size_t counts[] = {1, 2, 3, 10, 1000, 20000};
  for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
    for (size_t i = 0; i < counts[c]; i++)
      values[i] = next_random() % 1000000; /* evenly */
    check_against_sorted(values, counts[c]);
    for (size_t i = 0; i < counts[c]; i++)
      values[i] = next_random() >> (22 + next_random() % 42); /* of all sizes */
    check_against_sorted(values, counts[c]);
    for (size_t i = 0; i < counts[c]; i++)
      values[i] = 1234567; /* all the same */
    check_against_sorted(values, counts[c]);
  }
}

TEST(histogram_adds_up) {
  static struct rota_histogram sum;
  rota__histogram_record(&histogram, 5);
  rota__histogram_record(&histogram, 1000);
  rota__histogram_add(&sum, &histogram);
  rota__histogram_add(&sum, &histogram);
  CHECK_EQ(atomic_load(&sum.count), 4);
  CHECK_EQ(atomic_load(&sum.sum), 2010);
  CHECK_EQ(~atomic_load(&sum.smallest_inverted), 5);
  CHECK_EQ(atomic_load(&sum.largest), 1000);
  CHECK_EQ(rota__histogram_percentile(&sum, 50), 5);
}

/* ---- loops and the pool ---- */

static int calls;

/* Started anew each time: on a slow machine, a timer that repeats would leave the loop no time to wait. */
static void burn_timer(uv_timer_t *handle) {
  burn_ms(4);
  uv_update_time(handle->loop);
  CHECK_EQ(uv_timer_start(handle, burn_timer, 20, 0), 0);
  if (++calls == 5)
    uv_close((uv_handle_t *)handle, NULL);
}

static uv_sem_t all_queued;

static void burn_work(uv_work_t *request) {
  if (request->data != NULL)
    uv_sem_wait(&all_queued);
  burn_ms(10);
}

static void after_work(uv_work_t *request, int status) {
  (void)request;
  CHECK_EQ(status, 0);
}

TEST(stats_of_a_loop_and_the_pool) {
  uv_loop_t loop;
  uv_timer_t timer;
  uv_work_t works[3];
  rota_stats_t stats;
  uv_metrics_t metrics;
  uint64_t busy_ns, idle_ns, value_ns;
  CHECK_EQ(uv_os_setenv("UV_THREADPOOL_SIZE", "1"), 0);
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK_EQ(rota_stats_get(&loop, ROTA_FIGURE_DELAY, &stats), UV_ENOENT);
  CHECK_EQ(rota_stats_start(), 0);
  CHECK_EQ(rota_observe(&loop), 0);
  CHECK_EQ(uv_timer_init(&loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, burn_timer, 20, 0), 0);
  CHECK_EQ(uv_sem_init(&all_queued, 0), 0);
  for (int i = 0; i < 3; i++) {
    works[i].data = i == 0 ? &works[i] : NULL;
    CHECK_EQ(uv_queue_work(&loop, &works[i], burn_work, after_work), 0);
  }
  uv_sem_post(&all_queued);
  CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);

  CHECK_EQ(rota_stats_get(&loop, ROTA_FIGURE_ITERATION, &stats), 0);
  CHECK_EQ(uv_metrics_info(&loop, &metrics), 0);
  CHECK_EQ(stats.count, metrics.loop_count);
  CHECK_EQ(rota_stats_get(&loop, ROTA_FIGURE_CALLBACK, &stats), 0);
  CHECK_EQ(stats.count, 8);
  CHECK(stats.max_ns >= 3990000);
  CHECK(stats.p50_ns >= stats.min_ns && stats.p50_ns <= stats.p99_ns && stats.p999_ns <= stats.max_ns);
  CHECK_EQ(stats.mean_ns, stats.sum_ns / stats.count);
  CHECK_EQ(rota_stats_get(&loop, ROTA_FIGURE_TIMERS, &stats), 0);
  CHECK_EQ(stats.count, 5);
  CHECK(stats.min_ns >= 3990000);
  CHECK_EQ(rota_stats_get(&loop, ROTA_FIGURE_DELAY, &stats), 0);
  CHECK(stats.max_ns >= 3990000);
  CHECK_EQ(rota_stats_get(&loop, ROTA_FIGURE_TIMER_LATENESS, &stats), 0);
  CHECK_EQ(stats.count, 5);
  CHECK_EQ(rota_stats_get(&loop, ROTA_FIGURE_PREPARE, &stats), 0);
  CHECK_EQ(stats.count, 0);

  /* One thread: the third job waits for the two before it. */
  CHECK_EQ(rota_stats_get(NULL, ROTA_FIGURE_QUEUE_USER, &stats), 0);
  CHECK_EQ(stats.count, 3);
  CHECK(stats.max_ns >= 19000000);
  CHECK_EQ(rota_stats_get(NULL, ROTA_FIGURE_RUN_USER, &stats), 0);
  CHECK_EQ(stats.count, 3);
  CHECK(stats.min_ns >= 9990000);
  CHECK_EQ(rota_stats_percentile(NULL, ROTA_FIGURE_RUN_USER, 50, &value_ns), 0);
  CHECK_EQ(value_ns, stats.p50_ns);
  CHECK_EQ(rota_stats_percentile(NULL, ROTA_FIGURE_RUN_USER, 101, &value_ns), UV_EINVAL);
  CHECK_EQ(rota_stats_get(NULL, ROTA_FIGURE_QUEUE_CRYPTO, &stats), 0);
  CHECK_EQ(stats.count, 0);
  CHECK_EQ(rota_stats_get(NULL, ROTA_FIGURE_MAX, &stats), UV_EINVAL);

  CHECK_EQ(rota_stats_time(&loop, &busy_ns, &idle_ns), 0);
  CHECK(busy_ns >= 5 * 3990000u);
  CHECK(idle_ns > 10000000);

  CHECK_EQ(uv_loop_close(&loop), 0);
  /* What a closed loop has recorded counts for the process. */
  CHECK_EQ(rota_stats_get(NULL, ROTA_FIGURE_CALLBACK, &stats), 0);
  CHECK_EQ(stats.count, 8);
  CHECK_EQ(rota_stats_reset(NULL), 0);
  CHECK_EQ(rota_stats_get(NULL, ROTA_FIGURE_RUN_USER, &stats), 0);
  CHECK_EQ(stats.count, 0);
  rota_stats_stop();
  CHECK_EQ(rota_observing(), 0);
}

/* A run without a phase takes no time, neither by itself nor inside of a callback, whose phase goes on after it. */
static void run_in_vain(uv_timer_t *handle) {
  uv_loop_t *loop = handle->loop;
  uv_unref((uv_handle_t *)handle);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  uv_close((uv_handle_t *)handle, NULL);
}

TEST(stats_of_a_loop_that_has_nothing_to_do) {
  uv_loop_t loop;
  uv_timer_t timer;
  rota_stats_t stats;
  uint64_t busy_ns, idle_ns, began_ns = uv_hrtime();
  CHECK_EQ(rota_stats_start(), 0);
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(rota_stats_get(&loop, ROTA_FIGURE_DELAY, &stats), 0);
  CHECK_EQ(stats.count, 0);
  CHECK_EQ(rota_stats_time(&loop, &busy_ns, &idle_ns), 0);
  CHECK_EQ(busy_ns + idle_ns, 0);

  CHECK_EQ(uv_timer_init(&loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, run_in_vain, 1, 0), 0);
  CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(rota_stats_time(&loop, &busy_ns, &idle_ns), 0);
  CHECK(busy_ns + idle_ns > 0 && busy_ns + idle_ns <= uv_hrtime() - began_ns);
  CHECK_EQ(rota_stats_get(&loop, ROTA_FIGURE_TIMERS, &stats), 0);
  CHECK_EQ(stats.count, 1);
  CHECK_EQ(uv_loop_close(&loop), 0);
}

static void close_async(uv_async_t *async) {
  uv_close((uv_handle_t *)async, NULL);
}

static void look_from_outside(void *data) {
  uv_async_t *async = data;
  uint64_t busy_ns, idle_ns;
  uv_sleep(200);
  CHECK_EQ(rota_stats_time(async->loop, &busy_ns, &idle_ns), 0);
  CHECK(idle_ns >= 50000000 && busy_ns < idle_ns);
  uv_async_send(async);
}

/* As a server does when it is ended. */
TEST(stats_count_a_wait_that_goes_on) {
  uv_loop_t loop;
  uv_async_t async;
  uv_thread_t thread;
  CHECK_EQ(rota_stats_start(), 0);
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK_EQ(uv_async_init(&loop, &async, close_async), 0);
  CHECK_EQ(uv_thread_create(&thread, look_from_outside, &async), 0);
  CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(uv_thread_join(&thread), 0);
  CHECK_EQ(uv_loop_close(&loop), 0);
}

TEST(stats_names_every_figure) {
  for (int i = 0; i < ROTA_FIGURE_MAX; i++)
    CHECK(rota_figure_name((rota_figure)i) != NULL);
  CHECK(rota_figure_name(ROTA_FIGURE_MAX) == NULL);
}

/* ---- printed ---- */

static uv_signal_t signal_handle;
static int signals;

static void on_signal(uv_signal_t *handle, int signum) {
  CHECK_EQ(signum, SIGUSR2);
  if (++signals == 2)
    uv_close((uv_handle_t *)handle, NULL);
}

static const char headline[] = "rota: statistics of process";

/* The next signal is sent only after the answer to the one before: two signals in a row could be merged. */
static void raise_signal(uv_timer_t *handle) {
  if (output_has(headline) < calls)
    return;
  if (calls++ == 2)
    uv_close((uv_handle_t *)handle, NULL);
  else
    CHECK_EQ(uv_kill(uv_os_getpid(), SIGUSR2), 0);
}

static void wait_for_answer(uv_timer_t *handle) {
  if (output_has(headline) == 3)
    uv_close((uv_handle_t *)handle, NULL);
}

/* Two signals while the program watches them itself, a third while it does not. */
HELPER(stats_signals) {
  uv_loop_t *loop = uv_default_loop();
  uv_timer_t timer;
  CHECK_EQ(uv_signal_init(loop, &signal_handle), 0);
  CHECK_EQ(uv_signal_start(&signal_handle, on_signal, SIGUSR2), 0);
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, raise_signal, 100, 100), 0);
  uv_run(loop, UV_RUN_DEFAULT);
  CHECK_EQ(signals, 2);
  CHECK_EQ(uv_kill(uv_os_getpid(), SIGUSR2), 0);
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, wait_for_answer, 100, 100), 0);
  uv_run(loop, UV_RUN_DEFAULT);
  return 0;
}

TEST(stats_are_printed_on_the_signal_and_at_exit) {
  CHECK_EQ(run_helper("ROTA_STATS=1", "stats_signals", "out"), 0);
  char *text = read_text("out");
  CHECK_EQ(count_in(text, headline), 4);
  CHECK(strstr(text, "timer lateness") != NULL);
  CHECK(strstr(text, "loop delay") != NULL);
  CHECK(strstr(text, "closing") == NULL || strstr(text, "file queued") == NULL);
  free(text);
}

TEST(stats_are_silent_unless_asked_for) {
  CHECK_EQ(run_helper("ROTA_STATS=0", "trace_once", "out"), 0);
  char *text = read_text("out");
  CHECK_STR(text, "");
  free(text);
}
