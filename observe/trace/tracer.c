#include "observe/trace/tracer.h"

#include "loop/base/alloc.h"
#include "loop/base/units.h"
#include "loop/core/handle.h"
#include "loop/core/req.h"
#include "loop/os/clock.h"
#include "loop/os/memory.h"
#include "loop/os/thread.h"
#include "observe/metrics/measure.h"
#include "observe/name/describe.h"
#include "observe/trace/census.h"
#include "observe/trace/trace.h"
#include "observe/trace/tracer_pass.h"

enum { UNKNOWN_DRAIN_MIN_NS = 2000 };

_Atomic unsigned int rota__observing;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct rota_link tracers = {&tracers, &tracers};
static uint32_t tracer_count;
static const char attachment_key;
static _Thread_local int thread_number; /* 0: not asked for yet */
static _Atomic uint32_t call_numbers = 1;
static _Thread_local struct rota_tracer *running; /* of the loop that runs on this thread, or ran last */

struct rota_link *rota__tracer_lock(void) {
  pthread_mutex_lock(&lock);
  return &tracers;
}

void rota__tracer_unlock(void) {
  pthread_mutex_unlock(&lock);
}

void rota__tracer_before_fork(void) {
  pthread_mutex_lock(&lock);
}

void rota__tracer_after_fork_in_parent(void) {
  pthread_mutex_unlock(&lock);
}

void rota__tracer_after_fork_in_child(void) {
  thread_number = 0;
  pthread_mutex_unlock(&lock);
}

static struct rota_tracer *tracer_of(struct rota_observer *observer) {
  return rota__container_of(observer, struct rota_tracer, observer);
}

/* ---- phases and iterations ---- */

static rota_figure figure_of(enum rota_phase phase) {
  return (rota_figure)(ROTA_FIGURE_TIMERS + (int)phase - ROTA_PHASE_TIMERS);
}

/* Phases in which nothing ran are left out. */
static void end_phase(struct rota_tracer *tracer) {
  struct rota_position *at = &tracer->at;
  if (at->phase == ROTA_PHASE_NONE || (at->phase_calls == 0 && !at->waited))
    return;
  uint64_t took_ns = tracer->last_ns - at->phase_begin_ns;
  if (at->phase_calls > 0)
    rota__tracer_record(tracer, figure_of(at->phase),
                        took_ns > at->phase_waited_ns ? took_ns - at->phase_waited_ns : 0);
  struct rota_event *place = rota__tracer_event(tracer, ROTA_EVENT_PHASE, at->phase_begin_ns, tracer->last_ns);
  if (place == NULL)
    return;
  place->phase = (uint8_t)at->phase;
  place->ran.calls = at->phase_calls;
  rota__event_queue_publish(tracer->queue);
}

static void note_service(struct rota_tracer *tracer) {
  if (rota__unlikely(!atomic_load_explicit(&tracer->now.has_served, memory_order_relaxed)))
    atomic_store_explicit(&tracer->now.has_served, true, memory_order_relaxed);
}

static void end_iteration(struct rota_tracer *tracer) {
  struct rota_position *at = &tracer->at;
  if (at->iteration_begin_ns == 0)
    return;
  note_service(tracer);
  rota__tracer_record(tracer, ROTA_FIGURE_ITERATION, tracer->last_ns - at->iteration_begin_ns);
  struct rota_event *place = rota__tracer_event(tracer, ROTA_EVENT_ITERATION, at->iteration_begin_ns, tracer->last_ns);
  at->iteration_begin_ns = 0;
  if (place == NULL)
    return;
  place->iteration.number = tracer->iteration;
  place->iteration.calls = at->iteration_calls;
  place->iteration.waited_ns = at->iteration_waited_ns;
  rota__event_queue_publish(tracer->queue);
}

/* From the end of a wait to the beginning of the next: an event that arrives just after the first wait has to wait this
 * long. */
