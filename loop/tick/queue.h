/* A queue of functions to call: a circular buffer that grows by doubling, so that adding an entry usually allocates
 * nothing.
 *
 * Invariant: capacity is 0 or a power of two; the entries are buffer[head & mask] up to buffer[(head + count - 1) &
 * mask].
 */
#ifndef ROTA_TICK_QUEUE_H
#define ROTA_TICK_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include "rota.h"

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

#endif
