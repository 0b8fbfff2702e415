#include "observe/trace/lens.h"

#include "loop/base/alloc.h"
#include "loop/base/units.h"
#include "loop/core/handle.h"
#include "loop/core/req.h"
#include "loop/os/clock.h"
#include "loop/os/memory.h"
#include "loop/os/thread.h"
#include "observe/name/describe.h"
#include "observe/trace/black_box.h"
#include "observe/trace/lens_pass.h"
#include "observe/watch/watchdog.h"

enum { UNKNOWN_DRAIN_MIN_NS = 2000 };

_Atomic unsigned int rota__observing;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct rota_link lenses = {&lenses, &lenses};
static uint32_t lens_count;
static const char attachment_key;
static _Thread_local int thread_number; /* 0: not asked for yet */
static _Atomic uint32_t call_numbers = 1;
static _Thread_local struct rota_lens *running; /* of the loop that runs on this thread, or ran last */

struct rota_link *rota__lens_lock(void) {
  pthread_mutex_lock(&lock);
  return &lenses;
}

void rota__lens_unlock(void) {
  pthread_mutex_unlock(&lock);
}

void rota__lens_before_fork(void) {
  pthread_mutex_lock(&lock);
}

void rota__lens_after_fork_in_parent(void) {
  pthread_mutex_unlock(&lock);
}

void rota__lens_after_fork_in_child(void) {
  thread_number = 0;
  pthread_mutex_unlock(&lock);
}

static struct rota_lens *lens_of(struct rota_observer *observer) {
  return rota__container_of(observer, struct rota_lens, observer);
}

/* ---- phases and iterations ---- */

static rota_figure figure_of(enum rota_phase phase) {
  return (rota_figure)(ROTA_FIGURE_TIMERS + (int)phase - ROTA_PHASE_TIMERS);
}

/* Phases in which nothing ran are left out. */
static void end_phase(struct rota_lens *lens) {
  struct rota_position *at = &lens->at;
  if (at->phase == ROTA_PHASE_NONE || (at->phase_calls == 0 && !at->waited))
    return;
  uint64_t took_ns = lens->last_ns - at->phase_begin_ns;
  if (at->phase_calls > 0)
    rota__lens_record(lens, figure_of(at->phase), took_ns > at->phase_waited_ns ? took_ns - at->phase_waited_ns : 0);
  struct rota_event *place = rota__lens_event(lens, ROTA_EVENT_PHASE, at->phase_begin_ns, lens->last_ns);
  if (place == NULL)
    return;
  place->phase = (uint8_t)at->phase;
  place->ran.calls = at->phase_calls;
  rota__event_queue_publish(lens->queue);
}

static void end_iteration(struct rota_lens *lens) {
  struct rota_position *at = &lens->at;
  if (at->iteration_begin_ns == 0)
    return;
  rota__lens_record(lens, ROTA_FIGURE_ITERATION, lens->last_ns - at->iteration_begin_ns);
  struct rota_event *place = rota__lens_event(lens, ROTA_EVENT_ITERATION, at->iteration_begin_ns, lens->last_ns);
  at->iteration_begin_ns = 0;
  if (place == NULL)
    return;
  uint64_t waited_us = at->iteration_waited_ns / NS_PER_US;
  place->iteration.number = lens->iteration;
  place->iteration.calls = at->iteration_calls;
  place->iteration.waited_us = waited_us > UINT32_MAX ? UINT32_MAX : (uint32_t)waited_us;
  rota__event_queue_publish(lens->queue);
}

/* From the end of a wait to the beginning of the next: an event that arrives just after the first wait has to wait this
 * long. */
static void end_busy_stretch(struct rota_lens *lens) {
  if (lens->at.busy_since_ns == 0)
    return; /* the observer was added during a run: the begin was not seen */
  uint64_t busy_ns = lens->last_ns - lens->at.busy_since_ns;
  rota__lens_record(lens, ROTA_FIGURE_DELAY, busy_ns);
  rota__lens_count_time(lens, busy_ns, 0);
}

static void begin_run(struct rota_lens *lens) {
  if (lens->depth == 1 && lens->frames[0].function == NULL && lens->frames[0].until_run)
    rota_call_close(lens->loop);
  if (lens->depth > 0 && lens->depth <= ROTA_CALL_DEPTH && !lens->frames[lens->depth - 1].position_saved) {
    /* A callback runs the loop: during that time it is not the callback that blocks. */
    lens->frames[lens->depth - 1].position = lens->at;
    lens->frames[lens->depth - 1].position_saved = true;
    rota__lens_publish_none(lens);
  }
  rota__lens_clock(lens);
  lens->at = (struct rota_position){.busy_since_ns = lens->last_ns};
  rota__lens_goes_on(lens, 0, lens->last_ns);
  lens->queue = NULL;
  running = lens;
  if (thread_number == 0)
    thread_number = rota__os_thread_number();
  if (lens->iteration == 0)
    rota__black_box_guard();
  atomic_store_explicit(&lens->now.thread_id, thread_number, memory_order_relaxed);
}

