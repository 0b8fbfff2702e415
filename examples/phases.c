/* The phases of the loop at work: every line is printed by the callback of one phase, as it happens.
 *
 * The program is an ordinary libuv program: it starts two timers, an idle, a prepare and a check handle, a pipe to
 * itself, some work for the thread pool and an async handle, and closes them all from within their callbacks. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <uv.h>

static uv_loop_t loop;
static uv_timer_t once, again;
static uv_idle_t idle;
static uv_prepare_t prepare;
static uv_check_t check;
static uv_pipe_t reader, writer;
static uv_async_t async;
static uv_work_t work;
static uv_write_t write_request;
static int iteration, ticks;
static int in_iteration;
static uint64_t began_ns;

static void say(const char *phase, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("%8.3f ms   %-8s ", (double)(uv_hrtime() - began_ns) / 1e6, phase);
  vprintf(format, arguments);
  printf("\n");
  va_end(arguments);
}

/* Whichever callback comes first opens the iteration; check is the last of those that run in every one. */
static void begin_iteration(void) {
  if (in_iteration)
    return;
  in_iteration = 1;
  printf("---------------------- iteration %d\n", ++iteration);
}

static void require(int result, const char *what) {
  if (result >= 0)
    return;
  fprintf(stderr, "%s: %s\n", what, uv_strerror(result));
  uv_library_shutdown();
  exit(1);
}

static void on_close(uv_handle_t *handle) {
  say("closing", "the %s handle is closed", uv_handle_type_name(uv_handle_get_type(handle)));
}

static void close_handle(uv_handle_t *handle, void *unused) {
  (void)unused;
  if (!uv_is_closing(handle))
    uv_close(handle, on_close);
}

static void on_once(uv_timer_t *timer) {
  say("timers", "due after 0 ms: timers never run early, and in the order in which they fall due");
  uv_close((uv_handle_t *)timer, on_close);
}

static void on_again(uv_timer_t *timer) {
  (void)timer;
  say("timers", "due every 10 ms: time %d", ++ticks);
  if (ticks == 3)
    uv_walk(&loop, close_handle, NULL);
}

static void on_idle(uv_idle_t *handle) {
  begin_iteration();
  say("idle", "as long as an idle handle is active, poll does not block");
  if (iteration == 3) {
    uv_idle_stop(handle);
    say("idle", "stopped: from now on poll blocks until something happens");
  }
}

static void on_prepare(uv_prepare_t *handle) {
  (void)handle;
  begin_iteration();
  say("prepare", "just before poll; it may block for %d ms", uv_backend_timeout(&loop));
}

static void on_check(uv_check_t *handle) {
  (void)handle;
  say("check", "just after poll");
  in_iteration = 0;
}

static void on_allocate(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  static char memory[64];
  (void)handle;
  (void)suggested;
  *buffer = uv_buf_init(memory, sizeof memory);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  say("poll", "the pipe was readable: \"%.*s\"", (int)count, buffer->base);
  uv_read_stop(stream);
}

static void on_written(uv_write_t *request, int status) {
  (void)request;
  begin_iteration();
  say("pending", "what was put off: the write into the pipe, %s", status == 0 ? "done" : uv_strerror(status));
}

static void on_work(uv_work_t *request) {
  request->data = &async;
  uv_async_send(&async); /* from another thread: this is the one function that may be called there */
}

static void on_work_done(uv_work_t *request, int status) {
  (void)request;
  say("poll", "work of the thread pool: %s", status == 0 ? "done" : uv_strerror(status));
}

static void on_async(uv_async_t *handle) {
  (void)handle;
  say("poll", "woken by another thread through an async handle");
}

int main(void) {
  uv_file ends[2];
  uv_buf_t text = uv_buf_init((char *)"hello", 5);

  require(uv_loop_init(&loop), "uv_loop_init");
  printf("libuv's API, version %s\n", uv_version_string());
  uv_timer_init(&loop, &once);
  uv_timer_init(&loop, &again);
  uv_idle_init(&loop, &idle);
  uv_prepare_init(&loop, &prepare);
  uv_check_init(&loop, &check);
  require(uv_async_init(&loop, &async, on_async), "uv_async_init");
  require(uv_pipe(ends, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE), "uv_pipe");
  uv_pipe_init(&loop, &reader, 0);
  uv_pipe_init(&loop, &writer, 0);
  require(uv_pipe_open(&reader, ends[0]), "uv_pipe_open");
  require(uv_pipe_open(&writer, ends[1]), "uv_pipe_open");

  began_ns = uv_hrtime();
  uv_timer_start(&again, on_again, 10, 10);
  uv_timer_start(&once, on_once, 0, 0);
  uv_idle_start(&idle, on_idle);
  uv_prepare_start(&prepare, on_prepare);
  uv_check_start(&check, on_check);
  require(uv_read_start((uv_stream_t *)&reader, on_allocate, on_read), "uv_read_start");
  require(uv_write(&write_request, (uv_stream_t *)&writer, &text, 1, on_written), "uv_write");
  require(uv_queue_work(&loop, &work, on_work, on_work_done), "uv_queue_work");

  printf("---------------------- uv_run begins\n");
  uv_run(&loop, UV_RUN_DEFAULT);
  printf("---------------------- uv_run returns: nothing is alive any more, after %d iterations\n", iteration);
  require(uv_loop_close(&loop), "uv_loop_close");
  uv_library_shutdown();
  return 0;
}