static void end_busy_stretch(struct rota_tracer *tracer) {
  if (tracer->at.busy_since_ns == 0)
    return; /* the observer was added during a run: the begin was not seen */
  uint64_t busy_ns = tracer->last_ns - tracer->at.busy_since_ns;
  rota__tracer_record(tracer, ROTA_FIGURE_DELAY, busy_ns);
  rota__tracer_count_time(tracer, busy_ns, 0);
}

static void begin_run(struct rota_tracer *tracer) {
  if (tracer->depth == 1 && tracer->frames[0].function == NULL && tracer->frames[0].until_run)
    rota_call_close(tracer->loop);
  if (tracer->depth > 0 && tracer->depth <= ROTA_CALL_DEPTH && !tracer->frames[tracer->depth - 1].position_saved) {
    /* A callback runs the loop: during that time it is not the callback that blocks. */
    tracer->frames[tracer->depth - 1].position = tracer->at;
    tracer->frames[tracer->depth - 1].position_saved = true;
    rota__tracer_publish_none(tracer);
  }
  rota__tracer_clock(tracer);
  tracer->at = (struct rota_position){.busy_since_ns = tracer->last_ns};
  rota__tracer_goes_on(tracer, 0, tracer->last_ns);
  tracer->queue = NULL;
  running = tracer;
  if (thread_number == 0)
    thread_number = rota__os_thread_number();
  if (tracer->iteration == 0)
    rota__black_box_guard();
  atomic_store_explicit(&tracer->now.thread_id, thread_number, memory_order_relaxed);
}

static void end_run(struct rota_tracer *tracer) {
  end_iteration(tracer);
  end_busy_stretch(tracer);
  rota__tracer_goes_on(tracer, 0, 0);
  tracer->at = (struct rota_position){.phase = ROTA_PHASE_NONE};
  if (tracer->depth > 0 && tracer->depth <= ROTA_CALL_DEPTH)
    rota__tracer_publish(tracer, &tracer->frames[tracer->depth - 1], tracer->last_ns);
  else
    tracer->queue = NULL;
}

static void on_phase(struct rota_observer *self, uv_loop_t *loop, enum rota_phase phase) {
  struct rota_tracer *tracer = tracer_of(self);
  (void)loop;
  /* The first phase of a run. If a callback runs the loop, the outer phase has not ended. */
  bool nested =
      tracer->depth > 0 && tracer->depth <= ROTA_CALL_DEPTH && !tracer->frames[tracer->depth - 1].position_saved;
  if (tracer->at.phase == ROTA_PHASE_NONE || nested) {
    if (phase == ROTA_PHASE_NONE)
      return; /* a loop that had nothing to do: its run has ended without a phase */
    begin_run(tracer);
  }
  end_phase(tracer);
  tracer->at.phase = phase;
  tracer->at.phase_begin_ns = tracer->last_ns;
  tracer->at.phase_calls = 0;
  tracer->at.phase_waited_ns = 0;
  tracer->at.waited = false;
  if (phase == ROTA_PHASE_PENDING) {
    end_iteration(tracer);
    tracer->iteration++;
    tracer->at.iteration_begin_ns = tracer->last_ns;
    tracer->at.iteration_calls = 0;
    tracer->at.iteration_waited_ns = 0;
  } else if (phase == ROTA_PHASE_NONE) {
    end_run(tracer);
  } else if (phase == ROTA_PHASE_TIMERS && rota__unlikely(tracer->measure != NULL)) {
    rota__delay_timers(&tracer->measure->timer, tracer->last_ns);
  }
}

static void on_wait(struct rota_observer *self, uv_loop_t *loop, int64_t timeout_ns) {
  struct rota_tracer *tracer = tracer_of(self);
  (void)loop;
  rota__tracer_clock(tracer);
  tracer->wait_begin_ns = tracer->last_ns;
  tracer->wait_timeout_ns = timeout_ns;
  if (timeout_ns != 0)
    note_service(tracer);
  atomic_store_explicit(&tracer->now.waits_since_ns, tracer->last_ns, memory_order_relaxed);
  end_busy_stretch(tracer);
  rota__tracer_goes_on(tracer, tracer->last_ns, 0);
  if (rota__unlikely(tracer->measure != NULL))
    rota__delay_wait(&tracer->measure->timer, timeout_ns, tracer->last_ns);
}

