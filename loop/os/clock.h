/* Clocks. */
#ifndef ROTA_OS_CLOCK_H
#define ROTA_OS_CLOCK_H

#include <stdint.h>
#include <time.h>

/* The monotonic clock. Linux needs no system call for it: it shares the time with the process in memory. */
uint64_t rota__os_clock_ns(void);
int rota__os_clock_read(clockid_t clock, struct timespec *now);
void rota__os_sleep_ns(uint64_t duration_ns); /* sleeps the whole time, also if signals arrive */

/* The clock of loops and programs: the system's, unless a tool (steer) has replaced it. Code that measures or waits in
 * real time uses the functions above. */
struct rota_os_clock {
  uint64_t (*loop_ns)(void);    /* monotonic, for loops */
  uint64_t (*program_ns)(void); /* the same clock, for programs */
  int (*read)(clockid_t clock, struct timespec *now);
  void (*sleep_ns)(uint64_t duration_ns);
};

/* It is changed at most once, before the first use: so it is a plain table, and reading the clock is a plain call. */
extern struct rota_os_clock rota__os_clock;

#endif
