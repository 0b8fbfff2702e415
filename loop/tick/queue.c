/* The circular buffer of ticks and microtasks: how it grows and shrinks (queue.h has the invariant). */
#include "loop/tick/queue.h"

#include <stdint.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/check.h"

enum {
  FIRST_CAPACITY = 64,
  KEPT_CAPACITY = 1024, /* 24 KiB: not worth freeing */
};

void rota__tick_queue_init(struct rota_tick_queue *queue) {
  memset(queue, 0, sizeof(*queue));
}

void rota__tick_queue_destroy(struct rota_tick_queue *queue) {
  rota__free(queue->buffer);
  rota__tick_queue_init(queue);
}

/* Moves the entries, in order, to the beginning of a buffer of another size. */
static int resize(struct rota_tick_queue *queue, size_t capacity) {
  struct rota_tick *buffer;
  if (capacity > SIZE_MAX / sizeof(*buffer))
    return UV_ENOMEM;
  buffer = rota__malloc(capacity * sizeof(*buffer));
  if (buffer == NULL)
    return UV_ENOMEM;
  if (queue->count > 0) {
    size_t first = queue->head & (queue->capacity - 1);
    size_t until_wrap = queue->capacity - first;
    size_t before = queue->count < until_wrap ? queue->count : until_wrap;
    memcpy(buffer, queue->buffer + first, before * sizeof(*buffer));
    memcpy(buffer + before, queue->buffer, (queue->count - before) * sizeof(*buffer));
  }
  rota__free(queue->buffer);
  queue->buffer = buffer;
  queue->capacity = capacity;
  queue->head = 0;
  return 0;
}

int rota__tick_queue_add(struct rota_tick_queue *queue, rota_tick_cb cb, void *data, void *more) {
  struct rota_tick *tick;
  if (rota__unlikely(queue->count == queue->capacity)) {
    int err = resize(queue, queue->capacity == 0 ? FIRST_CAPACITY : queue->capacity * 2);
    if (err != 0)
      return err;
  }
  tick = &queue->buffer[(queue->head + queue->count) & (queue->capacity - 1)];
  tick->cb = cb;
  tick->data = data;
  tick->more = more;
  queue->count++;
  if (queue->count > queue->peak)
    queue->peak = queue->count;
  return 0;
}

/* Halves the buffer if most of it was unused since the last time: a program with a steady load must not grow it again
 * and again. If there is no memory for the smaller buffer, the larger one stays. */
void rota__tick_queue_trim(struct rota_tick_queue *queue) {
  if (rota__unlikely(queue->capacity > KEPT_CAPACITY) && queue->peak <= queue->capacity / 8)
    (void)resize(queue, queue->capacity / 2);
  queue->peak = queue->count;
}