static void on_woken(struct rota_observer *self, uv_loop_t *loop, int n) {
  struct rota_tracer *tracer = tracer_of(self);
  rota__tracer_clock(tracer);
  atomic_store_explicit(&tracer->now.waits_since_ns, 0, memory_order_relaxed);
  rota__os_cycles_adjust();
  tracer->at.busy_since_ns = tracer->last_ns;
  uint64_t waited_ns = tracer->last_ns - tracer->wait_begin_ns;
  tracer->at.phase_waited_ns += waited_ns;
  tracer->at.iteration_waited_ns += waited_ns;
  rota__tracer_count_time(tracer, 0, waited_ns);
  rota__tracer_goes_on(tracer, 0, tracer->last_ns);
  if (rota__unlikely(tracer->measure != NULL)) {
    rota__delay_woken(&tracer->measure->timer, tracer->last_ns);
    if (rota__measure_wants_count(tracer->measure))
      rota__measure_count(tracer->measure, loop);
  }
  if (rota__unlikely(atomic_load_explicit(&tracer->print_alive, memory_order_relaxed)) &&
      atomic_exchange(&tracer->print_alive, false))
    rota_print_alive(loop, stderr);
  if (rota__unlikely(atomic_load_explicit(&tracer->take_census, memory_order_relaxed)) &&
      atomic_exchange(&tracer->take_census, false))
    rota__census_take(tracer);
  if (tracer->wait_timeout_ns == 0)
    return; /* the wait did not block */
  tracer->at.waited = true;
  rota__tracer_record(tracer, ROTA_FIGURE_WAIT, waited_ns);
  struct rota_event *place = rota__tracer_event(tracer, ROTA_EVENT_WAIT, tracer->wait_begin_ns, tracer->last_ns);
  if (place == NULL)
    return;
  place->wait.timeout_ns = (uint64_t)tracer->wait_timeout_ns;
  place->wait.events = n > 0 ? n : 0;
  rota__event_queue_publish(tracer->queue);
}

/* ---- callbacks ---- */

static int32_t descriptor_of(const uv_handle_t *handle) {
  return handle == NULL || handle->u.rota.kind->fd == NULL ? -1 : handle->u.rota.kind->fd(handle);
}

uint32_t rota__tracer_more_numbers(struct rota_tracer *tracer) {
  uint32_t first = atomic_fetch_add_explicit(&call_numbers, ROTA_CALL_BLOCK, memory_order_relaxed) & INT32_MAX;
  tracer->next_call = first + 1;
  tracer->last_call = first + ROTA_CALL_BLOCK;
  return first;
}

void rota__tracer_runs_here(struct rota_tracer *tracer) {
  running = tracer;
}

/* For rota__call_finder. */
uint32_t rota__tracer_call_of_thread(void) {
  return running == NULL ? 0 : running->loop->core.call;
}

/* How long ago a thread of the pool was done with it. */
static void measure_wait(const struct rota_tracer *tracer, struct rota_frame *frame, const uv_req_t *req) {
  if (req->rota.queued == 0)
    return;
  uint64_t done_ns = rota__req_stamped_ns(req, tracer->last_ns);
  frame->flags |= ROTA_EVENT_LATE;
  frame->late_ns = tracer->last_ns > done_ns ? tracer->last_ns - done_ns : 0;
}

static void describe_request(const struct rota_tracer *tracer, struct rota_frame *frame, const uv_req_t *req) {
  frame->type = (uint8_t)req->type;
  frame->flags = ROTA_EVENT_REQUEST | ROTA_EVENT_FIRST;
  frame->cause = req->rota.cause;
  measure_wait(tracer, frame, req);
  switch (req->type) {
  case UV_WRITE:
    frame->number = descriptor_of((const uv_handle_t *)((const uv_write_t *)req)->handle);
    break;
  case UV_CONNECT:
    frame->number = descriptor_of((const uv_handle_t *)((const uv_connect_t *)req)->handle);
    break;
  case UV_SHUTDOWN:
    frame->number = descriptor_of((const uv_handle_t *)((const uv_shutdown_t *)req)->handle);
    break;
  case UV_UDP_SEND:
    frame->number = descriptor_of((const uv_handle_t *)((const uv_udp_send_t *)req)->handle);
    break;
  case UV_FS:
    frame->number = (int32_t)((const uv_fs_t *)req)->fs_type;
    break;
  default:
    frame->number = -1;
    break;
  }
}

