/* What does it cost to wake one async handle when there are many?
 * async_among [handles] [seconds]: the callback of one sends to another, chosen at random. */
#include "bench.h"
#include "uv.h"

enum { BETWEEN_LOOKS = 32 };

static uv_async_t *handles;
static size_t count;
static uint64_t sends, end_ns, seed = 88172645463325252u;

static void on_async(uv_async_t *async) {
  if (++sends % BETWEEN_LOOKS == 0 && bench_now_ns() >= end_ns)
    uv_stop(async->loop);
  else
    uv_async_send(&handles[bench_random(&seed) % count]);
}

int main(int argc, char **argv) {
  count = (size_t)bench_number(argc, argv, 1, 50000);
  uv_loop_t *loop = uv_default_loop();
  handles = bench_array(count, sizeof(*handles));
  for (size_t i = 0; i < count; i++)
    bench_must(uv_async_init(loop, &handles[i], on_async) == 0, "uv_async_init");
  uint64_t start_ns = bench_now_ns();
  end_ns = start_ns + bench_seconds_ns(argc, argv, 2);
  uv_async_send(&handles[0]);
  uv_run(loop, UV_RUN_DEFAULT);
  bench_report_rate((double)sends, bench_now_ns() - start_ns, "sends/s");
  return 0;
}
