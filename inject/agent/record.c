/* What the exchanged callbacks, and the handles of the session, record: calls, iterations, phases, waits. On the loop's
 * thread; it is read through a ring. */
#include <stdlib.h>

#include "inject/agent/agent.h"

/* ---- the ring ---- */

static bool put(struct agent_record *record, const struct agent_event *event) {
  uint32_t head = atomic_load_explicit(&record->head, memory_order_relaxed);
  if (head - atomic_load_explicit(&record->tail, memory_order_acquire) == AGENT_RING)
    return false;
  record->ring[head % AGENT_RING] = *event;
  atomic_store_explicit(&record->head, head + 1, memory_order_release);
  return true;
}

/* What was lost is told before what comes next. */
void agent_record_put(struct agent_record *record, const struct agent_event *event) {
  uint64_t dropped = atomic_load_explicit(&record->dropped, memory_order_relaxed);
  if (dropped > 0) {
    struct agent_event lost = {.at_ns = event->at_ns, .kind = AGENT_EVENT_DROPPED, .dropped = dropped};
    dropped = put(record, &lost) ? 0 : dropped;
  }
  dropped += dropped > 0 || !put(record, event);
  atomic_store_explicit(&record->dropped, dropped, memory_order_relaxed);
}

/* ---- callbacks ---- */

static int descriptor_of(enum agent_cause cause, const uv_handle_t *handle) {
  uv_os_fd_t fd;
  bool has = cause == AGENT_CAUSE_READ || cause == AGENT_CAUSE_CONNECTION || cause == AGENT_CAUSE_DATAGRAM ||
             cause == AGENT_CAUSE_POLL;
  return has && uv_fileno(handle, &fd) == 0 ? fd : -1;
}

enum agent_phase agent_phase_of(enum agent_cause cause) {
  return cause == AGENT_CAUSE_TIMERS  ? AGENT_PHASE_TIMERS
         : cause == AGENT_CAUSE_CHECK ? AGENT_PHASE_CHECK
                                      : AGENT_PHASE_POLL;
}

static void publish(struct agent_record *record, uint32_t number, uint64_t since_ns, enum agent_cause cause) {
  atomic_store_explicit(&record->now_number, 0, memory_order_relaxed);
  atomic_store_explicit(&record->now_ns, since_ns, memory_order_release);
  atomic_store_explicit(&record->now_cause, (uint8_t)cause, memory_order_release);
  atomic_store_explicit(&record->now_number, number, memory_order_release);
}

void agent_call_begin(struct agent_call *call, enum agent_cause cause, const uv_handle_t *handle) {
  struct agent *agent = agent_current();
  call->session = 0;
  if (agent == NULL || !agent->record.is_exchanged || handle->loop != agent->loop)
    return;
  struct agent_record *record = &agent->record;
  call->session = record->session;
  call->cause = cause;
  call->type = (int)handle->type;
  call->fd = descriptor_of(cause, handle);
  call->outer = record->now;
  call->begin_ns = uv_hrtime();
  uint64_t due_ns = cause == AGENT_CAUSE_TIMERS ? agent_exchange_due_ns(handle) : UINT64_MAX;
  call->late_ns = due_ns <= call->begin_ns ? call->begin_ns - due_ns : UINT64_MAX;
  record->now = (struct agent_now){.number = ++record->calls, .since_ns = call->begin_ns, .cause = cause};
  publish(record, record->now.number, call->begin_ns, cause);
}

static void count(struct agent_span *span, const struct agent_call *call, uint64_t end_ns) {
  if (span->calls++ == 0)
    span->first_ns = call->begin_ns;
  span->last_ns = end_ns;
}

/* The session may have ended in the callback; a handle that it has closed is not looked at. */
void agent_call_end(const struct agent_call *call) {
  struct agent *agent = agent_current();
  if (agent == NULL || call->session == 0 || agent->record.session != call->session)
    return;
  struct agent_record *record = &agent->record;
  uint64_t end_ns = uv_hrtime();
  struct agent_event event = {
      .at_ns = call->begin_ns,
      .duration_ns = end_ns - call->begin_ns,
      .number = record->now.number,
      .kind = AGENT_EVENT_CALL,
      .phase = (uint8_t)agent_phase_of(call->cause),
      .cause = (uint8_t)call->cause,
      .call = {.late_ns = call->late_ns, .name = record->now.name, .fd = call->fd, .type = call->type}};
  record->now = call->outer;
  publish(record, call->outer.number, call->outer.since_ns, call->outer.cause);
  if (!record->is_exchanged)
    return;
  agent_record_put(record, &event);
  if (call->outer.number == 0) {
    count(&record->spans[event.phase], call, end_ns);
    record->iteration_calls++;
  }
  agent_exchange_newest(agent);
}

