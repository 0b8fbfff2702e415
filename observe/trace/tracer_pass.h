/* What the tracer passes on: values to the histograms, events to the queue, and what runs now to the watchdog. On the
 * loop's thread only. */
#ifndef ROTA_TRACE_TRACER_PASS_H
#define ROTA_TRACE_TRACER_PASS_H

#include "loop/base/units.h"
#include "loop/os/clock.h"
#include "observe/trace/tracer.h"

/* A clock that is read by extrapolation may step back by some nanoseconds when it is adjusted. */
static inline uint64_t rota__tracer_clock(struct rota_tracer *tracer) {
  uint64_t now_ns = rota__os_quick_clock_ns();
  if (rota__likely(now_ns > tracer->last_ns))
    tracer->last_ns = now_ns;
  return tracer->last_ns;
}

/* The lateness of a timer, by the loop's clock. If that clock is not the system's, the loop's cached time is used. */
static inline uint64_t rota__tracer_lateness(const struct rota_tracer *tracer, const uv_loop_t *loop, uint64_t due_ns) {
  uint64_t now_ns = tracer->last_ns;
  if (rota__unlikely(rota__os_clock.loop_ns != rota__os_clock_ns))
    now_ns = loop->core.now_ms * NS_PER_MS;
  return now_ns > due_ns ? now_ns - due_ns : 0;
}

/* Numbers of callbacks are unique in the process: a loop takes a block of them at a time. The highest bit is free, for
 * a mark in a handle. */
enum { ROTA_CALL_HAS_ARROW = INT32_MIN, ROTA_CALL_BLOCK = 4096 };
uint32_t rota__tracer_more_numbers(struct rota_tracer *tracer) __attribute__((cold));

/* A callback begins: whatever it schedules has this number as its cause. */
static inline uint32_t rota__tracer_number(struct rota_tracer *tracer) {
  uint32_t number =
      rota__likely(tracer->next_call < tracer->last_call) ? tracer->next_call++ : rota__tracer_more_numbers(tracer);
  tracer->loop->core.call = number;
  return number;
}

static inline void rota__tracer_record(struct rota_tracer *tracer, rota_figure figure, uint64_t value_ns) {
  if (tracer->stats != NULL && rota__observes(ROTA_OBSERVE_STATS | ROTA_OBSERVE_METRICS))
    rota__histogram_record(&tracer->stats->figures[figure], value_ns);
}

static inline void rota__tracer_count_time(struct rota_tracer *tracer, uint64_t busy_ns, uint64_t idle_ns) {
  if (tracer->stats == NULL)
    return;
  _Atomic uint64_t *busy = &tracer->stats->busy_ns, *idle = &tracer->stats->idle_ns;
  atomic_store_explicit(busy, atomic_load_explicit(busy, memory_order_relaxed) + busy_ns, memory_order_relaxed);
  atomic_store_explicit(idle, atomic_load_explicit(idle, memory_order_relaxed) + idle_ns, memory_order_relaxed);
}

/* A server that is ended by a signal has waited since its last event. */
static inline void rota__tracer_goes_on(struct rota_tracer *tracer, uint64_t waits_since_ns, uint64_t runs_since_ns) {
  if (tracer->stats == NULL)
    return;
  atomic_store_explicit(&tracer->stats->waits_since_ns, waits_since_ns, memory_order_relaxed);
  atomic_store_explicit(&tracer->stats->runs_since_ns, runs_since_ns, memory_order_relaxed);
}

/* Nobody asks which callback it is, only how long it takes. Of a timer, it is asked how late it is. */
static inline bool rota__tracer_only_counts(const struct rota_call *call) {
  return !rota__observes(~(ROTA_OBSERVE_STATS | ROTA_OBSERVE_METRICS)) &&
         (call->is_request || ((const uv_handle_t *)call->subject)->type != UV_TIMER);
}

/* A place for an event of this loop, or null: there is no trace, or no room. */
static inline struct rota_event *rota__tracer_event(struct rota_tracer *tracer, enum rota_event_kind kind,
                                                    uint64_t begin_ns, uint64_t end_ns) {
  if (!rota__observes(ROTA_OBSERVE_TRACE))
    return NULL;
  /* Outside of a run, this may be any thread; and the trace may have been started during a run. */
  if (tracer->queue == NULL)
    tracer->queue = rota__event_queue_of_thread(true);
  struct rota_event *place = rota__event_queue_reserve(tracer->queue);
  if (place == NULL)
    return NULL;
  *place = (struct rota_event){.at_ns = begin_ns,
                               .duration_ns = end_ns > begin_ns ? end_ns - begin_ns : 0,
                               .kind = (uint8_t)kind,
                               .loop = tracer->number};
  return place;
}

/* What only the watchdog reads. `is_part`: the callback of the loop goes on with another part. */
__attribute__((noinline, unused)) static void
rota__tracer_describe(struct rota_tracer_now *now, const struct rota_frame *frame, uint64_t since_ns, bool is_part) {
  if (!is_part) {
    atomic_store_explicit(&now->longest.took_ns, 0, memory_order_relaxed);
    atomic_store_explicit(&now->whole_since_ns, since_ns, memory_order_relaxed);
  }
  uint32_t parts = is_part ? atomic_load_explicit(&now->parts, memory_order_relaxed) : 0;
  atomic_store_explicit(&now->parts, parts + 1, memory_order_relaxed);
  atomic_store_explicit(&now->number, frame->number, memory_order_relaxed);
  atomic_store_explicit(&now->type, frame->type, memory_order_relaxed);
  atomic_store_explicit(&now->flags, frame->flags, memory_order_relaxed);
  uint64_t sequence = atomic_load_explicit(&now->sequence, memory_order_relaxed);
  atomic_store_explicit(&now->described, sequence, memory_order_relaxed);
}

/* Inlined by force: it is on the way of each callback that is traced. */
__attribute__((always_inline)) static inline void
rota__tracer_show(struct rota_tracer *tracer, const struct rota_frame *frame, uint64_t since_ns, bool is_part) {
  struct rota_tracer_now *now = &tracer->now;
  unsigned int observing = atomic_load_explicit(&rota__observing, memory_order_relaxed);
  if (!(observing & (ROTA_OBSERVE_TRACE | ROTA_OBSERVE_WATCHDOG)))
    return;
  atomic_store_explicit(&now->since_ns, 0, memory_order_relaxed);
  uint64_t sequence = atomic_load_explicit(&now->sequence, memory_order_relaxed);
  atomic_store_explicit(&now->sequence, sequence + 1, memory_order_release);
  atomic_store_explicit(&now->function, frame->function, memory_order_relaxed);
  atomic_store_explicit(&now->name, frame->name, memory_order_relaxed);
  atomic_store_explicit(&now->phase, frame->phase, memory_order_relaxed);
  if (rota__unlikely(observing & ROTA_OBSERVE_WATCHDOG))
    rota__tracer_describe(now, frame, since_ns, is_part);
  atomic_store_explicit(&now->since_ns, since_ns, memory_order_release);
}

static inline void rota__tracer_publish(struct rota_tracer *tracer, const struct rota_frame *frame, uint64_t since_ns) {
  rota__tracer_show(tracer, frame, since_ns, false);
}

/* Another part of the same callback has begun. */
static inline void rota__tracer_publish_part(struct rota_tracer *tracer, const struct rota_frame *frame) {
  rota__tracer_show(tracer, frame, frame->begin_ns, true);
}

/* No callback runs. */
static inline void rota__tracer_publish_none(struct rota_tracer *tracer) {
  atomic_store_explicit(&tracer->now.since_ns, 0, memory_order_relaxed);
}

#endif
