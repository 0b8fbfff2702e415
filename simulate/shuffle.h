/* A poller that decides what a loop does not promise: which ready descriptor comes first, which one waits for another
 * round, how much a read returns, how late a loop wakes; and, through jobs.h, the same for the pool.
 *
 * It cannot break what is promised. The events of one descriptor are one level-triggered event: if it is held back, it
 * is reported again. Phases, ticks and the order of timers are not decided here. Nothing is held back for ever: each
 * round decides again, and a loop that would sleep gets everything. */
#ifndef ROTA_SIM_SHUFFLE_H
#define ROTA_SIM_SHUFFLE_H

#include "loop/poller/poller.h"
#include "uv.h"

/* The loop's poller from now on; null: no memory. It owns the inner one, which must report levels. */
struct rota_poller *rota__shuffle_wrap(uv_loop_t *loop, struct rota_poller *inner);
/* The calling thread will sleep, outside of its loop's wait: its jobs are run meanwhile. */
void rota__shuffle_sleeps(void);

#endif