/* ---- iterations and phases ---- */

static void put_phase(struct agent_record *record, enum agent_phase phase, uint64_t begin_ns, uint64_t end_ns) {
  struct agent_event event = {.at_ns = begin_ns,
                              .duration_ns = end_ns - begin_ns,
                              .kind = AGENT_EVENT_PHASE,
                              .phase = (uint8_t)phase,
                              .ran = {.calls = record->spans[phase].calls}};
  agent_record_put(record, &event);
  record->spans[phase] = (struct agent_span){0};
}

/* An iteration goes from one prepare phase to the next. Of the phases between, only the callbacks tell. */
void agent_record_prepare(struct agent *agent, uint64_t now_ns, uint64_t idle_ns) {
  struct agent_record *record = &agent->record;
  if (!record->is_exchanged)
    return;
  for (enum agent_phase phase = AGENT_PHASE_CHECK; phase <= AGENT_PHASE_TIMERS; phase++)
    if (record->spans[phase].calls > 0)
      put_phase(record, phase, record->spans[phase].first_ns, record->spans[phase].last_ns);
  if (record->iteration_ns != 0) {
    struct agent_event event = {
        .at_ns = record->iteration_ns,
        .duration_ns = now_ns - record->iteration_ns,
        .number = ++record->iteration,
        .kind = AGENT_EVENT_ITERATION,
        .ran = {.waited_ns = idle_ns - record->iteration_idle_ns, .calls = record->iteration_calls}};
    agent_record_put(record, &event);
  }
  record->iteration_ns = now_ns;
  record->iteration_idle_ns = idle_ns;
  record->iteration_calls = 0;
  atomic_store_explicit(&record->polls_ns, now_ns, memory_order_relaxed);
}

/* How long it waited is known, and that it ended before the first callback. */
void agent_record_check(struct agent *agent, uint64_t now_ns, uint64_t idle_ns) {
  struct agent_record *record = &agent->record;
  if (!record->is_exchanged)
    return;
  atomic_store_explicit(&record->polls_ns, 0, memory_order_relaxed);
  if (record->iteration_ns != 0) {
    const struct agent_span *span = &record->spans[AGENT_PHASE_POLL];
    uint64_t first_ns = span->calls > 0 ? span->first_ns : now_ns, waited_ns = idle_ns - record->iteration_idle_ns;
    uint64_t most_ns = first_ns - record->iteration_ns;
    struct agent_event event = {.at_ns = record->iteration_ns,
                                .duration_ns = waited_ns < most_ns ? waited_ns : most_ns,
                                .kind = AGENT_EVENT_WAIT};
    if (waited_ns > 0)
      agent_record_put(record, &event);
    put_phase(record, AGENT_PHASE_POLL, record->iteration_ns, now_ns);
  }
  if (now_ns >= record->walk_due_ns)
    agent_exchange_walk(agent);
}

/* ---- begin and end ---- */

static void begin(struct agent *agent) {
  static uint64_t sessions;
  struct agent_record *record = &agent->record;
  const char *refusal = agent_exchange_check(agent);
  if (refusal == NULL && ((record->ring = malloc(AGENT_RING * sizeof *record->ring)) == NULL ||
                          (agent->names = agent_names_make()) == NULL))
    refusal = "there is no memory for a trace";
  if (refusal == NULL) {
    record->session = ++sessions;
    record->is_exchanged = true;
    agent_exchange_walk(agent);
  }
  pthread_mutex_lock(&agent_lock);
  record->refusal = refusal;
  record->is_answered = true;
  pthread_mutex_unlock(&agent_lock);
}

/* The ring stays as long as the session: the thread reads it. */
void agent_record_stop(struct agent *agent, uv_loop_t *loop) {
  if (!agent->record.is_exchanged)
    return;
  agent->record.is_exchanged = false;
  agent_exchange_restore(agent, loop);
}

void agent_record_turn(struct agent *agent) {
  bool is_wanted = atomic_load_explicit(&agent->wants_record, memory_order_acquire);
  if (is_wanted && !agent->record.is_answered)
    begin(agent);
  else if (!is_wanted && agent->record.is_exchanged)
    agent_record_stop(agent, agent->loop);
}
