/* Ticks and microtasks between the callbacks of a loop, in Node's order.
 *
 * The program does in C what this script does, and says what runs, where, and why then:
 *
 *   setTimeout(first, 0); setTimeout(second, 0);
 *   process.nextTick(tick); Promise.resolve().then(job);
 *   fs.stat('.', () => { setTimeout(zero, 0); setImmediate(immediate); process.nextTick(tick); }); */
#include <stdio.h>
#include <stdlib.h>

#include <rota.h>
#include <uv.h>

static uv_loop_t loop;
static rota_ticks_t *ticks;
static uv_timer_t first, second, zero;
static uv_check_t immediate;
static uv_fs_t stat_request;

static void require(int result, const char *what) {
  if (result >= 0)
    return;
  fprintf(stderr, "%s: %s\n", what, uv_strerror(result));
  exit(1);
}

static void say(const char *where, const char *what) {
  printf("%-12s %s\n", where, what);
}

/* ---- what the queues hold ---- */

static void run_tick(void *text, void *unused) {
  (void)unused;
  say("  tick", text);
}

static void run_job(void *text, void *unused) {
  (void)unused;
  say("  microtask", text);
}

static void next_tick(const char *text) {
  require(rota_tick_enqueue(ticks, run_tick, (void *)text, NULL), "a tick");
}

static void queue_job(const char *text) {
  require(rota_microtask_enqueue(ticks, run_job, (void *)text, NULL), "a microtask");
}

static void run_job_with_tick(void *text, void *unused) {
  run_job(text, unused);
  next_tick("queued by a microtask: it waited for all microtasks");
}

static void run_tick_with_job(void *text, void *unused) {
  run_tick(text, unused);
  queue_job("queued by a tick: it waited for all ticks");
}

/* ---- callbacks of the loop ---- */

static void on_first(uv_timer_t *timer) {
  (void)timer;
  say("timers", "the first of two timers that are due together");
  queue_job("queued by the first timer");
  next_tick("queued by the first timer: both run before the second timer");
}

static void on_second(uv_timer_t *timer) {
  (void)timer;
  say("timers", "the second timer");
}

static void on_zero(uv_timer_t *timer) {
  (void)timer;
  say("timers", "the zero timeout, started before the immediate and run after it");
}

static void on_immediate(uv_check_t *check) {
  say("check", "the immediate: from an I/O callback it always precedes a zero timeout");
  uv_close((uv_handle_t *)check, NULL);
}

static void on_stat(uv_fs_t *request) {
  say("poll", "the result of stat");
  uv_fs_req_cleanup(request);
  require(uv_timer_start(&zero, on_zero, 0, 0), "a timer");
  require(uv_check_start(&immediate, on_immediate), "a check handle");
  next_tick("queued by the I/O callback: before anything else of the loop");
}

static void main_script(void) {
  say("main", "starts timers and a stat, queues ticks and microtasks");
  require(uv_timer_start(&first, on_first, 0, 0), "a timer");
  require(uv_timer_start(&second, on_second, 0, 0), "a timer");
  require(uv_fs_stat(&loop, &stat_request, ".", on_stat), "stat");
  require(rota_microtask_enqueue(ticks, run_job_with_tick, "queued by main", NULL), "a microtask");
  require(rota_tick_enqueue(ticks, run_tick_with_job, "queued by main, after the microtask: ticks come first", NULL),
          "a tick");
  next_tick("queued by main");
}

static void close_handle(uv_handle_t *handle, void *unused) {
  (void)unused;
  if (!uv_is_closing(handle))
    uv_close(handle, NULL);
}

int main(void) {
  rota_ticks_info_t info;

  require(uv_loop_init(&loop), "the loop");
  require(rota_ticks_attach(&loop, &ticks), "the ticks");
  require(uv_timer_init(&loop, &first), "a timer");
  require(uv_timer_init(&loop, &second), "a timer");
  require(uv_timer_init(&loop, &zero), "a timer");
  require(uv_check_init(&loop, &immediate), "a check handle");

  main_script();
  rota_ticks_drain(ticks); /* the main script is no callback of the loop: its drain is ours to call */
  uv_run(&loop, UV_RUN_DEFAULT);

  rota_ticks_get_info(ticks, &info);
  printf("%llu ticks and %llu microtasks in %llu drains; the longest ran %llu of them; backend: %s\n",
         (unsigned long long)info.ticks_run, (unsigned long long)info.microtasks_run, (unsigned long long)info.drains,
         (unsigned long long)info.longest_drain, rota_backend_name(&loop));

  uv_walk(&loop, close_handle, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
  require(rota_ticks_detach(ticks), "detaching the ticks");
  require(uv_loop_close(&loop), "closing the loop");
  return 0;
}
