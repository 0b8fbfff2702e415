/* The phases around poll: three handles, two iterations. */
#include <stdio.h>
#include <uv.h>

static uv_idle_t idle;
static uv_prepare_t prepare;
static uv_check_t check;
static int iteration;

static void on_idle(uv_idle_t *handle) {
  (void)handle;
  printf("iteration %d: idle\n", ++iteration);
}

static void on_prepare(uv_prepare_t *handle) {
  (void)handle;
  printf("iteration %d: prepare, before poll\n", iteration);
}

static void on_check(uv_check_t *handle) {
  printf("iteration %d: check, after poll\n", iteration);
  if (iteration < 2)
    return;
  uv_idle_stop(&idle);
  uv_prepare_stop(&prepare);
  uv_check_stop(handle);
}

int main(void) {
  uv_loop_t *loop = uv_default_loop();
  uv_check_init(loop, &check);
  uv_prepare_init(loop, &prepare);
  uv_idle_init(loop, &idle);
  uv_check_start(&check, on_check);
  uv_prepare_start(&prepare, on_prepare);
  uv_idle_start(&idle, on_idle);
  return uv_run(loop, UV_RUN_DEFAULT);
}
