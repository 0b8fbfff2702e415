#include "simulate/libc_clock.h"

#include "loop/os/clock.h"
#include "loop/os/thread.h"
#include "simulate/clock.h"
#include "simulate/virtual.h"
#include "uv.h"

static _Thread_local enum { UNKNOWN, VIRTUAL, REAL } thread_clock;

void rota__libc_clock_mark_thread(void) {
  thread_clock = VIRTUAL;
}

/* The main thread uses virtual time before it has a loop: its clock must not jump when it makes one. */
static bool uses_virtual_time(void) {
  if (thread_clock == UNKNOWN)
    thread_clock = rota__os_thread_number() == uv_os_getpid() ? VIRTUAL : REAL;
  return thread_clock == VIRTUAL;
}

/* An engine reads the monotonic clock for its own purposes, and how often depends on its other threads. (The program
 * has uv_hrtime.) So these readings take no time, like those of a loop, unless there are very many. */
static uint64_t monotonic_ns(void) {
  return rota__virtual_clock_engine_read_ns();
}

static void sleep_ns(uint64_t duration_ns) {
  rota__os_clock.sleep_ns(duration_ns);
}

static const struct rota_libc_clock table = {
    .uses_virtual_time = uses_virtual_time,
    .monotonic_ns = monotonic_ns,
    .wall_ns = rota__virtual_clock_wall_ns,
    .sleep_ns = sleep_ns,
    .wait_until = rota__virtual_wait_until,
};

bool rota__libc_clock_is_attached(void) {
  return rota_clock_attach != NULL;
}

void rota__libc_clock_start(void) {
  if (rota_clock_attach != NULL)
    rota_clock_attach(&table);
}
