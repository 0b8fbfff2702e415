/* How much of the processor is used while nothing happens, after the pool has had work to do?
 * idle_cpu [seconds] */
#include "bench.h"
#include "uv.h"

enum { JOBS = 1000 };

static int jobs_left = JOBS;
static uint64_t idle_ms, start_ns;

static void on_timer(uv_timer_t *timer) {
  (void)timer;
}

static void on_work(uv_work_t *work) {
  (void)work;
}

static void on_done(uv_work_t *work, int status) {
  bench_must(status == 0, "a job failed");
  if (--jobs_left > 0) {
    uv_queue_work(work->loop, work, on_work, on_done);
    return;
  }
  static uv_timer_t timer;
  uv_update_time(work->loop);
  uv_timer_init(work->loop, &timer);
  uv_timer_start(&timer, on_timer, idle_ms, 0);
  start_ns = bench_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

int main(int argc, char **argv) {
  idle_ms = (uint64_t)(bench_number(argc, argv, 1, 2) * 1e3);
  uv_loop_t *loop = uv_default_loop();
  uv_work_t work;
  uv_queue_work(loop, &work, on_work, on_done);
  uv_run(loop, UV_RUN_DEFAULT);
  bench_report((double)(bench_clock_ns(CLOCK_PROCESS_CPUTIME_ID) - start_ns) / 1e3, "us of CPU");
  return 0;
}
