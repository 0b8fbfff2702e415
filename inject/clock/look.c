#include "inject/clock/clock.h"

/* Reading the clock, and sleeping. Processor time is not changed. */

static bool is_wall(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

static bool is_monotonic(clockid_t clock) {
  return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_MONOTONIC_RAW ||
         clock == CLOCK_BOOTTIME;
}

static uint64_t look(const struct rota_libc_clock *virtual, clockid_t clock) {
  return is_wall(clock) ? virtual->wall_ns() : virtual->monotonic_ns();
}

CLOCK_EXPORT int clock_gettime(clockid_t clock, struct timespec *now) {
  const struct rota_libc_clock *virtual = is_wall(clock) || is_monotonic(clock) ? CLOCK_FOR_CALLER() : NULL;
  if (virtual == NULL)
    return clock_real()->clock_gettime(clock, now);
  *now = clock_timespec(look(virtual, clock));
  return 0;
}

CLOCK_EXPORT int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  const struct rota_libc_clock *virtual = CLOCK_FOR_CALLER();
  if (virtual == NULL)
    return clock_real()->gettimeofday(now, zone);
  struct timespec day = clock_timespec(virtual->wall_ns());
  *now = (struct timeval){.tv_sec = day.tv_sec, .tv_usec = day.tv_nsec / 1000};
  return 0;
}

CLOCK_EXPORT time_t time(time_t *now) {
  const struct rota_libc_clock *virtual = CLOCK_FOR_CALLER();
  if (virtual == NULL)
    return clock_real()->time(now);
  time_t seconds = (time_t)(virtual->wall_ns() / CLOCK_NS_PER_SECOND);
  if (now != NULL)
    *now = seconds;
  return seconds;
}

CLOCK_EXPORT int timespec_get(struct timespec *now, int base) {
  const struct rota_libc_clock *virtual = base == TIME_UTC ? CLOCK_FOR_CALLER() : NULL;
  if (virtual == NULL)
    return clock_real()->timespec_get(now, base);
  *now = clock_timespec(virtual->wall_ns());
  return base;
}

/* ---- sleeping: where a loop's thread sleeps, time jumps as it does for uv_sleep ---- */

static bool is_duration(const struct timespec *time) {
  return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < CLOCK_NS_PER_SECOND;
}

CLOCK_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
  bool known = (is_wall(clock) || is_monotonic(clock)) && is_duration(time);
  const struct rota_libc_clock *virtual = known ? CLOCK_FOR_CALLER() : NULL;
  if (virtual == NULL)
    return clock_real()->clock_nanosleep(clock, flags, time, rest);
  uint64_t ns = clock_ns(time), now_ns = flags & TIMER_ABSTIME ? look(virtual, clock) : 0;
  if (ns > now_ns)
    virtual->sleep_ns(ns - now_ns);
  return 0;
}

CLOCK_EXPORT int nanosleep(const struct timespec *duration, struct timespec *rest) {
  const struct rota_libc_clock *virtual = is_duration(duration) ? CLOCK_FOR_CALLER() : NULL;
  if (virtual == NULL)
    return clock_real()->nanosleep(duration, rest);
  virtual->sleep_ns(clock_ns(duration));
  return 0;
}

CLOCK_EXPORT int usleep(useconds_t duration_us) {
  const struct rota_libc_clock *virtual = CLOCK_FOR_CALLER();
  if (virtual == NULL)
    return clock_real()->usleep(duration_us);
  virtual->sleep_ns((uint64_t)duration_us * 1000);
  return 0;
}

CLOCK_EXPORT unsigned int sleep(unsigned int duration_s) {
  const struct rota_libc_clock *virtual = CLOCK_FOR_CALLER();
  if (virtual == NULL)
    return clock_real()->sleep(duration_s);
  virtual->sleep_ns((uint64_t)duration_s * CLOCK_NS_PER_SECOND);
  return 0;
}
