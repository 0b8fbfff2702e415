/* uv_timer_start counts from the loop's time, which stands still during a callback. */
#include <stdint.h>
#include <stdio.h>
#include <uv.h>

static uv_timer_t first, forty, five;

static void on_forty(uv_timer_t *timer) {
  (void)timer;
  puts("40 ms, counted from the old time");
}

static void on_five(uv_timer_t *timer) {
  (void)timer;
  puts("5 ms, counted from the new time");
}

static void on_first(uv_timer_t *timer) {
  uint64_t before = uv_now(timer->loop), start = uv_hrtime();
  while (uv_hrtime() - start < 100 * 1000000ULL)
    ;
  printf("100 ms of work, the loop's time has moved by %d ms\n", (int)(uv_now(timer->loop) - before));
  uv_timer_start(&forty, on_forty, 40, 0);
  uv_update_time(timer->loop);
  uv_timer_start(&five, on_five, 5, 0);
}

int main(void) {
  uv_loop_t *loop = uv_default_loop();
  uv_timer_init(loop, &first);
  uv_timer_init(loop, &forty);
  uv_timer_init(loop, &five);
  uv_timer_start(&first, on_first, 1, 0);
  return uv_run(loop, UV_RUN_DEFAULT);
}
