/* Errands: what another thread wants done on the threads of the loops (rota attach). While there is none, a loop knows
 * nothing of them: it has no observer for it, no handle and no descriptor.
 *
 * A loop takes an errand in its poll phase, as it takes a finished job of the pool. One that is busy takes it when it
 * comes there; the asker waits for a limited time only. Invariant: the list and the answer are used under the lock, and
 * a loop leaves the list before it is closed. */
#ifndef ROTA_ATTACH_ERRAND_H
#define ROTA_ATTACH_ERRAND_H

#include <stdio.h>

#include "uv.h"

/* The loop may be given errands from now on. On its thread. Without memory, it is left out. */
void rota__errand_loop_made(uv_loop_t *loop);

/* These wait for the loops, and return how many have not come within the time. Lines about these go to `late`, if it is
 * not null. */
unsigned int rota__errand_observe(uint64_t timeout_ns, FILE *late); /* each loop is observed, or no longer */
unsigned int rota__errand_print_alive(uint64_t timeout_ns, FILE *stream, FILE *late);

void rota__errand_before_fork(void);
void rota__errand_after_fork(void);

#endif
