#include "loop/os/clock.h"

#include <errno.h>

#include "loop/base/check.h"
#include "loop/base/units.h"

#ifdef __APPLE__
enum { MONOTONIC = CLOCK_MONOTONIC_RAW }; /* the other one has microseconds only */
#else
enum { MONOTONIC = CLOCK_MONOTONIC };
#endif

uint64_t rota__os_clock_ns(void) {
  struct timespec now;
  /* Cannot fail: every system has this clock, and the address is ours. */
  clock_gettime(MONOTONIC, &now);
  return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

int rota__os_clock_read(clockid_t clock, struct timespec *now) {
  return clock_gettime(clock, now) < 0 ? -errno : 0;
}

void rota__os_sleep_ns(uint64_t duration_ns) {
  struct timespec rest = {.tv_sec = (time_t)(duration_ns / NS_PER_SECOND),
                          .tv_nsec = (long)(duration_ns % NS_PER_SECOND)};
  int result;
  do
    result = nanosleep(&rest, &rest);
  while (result < 0 && errno == EINTR);
  rota__check(result == 0);
}

struct rota_os_clock rota__os_clock = {
    .loop_ns = rota__os_clock_ns,
    .program_ns = rota__os_clock_ns,
    .read = rota__os_clock_read,
    .sleep_ns = rota__os_sleep_ns,
};
