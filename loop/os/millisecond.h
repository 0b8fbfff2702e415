/* The clock in whole milliseconds, for those who ask far more often than it changes: every timer that is set does. As
 * long as the processor's counter says that the millisecond cannot be over, it is answered from memory.
 *
 * Invariant: the answer is the one that the clock in use would give, to the millisecond. The end of one is reckoned too
 * early, never too late; then the clock itself is asked. Where the counter is not to be trusted that is always so. */
#ifndef ROTA_OS_MILLISECOND_H
#define ROTA_OS_MILLISECOND_H

#include <stdint.h>

#include "loop/os/cycles.h"

/* All zero to begin with. One for each thread that asks. */
struct rota_os_millisecond {
  uint64_t ms;
  uint64_t from_cycles, cycles; /* how long it surely lasts; 0: ask the clock */
  uint64_t asked;               /* how often the clock was asked, up to when the counter was looked at */
  uint64_t rate;                /* cycles in a millisecond, or a few less; 0: not known */
  uint64_t base_cycles, base_ns;
};

uint64_t rota__os_millisecond_next(struct rota_os_millisecond *now);
/* The clock has nothing to do with the processor's counter: it is asked each time. */
void rota__os_millisecond_distrust(struct rota_os_millisecond *now);

static inline uint64_t rota__os_millisecond(struct rota_os_millisecond *now) {
  if (rota__os_cycles() - now->from_cycles < now->cycles)
    return now->ms;
  return rota__os_millisecond_next(now);
}

#endif
