/* A program that uses the installed library; C and C++. */
#include <stdio.h>

#include <uv.h>

static void on_timer(uv_timer_t *timer) {
  puts("the timer");
  uv_close((uv_handle_t *)timer, NULL);
}

int main(void) {
  uv_timer_t timer;
  uv_loop_t *loop = uv_default_loop();
  if (loop == NULL || uv_timer_init(loop, &timer) != 0 || uv_timer_start(&timer, on_timer, 1, 0) != 0)
    return 1;
  return uv_run(loop, UV_RUN_DEFAULT) == 0 && uv_loop_close(loop) == 0 ? 0 : 1;
}
