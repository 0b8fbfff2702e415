/* A poller that decides what a loop does not promise: which ready descriptor comes first, which has to wait for another
 * round, how much a stream gives at a time, how late a loop wakes; and, through jobs.h, the same for the pool.
 *
 * What is promised cannot be broken from here. Events of one descriptor are one event, which is level triggered: held
 * back, it is reported again. Phases, ticks and the order of timers are the loop's and the program's, and nobody asks
 * us. Nothing is held back for ever: each time it is decided anew, and a loop that would sleep gets what there is. */
#ifndef ROTA_SIM_SHUFFLE_H
#define ROTA_SIM_SHUFFLE_H

#include "loop/poller/poller.h"
#include "uv.h"

/* The loop's poller from now on; null: no memory. It owns the inner one, which must report levels. */
struct rota_poller *rota__shuffle_wrap(uv_loop_t *loop, struct rota_poller *inner);
/* The calling thread is going to sleep, outside of its loop's wait: its jobs are done meanwhile. */
void rota__shuffle_sleeps(void);

#endif
