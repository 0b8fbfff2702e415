/* A write that is done at once: its callback is pending. */
#include <stdio.h>
#include <uv.h>

static uv_pipe_t ends[2];
static uv_write_t request;
static uv_timer_t timer;

static void on_timer(uv_timer_t *handle) {
  (void)handle;
  puts("timers: 5 ms later");
}

static void on_written(uv_write_t *written, int status) {
  printf("pending: the write is done, status %d\n", status);
  uv_timer_start(written->data, on_timer, 5, 0);
}

int main(void) {
  uv_loop_t *loop = uv_default_loop();
  uv_os_sock_t pair[2];
  uv_buf_t hello = uv_buf_init("hello", 5);
  uv_socketpair(SOCK_STREAM, 0, pair, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE);
  for (int i = 0; i < 2; i++) {
    uv_pipe_init(loop, &ends[i], 0);
    uv_pipe_open(&ends[i], pair[i]);
  }
  uv_timer_init(loop, &timer);
  request.data = &timer;
  uv_write(&request, (uv_stream_t *)&ends[0], &hello, 1, on_written); /* the kernel takes it now */
  return uv_run(loop, UV_RUN_DEFAULT);
}
