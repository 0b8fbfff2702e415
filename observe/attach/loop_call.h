/* Calls across threads: what another thread wants done on the threads of the loops (rota attach). While there is none,
 * a loop knows nothing of them: it has no observer for it, no handle and no descriptor.
 *
 * A loop makes the call in its poll phase, as it takes a finished job of the pool. One that is busy makes it when it
 * comes there; the asker waits for a limited time only. Invariant: the list and the answer are used under the lock, and
 * a loop leaves the list before it is closed. */
#ifndef ROTA_ATTACH_LOOP_CALL_H
#define ROTA_ATTACH_LOOP_CALL_H

#include <stdio.h>

#include "uv.h"

/* Calls may be sent to the loop from now on. On its thread. Without memory, it is left out. */
void rota__loop_call_loop_made(uv_loop_t *loop);

/* These wait for the loops, and return how many have not come within the time. Lines about these go to `late`, if it is
 * not null. */
unsigned int rota__loop_call_observe(uint64_t timeout_ns, FILE *late); /* each loop is observed, or no longer */
unsigned int rota__loop_call_print_alive(uint64_t timeout_ns, FILE *stream, FILE *late);

void rota__loop_call_before_fork(void);
void rota__loop_call_after_fork(void);

#endif
