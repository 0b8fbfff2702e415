/* How fast are timers with random times set and fired?
 * timers [count] [span_ms] [rounds] [elapsed|cpu]
 *
 * Waiting for the clock must not count. "elapsed": all timers are set (counted), the program sleeps until the last is
 * due (not counted), and the loop fires them all (counted). "cpu": the timers are set and the loop runs as it would
 * anywhere, firing each at its time; the processor time counts, which includes the many short sleeps. */
#include "bench.h"
#include "uv.h"

static uint64_t fired;

static void on_timer(uv_timer_t *timer) {
  (void)timer;
  fired++;
}

static void sleep_until(uint64_t until_ns) {
  struct timespec t = {(time_t)(until_ns / 1000000000u), (long)(until_ns % 1000000000u)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) != 0)
    ;
}

int main(int argc, char **argv) {
  size_t count = (size_t)bench_number(argc, argv, 1, 2000000);
  uint64_t span_ms = (uint64_t)bench_number(argc, argv, 2, 1000);
  int rounds = (int)bench_number(argc, argv, 3, 1);
  bool cpu = argc > 4 && strcmp(argv[4], "cpu") == 0;
  clockid_t clock = cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
  uv_loop_t *loop = uv_default_loop();
  uv_timer_t *timers = bench_array(count, sizeof(*timers));
  for (size_t i = 0; i < count; i++)
    uv_timer_init(loop, &timers[i]);
  uint64_t seed = 88172645463325252u, spent_ns = 0;
  for (int round = 0; round < rounds; round++) {
    uv_update_time(loop);
    uint64_t due_ns = bench_now_ns() + (span_ms + 1) * 1000000u;
    uint64_t start_ns = bench_clock_ns(clock);
    for (size_t i = 0; i < count; i++)
      uv_timer_start(&timers[i], on_timer, 1 + bench_random(&seed) % span_ms, 0);
    spent_ns += bench_clock_ns(clock) - start_ns;
    if (!cpu)
      sleep_until(due_ns);
    start_ns = bench_clock_ns(clock);
    uv_run(loop, UV_RUN_DEFAULT);
    spent_ns += bench_clock_ns(clock) - start_ns;
  }
  bench_must(fired == count * (uint64_t)rounds, "not every timer fired");
  bench_report_rate((double)fired, spent_ns, "timers/s");
  return 0;
}
