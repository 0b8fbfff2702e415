/* Async handles: any thread can ask for a callback on the loop's thread.
 *
 * A send pushes the handle onto a stack: one compare-and-swap. The loop takes the whole stack and calls the handles in
 * the order in which they were initialised, in one pass. If a callback sends to a handle later in this order, the call
 * belongs to the same pass; if it sends to itself or to an earlier handle, the call belongs to the next pass. Handles
 * that were not sent to cost nothing, however many there are.
 *
 * The order is a list of all open handles. A handle that is initialised in a callback of a pass is put right behind the
 * handle that is being called, and is first called in the next pass, as with libuv. Handles carry numbers that grow
 * along the list, so that two of them are compared without a walk. */
#ifndef ROTA_LOOP_ASYNC_H
#define ROTA_LOOP_ASYNC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loop/base/list.h"
#include "uv.h"

/* The values of uv_async_t.state. The thread that changes QUIET to SENT pushes the handle. A CLOSED handle never
 * becomes QUIET again, so it is never pushed. */
enum { ROTA_ASYNC_QUIET, ROTA_ASYNC_SENT, ROTA_ASYNC_CLOSED };

enum { ROTA_ASYNC_RUNS = 40 };

/* Handles in the order of their calls, linked by next_sent. */
struct rota_async_run {
  uv_async_t *first;
  size_t count;
};

struct rota_asyncs {
  _Atomic(uv_async_t *) sent; /* a stack: pushed, and not yet taken by the loop */
  uv_async_t *later;          /* taken from there, in any order, for the next pass */
  uv_async_t *held;           /* taken from there, oldest first: whoever steers the loop decides when they come */
  _Atomic(uintptr_t) steered; /* the thread of a steered loop: what other threads send is held; 0: nothing is */
  struct rota_link order;     /* all open handles */
  struct rota_link *called;   /* where the pass is in the order; null: there is no pass */
  /* Sorted runs of the handles that this pass has still to call. When a run is added, the one before it is at least
   * twice as long. So there are never more than 40 runs, and adding or taking a handle costs a few steps, however many
   * there are. */
  struct rota_async_run runs[ROTA_ASYNC_RUNS];
  int run_count;
};

void rota__asyncs_init(struct rota_asyncs *asyncs);
/* In the child after a fork: sends from before the fork belong to the parent. */
void rota__asyncs_fork(uv_loop_t *loop);
/* Calls those that were sent. Returns how many. */
int rota__asyncs_call(uv_loop_t *loop, struct rota_asyncs *asyncs);

/* For whoever steers the loop: from now on, what others than the calling thread send is held. Takes what was sent. */
void rota__asyncs_hold_remote(struct rota_asyncs *asyncs);
/* The one that `link` points to, in the list of those that are held, is called in the next pass. */
void rota__asyncs_release(struct rota_asyncs *asyncs, uv_async_t **link);

static inline bool rota__asyncs_sent(const struct rota_asyncs *asyncs) {
  return atomic_load_explicit(&asyncs->sent, memory_order_relaxed) != NULL || asyncs->later != NULL;
}

/* For people: which of the loop's handles it is, counted from 1, unless it was made in the callback of another one. */
static inline unsigned int rota__async_number(const uv_async_t *async) {
  return (unsigned int)(async->place >> 4 * sizeof(async->place));
}

#endif