/* Of many callbacks of one handle, the first has the arrow. */
static void find_cause(struct rota_frame *frame, const uv_handle_t *handle) {
  uint32_t *place = (uint32_t *)(uintptr_t)&handle->u.rota.cause; /* it is ours, also where the loop only reads */
  uint32_t cause = __atomic_load_n(place, __ATOMIC_RELAXED);
  frame->cause = cause & INT32_MAX;
  if ((cause & (uint32_t)ROTA_CALL_HAS_ARROW) != 0 || cause == 0)
    return;
  frame->flags |= ROTA_EVENT_FIRST;
  __atomic_store_n(place, cause | (uint32_t)ROTA_CALL_HAS_ARROW, __ATOMIC_RELAXED);
}

static void describe_handle(struct rota_tracer *tracer, struct rota_frame *frame, const uv_handle_t *handle) {
  frame->type = (uint8_t)handle->type;
  frame->number = descriptor_of(handle);
  find_cause(frame, handle);
  if (handle->type != UV_TIMER || tracer->at.phase != ROTA_PHASE_TIMERS)
    return;
  uint64_t due_ns = ((const uv_timer_t *)handle)->timer.due_ms * NS_PER_MS;
  frame->flags |= ROTA_EVENT_LATE;
  frame->late_ns = rota__tracer_lateness(tracer, handle->loop, due_ns);
  rota__tracer_record(tracer, ROTA_FIGURE_TIMER_LATENESS, frame->late_ns);
}

/* An operation of the poller, without a thread of the pool: its time starts when it was submitted. */
static void end_request(struct rota_tracer *tracer, const uv_req_t *req) {
  uint64_t begin_ns = rota__origin_end(tracer->origins, req);
  if (begin_ns == 0 || req->type != UV_FS)
    return;
  char room[ROTA_EVENT_TEXT_MAX + 1];
  const char *about = rota__describe_subject(req, room, sizeof(room));
  if (about != NULL && rota__observes(ROTA_OBSERVE_TRACE)) {
    if (tracer->queue == NULL)
      tracer->queue = rota__event_queue_of_thread(true);
    if (tracer->queue != NULL)
      rota__event_queue_text(tracer->queue, begin_ns, about);
  }
  struct rota_event *place = rota__tracer_event(tracer, ROTA_EVENT_OPERATION, begin_ns, tracer->last_ns);
  if (place == NULL)
    return;
  place->operation.operation = (int32_t)((const uv_fs_t *)req)->fs_type;
  place->operation.number = ++tracer->operations;
  place->operation.cause = req->rota.cause;
  rota__event_queue_publish(tracer->queue);
}

static void on_begin(struct rota_observer *self, uv_loop_t *loop, const struct rota_call *call) {
  struct rota_tracer *tracer = tracer_of(self);
  (void)loop;
  rota__tracer_clock(tracer);
  tracer->at.phase_calls++;
  tracer->at.iteration_calls++;
  if (call->is_request && rota__unlikely(tracer->origins != NULL))
    end_request(tracer, call->subject);
  if (tracer->depth++ >= ROTA_CALL_DEPTH)
    return;
  struct rota_frame *frame = &tracer->frames[tracer->depth - 1];
  frame->begin_ns = tracer->last_ns;
  frame->function = (const void *)(uintptr_t)call->function;
  frame->late_ns = 0;
  frame->name = 0;
  frame->flags = 0;
  frame->phase = (uint8_t)tracer->at.phase;
  frame->entered = false;
  frame->parts = 0;
  frame->position_saved = false;
  if (rota__tracer_only_counts(call)) {
    frame->type = (uint8_t)(call->is_request ? (int)UV_UNKNOWN_REQ : (int)UV_UNKNOWN_HANDLE);
    frame->number = -1;
    frame->call = frame->cause = 0;
    return;
  }
  if (call->is_request)
    describe_request(tracer, frame, call->subject);
  else
    describe_handle(tracer, frame, call->subject);
  frame->call = rota__tracer_number(tracer);
  rota__tracer_publish(tracer, frame, frame->begin_ns);
}

