/* Clocks. */
#ifndef ROTA_OS_CLOCK_H
#define ROTA_OS_CLOCK_H

#include <stdint.h>
#include <time.h>

/* The monotonic clock. Linux answers from memory that it shares with the process, without a system call. */
uint64_t rota__os_clock_ns(void);
int rota__os_clock_read(clockid_t clock, struct timespec *now);
void rota__os_sleep_ns(uint64_t duration_ns); /* the whole of it, whatever signals arrive */

/* The clock that loops and programs go by: the system's, unless a tool (steer) has put another one in its place. What
 * measures, and code that waits in real time, asks the system by the functions above. */
struct rota_os_clock {
  uint64_t (*loop_ns)(void);    /* monotonic: a loop looks */
  uint64_t (*program_ns)(void); /* the same clock: the program looks */
  int (*read)(clockid_t clock, struct timespec *now);
  void (*sleep_ns)(uint64_t duration_ns);
};

/* Changed once at most, before there is anything to measure: so it is a plain table, and to look costs a plain call. */
extern struct rota_os_clock rota__os_clock;

#endif