static void end_run(struct rota_lens *lens) {
  end_iteration(lens);
  end_busy_stretch(lens);
  rota__lens_goes_on(lens, 0, 0);
  lens->at = (struct rota_position){.phase = ROTA_PHASE_NONE};
  if (lens->depth > 0 && lens->depth <= ROTA_CALL_DEPTH)
    rota__lens_publish(lens, &lens->frames[lens->depth - 1], lens->last_ns);
  else
    lens->queue = NULL;
}

static void on_phase(struct rota_observer *self, uv_loop_t *loop, enum rota_phase phase) {
  struct rota_lens *lens = lens_of(self);
  (void)loop;
  /* The first phase of a run. If a callback runs the loop, the outer phase has not ended. */
  bool nested = lens->depth > 0 && lens->depth <= ROTA_CALL_DEPTH && !lens->frames[lens->depth - 1].position_saved;
  if (lens->at.phase == ROTA_PHASE_NONE || nested) {
    if (phase == ROTA_PHASE_NONE)
      return; /* a loop that had nothing to do: its run has ended without a phase */
    begin_run(lens);
  }
  end_phase(lens);
  lens->at.phase = phase;
  lens->at.phase_begin_ns = lens->last_ns;
  lens->at.phase_calls = 0;
  lens->at.phase_waited_ns = 0;
  lens->at.waited = false;
  if (phase == ROTA_PHASE_PENDING) {
    end_iteration(lens);
    lens->iteration++;
    lens->at.iteration_begin_ns = lens->last_ns;
    lens->at.iteration_calls = 0;
    lens->at.iteration_waited_ns = 0;
  } else if (phase == ROTA_PHASE_NONE) {
    end_run(lens);
  }
}

static void on_wait(struct rota_observer *self, uv_loop_t *loop, int64_t timeout_ns) {
  struct rota_lens *lens = lens_of(self);
  (void)loop;
  rota__lens_clock(lens);
  lens->wait_begin_ns = lens->last_ns;
  lens->wait_timeout_ns = timeout_ns;
  atomic_store_explicit(&lens->now.waits_since_ns, lens->last_ns, memory_order_relaxed);
  end_busy_stretch(lens);
  rota__lens_goes_on(lens, lens->last_ns, 0);
}

static void on_woken(struct rota_observer *self, uv_loop_t *loop, int n) {
  struct rota_lens *lens = lens_of(self);
  rota__lens_clock(lens);
  atomic_store_explicit(&lens->now.waits_since_ns, 0, memory_order_relaxed);
  rota__os_cycles_adjust();
  lens->at.busy_since_ns = lens->last_ns;
  uint64_t waited_ns = lens->last_ns - lens->wait_begin_ns;
  lens->at.phase_waited_ns += waited_ns;
  lens->at.iteration_waited_ns += waited_ns;
  rota__lens_count_time(lens, 0, waited_ns);
  rota__lens_goes_on(lens, 0, lens->last_ns);
  if (rota__unlikely(atomic_load_explicit(&lens->print_alive, memory_order_relaxed)) &&
      atomic_exchange(&lens->print_alive, false))
    rota_print_alive(loop, stderr);
  if (lens->wait_timeout_ns == 0)
    return; /* the wait did not block */
  lens->at.waited = true;
  rota__lens_record(lens, ROTA_FIGURE_WAIT, waited_ns);
  struct rota_event *place = rota__lens_event(lens, ROTA_EVENT_WAIT, lens->wait_begin_ns, lens->last_ns);
  if (place == NULL)
    return;
  place->wait.timeout_ns = (uint64_t)lens->wait_timeout_ns;
  place->wait.events = n > 0 ? n : 0;
  rota__event_queue_publish(lens->queue);
}

/* ---- callbacks ---- */

static int32_t descriptor_of(const uv_handle_t *handle) {
  return handle == NULL || handle->u.rota.kind->fd == NULL ? -1 : handle->u.rota.kind->fd(handle);
}

