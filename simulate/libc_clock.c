#include "simulate/libc_clock.h"

#include "loop/os/clock.h"
#include "loop/os/thread.h"
#include "simulate/clock.h"
#include "simulate/virtual.h"
#include "uv.h"

static _Thread_local enum { UNKNOWN, HERE, ELSEWHERE } place;

void rota__libc_clock_mark_thread(void) {
  place = HERE;
}

/* The main thread is asked about before it has a loop: what it sees must not jump when it makes one. */
static bool is_here(void) {
  if (place == UNKNOWN)
    place = rota__os_thread_number() == uv_os_getpid() ? HERE : ELSEWHERE;
  return place == HERE;
}

/* An engine looks at the monotonic clock for its own purposes, and how often depends on its other threads. The program
 * has uv_hrtime. So these looks take no time, as those of a loop, unless there are very many of them. */
static uint64_t monotonic_ns(void) {
  return rota__virtual_clock_engine_look_ns();
}

static void sleep_ns(uint64_t duration_ns) {
  rota__os_clock.sleep_ns(duration_ns);
}

static const struct rota_libc_clock outside = {
    .is_here = is_here,
    .monotonic_ns = monotonic_ns,
    .wall_ns = rota__virtual_clock_wall_ns,
    .sleep_ns = sleep_ns,
    .waits = rota__virtual_waits,
};

bool rota__libc_clock_is_attached(void) {
  return rota_clock_attach != NULL;
}

void rota__libc_clock_start(void) {
  if (rota_clock_attach != NULL)
    rota_clock_attach(&outside);
}
