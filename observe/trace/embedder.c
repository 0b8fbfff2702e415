/* The embedder's reports about its own callbacks and queues (rota.h): a runtime runs many timers in one callback of the
 * loop, and drains its own ticks. Here they become frames and drains of the tracer, like the loop's own. */
#include "loop/os/thread.h"
#include "observe/name/describe.h"
#include "observe/trace/tracer.h"
#include "observe/trace/tracer_pass.h"

/* Null: the loop is not observed, or no callback with a frame is running. */
static struct rota_tracer *observed(const uv_loop_t *loop) {
  return loop->core.observers == NULL ? NULL : rota__tracer_of(loop);
}

static struct rota_frame *frame_of(struct rota_tracer *tracer) {
  return tracer->depth == 0 || tracer->depth > ROTA_CALL_DEPTH ? NULL : &tracer->frames[tracer->depth - 1];
}

void rota_name_call(uv_loop_t *loop, uint32_t name) {
  struct rota_tracer *tracer = observed(loop);
  struct rota_frame *frame = tracer == NULL ? NULL : frame_of(tracer);
  if (frame == NULL)
    return;
  frame->name = name;
  if (frame->parts == 0)
    frame->parts = 1; /* the frame already has an owner: this is another callback */
  atomic_store_explicit(&tracer->now.name, name, memory_order_relaxed);
}

/* Passes on the part that ended now; another part of the same callback begins. */
static void end_part(struct rota_tracer *tracer, struct rota_frame *frame) {
  if (frame->name != ROTA_NAME_NONE) {
    rota__tracer_call_ended(tracer, frame);
    tracer->at.phase_calls++;
    tracer->at.iteration_calls++;
  }
  frame->begin_ns = tracer->last_ns;
  frame->flags &= (uint8_t)~ROTA_EVENT_FIRST;
  frame->call = rota__tracer_number(tracer);
}

uint32_t rota_call_number(const uv_loop_t *loop) {
  return loop->core.call;
}

void rota_call_cause(uv_loop_t *loop, uint32_t number, int is_first) {
  struct rota_tracer *tracer = observed(loop);
  struct rota_frame *frame = tracer == NULL ? NULL : frame_of(tracer);
  if (frame == NULL || number == 0 || number == frame->call)
    return;
  frame->cause = number;
  frame->flags = is_first ? frame->flags | ROTA_EVENT_FIRST : frame->flags & (uint8_t)~ROTA_EVENT_FIRST;
}

void rota_call_queue(uv_loop_t *loop, uint32_t name) {
  struct rota_tracer *tracer = observed(loop);
  struct rota_frame *frame = tracer == NULL ? NULL : frame_of(tracer);
  uint8_t number = frame == NULL ? 0 : rota__queue_number(name);
  if (number == 0)
    return;
  frame->phase = number;
  atomic_store_explicit(&tracer->now.phase, number, memory_order_relaxed);
}

void rota_call_enter(uv_loop_t *loop, uint32_t name) {
  struct rota_tracer *tracer = observed(loop);
  struct rota_frame *frame = tracer == NULL ? NULL : frame_of(tracer);
  if (frame == NULL)
    return;
  bool again = frame->entered;
  frame->entered = true;
  if (again) {
    rota__tracer_clock(tracer);
    end_part(tracer, frame);
    frame->parts = 0;
    frame->flags &= (uint8_t)~ROTA_EVENT_LATE;
    frame->late_ns = 0;
  }
  frame->name = name;
  if (again)
    rota__tracer_publish_part(tracer, frame);
  else
    atomic_store_explicit(&tracer->now.name, name, memory_order_relaxed);
}

void rota_call_next(uv_loop_t *loop, uint32_t name, uint64_t due_ns) {
  struct rota_tracer *tracer = observed(loop);
  struct rota_frame *frame = tracer == NULL ? NULL : frame_of(tracer);
  if (frame == NULL)
    return;
  rota__tracer_clock(tracer);
  /* The time before the first one is the embedder's own work and no callback. */
  if (frame->parts++ > 0)
    end_part(tracer, frame);
  else
    frame->begin_ns = tracer->last_ns;
  frame->name = name;
  frame->flags = due_ns == 0 ? frame->flags & ~ROTA_EVENT_LATE : frame->flags | ROTA_EVENT_LATE;
  frame->late_ns = due_ns == 0 ? 0 : rota__tracer_lateness(tracer, loop, due_ns);
  if (due_ns != 0 && frame->parts > 1) /* the first one's was recorded with the handle's */
    rota__tracer_record(tracer, ROTA_FIGURE_TIMER_LATENESS, frame->late_ns);
  rota__tracer_publish_part(tracer, frame);
}

