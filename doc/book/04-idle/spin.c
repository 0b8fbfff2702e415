/* An idle handle keeps poll from waiting. */
#include <stdio.h>
#include <uv.h>

static uv_idle_t idle;
static uv_timer_t timer;
static int calls;

static void on_timer(uv_timer_t *handle) {
  (void)handle;
  puts("the timer, 50 ms later: poll has waited");
}

/* Three calls without any wait between them; then poll may wait for the timer. */
static void on_idle(uv_idle_t *handle) {
  printf("idle, call %d: poll does not wait\n", ++calls);
  if (calls < 3)
    return;
  uv_idle_stop(handle);
  uv_timer_start(&timer, on_timer, 50, 0);
}

int main(void) {
  uv_loop_t *loop = uv_default_loop();
  uv_timer_init(loop, &timer);
  uv_idle_init(loop, &idle);
  uv_idle_start(&idle, on_idle);
  return uv_run(loop, UV_RUN_DEFAULT);
}