void rota__tracer_call_ended(struct rota_tracer *tracer, const struct rota_frame *frame) {
  uint64_t took_ns = tracer->last_ns - frame->begin_ns;
  rota__tracer_record(tracer, ROTA_FIGURE_CALLBACK, took_ns);
  if (rota__unlikely(took_ns >= ROTA_MEASURE_SLOW_NS) && tracer->measure != NULL)
    rota__measure_slow(tracer->measure, frame, took_ns);
  if (rota__observes(ROTA_OBSERVE_WATCHDOG) && !frame->position_saved)
    rota__watchdog_ended(tracer, frame, tracer->last_ns - frame->begin_ns);
  struct rota_event *place = rota__tracer_event(tracer, ROTA_EVENT_CALL, frame->begin_ns, tracer->last_ns);
  if (place == NULL)
    return;
  place->phase = frame->phase;
  place->type = frame->type;
  place->flags = frame->flags;
  place->call.function = frame->function;
  place->call.late_ns = frame->late_ns;
  place->call.subject = frame->number;
  place->call.name = frame->name;
  place->call.number = frame->call;
  place->call.cause = frame->cause;
  rota__event_queue_publish(tracer->queue);
}

static void on_end(struct rota_observer *self, uv_loop_t *loop) {
  struct rota_tracer *tracer = tracer_of(self);
  /* An end without a begin belongs to the callback in which the tracer was attached. */
  if (tracer->depth == 0 || tracer->depth-- > ROTA_CALL_DEPTH)
    return;
  loop->core.call = tracer->depth == 0 ? 0 : tracer->frames[tracer->depth - 1].call;
  const struct rota_frame *frame = &tracer->frames[tracer->depth];
  rota__tracer_clock(tracer);
  rota__tracer_publish_none(tracer);
  if (frame->position_saved)
    tracer->at = frame->position;
  if (rota__observes(ROTA_OBSERVE_WATCHDOG) && tracer->depth == 0)
    rota__watchdog_whole_ended(tracer);
  if (rota__likely(frame->name != ROTA_NAME_NONE)) {
    rota__tracer_call_ended(tracer, frame);
  } else {
    tracer->at.phase_calls--;
    tracer->at.iteration_calls--;
  }
}

void rota__tracer_record_unfinished(void) {
  struct rota_tracer *tracer = running;
  if (tracer == NULL || tracer->depth == 0 || tracer->depth > ROTA_CALL_DEPTH)
    return;
  rota__tracer_clock(tracer);
  rota__tracer_record(tracer, ROTA_FIGURE_CALLBACK, tracer->last_ns - tracer->frames[tracer->depth - 1].begin_ns);
  if (tracer->at.iteration_begin_ns != 0)
    rota__tracer_record(tracer, ROTA_FIGURE_ITERATION, tracer->last_ns - tracer->at.iteration_begin_ns);
  if (tracer->at.busy_since_ns != 0)
    rota__tracer_record(tracer, ROTA_FIGURE_DELAY, tracer->last_ns - tracer->at.busy_since_ns);
}

/* ---- what else there is ---- */

