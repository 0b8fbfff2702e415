/* The processor's time stamp counter as a fast clock. It takes a third of the time of the system's clock, and does not
 * make the processor wait for earlier instructions. It is for code that reads the clock for every callback.
 *
 * Invariant: its nanoseconds are those of rota__os_clock_ns, give or take a microsecond. rota__os_cycles_adjust, called
 * now and then, measures the rate again. If the counter is unknown or not reliable, the system's clock is used. */
#ifndef ROTA_OS_CYCLES_H
#define ROTA_OS_CYCLES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loop/base/wide.h"
#include "loop/os/clock.h"

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

#endif
