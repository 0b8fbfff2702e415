/* Delay monitors: the computation with artificial times, the values against a sorted reference, and real loops. */
#include "observe/stats/delay.h"

#include <stdlib.h>

#include "test.h"
#include "trace_file.h"

#define MS UINT64_C(1000000)

/* ---- the values ---- */

TEST(delay_values_have_three_digits) {
  for (unsigned int i = 0; i < ROTA_DELAY_BUCKETS - 1; i++) {
    uint64_t first = rota__delay_values_first(i), last = rota__delay_values_last(i);
    if (last > ROTA_DELAY_LIMIT_NS)
      break;
    CHECK_EQ(rota__delay_values_bucket(first), i);
    CHECK_EQ(rota__delay_values_bucket(last), i);
    CHECK((last - first) * 1000 <= first);
    CHECK_EQ(rota__delay_values_first(i + 1), last + 1);
  }
  CHECK(rota__delay_values_bucket(ROTA_DELAY_LIMIT_NS) < ROTA_DELAY_BUCKETS);
}

static int by_value(const void *a, const void *b) {
  uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return left < right ? -1 : left > right;
}

TEST(delay_values_are_those_of_a_sorted_list) {
  enum { COUNT = 5000 };
  static uint64_t sorted[COUNT];
  static const double percents[] = {0.1, 1, 25, 50, 75, 90, 99, 99.9, 100};
  struct rota_delay_values *values;
  uint64_t state = 88172645463325252u;
  CHECK_EQ(rota__delay_values_create(&values), 0);
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < COUNT; i++) {
      state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      sorted[i] = (state >> 24) % ROTA_DELAY_LIMIT_NS >> (round * 12);
      rota__delay_values_record(values, sorted[i], 1);
    }
    qsort(sorted, COUNT, sizeof(sorted[0]), by_value);
    CHECK_EQ(values->count, COUNT);
    CHECK_EQ(values->smallest, sorted[0]);
    CHECK_EQ(values->largest, sorted[COUNT - 1]);
    for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
      double exact = percents[i] / 100 * COUNT;
      size_t rank = (size_t)exact + ((double)(size_t)exact < exact);
      uint64_t found = rota__delay_values_percentile(values, percents[i]);
      CHECK(found >= sorted[rank - 1]);
      CHECK((found - sorted[rank - 1]) * 1000 <= found);
    }
    /* Nothing is left for the next round. */
    rota__delay_values_clear(values);
    for (unsigned int i = 0; i < ROTA_DELAY_BUCKETS; i++)
      CHECK_EQ(values->buckets[i], 0);
    CHECK_EQ(rota__delay_values_percentile(values, 50), 0);
  }
  rota__delay_values_record(values, ROTA_DELAY_LIMIT_NS + 1, 2);
  CHECK_EQ(values->count, 0);
  CHECK_EQ(values->exceeding, 2);
  rota__delay_values_destroy(values);
}

/* ---- the computation ---- */

static rota_stats_t stats_of(const rota_delay_t *delay) {
  rota_stats_t stats;
  rota_delay_get(delay, &stats, NULL);
  return stats;
}

static rota_delay_t *started(uint64_t interval_ms) {
  rota_delay_t *delay;
  CHECK_EQ(rota_delay_create(uv_default_loop(), interval_ms, &delay), 0);
  CHECK_EQ(rota_delay_start(delay), 0);
  return delay;
}

TEST(delay_of_a_sleeping_loop_is_the_interval) {
  rota_delay_t *delay = started(10);
  delay->due_ns = 1010 * MS;
  /* The first time begins; a wait that ends before the next changes nothing. */
  rota__delay_slept(delay, 1000 * MS, 1010 * MS);
  CHECK_EQ(stats_of(delay).count, 0);
  rota__delay_slept(delay, 1010 * MS, 1020 * MS - 1);
  CHECK_EQ(stats_of(delay).count, 0);
  rota__delay_slept(delay, 1015 * MS, 1020 * MS);
  CHECK_EQ(stats_of(delay).count, 1);
  rota__delay_slept(delay, 1020 * MS, 2024 * MS);
  CHECK_EQ(stats_of(delay).count, 101);
  CHECK_EQ(stats_of(delay).min_ns, 10 * MS);
  CHECK_EQ(stats_of(delay).max_ns, 10 * MS);
  CHECK_EQ(delay->due_ns, 2030 * MS);
  rota_delay_destroy(delay);
  test_close_default_loop();
}

TEST(delay_of_a_busy_loop_is_what_it_takes) {
  rota_delay_t *delay = started(10);
  rota__delay_fire(delay, 1000 * MS + 1);
  CHECK_EQ(delay->due_ns, 1010 * MS); /* by whole milliseconds, as timers are */
  rota__delay_fire(delay, 1234 * MS + 5);
  CHECK_EQ(stats_of(delay).count, 1);
  CHECK_EQ(stats_of(delay).max_ns, 234 * MS + 4);
  /* It was overdue when the loop went to sleep, so the loop would not have slept. */
  rota__delay_slept(delay, 1300 * MS, 1315 * MS);
  CHECK_EQ(stats_of(delay).count, 3);
  CHECK_EQ(stats_of(delay).min_ns, 10 * MS);
  CHECK_EQ(stats_of(delay).sum_ns, 310 * MS - 1);
  /* After a reset there is nothing to measure from. */
  rota_delay_reset(delay);
  rota__delay_fire(delay, 1400 * MS);
  CHECK_EQ(stats_of(delay).count, 0);
  rota__delay_fire(delay, 1410 * MS);
  CHECK_EQ(stats_of(delay).count, 1);
  rota_delay_destroy(delay);
  test_close_default_loop();
}

