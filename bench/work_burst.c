/* What does a job cost if that many are submitted to the pool at once? For the plots of growth.
 * work_burst [count] [rounds] */
#include "bench.h"
#include "uv.h"

static void on_work(uv_work_t *work) {
  (void)work;
}

static void on_done(uv_work_t *work, int status) {
  (void)work;
  bench_must(status == 0, "a job failed");
}

int main(int argc, char **argv) {
  size_t count = (size_t)bench_number(argc, argv, 1, 1000);
  size_t rounds = (size_t)bench_number(argc, argv, 2, 1);
  uv_loop_t *loop = uv_default_loop();
  uv_work_t *works = bench_array(count, sizeof(*works));
  uv_queue_work(loop, &works[0], on_work, on_done);
  uv_run(loop, UV_RUN_DEFAULT);
  uint64_t start_ns = bench_now_ns();
  for (size_t round = 0; round < rounds; round++) {
    for (size_t i = 0; i < count; i++)
      uv_queue_work(loop, &works[i], on_work, on_done);
    uv_run(loop, UV_RUN_DEFAULT);
  }
  bench_report_rate((double)(count * rounds), bench_now_ns() - start_ns, "jobs/s");
  return 0;
}
