/* The inner scheduler: two queues and the rule by which they are drained. It does not know the loop: the caller of
 * callbacks says when one begins and ends.
 *
 * Invariant: depth is the number of callbacks and scopes open now. A drain starts only while none is going on. */
#ifndef ROTA_TICK_TICKS_H
#define ROTA_TICK_TICKS_H

#include <stdbool.h>
#include <stddef.h>

#include "loop/core/observe.h"
#include "rota.h"

/* A queue of functions to call: a circular buffer that grows by doubling, so that adding an entry usually allocates
 * nothing.
 *
 * Invariant: capacity is 0 or a power of two; the entries are buffer[head & mask] up to buffer[(head + count - 1) &
 * mask].
 */
struct rota_tick {
  rota_tick_cb cb;
  void *data;
  void *more;
};

struct rota_tick_queue {
  struct rota_tick *buffer;
  size_t capacity;
  size_t head;
  size_t count;
  size_t peak; /* the most entries at once since the last trim */
};

static inline bool rota__tick_queue_empty(const struct rota_tick_queue *queue) {
  return queue->count == 0;
}

/* The queue must not be empty. */
static inline struct rota_tick rota__tick_queue_take(struct rota_tick_queue *queue) {
  struct rota_tick tick = queue->buffer[queue->head & (queue->capacity - 1)];
  queue->head++;
  queue->count--;
  return tick;
}

void rota__tick_queue_init(struct rota_tick_queue *queue);
void rota__tick_queue_destroy(struct rota_tick_queue *queue);
int rota__tick_queue_add(struct rota_tick_queue *queue, rota_tick_cb cb, void *data, void *more);
/* To be called now and then for an empty queue: frees memory that was only needed for a rare burst. */
void rota__tick_queue_trim(struct rota_tick_queue *queue);

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
