/* How fast are active timers restarted, as a server does with the timeout of every active connection?
 * timers_again [count] [seconds]
 *
 * All have the same timeout; the order in which they are restarted is random; time goes on meanwhile. */
#include "bench.h"
#include "uv.h"

enum { BATCH = 1000, TIMEOUT_MS = 60000 };

static void on_timer(uv_timer_t *timer) {
  (void)timer;
  abort();
}

int main(int argc, char **argv) {
  size_t count = (size_t)bench_number(argc, argv, 1, 100000);
  uint64_t duration_ns = bench_seconds_ns(argc, argv, 2);
  uv_loop_t *loop = uv_default_loop();
  uv_timer_t *timers = bench_array(count, sizeof(*timers));
  for (size_t i = 0; i < count; i++) {
    uv_timer_init(loop, &timers[i]);
    uv_timer_start(&timers[i], on_timer, TIMEOUT_MS, 0);
  }
  uint64_t seed = 88172645463325252u, restarts = 0;
  uint64_t start_ns = bench_now_ns(), now_ns;
  do {
    for (int i = 0; i < BATCH; i++)
      uv_timer_start(&timers[bench_random(&seed) % count], on_timer, TIMEOUT_MS, 0);
    restarts += BATCH;
    uv_update_time(loop);
    now_ns = bench_now_ns();
  } while (now_ns - start_ns < duration_ns);
  bench_report_rate((double)restarts, now_ns - start_ns, "restarts/s");
  return 0;
}
