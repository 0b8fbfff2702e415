/* Clocks: the performance counter is the monotonic one. */
#include "loop/os/clock.h"

#include "loop/base/units.h"
#include "loop/os/windows/convert.h"
#include "uv.h"

/* The system's time counts units of 100 ns since 1601. */
enum { UNITS_PER_SECOND = 10000000, NS_PER_UNIT = 100 };
static const uint64_t UNITS_TO_1970 = 116444736000000000u;

uint64_t rota__os_clock_ns(void) {
  static _Atomic uint64_t kept; /* the same for every thread, so it does not matter who is first */
  uint64_t frequency = kept;
  LARGE_INTEGER now;
  if (frequency == 0) {
    LARGE_INTEGER found;
    QueryPerformanceFrequency(&found); /* neither can fail since Windows XP */
    kept = frequency = (uint64_t)found.QuadPart;
  }
  QueryPerformanceCounter(&now);
  uint64_t counted = (uint64_t)now.QuadPart;
  return counted / frequency * NS_PER_SECOND + counted % frequency * NS_PER_SECOND / frequency;
}

int rota__os_clock_read(clockid_t clock, struct timespec *now) {
  if (clock == CLOCK_MONOTONIC) {
    uint64_t ns = rota__os_clock_ns();
    now->tv_sec = (time_t)(ns / NS_PER_SECOND);
    now->tv_nsec = (long)(ns % NS_PER_SECOND);
    return 0;
  }
  if (clock != CLOCK_REALTIME)
    return UV_EINVAL;
  FILETIME time;
  GetSystemTimePreciseAsFileTime(&time);
  uint64_t units = ((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) - UNITS_TO_1970;
  now->tv_sec = (time_t)(units / UNITS_PER_SECOND);
  now->tv_nsec = (long)(units % UNITS_PER_SECOND * NS_PER_UNIT);
  return 0;
}

/* Sleep takes milliseconds, and may return a little early by this clock. */
void rota__os_sleep_ns(uint64_t duration_ns) {
  uint64_t end = rota__os_clock_ns() + duration_ns;
  if (duration_ns == 0)
    Sleep(0);
  for (uint64_t now = rota__os_clock_ns(); now < end; now = rota__os_clock_ns()) {
    uint64_t left_ms = (end - now + NS_PER_MS - 1) / NS_PER_MS;
    Sleep(left_ms < INFINITE ? (DWORD)left_ms : INFINITE - 1);
  }
}

struct rota_os_clock rota__os_clock = {
    .loop_ns = rota__os_clock_ns,
    .program_ns = rota__os_clock_ns,
    .read = rota__os_clock_read,
    .sleep_ns = rota__os_sleep_ns,
};
