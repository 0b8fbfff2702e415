/* rota attach: another process of the same user asks this one for statistics, for what keeps its loops alive, and for a
 * trace, while it runs.
 *
 * ROTA_ATTACH=1 asks for it: a thread that sleeps, and a listening socket, from the first loop on. A library must not
 * have these in every program. Until somebody asks, the loops are not touched: they run without an observer, at full
 * speed. The thread does not need the loops, so it answers also if they are blocked.
 *
 * The socket is in the kernel's own table of names (`rota-attach.<process id>`): there is no file to protect or to
 * remove. The name can be taken by others, so both sides ask the kernel who the other one is. The process talks to its
 * own user and to root only; the client checks that it talks to the process that it was told. Packets:
 *
 *   to the process    "stats <ms>", "why", "trace <ms>" with the descriptor of the file
 *   from the process  "+text" for standard output, "!text" for standard error, "-text" an error, "." the end
 */
#ifndef ROTA_ATTACH_ATTACH_H
#define ROTA_ATTACH_ATTACH_H

#include <stdio.h>

#include "uv.h"

int rota__attach_start(void);
/* In a child after fork: the socket is the parent's, and the thread does not exist. It is started again at the first
 * loop. */
void rota__attach_before_fork(void);
void rota__attach_after_fork_in_parent(void);
void rota__attach_after_fork_in_child(void);
void rota__attach_resume(void);

/* Calls across threads: what another thread wants done on the threads of the loops (rota attach). While there is none,
 * a loop knows nothing of them: it has no observer for it, no handle and no descriptor.
 *
 * A loop makes the call in its poll phase, as it takes a finished job of the pool. One that is busy makes it when it
 * comes there; the asker waits for a limited time only. Invariant: the list and the answer are used under the lock, and
 * a loop leaves the list before it is closed. */

/* Calls may be sent to the loop from now on. On its thread. Without memory, it is left out. */
void rota__loop_call_loop_made(uv_loop_t *loop);

/* These wait for the loops, and return how many have not come within the time. Lines about these go to `late`, if it is
 * not null. */
unsigned int rota__loop_call_observe(uint64_t timeout_ns, FILE *late); /* each loop is observed, or no longer */
unsigned int rota__loop_call_print_alive(uint64_t timeout_ns, FILE *stream, FILE *late);

void rota__loop_call_before_fork(void);
void rota__loop_call_after_fork(void);

#endif