static void publish_drain(struct rota_tracer *tracer, struct rota_drain *drain) {
  struct rota_tracer_now *now = &tracer->now;
  atomic_store_explicit(&now->draining, false, memory_order_relaxed);
  if (!drain->begins)
    return;
  atomic_store_explicit(&now->microtasks, drain->microtasks, memory_order_relaxed);
  atomic_store_explicit(&now->drain.function, NULL, memory_order_relaxed);
  atomic_store_explicit(&now->tick_name, 0, memory_order_relaxed);
  atomic_store_explicit(&now->drain.run, drain->so_far, memory_order_relaxed);
  drain->progress = &now->drain;
  /* The threshold applies to the whole drain, not to its parts. */
  if (drain->so_far == 0)
    atomic_store_explicit(&now->drain_since_ns, tracer->last_ns, memory_order_relaxed);
  if (tracer->depth == 0 && drain->so_far == 0) { /* of the main script: no callback */
    uint64_t sequence = atomic_load_explicit(&now->sequence, memory_order_relaxed);
    atomic_store_explicit(&now->sequence, sequence + 1, memory_order_relaxed);
    atomic_store_explicit(&now->thread_id, rota__os_thread_number(), memory_order_relaxed);
  }
  atomic_store_explicit(&now->draining, true, memory_order_release);
}

static void on_drain(struct rota_observer *self, uv_loop_t *loop, struct rota_drain *drain) {
  struct rota_tracer *tracer = tracer_of(self);
  (void)loop;
  rota__tracer_clock(tracer);
  if (tracer->at.phase == ROTA_PHASE_NONE && tracer->depth == 0)
    tracer->queue = NULL;
  if (rota__observes(ROTA_OBSERVE_WATCHDOG)) {
    publish_drain(tracer, drain);
    if (!drain->begins && tracer->depth == 0)
      rota__watchdog_drain_ended(tracer);
  }
  if (drain->begins) {
    tracer->drain_begin_ns[drain->microtasks] = tracer->last_ns;
    tracer->first_tick = 0;
    return;
  }
  uint64_t begin_ns = tracer->drain_begin_ns[drain->microtasks];
  if (rota__unlikely(tracer->measure != NULL))
    rota__measure_drained(tracer->measure, drain->microtasks, drain->count);
  /* The engine's microtasks are run after each callback; usually there are none. */
  if (drain->count == 0 || (drain->count == UINT64_MAX && tracer->last_ns - begin_ns < UNKNOWN_DRAIN_MIN_NS))
    return;
  rota__tracer_record(tracer, ROTA_FIGURE_DRAIN, tracer->last_ns - begin_ns);
  struct rota_event *place = rota__tracer_event(tracer, drain->microtasks ? ROTA_EVENT_MICROTASKS : ROTA_EVENT_TICKS,
                                                begin_ns, tracer->last_ns);
  if (place == NULL)
    return;
  place->drain.count = drain->count;
  place->drain.call = tracer->loop->core.call;
  place->drain.first = drain->microtasks ? 0 : tracer->first_tick;
  rota__event_queue_publish(tracer->queue);
}

static void on_handle(struct rota_observer *self, uv_loop_t *loop, uv_handle_t *handle) {
  (void)self;
  (void)loop;
  if (rota__observes(ROTA_OBSERVE_ORIGINS))
    rota__handle_set_origin(handle, rota__origin_number(rota__origin_here()));
}

static void on_request(struct rota_observer *self, uv_loop_t *loop, uv_req_t *req, bool begun) {
  struct rota_tracer *tracer = tracer_of(self);
  (void)loop;
  if (!begun) {
    if (tracer->origins != NULL)
      rota__origin_end(tracer->origins, req);
    return;
  }
  bool traced = rota__observes(ROTA_OBSERVE_TRACE) && req->type == UV_FS && ((const uv_fs_t *)req)->work.run == NULL;
  bool tracked = rota__observes(ROTA_OBSERVE_ORIGINS);
  if (traced || tracked)
    rota__origin_begin(&tracer->origins, req, traced ? rota__tracer_clock(tracer) : 0, tracked);
}

/* ---- life ---- */

/* Nearly always it is the only observer. */
struct rota_tracer *rota__tracer_of(const uv_loop_t *loop) {
  struct rota_observer *first = loop->core.observers;
  if (first != NULL && first->begin == on_begin)
    return tracer_of(first);
  struct rota_attachment *attachment = rota__loop_attachment(loop, &attachment_key);
  struct rota_tracer *tracer =
      attachment == NULL ? NULL : rota__container_of(attachment, struct rota_tracer, attachment);
  return tracer == NULL || tracer->is_resting ? NULL : tracer;
}

