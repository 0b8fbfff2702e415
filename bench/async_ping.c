/* How often can two loops in two threads wake each other in a second?
 * async_ping [seconds]: there and back is one ping. */
#include "bench.h"
#include "uv.h"

enum { BETWEEN_LOOKS = 32 };

struct side {
  uv_loop_t loop;
  uv_async_t async;
};

static struct side here, there;
static uint64_t pings, end_ns;
static bool over; /* written before a send and read after the wake-up that it leads to */

static void on_ping(uv_async_t *async) {
  if (over)
    uv_close((uv_handle_t *)async, NULL);
  uv_async_send(&here.async);
}

static void on_pong(uv_async_t *async) {
  if (over) {
    uv_close((uv_handle_t *)async, NULL);
    return;
  }
  if (++pings % BETWEEN_LOOKS == 0)
    over = bench_now_ns() >= end_ns;
  uv_async_send(&there.async);
}

static void run_there(void *unused) {
  (void)unused;
  uv_run(&there.loop, UV_RUN_DEFAULT);
}

int main(int argc, char **argv) {
  uv_thread_t thread;
  bench_must(uv_loop_init(&here.loop) == 0 && uv_loop_init(&there.loop) == 0, "uv_loop_init");
  bench_must(uv_async_init(&here.loop, &here.async, on_pong) == 0, "uv_async_init");
  bench_must(uv_async_init(&there.loop, &there.async, on_ping) == 0, "uv_async_init");
  bench_must(uv_thread_create(&thread, run_there, NULL) == 0, "uv_thread_create");
  uint64_t start_ns = bench_now_ns();
  end_ns = start_ns + bench_seconds_ns(argc, argv, 1);
  uv_async_send(&there.async);
  uv_run(&here.loop, UV_RUN_DEFAULT);
  uint64_t elapsed_ns = bench_now_ns() - start_ns;
  uv_thread_join(&thread);
  bench_report_rate((double)pings, elapsed_ns, "pings/s");
  return 0;
}
