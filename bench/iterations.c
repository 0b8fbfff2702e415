/* How many iterations does the loop make in a second when there is nothing to do but call an idle handle?
 * iterations [seconds] */
#include "bench.h"
#include "uv.h"

enum { BETWEEN_LOOKS = 1024 };

static uint64_t iterations, end_ns;

static void on_idle(uv_idle_t *idle) {
  if (++iterations % BETWEEN_LOOKS == 0 && bench_now_ns() >= end_ns)
    uv_idle_stop(idle);
}

int main(int argc, char **argv) {
  uv_loop_t *loop = uv_default_loop();
  uv_idle_t idle;
  uv_idle_init(loop, &idle);
  uv_idle_start(&idle, on_idle);
  uint64_t start_ns = bench_now_ns();
  end_ns = start_ns + bench_seconds_ns(argc, argv, 1);
  uv_run(loop, UV_RUN_DEFAULT);
  bench_report_rate((double)iterations, bench_now_ns() - start_ns, "iterations/s");
  return 0;
}
