/* Waking a loop from other threads and from signal handlers.
 *
 * Two stacks take what others have for the loop: async handles that were sent (async.h), and jobs that the pool has
 * finished. To
 * push is one compare-and-swap. The event descriptor is written only when the loop may be asleep, or is not running at
 * all (somebody may poll its backend descriptor); a busy loop looks at the stacks by itself in every poll phase.
 * Its watcher is edge triggered, so nobody ever reads the descriptor. */
#ifndef ROTA_LOOP_WAKE_H
#define ROTA_LOOP_WAKE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "uv.h"

struct rota_wake {
  _Atomic(struct rota_link *) finished; /* links of struct rota_work */
  _Atomic int asleep;                   /* somebody must write to fd */
  _Atomic int pushing;                  /* threads that may still touch this structure */
  int fd;
  struct rota_watcher watcher;
};

int rota__wake_init(uv_loop_t *loop);
int rota__wake_fork(uv_loop_t *loop);
void rota__wake_close(uv_loop_t *loop);

/* The loop is about to block, or to leave uv_run: from now on, pushing writes to the descriptor. Returns false if
 * something has been pushed already, so that blocking would be wrong. */
bool rota__wake_sleep(uv_loop_t *loop);
void rota__wake_up(uv_loop_t *loop);
void rota__wake_signal(uv_loop_t *loop); /* makes the descriptor readable, if nobody has */
/* Calls what was pushed so far. Returns how many callbacks ran. */
int rota__wake_dispatch(uv_loop_t *loop);

/* A push from any thread is made between these two. Nothing of the loop may be touched after the second. */
static inline void rota__wake_push_begin(struct rota_wake *wake) {
  atomic_fetch_add_explicit(&wake->pushing, 1, memory_order_relaxed);
}
void rota__wake_push_end(struct rota_wake *wake);

/* From any thread. The work's request must not be touched by the caller any more. */
void rota__wake_finished(uv_loop_t *loop, struct rota_work *work);

#endif