uint32_t rota__lens_more_numbers(struct rota_lens *lens) {
  uint32_t first = atomic_fetch_add_explicit(&call_numbers, ROTA_CALL_BLOCK, memory_order_relaxed) & INT32_MAX;
  lens->next_call = first + 1;
  lens->last_call = first + ROTA_CALL_BLOCK;
  return first;
}

void rota__lens_runs_here(struct rota_lens *lens) {
  running = lens;
}

/* For rota__call_finder. */
uint32_t rota__lens_call_of_thread(void) {
  return running == NULL ? 0 : running->loop->core.call;
}

/* How long ago a thread of the pool was done with it. */
static void measure_wait(const struct rota_lens *lens, struct rota_frame *frame, const uv_req_t *req) {
  if (req->rota.queued == 0)
    return;
  uint64_t done_ns = rota__req_stamped_ns(req, lens->last_ns);
  frame->flags |= ROTA_EVENT_LATE;
  frame->late_ns = lens->last_ns > done_ns ? lens->last_ns - done_ns : 0;
}

static void describe_request(const struct rota_lens *lens, struct rota_frame *frame, const uv_req_t *req) {
  frame->type = (uint8_t)req->type;
  frame->flags = ROTA_EVENT_REQUEST | ROTA_EVENT_FIRST;
  frame->cause = req->rota.cause;
  measure_wait(lens, frame, req);
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
  if ((cause & (uint32_t)ROTA_CALL_TOLD) != 0 || cause == 0)
    return;
  frame->flags |= ROTA_EVENT_FIRST;
  __atomic_store_n(place, cause | (uint32_t)ROTA_CALL_TOLD, __ATOMIC_RELAXED);
}

static void describe_handle(struct rota_lens *lens, struct rota_frame *frame, const uv_handle_t *handle) {
  frame->type = (uint8_t)handle->type;
  frame->number = descriptor_of(handle);
  find_cause(frame, handle);
  if (handle->type != UV_TIMER || lens->at.phase != ROTA_PHASE_TIMERS)
    return;
  uint64_t due_ns = ((const uv_timer_t *)handle)->timer.due_ms * NS_PER_MS;
  frame->flags |= ROTA_EVENT_LATE;
  frame->late_ns = rota__lens_lateness(lens, handle->loop, due_ns);
  rota__lens_record(lens, ROTA_FIGURE_TIMER_LATENESS, frame->late_ns);
}

/* An operation of the poller, without a thread of the pool: its time starts when it was submitted. */
static void end_request(struct rota_lens *lens, const uv_req_t *req) {
  uint64_t begin_ns = rota__origin_end(lens->origins, req);
  if (begin_ns == 0 || req->type != UV_FS)
    return;
  char room[ROTA_EVENT_TEXT_MAX + 1];
  const char *about = rota__describe_subject(req, room, sizeof(room));
  if (about != NULL && rota__observes(ROTA_OBSERVE_TRACE)) {
    if (lens->queue == NULL)
      lens->queue = rota__event_queue_of_thread(true);
    if (lens->queue != NULL)
      rota__event_queue_text(lens->queue, begin_ns, about);
  }
  struct rota_event *place = rota__lens_event(lens, ROTA_EVENT_OPERATION, begin_ns, lens->last_ns);
  if (place == NULL)
    return;
  place->operation.operation = (int32_t)((const uv_fs_t *)req)->fs_type;
  place->operation.number = ++lens->operations;
  place->operation.cause = req->rota.cause;
  rota__event_queue_publish(lens->queue);
}

static void on_begin(struct rota_observer *self, uv_loop_t *loop, const struct rota_call *call) {
  struct rota_lens *lens = lens_of(self);
  (void)loop;
  rota__lens_clock(lens);
  lens->at.phase_calls++;
  lens->at.iteration_calls++;
  if (call->is_request && rota__unlikely(lens->origins != NULL))
    end_request(lens, call->subject);
  if (lens->depth++ >= ROTA_CALL_DEPTH)
    return;
  struct rota_frame *frame = &lens->frames[lens->depth - 1];
  frame->begin_ns = lens->last_ns;
  frame->function = (const void *)(uintptr_t)call->function;
  frame->late_ns = 0;
  frame->name = 0;
  frame->flags = 0;
  frame->phase = (uint8_t)lens->at.phase;
  frame->entered = false;
  frame->parts = 0;
  frame->position_saved = false;
  if (call->is_request)
    describe_request(lens, frame, call->subject);
  else
    describe_handle(lens, frame, call->subject);
  frame->call = rota__lens_number(lens);
  rota__lens_publish(lens, frame, frame->begin_ns);
}

