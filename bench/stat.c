/* How many files are asked for their size and times in a second, with a given number of requests in progress?
 * stat [in_flight] [seconds] */
#include "bench.h"
#include "uv.h"

static const char path[] = "/etc/passwd";
static uint64_t done, end_ns;

static void on_stat(uv_fs_t *req) {
  bench_must(req->result == 0, "stat");
  uv_fs_req_cleanup(req);
  done++;
  if (bench_now_ns() < end_ns)
    uv_fs_stat(req->loop, req, path, on_stat);
}

int main(int argc, char **argv) {
  size_t in_flight = (size_t)bench_number(argc, argv, 1, 64);
  uv_loop_t *loop = uv_default_loop();
  uv_fs_t *reqs = bench_array(in_flight, sizeof(*reqs));
  uint64_t start_ns = bench_now_ns();
  end_ns = start_ns + bench_seconds_ns(argc, argv, 2);
  for (size_t i = 0; i < in_flight; i++)
    uv_fs_stat(loop, &reqs[i], path, on_stat);
  uv_run(loop, UV_RUN_DEFAULT);
  bench_report_rate((double)done, bench_now_ns() - start_ns, "stats/s");
  return 0;
}
