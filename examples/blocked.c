/* Who blocks the loop? A heartbeat every 20 ms, and a callback that now and then burns 200 ms; then a tick that always
 * queues another. The watchdog names both while they run; the statistics show what it did to the heartbeat.
 *
 * The program says so itself, through rota.h. For one that knows nothing of it, the environment does the same:
 *
 *   ROTA_WATCHDOG=50 ROTA_STATS=1 ROTA_TRACE=blocked.json program */
#include <stdio.h>
#include <stdlib.h>

#include <rota.h>
#include <uv.h>

static uv_loop_t loop;
static uv_timer_t heartbeat, greedy;
static rota_ticks_t *ticks;
static uint64_t starving_until_ns;
static int beats;

static void require(int result, const char *what) {
  if (result >= 0)
    return;
  fprintf(stderr, "%s: %s\n", what, uv_strerror(result));
  exit(1);
}

static void compute(unsigned int ms) {
  uint64_t end_ns = uv_hrtime() + (uint64_t)ms * 1000000;
  while (uv_hrtime() < end_ns)
    continue;
}

static void on_greedy(uv_timer_t *timer) {
  (void)timer;
  compute(200);
}

static void endless_tick(void *data, void *more) {
  if (uv_hrtime() < starving_until_ns)
    require(rota_tick_enqueue(ticks, endless_tick, data, more), "rota_tick_enqueue");
}

static void on_heartbeat(uv_timer_t *timer) {
  if (++beats < 40)
    return;
  starving_until_ns = uv_hrtime() + 500 * 1000000u;
  require(rota_tick_enqueue(ticks, endless_tick, NULL, NULL), "rota_tick_enqueue");
  uv_close((uv_handle_t *)timer, NULL);
  uv_close((uv_handle_t *)&greedy, NULL);
}

int main(void) {
  require(rota_watchdog_start(50, NULL, NULL), "rota_watchdog_start");
  require(rota_stats_start(), "rota_stats_start");
  require(uv_loop_init(&loop), "uv_loop_init");
  require(rota_ticks_attach(&loop, &ticks), "rota_ticks_attach");
  require(uv_timer_init(&loop, &heartbeat), "uv_timer_init");
  require(uv_timer_init(&loop, &greedy), "uv_timer_init");
  require(uv_timer_start(&heartbeat, on_heartbeat, 20, 20), "uv_timer_start");
  require(uv_timer_start(&greedy, on_greedy, 100, 300), "uv_timer_start");

  rota_print_alive(&loop, stdout);
  uv_run(&loop, UV_RUN_DEFAULT);
  rota_stats_print(stdout);
  printf("%llu callbacks took longer than 50 ms\n", (unsigned long long)rota_watchdog_count());

  require(rota_ticks_detach(ticks), "rota_ticks_detach");
  require(uv_loop_close(&loop), "uv_loop_close");
  return 0;
}