void rota__lens_call_ended(struct rota_lens *lens, const struct rota_frame *frame) {
  rota__lens_record(lens, ROTA_FIGURE_CALLBACK, lens->last_ns - frame->begin_ns);
  if (rota__observes(ROTA_OBSERVE_WATCHDOG) && !frame->position_saved)
    rota__watchdog_ended(lens, frame, lens->last_ns - frame->begin_ns);
  struct rota_event *place = rota__lens_event(lens, ROTA_EVENT_CALL, frame->begin_ns, lens->last_ns);
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
  rota__event_queue_publish(lens->queue);
}

static void on_end(struct rota_observer *self, uv_loop_t *loop) {
  struct rota_lens *lens = lens_of(self);
  /* An end without a begin belongs to the callback in which the lens was attached. */
  if (lens->depth == 0 || lens->depth-- > ROTA_CALL_DEPTH)
    return;
  loop->core.call = lens->depth == 0 ? 0 : lens->frames[lens->depth - 1].call;
  const struct rota_frame *frame = &lens->frames[lens->depth];
  rota__lens_clock(lens);
  rota__lens_publish_none(lens);
  if (frame->position_saved)
    lens->at = frame->position;
  if (rota__likely(frame->name != ROTA_NAME_NONE)) {
    rota__lens_call_ended(lens, frame);
  } else {
    lens->at.phase_calls--;
    lens->at.iteration_calls--;
  }
}

void rota__lens_record_unfinished(void) {
  struct rota_lens *lens = running;
  if (lens == NULL || lens->depth == 0 || lens->depth > ROTA_CALL_DEPTH)
    return;
  rota__lens_clock(lens);
  rota__lens_record(lens, ROTA_FIGURE_CALLBACK, lens->last_ns - lens->frames[lens->depth - 1].begin_ns);
  if (lens->at.iteration_begin_ns != 0)
    rota__lens_record(lens, ROTA_FIGURE_ITERATION, lens->last_ns - lens->at.iteration_begin_ns);
  if (lens->at.busy_since_ns != 0)
    rota__lens_record(lens, ROTA_FIGURE_DELAY, lens->last_ns - lens->at.busy_since_ns);
}

/* ---- what else there is ---- */

static void publish_drain(struct rota_lens *lens, struct rota_drain *drain) {
  struct rota_lens_now *now = &lens->now;
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
    atomic_store_explicit(&now->drain_since_ns, lens->last_ns, memory_order_relaxed);
  if (lens->depth == 0 && drain->so_far == 0) { /* of the main script: no callback */
    uint64_t sequence = atomic_load_explicit(&now->sequence, memory_order_relaxed);
    atomic_store_explicit(&now->sequence, sequence + 1, memory_order_relaxed);
    atomic_store_explicit(&now->thread_id, rota__os_thread_number(), memory_order_relaxed);
  }
  atomic_store_explicit(&now->draining, true, memory_order_release);
}

static void on_drain(struct rota_observer *self, uv_loop_t *loop, struct rota_drain *drain) {
  struct rota_lens *lens = lens_of(self);
  (void)loop;
  rota__lens_clock(lens);
  if (lens->at.phase == ROTA_PHASE_NONE && lens->depth == 0)
    lens->queue = NULL;
  if (rota__observes(ROTA_OBSERVE_WATCHDOG))
    publish_drain(lens, drain);
  if (drain->begins) {
    lens->drain_begin_ns[drain->microtasks] = lens->last_ns;
    lens->first_tick = 0;
    return;
  }
  uint64_t begin_ns = lens->drain_begin_ns[drain->microtasks];
  /* The engine's microtasks are run after each callback; usually there are none. */
  if (drain->count == 0 || (drain->count == UINT64_MAX && lens->last_ns - begin_ns < UNKNOWN_DRAIN_MIN_NS))
    return;
  rota__lens_record(lens, ROTA_FIGURE_DRAIN, lens->last_ns - begin_ns);
  struct rota_event *place =
      rota__lens_event(lens, drain->microtasks ? ROTA_EVENT_MICROTASKS : ROTA_EVENT_TICKS, begin_ns, lens->last_ns);
  if (place == NULL)
    return;
  place->drain.count = drain->count;
  place->drain.call = lens->loop->core.call;
  place->drain.first = drain->microtasks ? 0 : lens->first_tick;
  rota__event_queue_publish(lens->queue);
}

static void on_handle(struct rota_observer *self, uv_loop_t *loop, uv_handle_t *handle) {
  (void)self;
  (void)loop;
  if (rota__observes(ROTA_OBSERVE_ORIGINS))
    rota__handle_set_origin(handle, rota__origin_number(rota__origin_here()));
}