void rota_call_open(uv_loop_t *loop, uint32_t name) {
  struct rota_tracer *tracer = observed(loop);
  if (tracer == NULL)
    return;
  rota__tracer_clock(tracer);
  if (tracer->depth == 0)
    tracer->queue = NULL; /* outside of a run, it may be any thread */
  if (tracer->depth++ >= ROTA_CALL_DEPTH)
    return;
  struct rota_frame *frame = &tracer->frames[tracer->depth - 1];
  *frame = (struct rota_frame){
      .begin_ns = tracer->last_ns, .number = -1, .name = name, .type = UV_UNKNOWN_HANDLE, .phase = ROTA_PHASE_NONE};
  frame->call = rota__tracer_number(tracer);
  rota__tracer_runs_here(tracer);
  rota__tracer_publish(tracer, frame, frame->begin_ns);
  atomic_store_explicit(&tracer->now.thread_id, rota__os_thread_number(), memory_order_relaxed);
}

void rota_call_open_main(uv_loop_t *loop, uint32_t name) {
  rota_call_open(loop, name);
  struct rota_tracer *tracer = observed(loop);
  if (tracer != NULL && tracer->depth == 1)
    tracer->frames[0].until_run = true;
}

uint64_t rota_call_now(const uv_loop_t *loop, uint64_t *since_ns) {
  struct rota_tracer *tracer = observed(loop);
  uint64_t since = tracer == NULL ? 0 : atomic_load_explicit(&tracer->now.since_ns, memory_order_acquire);
  if (since_ns != NULL)
    *since_ns = since;
  return since == 0 ? 0 : atomic_load_explicit(&tracer->now.sequence, memory_order_acquire);
}

uint64_t rota_call_whole(const uv_loop_t *loop) {
  struct rota_tracer *tracer = observed(loop);
  if (tracer == NULL || atomic_load_explicit(&tracer->now.since_ns, memory_order_acquire) == 0)
    return 0;
  return atomic_load_explicit(&tracer->now.whole_since_ns, memory_order_acquire);
}

void rota_call_close(uv_loop_t *loop) {
  struct rota_tracer *tracer = observed(loop);
  if (tracer == NULL || tracer->depth == 0 || tracer->depth-- > ROTA_CALL_DEPTH)
    return;
  rota__tracer_clock(tracer);
  loop->core.call = tracer->depth == 0 ? 0 : tracer->frames[tracer->depth - 1].call;
  rota__tracer_publish_none(tracer);
  if (rota__observes(ROTA_OBSERVE_WATCHDOG) && tracer->depth == 0)
    rota__watchdog_whole_ended(tracer);
  rota__tracer_call_ended(tracer, &tracer->frames[tracer->depth]);
}

void rota_trace_sample(uv_loop_t *loop, const uint32_t *names, unsigned int count) {
  struct rota_tracer *tracer = observed(loop);
  if (tracer == NULL || count == 0 || !rota__observes(ROTA_OBSERVE_TRACE))
    return;
  struct rota_event like = {.at_ns = rota__tracer_clock(tracer), .loop = tracer->number};
  like.sample.call = loop->core.call;
  struct rota_event_queue *queue = rota__event_queue_of_thread(true);
  if (queue != NULL)
    rota__event_queue_sample(queue, &like, names, count < ROTA_EVENT_SAMPLE_MAX ? count : ROTA_EVENT_SAMPLE_MAX);
}

static void report(uv_loop_t *loop, bool begins, int microtasks, uint64_t so_far, uint64_t count) {
  struct rota_tracer *tracer = observed(loop);
  struct rota_drain drain = {.begins = begins, .microtasks = microtasks != 0, .so_far = so_far, .count = count};
  if (tracer != NULL)
    tracer->observer.drain(&tracer->observer, loop, &drain);
}

void rota_drain_open(uv_loop_t *loop, int microtasks, uint64_t so_far) {
  report(loop, true, microtasks, so_far, 0);
}

void rota_drain_close(uv_loop_t *loop, int microtasks, uint64_t count) {
  report(loop, false, microtasks, 0, count);
}

void rota_drain_step(uv_loop_t *loop, uint32_t name) {
  struct rota_tracer *tracer = observed(loop);
  if (tracer == NULL)
    return;
  _Atomic uint64_t *run = &tracer->now.drain.run;
  atomic_store_explicit(run, atomic_load_explicit(run, memory_order_relaxed) + 1, memory_order_relaxed);
  atomic_store_explicit(&tracer->now.tick_name, name, memory_order_relaxed);
  if (tracer->first_tick == 0)
    tracer->first_tick = name;
}
