/* A race: a plan is loaded from a file, and 300 ms later a timer works by it. That it is there by then is likely, and
 * nobody has promised it.
 *
 *   build/bin/rota fuzz -- build/examples/race */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

static uv_fs_t opening, reading;
static uv_timer_t timer;
static char plan[64];
static uv_buf_t buffer;

static void on_read(uv_fs_t *req) {
  buffer.len = req->result > 0 ? (size_t)req->result : 0;
  uv_fs_req_cleanup(req);
}

static void on_open(uv_fs_t *req) {
  buffer = uv_buf_init(plan, sizeof(plan) - 1);
  uv_fs_read(req->loop, &reading, (uv_file)req->result, &buffer, 1, 0, on_read);
  uv_fs_req_cleanup(req);
}

static void on_timer(uv_timer_t *handle) {
  (void)handle;
  if (plan[0] == '\0') {
    fprintf(stderr, "there is no plan\n");
    abort();
  }
  printf("working by the plan\n");
}

int main(void) {
  uv_loop_t *loop = uv_default_loop();
  uv_fs_open(loop, &opening, "/proc/self/comm", O_RDONLY, 0, on_open);
  uv_timer_init(loop, &timer);
  uv_timer_start(&timer, on_timer, 300, 0);
  uv_run(loop, UV_RUN_DEFAULT);
  return 0;
}
