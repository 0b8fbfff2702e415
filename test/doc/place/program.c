#include <stdio.h>
#include <uv.h>

static void on_timer(uv_timer_t *timer) {
  puts("a second has passed");
  uv_close((uv_handle_t *)timer, NULL);
}

int main(void) {
  uv_timer_t timer;
  uv_timer_init(uv_default_loop(), &timer);
  uv_timer_start(&timer, on_timer, 1000, 0);
  return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
