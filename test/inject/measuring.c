/* Abseil's measure of the processor's frequency, as V8 has it linked in: a function of its name sleeps and looks at the
 * clock. Both are real, and the program's virtual time does not move; jobs of the pool wait for the loop. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <uv.h>

enum { NS_PER_MS = 1000000, APART = 16384 };

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 * NS_PER_MS + (uint64_t)now.tv_nsec;
}

/* Both functions are far from all others: their addresses tell them apart. */
uint64_t measure(void) __asm__("_ZN4absl13base_internal19NominalCPUFrequencyEv");
__attribute__((aligned(APART), noinline)) uint64_t measure(void) {
  struct timespec begin, end, duration = {.tv_nsec = 8 * NS_PER_MS};
  clock_gettime(CLOCK_MONOTONIC, &begin);
  nanosleep(&duration, NULL);
  clock_gettime(CLOCK_MONOTONIC, &end);
  return (uint64_t)((end.tv_sec - begin.tv_sec) * 1000 * NS_PER_MS + end.tv_nsec - begin.tv_nsec);
}

static int done;

static void work(uv_work_t *req) {
  (void)req;
  done = 1;
}

static void after(uv_work_t *req, int status) {
  (void)req;
  (void)status;
}

__attribute__((aligned(APART))) int main(void) {
  uv_work_t req;
  struct timespec hour = {.tv_sec = 3600};
  uv_loop_t *loop = uv_default_loop();
  uint64_t began_ns = now_ns();
  if (uv_queue_work(loop, &req, work, after) != 0)
    abort();
  uint64_t measured_ns = measure();
  int done_meanwhile = done;
  uint64_t passed_ns = now_ns() - began_ns;
  if (uv_run(loop, UV_RUN_DEFAULT) != 0)
    abort();
  nanosleep(&hour, NULL);
  printf("measured %s, passed %s, done %d; then %d hour, done %d\n", measured_ns >= 8 * NS_PER_MS ? "8 ms" : "less",
         passed_ns < NS_PER_MS ? "nothing" : "some", done_meanwhile,
         (int)((now_ns() - began_ns) / NS_PER_MS / 1000 / 3600), done);
  return 0;
}
