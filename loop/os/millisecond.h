/* The clock in whole milliseconds, for callers that ask far more often than it changes, such as every start of a timer.
 * While the processor's counter shows that the millisecond cannot be over, the answer comes from memory.
 *
 * Invariant: the answer is the one that the clock in use would give, to the millisecond. The end of a millisecond is
 * estimated too early, never too late; after it the clock itself is read. If the counter is not reliable, the clock is
 * always read. */
#ifndef ROTA_OS_MILLISECOND_H
#define ROTA_OS_MILLISECOND_H

#include <stdint.h>

#include "loop/os/cycles.h"

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