/* ---- loops ---- */

static void do_nothing(uv_timer_t *timer) {
  (void)timer;
}

static void burn(uv_timer_t *timer) {
  (void)timer;
  burn_ms(60);
}

static uint64_t iterations(void) {
  uv_metrics_t metrics;
  CHECK_EQ(uv_metrics_info(uv_default_loop(), &metrics), 0);
  return metrics.loop_count;
}

static void run_timer(uv_timer_t *timer, uv_timer_cb cb, uint64_t after_ms) {
  uv_update_time(uv_default_loop());
  CHECK_EQ(uv_timer_init(uv_default_loop(), timer), 0);
  CHECK_EQ(uv_timer_start(timer, cb, after_ms, 0), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
}

TEST(delay_monitors_do_not_wake_the_loop) {
  uv_timer_t first, second;
  uint64_t before = iterations();
  run_timer(&first, do_nothing, 200);
  uint64_t without = iterations() - before;
  rota_delay_t *fine = started(1), *coarse = started(20);
  before = iterations();
  run_timer(&second, do_nothing, 200);
  CHECK(iterations() - before <= without + 3);
  /* However slow the machine is, the loop was told to sleep for this long, minus earlier delays. */
  CHECK(stats_of(fine).count >= 100);
  CHECK(stats_of(coarse).count >= 3);
  CHECK(stats_of(fine).count > stats_of(coarse).count);
  CHECK_EQ(stats_of(fine).p50_ns / MS, 1);
  rota_delay_destroy(fine);
  rota_delay_destroy(coarse);
  test_close_default_loop();
}

TEST(delay_monitors_see_who_blocks) {
  uv_timer_t timers[3];
  rota_delay_t *delay = started(5);
  /* One after another: on a busy machine all could be due at once, with nothing before or after the one that blocks. */
  for (int i = 0; i < 3; i++)
    run_timer(&timers[i], i == 1 ? burn : do_nothing, 100);
  CHECK(stats_of(delay).max_ns >= 60 * MS);
  CHECK(stats_of(delay).count > 5);
  uint64_t seen = 0;
  rota_delay_bucket_t bucket = {.last_ns = UINT64_MAX};
  while (rota_delay_next_bucket(delay, bucket.last_ns + 1, &bucket) == 0) {
    CHECK(bucket.first_ns <= bucket.last_ns);
    seen += bucket.count;
  }
  CHECK_EQ(seen, stats_of(delay).count);
  CHECK(bucket.last_ns >= stats_of(delay).max_ns);
  rota_delay_destroy(delay);
  test_close_default_loop();
}

TEST(delay_monitors_of_iterations_see_one_value_for_each) {
  uv_timer_t first, second;
  rota_delay_t *delay = started(0);
  run_timer(&first, burn, 0);
  uint64_t before = iterations(), count = stats_of(delay).count;
  run_timer(&second, do_nothing, 100);
  CHECK_EQ(stats_of(delay).count - count, iterations() - before);
  CHECK(stats_of(delay).max_ns >= 60 * MS);
  rota_delay_destroy(delay);
  test_close_default_loop();
}

TEST(delay_monitors_start_and_stop_once) {
  uv_loop_t loop;
  rota_delay_t *delay;
  rota_stats_t stats;
  rota_delay_bucket_t bucket;
  uint64_t exceeding = 1;
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK_EQ(rota_delay_create(&loop, UINT64_MAX, &delay), 0);
  CHECK_EQ(rota_delay_stop(delay), UV_EALREADY);
  rota_delay_reset(delay);
  rota_delay_get(delay, &stats, &exceeding);
  CHECK_EQ(stats.count, 0);
  CHECK_EQ(exceeding, 0);
  CHECK_EQ(rota_delay_start(delay), 0);
  CHECK_EQ(rota_delay_start(delay), UV_EALREADY);
  CHECK_EQ(rota_delay_stop(delay), 0);
  CHECK_EQ(rota_delay_stop(delay), UV_EALREADY);
  CHECK_EQ(rota_delay_start(delay), 0);
  CHECK_EQ(uv_loop_alive(&loop), 0);
  CHECK_EQ(uv_backend_timeout(&loop), 0);
  /* The loop goes first. */
  CHECK_EQ(uv_loop_close(&loop), 0);
  CHECK_EQ(rota_delay_stop(delay), UV_EALREADY);
  CHECK_EQ(rota_delay_start(delay), UV_EINVAL);
  CHECK_EQ(rota_delay_next_bucket(delay, 0, &bucket), UV_ENOENT);
  rota_delay_destroy(delay);
}
