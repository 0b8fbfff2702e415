#include "observe/metrics/measure.h"

#include <string.h>

#include "loop/core/handle.h"
#include "loop/core/internal.h"
#include "loop/os/memory.h"
#include "observe/trace/tracer.h"
#include "rota.h"

/* The lowest number from 1 that no other loop has. */
static uint32_t free_number(const struct rota_link *tracers) {
  uint32_t number = 1;
  for (const struct rota_link *link = tracers->next; link != tracers;) {
    const struct rota_measure *measure = rota__container_of(link, struct rota_tracer, link)->measure;
    bool is_taken = measure != NULL && measure->number == number;
    number += is_taken;
    link = is_taken ? tracers->next : link->next;
  }
  return number;
}

void rota__measure_start(struct rota_tracer *tracer, struct rota_link *tracers) {
  void *memory;
  if (tracer->measure != NULL || rota__os_map(&memory, sizeof(*tracer->measure)) < 0)
    return;
  struct rota_measure *measure = memory;
  measure->timer.interval_ns = ROTA_MEASURE_INTERVAL_NS;
  measure->timer.due_ns = tracer->last_ns + ROTA_MEASURE_INTERVAL_NS;
  measure->timer.shared = &measure->delay;
  measure->is_main = rota__loop_is_default(tracer->loop);
  measure->number = measure->is_main ? 0 : free_number(tracers);
  tracer->measure = measure;
}

void rota__measure_end(struct rota_tracer *tracer) {
  if (tracer->measure != NULL)
    rota__os_unmap(tracer->measure, sizeof(*tracer->measure));
  tracer->measure = NULL;
}

static void clear(struct rota_tracer *tracer) {
  struct rota_measure *measure = tracer->measure;
  for (int i = 0; i < ROTA_LOOP_FIGURES; i++)
    rota__histogram_clear(&tracer->stats->figures[i]);
  atomic_store(&tracer->stats->busy_ns, 0);
  atomic_store(&tracer->stats->idle_ns, 0);
  rota__histogram_clear(&measure->delay);
  memset(measure->places, 0, sizeof(measure->places));
  for (int i = 0; i < ROTA_MEASURE_MARKS; i++)
    measure->marks[i].at_ns = 0;
  for (int i = 0; i < 2; i++)
    atomic_store(&measure->drained[i], 0);
}

void rota__measure_restart(void) {
  struct rota_link *tracers = rota__tracer_lock();
  for (struct rota_link *link = tracers->next; link != tracers; link = link->next) {
    struct rota_tracer *tracer = rota__container_of(link, struct rota_tracer, link);
    if (tracer->measure != NULL && tracer->stats != NULL)
      clear(tracer);
  }
  rota__tracer_unlock();
  rota_stats_reset(NULL);
}

static void add(_Atomic uint64_t *sum, uint64_t value) {
  atomic_store_explicit(sum, atomic_load_explicit(sum, memory_order_relaxed) + value, memory_order_relaxed);
}

/* The first places that are slow get a row each: rows that come and go would be new series each time. */
static struct rota_measure_place *place_of(struct rota_measure *measure, uint32_t name, const void *function) {
  struct rota_measure_place *place = measure->places;
  for (; place < measure->places + ROTA_MEASURE_PLACES; place++) {
    if (!atomic_load_explicit(&place->used, memory_order_relaxed)) {
      atomic_store_explicit(&place->name, name, memory_order_relaxed);
      atomic_store_explicit(&place->function, function, memory_order_relaxed);
      break;
    }
    if (atomic_load_explicit(&place->name, memory_order_relaxed) == name &&
        atomic_load_explicit(&place->function, memory_order_relaxed) == function)
      break;
  }
  return place;
}

void rota__measure_slow(struct rota_measure *measure, const struct rota_frame *frame, uint64_t took_ns) {
  struct rota_measure_place *place = place_of(measure, frame->name, frame->name != 0 ? NULL : frame->function);
  add(&place->count, 1);
  add(&place->took_ns, took_ns);
  atomic_store_explicit(&place->used, true, memory_order_release);
}

void rota__measure_drained(struct rota_measure *measure, bool microtasks, uint64_t count) {
  if (count == UINT64_MAX) /* the engine's, which does not tell */
    return;
  add(&measure->drained[microtasks], count);
  atomic_store_explicit(&measure->knows_drained[microtasks], true, memory_order_relaxed);
}

void rota__measure_count(struct rota_measure *measure, const uv_loop_t *loop) {
  uint32_t handles[UV_HANDLE_TYPE_MAX] = {0};
  for (const struct rota_link *link = loop->handle_queue.next; link != &loop->handle_queue; link = link->next) {
    const uv_handle_t *handle = rota__container_of(link, uv_handle_t, handle_queue);
    bool counts = (handle->flags & (ROTA_HANDLE_INTERNAL | ROTA_HANDLE_REF)) == ROTA_HANDLE_REF;
    if (counts && rota__handle_is_active(handle) && (unsigned int)handle->type < UV_HANDLE_TYPE_MAX)
      handles[handle->type]++;
  }
  for (int type = 0; type < UV_HANDLE_TYPE_MAX; type++)
    atomic_store_explicit(&measure->handles[type], handles[type], memory_order_relaxed);
  atomic_store_explicit(&measure->requests, loop->active_reqs.count, memory_order_relaxed);
  atomic_store_explicit(&measure->has_counted, true, memory_order_release);
  atomic_store_explicit(&measure->count_wanted, false, memory_order_release);
}