void rota__tracer_rest(uv_loop_t *loop) {
  struct rota_tracer *tracer = rota__tracer_of(loop);
  if (tracer == NULL || tracer->depth > 0)
    return;
  rota__observer_remove(loop, &tracer->observer);
  tracer->is_resting = true;
  tracer->at = (struct rota_position){.phase = ROTA_PHASE_NONE};
  atomic_store_explicit(&tracer->now.since_ns, 0, memory_order_relaxed);
  loop->core.call = 0;
}

static struct rota_tracer *wake(const uv_loop_t *loop) {
  struct rota_attachment *attachment = rota__loop_attachment(loop, &attachment_key);
  struct rota_tracer *tracer =
      attachment == NULL ? NULL : rota__container_of(attachment, struct rota_tracer, attachment);
  if (tracer == NULL || !tracer->is_resting)
    return tracer;
  tracer->is_resting = false;
  rota__observer_add(tracer->loop, &tracer->observer);
  return tracer;
}

void rota__tracer_want_stats(struct rota_tracer *tracer) {
  void *memory;
  if (tracer->stats == NULL && rota__os_map(&memory, sizeof(*tracer->stats)) == 0)
    tracer->stats = memory;
}

static void release(uv_loop_t *loop, struct rota_attachment *attachment) {
  struct rota_tracer *tracer = rota__container_of(attachment, struct rota_tracer, attachment);
  if (running == tracer)
    running = NULL;
  loop->core.call = 0;
  if (!tracer->is_resting)
    rota__observer_remove(loop, &tracer->observer);
  pthread_mutex_lock(&lock);
  rota__watchdog_forget(tracer);
  rota__list_remove(&tracer->link);
  if (tracer->stats != NULL)
    rota__stats_keep(tracer);
  rota__measure_end(tracer);
  pthread_mutex_unlock(&lock);
  if (tracer->stats != NULL)
    rota__os_unmap(tracer->stats, sizeof(*tracer->stats));
  rota__origin_table_free(tracer->origins);
  rota__free(tracer->hot);
  rota__free(tracer);
}

int rota__tracer_attach(uv_loop_t *loop) {
  struct rota_tracer *tracer = wake(loop);
  if (tracer == NULL) {
    tracer = rota__calloc(1, sizeof(*tracer));
    if (tracer == NULL)
      return UV_ENOMEM;
    tracer->loop = loop;
    tracer->observer = (struct rota_observer){
        .phase = on_phase,
        .begin = on_begin,
        .end = on_end,
        .wait = on_wait,
        .woken = on_woken,
        .handle = on_handle,
        .request = on_request,
        .drain = on_drain,
        .outermost = true,
    };
    tracer->attachment.key = &attachment_key;
    tracer->attachment.release = release;
    rota__tracer_clock(tracer);
    pthread_mutex_lock(&lock);
    tracer->number = ++tracer_count;
    rota__list_append(&tracers, &tracer->link);
    pthread_mutex_unlock(&lock);
    rota__loop_attach(loop, &tracer->attachment);
    rota__observer_add(loop, &tracer->observer);
  }
  if (rota__observes(ROTA_OBSERVE_STATS | ROTA_OBSERVE_METRICS)) {
    pthread_mutex_lock(&lock);
    rota__tracer_want_stats(tracer);
    if (rota__observes(ROTA_OBSERVE_METRICS))
      rota__measure_start(tracer, &tracers);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int rota_observe(uv_loop_t *loop) {
  int err = rota__tracer_attach(loop);
  /* If the loop is running, its current phase begins now. */
  struct rota_tracer *tracer = rota__tracer_of(loop);
  if (err == 0 && loop->core.phase != ROTA_PHASE_NONE && tracer->at.phase == ROTA_PHASE_NONE && tracer->depth == 0) {
    begin_run(tracer);
    note_service(tracer);
    tracer->at.phase = loop->core.phase;
    tracer->at.phase_begin_ns = tracer->last_ns;
  }
  return err;
}
