/* Waking a loop from other threads and from signal handlers.
 *
 * Other threads push onto two stacks: async handles that were sent (async.h), and jobs that the pool has finished. A
 * push is one compare-and-swap. The loop is woken only when it may sleep, or does not run at all (the program may poll
 * its backend descriptor). A busy loop checks the stacks in every poll phase. Some pollers can be woken themselves. For
 * the others there is a bell, whose watcher is edge-triggered, so it is never stopped. */
#ifndef ROTA_LOOP_WAKE_H
#define ROTA_LOOP_WAKE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "loop/os/bell.h"
#include "uv.h"

struct rota_wake {
  _Atomic(struct rota_link *) finished; /* links of struct rota_work */
  _Atomic int asleep;                   /* a pusher must wake it */
  _Atomic int pushing;                  /* threads that may still touch this structure */
  struct rota_os_bell bell;             /* not open if the poller can be woken */
  struct rota_poller *poller;           /* the one to wake; null: ring the bell */
  struct rota_watcher watcher;          /* of the bell */
};

int rota__wake_init(uv_loop_t *loop);
int rota__wake_fork(uv_loop_t *loop);
void rota__wake_close(uv_loop_t *loop);

/* The loop will block or leave uv_run: from now on, a push wakes it. Returns false if something was
 * pushed already; then the loop must not block. */
bool rota__wake_sleep(uv_loop_t *loop);
void rota__wake_up(uv_loop_t *loop);
bool rota__wake_was_woken(uv_loop_t *loop); /* since rota__wake_sleep */
void rota__wake_signal(uv_loop_t *loop);    /* wakes it, if nobody has */
/* Calls what was pushed so far. Returns how many callbacks ran. */
int rota__wake_dispatch(uv_loop_t *loop);

/* A push from any thread is made between these two. The pusher must not touch the loop after the second. */
static inline void rota__wake_push_begin(struct rota_wake *wake) {
  atomic_fetch_add_explicit(&wake->pushing, 1, memory_order_relaxed);
}
void rota__wake_push_end(struct rota_wake *wake);

/* From any thread. The work's request must not be touched by the caller any more. */
void rota__wake_finished(uv_loop_t *loop, struct rota_work *work);

#endif
