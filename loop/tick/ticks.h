/* The inner scheduler: two queues and the rule by which they are drained. It does not know the loop: the caller of
 * callbacks says when one begins and ends.
 *
 * Invariant: depth is the number of callbacks and scopes open now. A drain starts only while none is going on. */
#ifndef ROTA_TICK_TICKS_H
#define ROTA_TICK_TICKS_H

#include <stdbool.h>

#include "loop/core/observe.h"
#include "loop/tick/queue.h"
#include "rota.h"

/* An observer of what a drain runs. `begin` returns where progress is published; null: nowhere. */
struct rota_ticks_watch {
  struct rota_drain_progress *(*begin)(struct rota_ticks_watch *self, bool microtasks, uint64_t so_far);
  void (*end)(struct rota_ticks_watch *self, bool microtasks, uint64_t count); /* UINT64_MAX: the engine's, not known */
  uint64_t so_far; /* run by this drain, in the parts that have ended */
};

struct rota_ticks {
  struct rota_tick_queue ticks;
  struct rota_tick_queue microtasks;
  unsigned int depth;
  bool draining;
  bool measuring;
  rota_microtask_hook microtask_hook; /* null: the built-in queue */
  void *microtask_data;
  rota_after_drain_hook after_drain_hook; /* may be null */
  void *after_drain_data;
  struct rota_ticks_watch *watch; /* null: not observed */
  uint64_t ticks_run;
  uint64_t microtasks_run;
  uint64_t drains;
  uint64_t longest_drain;
  uint64_t longest_drain_ns;
};

void rota__ticks_init(struct rota_ticks *ticks);
void rota__ticks_destroy(struct rota_ticks *ticks);

/* Whether a callback, a scope or a drain is active: then the queues must not be freed. */
static inline bool rota__ticks_busy(const struct rota_ticks *ticks) {
  return ticks->depth > 0 || ticks->draining;
}

#endif