static void on_request(struct rota_observer *self, uv_loop_t *loop, uv_req_t *req, bool begun) {
  struct rota_lens *lens = lens_of(self);
  (void)loop;
  if (!begun) {
    if (lens->origins != NULL)
      rota__origin_end(lens->origins, req);
    return;
  }
  bool traced = rota__observes(ROTA_OBSERVE_TRACE) && req->type == UV_FS && ((const uv_fs_t *)req)->work.run == NULL;
  bool tracked = rota__observes(ROTA_OBSERVE_ORIGINS);
  if (traced || tracked)
    rota__origin_begin(&lens->origins, req, traced ? rota__lens_clock(lens) : 0, tracked);
}

/* ---- life ---- */

/* Nearly always it is the only observer. */
struct rota_lens *rota__lens_of(const uv_loop_t *loop) {
  struct rota_observer *first = loop->core.observers;
  if (first != NULL && first->begin == on_begin)
    return lens_of(first);
  struct rota_attachment *attachment = rota__loop_attachment(loop, &attachment_key);
  struct rota_lens *lens = attachment == NULL ? NULL : rota__container_of(attachment, struct rota_lens, attachment);
  return lens == NULL || lens->is_resting ? NULL : lens;
}

void rota__lens_rest(uv_loop_t *loop) {
  struct rota_lens *lens = rota__lens_of(loop);
  if (lens == NULL || lens->depth > 0)
    return;
  rota__observer_remove(loop, &lens->observer);
  lens->is_resting = true;
  lens->at = (struct rota_position){.phase = ROTA_PHASE_NONE};
  atomic_store_explicit(&lens->now.since_ns, 0, memory_order_relaxed);
  loop->core.call = 0;
}

static struct rota_lens *wake(const uv_loop_t *loop) {
  struct rota_attachment *attachment = rota__loop_attachment(loop, &attachment_key);
  struct rota_lens *lens = attachment == NULL ? NULL : rota__container_of(attachment, struct rota_lens, attachment);
  if (lens == NULL || !lens->is_resting)
    return lens;
  lens->is_resting = false;
  rota__observer_add(lens->loop, &lens->observer);
  return lens;
}

void rota__lens_want_stats(struct rota_lens *lens) {
  void *memory;
  if (lens->stats == NULL && rota__os_map(&memory, sizeof(*lens->stats)) == 0)
    lens->stats = memory;
}

static void release(uv_loop_t *loop, struct rota_attachment *attachment) {
  struct rota_lens *lens = rota__container_of(attachment, struct rota_lens, attachment);
  if (running == lens)
    running = NULL;
  loop->core.call = 0;
  if (!lens->is_resting)
    rota__observer_remove(loop, &lens->observer);
  pthread_mutex_lock(&lock);
  rota__list_remove(&lens->link);
  if (lens->stats != NULL)
    rota__stats_keep(lens);
  pthread_mutex_unlock(&lock);
  if (lens->stats != NULL)
    rota__os_unmap(lens->stats, sizeof(*lens->stats));
  rota__origin_table_free(lens->origins);
  rota__free(lens);
}

int rota__lens_attach(uv_loop_t *loop) {
  struct rota_lens *lens = wake(loop);
  if (lens == NULL) {
    lens = rota__calloc(1, sizeof(*lens));
    if (lens == NULL)
      return UV_ENOMEM;
    lens->loop = loop;
    lens->observer = (struct rota_observer){
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
    lens->attachment.key = &attachment_key;
    lens->attachment.release = release;
    rota__lens_clock(lens);
    pthread_mutex_lock(&lock);
    lens->number = ++lens_count;
    rota__list_append(&lenses, &lens->link);
    pthread_mutex_unlock(&lock);
    rota__loop_attach(loop, &lens->attachment);
    rota__observer_add(loop, &lens->observer);
  }
  if (rota__observes(ROTA_OBSERVE_STATS)) {
    pthread_mutex_lock(&lock);
    rota__lens_want_stats(lens);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int rota_observe(uv_loop_t *loop) {
  int err = rota__lens_attach(loop);
  /* If the loop is running, its current phase begins now. */
  struct rota_lens *lens = rota__lens_of(loop);
  if (err == 0 && loop->core.phase != ROTA_PHASE_NONE && lens->at.phase == ROTA_PHASE_NONE && lens->depth == 0) {
    begin_run(lens);
    lens->at.phase = loop->core.phase;
    lens->at.phase_begin_ns = lens->last_ns;
  }
  return err;
}
