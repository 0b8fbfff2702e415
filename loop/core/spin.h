/* Spinning before sleeping, for the loop and for the pool's threads (base/spin.h decides when). */
#ifndef ROTA_LOOP_SPIN_H
#define ROTA_LOOP_SPIN_H

#include <stdbool.h>
#include <stdint.h>

#include "loop/base/spin.h"

/* Calls `ready` repeatedly for a short time, then a little longer with yields in between. Returns its answer. If
 * first_ns is not 0, it yields for so long before the first call. The result and the time go to rota__spin_result. Does
 * not spin if the program may use one processor only, and says that it took very long: the spinning thread would take
 * it from those that do the work. */
bool rota__spin_until(bool (*ready)(const void *what), const void *what, uint64_t first_ns, uint64_t *spent_ns);

#endif
