/* How many jobs go through the pool in a second, with a given number of them in progress?
 * work [in_flight] [seconds]: 1 is one job after another. The job itself does nothing. */
#include "bench.h"
#include "uv.h"

static uint64_t done, end_ns;

static void on_work(uv_work_t *work) {
  (void)work;
}

static void on_done(uv_work_t *work, int status) {
  bench_must(status == 0, "a job failed");
  done++;
  if (bench_now_ns() < end_ns)
    uv_queue_work(work->loop, work, on_work, on_done);
}

int main(int argc, char **argv) {
  size_t in_flight = (size_t)bench_number(argc, argv, 1, 1);
  uv_loop_t *loop = uv_default_loop();
  uv_work_t *works = bench_array(in_flight, sizeof(*works));
  /* The threads start with the first job: this is not measured. */
  uv_queue_work(loop, &works[0], on_work, on_done);
  uv_run(loop, UV_RUN_DEFAULT);
  uv_sleep(10);
  done = 0;
  uint64_t start_ns = bench_now_ns();
  end_ns = start_ns + bench_seconds_ns(argc, argv, 2);
  for (size_t i = 0; i < in_flight; i++)
    uv_queue_work(loop, &works[i], on_work, on_done);
  uv_run(loop, UV_RUN_DEFAULT);
  bench_report_rate((double)done, bench_now_ns() - start_ns, "jobs/s");
  return 0;
}
