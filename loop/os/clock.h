/* Clocks: the system's, the processor's counter, and the clock in whole milliseconds. */
#ifndef ROTA_OS_CLOCK_H
#define ROTA_OS_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "loop/base/wide.h"

/* ---- the system's clocks ---- */

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

/* ---- the processor's counter ----
 *
 * The processor's time stamp counter as a fast clock. It takes a third of the time of the system's clock, and does not
 * make the processor wait for earlier instructions. It is for code that reads the clock for every callback.
 *
 * Invariant: its nanoseconds are those of rota__os_clock_ns, give or take a microsecond. rota__os_cycles_adjust, called
 * now and then, measures the rate again. If the counter is unknown or not reliable, the system's clock is used. */

struct rota_os_rate {
  uint64_t base_cycles;
  uint64_t base_ns;
  uint64_t ns_per_cycle; /* fixed point, with 32 fractional bits */
  uint64_t next_cycles;  /* when to adjust again */
};

/* Null: the system's clock. What it points to never changes. */
extern _Atomic(const struct rota_os_rate *) rota__os_rate;

static inline uint64_t rota__os_cycles(void) {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t cycles;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(cycles));
  return cycles;
#else
  return 0;
#endif
}

static inline uint64_t rota__os_quick_clock_ns(void) {
  const struct rota_os_rate *rate = atomic_load_explicit(&rota__os_rate, memory_order_acquire);
  if (rate == NULL)
    return rota__os_clock_ns();
  return rate->base_ns + rota__multiply_shift(rota__os_cycles() - rate->base_cycles, rate->ns_per_cycle);
}

/* The counters of all processors agree, and do not stop, if the system itself uses them. Reads a file to know. */
bool rota__os_cycles_trusted(void);
/* Finds out whether there is such a counter, and how fast it is; takes a millisecond, the first time. */
void rota__os_cycles_prepare(void);
/* Cheap unless an adjustment is due. May be called on any thread. */
void rota__os_cycles_adjust(void);

/* ---- whole milliseconds ----
 *
 * The clock in whole milliseconds, for callers that ask far more often than it changes, such as every start of a timer.
 * While the processor's counter shows that the millisecond cannot be over, the answer comes from memory.
 *
 * Invariant: the answer is the one that the clock in use would give, to the millisecond. The end of a millisecond is
 * estimated too early, never too late; after it the clock itself is read. If the counter is not reliable, the clock is
 * always read. */

/* All zero to begin with. One for each thread that asks. */
struct rota_os_millisecond {
  uint64_t ms;
  uint64_t from_cycles, cycles; /* how many cycles the millisecond lasts at least; 0: read the clock */
  uint64_t asked;               /* how often the clock was read before the counter was tried */
  uint64_t rate;                /* cycles in a millisecond, or a few less; 0: not known */
  uint64_t base_cycles, base_ns;
};

uint64_t rota__os_millisecond_next(struct rota_os_millisecond *now);
/* The clock does not follow the processor's counter: it is read each time. */
void rota__os_millisecond_distrust(struct rota_os_millisecond *now);

static inline uint64_t rota__os_millisecond(struct rota_os_millisecond *now) {
  if (rota__os_cycles() - now->from_cycles < now->cycles)
    return now->ms;
  return rota__os_millisecond_next(now);
}

#endif
