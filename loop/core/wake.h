/* Waking a loop from other threads and from signal handlers.
 *
 * Two stacks take what others have for the loop: async handles that were sent, and jobs that the pool has finished. To
 * push is one compare-and-swap. The event descriptor is written only when the loop may be asleep, or is not running at
 * all (somebody may poll its backend descriptor); a busy loop looks at the stacks by itself in every poll phase.
 * Its watcher is edge triggered, so nobody ever reads the descriptor. */
#ifndef ROTA_LOOP_WAKE_H
#define ROTA_LOOP_WAKE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "uv.h"

struct rota_wake {
  _Atomic(uv_async_t *) sent;
  _Atomic(struct rota_link *) finished; /* links of struct rota_work */
  _Atomic int asleep;                   /* somebody must write to fd */
  _Atomic int pushing;                  /* threads that may still touch this structure */
  int fd;
  struct rota_watcher watcher;
  uv_async_t *taken; /* sent asyncs that the loop has taken and not called yet, oldest first */
};

int rota__wake_init(uv_loop_t *loop);
int rota__wake_fork(uv_loop_t *loop);
void rota__wake_close(uv_loop_t *loop);

/* The loop is about to block, or to leave uv_run: from now on, pushing writes to the descriptor. Returns false if
 * something has been pushed already, so that blocking would be wrong. */
bool rota__wake_sleep(uv_loop_t *loop);
void rota__wake_up(uv_loop_t *loop);
void rota__wake_ring(uv_loop_t *loop); /* makes the descriptor readable, if nobody has */
/* Calls what was pushed so far. Returns how many callbacks ran. */
int rota__wake_dispatch(uv_loop_t *loop);

/* From any thread. The work's request must not be touched by the caller any more. */
void rota__wake_finished(uv_loop_t *loop, struct rota_work *work);

#endif
