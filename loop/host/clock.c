/* Clocks, as programs see them. */
#include "loop/os/clock.h"
#include "loop/base/units.h"
#include "uv.h"

uint64_t uv_hrtime(void) {
  return rota__os_clock.program_ns();
}

int uv_clock_gettime(uv_clock_id clock_id, uv_timespec64_t *ts) {
  struct timespec now;
  clockid_t clock;
  if (ts == NULL)
    return UV_EFAULT;
  switch (clock_id) {
  case UV_CLOCK_MONOTONIC:
    clock = CLOCK_MONOTONIC;
    break;
  case UV_CLOCK_REALTIME:
    clock = CLOCK_REALTIME;
    break;
  default:
    return UV_EINVAL;
  }
  int err = rota__os_clock.read(clock, &now);
  if (err != 0)
    return err;
  ts->tv_sec = now.tv_sec;
  ts->tv_nsec = (int32_t)now.tv_nsec;
  return 0;
}

int uv_gettimeofday(uv_timeval64_t *tv) {
  struct timespec now;
  if (tv == NULL)
    return UV_EINVAL;
  int err = rota__os_clock.read(CLOCK_REALTIME, &now);
  if (err != 0)
    return err;
  tv->tv_sec = now.tv_sec;
  tv->tv_usec = (int32_t)(now.tv_nsec / NS_PER_US);
  return 0;
}

void uv_sleep(unsigned int msec) {
  rota__os_clock.sleep_ns((uint64_t)msec * NS_PER_MS);
}
