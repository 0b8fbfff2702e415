/* Clocks. */
#ifndef ROTA_OS_CLOCK_H
#define ROTA_OS_CLOCK_H

#include <stdint.h>
#include <time.h>

/* The monotonic clock. Linux answers from memory that it shares with the process, without a system call. */
uint64_t rota__os_clock_ns(void);
int rota__os_clock_read(clockid_t clock, struct timespec *now);
void rota__os_sleep_ns(uint64_t duration_ns); /* the whole of it, whatever signals arrive */

#endif
