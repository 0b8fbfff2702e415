/* The drain rule (described in rota.h), the scopes around it, and its counters. The runtime has the same rule for ticks
 * that are JavaScript functions: `drain` in runtime/lib/process/task_queues.js. */
#include "loop/tick/ticks.h"

#include <stdint.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/check.h"

/* ---- the queue ---- */

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

/* ---- the scheduler ---- */

void rota__ticks_init(struct rota_ticks *ticks) {
  memset(ticks, 0, sizeof(*ticks));
  rota__tick_queue_init(&ticks->ticks);
  rota__tick_queue_init(&ticks->microtasks);
}

void rota__ticks_destroy(struct rota_ticks *ticks) {
  rota__tick_queue_destroy(&ticks->ticks);
  rota__tick_queue_destroy(&ticks->microtasks);
}

int rota_tick_enqueue(rota_ticks_t *ticks, rota_tick_cb cb, void *data, void *more) {
  if (cb == NULL)
    return UV_EINVAL;
  return rota__tick_queue_add(&ticks->ticks, cb, data, more);
}

int rota_microtask_enqueue(rota_ticks_t *ticks, rota_tick_cb cb, void *data, void *more) {
  if (cb == NULL)
    return UV_EINVAL;
  if (ticks->microtask_hook != NULL)
    return UV_ENOTSUP;
  return rota__tick_queue_add(&ticks->microtasks, cb, data, more);
}

int rota_ticks_set_microtask_hook(rota_ticks_t *ticks, rota_microtask_hook hook, void *data) {
  if (ticks->draining || !rota__tick_queue_empty(&ticks->microtasks))
    return UV_EBUSY;
  ticks->microtask_hook = hook;
  ticks->microtask_data = hook == NULL ? NULL : data;
  return 0;
}

void rota_ticks_set_after_drain_hook(rota_ticks_t *ticks, rota_after_drain_hook hook, void *data) {
  ticks->after_drain_hook = hook;
  ticks->after_drain_data = hook == NULL ? NULL : data;
}

/* The entry is copied out before it is called, because the call may add entries and so move the buffer. */
static uint64_t run_all(struct rota_tick_queue *queue) {
  uint64_t count = 0;
  while (!rota__tick_queue_empty(queue)) {
    struct rota_tick tick = rota__tick_queue_take(queue);
    tick.cb(tick.data, tick.more);
    count++;
  }
  return count;
}

static void run_microtasks(struct rota_ticks *ticks) {
  if (ticks->microtask_hook != NULL)
    ticks->microtask_hook(ticks->microtask_data);
  else
    ticks->microtasks_run += run_all(&ticks->microtasks);
}

/* The same while the drain is observed, possibly by another thread. */
static uint64_t run_all_watched(struct rota_ticks_watch *watch, struct rota_tick_queue *queue, bool microtasks) {
  struct rota_drain_progress nowhere, *progress;
  uint64_t count = 0;
  if (rota__tick_queue_empty(queue))
    return 0;
  progress = watch->begin(watch, microtasks, watch->so_far);
  if (progress == NULL)
    progress = &nowhere;
  while (!rota__tick_queue_empty(queue)) {
    struct rota_tick tick = rota__tick_queue_take(queue);
    atomic_store_explicit(&progress->function, (rota_function)tick.cb, memory_order_relaxed);
    atomic_store_explicit(&progress->run, watch->so_far + count, memory_order_relaxed);
    tick.cb(tick.data, tick.more);
    count++;
  }
  watch->so_far += count;
  watch->end(watch, microtasks, count);
  return count;
}

static void run_watched(struct rota_ticks_watch *watch, struct rota_ticks *ticks) {
  ticks->ticks_run += run_all_watched(watch, &ticks->ticks, false);
  if (ticks->microtask_hook == NULL) {
    ticks->microtasks_run += run_all_watched(watch, &ticks->microtasks, true);
    return;
  }
  watch->begin(watch, true, watch->so_far);
  ticks->microtask_hook(ticks->microtask_data);
  watch->end(watch, true, UINT64_MAX);
}

/* Whether the hook asks for another round, or has queued something. */
static bool after_drain(struct rota_ticks *ticks) {
  if (ticks->after_drain_hook == NULL)
    return false;
  if (ticks->after_drain_hook(ticks->after_drain_data) != 0)
    return true;
  return !rota__tick_queue_empty(&ticks->ticks) || !rota__tick_queue_empty(&ticks->microtasks);
}

static void run_rounds(struct rota_ticks *ticks) {
  do {
    do {
      if (rota__unlikely(ticks->watch != NULL)) {
        run_watched(ticks->watch, ticks);
        continue;
      }
      ticks->ticks_run += run_all(&ticks->ticks);
      run_microtasks(ticks);
    } while (!rota__tick_queue_empty(&ticks->ticks));
  } while (after_drain(ticks));
}

static bool has_work(const struct rota_ticks *ticks) {
  return !rota__tick_queue_empty(&ticks->ticks) || !rota__tick_queue_empty(&ticks->microtasks) ||
         ticks->microtask_hook != NULL || ticks->after_drain_hook != NULL;
}

static void drain(struct rota_ticks *ticks) {
  uint64_t run_before = ticks->ticks_run + ticks->microtasks_run;
  uint64_t begin_ns = ticks->measuring ? uv_hrtime() : 0;
  uint64_t run;

  ticks->draining = true;
  ticks->drains++;
  if (rota__unlikely(ticks->watch != NULL))
    ticks->watch->so_far = 0;
  run_rounds(ticks);
  ticks->draining = false;

  run = ticks->ticks_run + ticks->microtasks_run - run_before;
  if (run > ticks->longest_drain)
    ticks->longest_drain = run;
  if (begin_ns != 0) {
    uint64_t took_ns = uv_hrtime() - begin_ns;
    if (took_ns > ticks->longest_drain_ns)
      ticks->longest_drain_ns = took_ns;
  }
  rota__tick_queue_trim(&ticks->ticks);
  rota__tick_queue_trim(&ticks->microtasks);
}

void rota_ticks_drain(rota_ticks_t *ticks) {
  if (!ticks->draining && has_work(ticks))
    drain(ticks);
}

void rota_callback_scope_open(rota_ticks_t *ticks) {
  ticks->depth++;
}

/* The depth is reduced after the drain: what the drain calls counts as part of the outermost callback, as in Node. */
void rota_callback_scope_close(rota_ticks_t *ticks) {
  rota__check(ticks->depth > 0);
  if (ticks->depth == 1)
    rota_ticks_drain(ticks);
  ticks->depth--;
}

void rota_ticks_get_info(const rota_ticks_t *ticks, rota_ticks_info_t *info) {
  memset(info, 0, sizeof(*info));
  info->ticks_run = ticks->ticks_run;
  info->microtasks_run = ticks->microtasks_run;
  info->drains = ticks->drains;
  info->longest_drain = ticks->longest_drain;
  info->longest_drain_ns = ticks->longest_drain_ns;
  info->ticks_queued = ticks->ticks.count;
  info->microtasks_queued = ticks->microtasks.count;
}

void rota_ticks_measure_time(rota_ticks_t *ticks, int on) {
  ticks->measuring = on != 0;
}
