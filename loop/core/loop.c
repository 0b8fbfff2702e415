/* uv_run: a line for each phase. */
#include "loop/core/internal.h"
#include "loop/core/observe.h"

enum { PENDING_ROUNDS = 8 };

static bool is_alive(const uv_loop_t *loop, const struct rota_loop *internal) {
  return loop->active_handles > 0 || loop->active_reqs.count > 0 || internal->closing != NULL;
}

static bool has_pending(const struct rota_loop *internal) {
  return !rota__list_empty(&internal->pending) || internal->deferred != NULL;
}

/* Whether poll may wait, according to the state of the loop. */
static bool has_time(const uv_loop_t *loop, const struct rota_loop *internal) {
  return loop->stop_flag == 0 && (loop->active_handles > 0 || loop->active_reqs.count > 0) && !has_pending(internal) &&
         rota__list_empty(&internal->idle) && internal->closing == NULL;
}

static inline void enter(uv_loop_t *loop, enum rota_phase phase) {
  loop->core.phase = phase;
  if (rota__unlikely(loop->core.observers != NULL))
    rota__observe_phase(loop, phase);
}

static inline void update_clock(uv_loop_t *loop) {
  loop->core.now_ms = rota__os_millisecond(&rota__loop(loop)->clock);
}

/* The phases. Most are empty in most iterations; an empty phase costs one check. */

static void run_timers(uv_loop_t *loop, const struct rota_loop *internal) {
  enter(loop, ROTA_PHASE_TIMERS);
  update_clock(loop);
  if (!rota__wheel_empty(&internal->timers))
    rota__timers_run(loop);
}

static void run_pending(uv_loop_t *loop, const struct rota_loop *internal) {
  enter(loop, ROTA_PHASE_PENDING);
  if (has_pending(internal))
    rota__pending_run(loop);
}

static void run_idle_and_prepare(uv_loop_t *loop, const struct rota_loop *internal) {
  enter(loop, ROTA_PHASE_IDLE);
  if (!rota__list_empty(&internal->idle))
    rota__idle_run(loop);
  enter(loop, ROTA_PHASE_PREPARE);
  if (!rota__list_empty(&internal->prepare))
    rota__prepare_run(loop);
}

/* Whether there are callbacks to make between poll and the timers. */
static bool has_calls_after_poll(const struct rota_loop *internal) {
  return !rota__list_empty(&internal->check) || internal->closing != NULL || has_pending(internal);
}

/* loop/fs hands over the files that it has gathered (gather.c). */
static inline void prepare_to_wait(uv_loop_t *loop) {
  void (*before_poll)(uv_loop_t * loop) = rota__loop(loop)->before_poll;
  if (rota__likely(before_poll == NULL))
    return;
  rota__loop(loop)->before_poll = NULL;
  before_poll(loop);
}

static void run_poll(uv_loop_t *loop, struct rota_loop *internal, bool may_block) {
  enter(loop, ROTA_PHASE_POLL);
  prepare_to_wait(loop);
  internal->loop_count++;
  bool clock_is_new = rota__poll_phase_run(loop, may_block && has_time(loop, internal));
  /* The callbacks that come next see the time after the poll, also when there was nothing to wait for. */
  if (!clock_is_new && has_calls_after_poll(internal))
    update_clock(loop);
  /* Errors of writes that the callbacks made are reported before check, for a limited number of rounds. */
  for (int round = 0; round < PENDING_ROUNDS && has_pending(internal); round++)
    rota__pending_run(loop);
}

static void run_check(uv_loop_t *loop, const struct rota_loop *internal) {
  enter(loop, ROTA_PHASE_CHECK);
  if (!rota__list_empty(&internal->check))
    rota__check_run(loop);
}

static void run_closing(uv_loop_t *loop, const struct rota_loop *internal) {
  enter(loop, ROTA_PHASE_CLOSING);
  if (internal->closing != NULL)
    rota__closing_run(loop);
}

/* Outside of uv_run, the program may poll the backend's descriptor: everything must be registered with it. */
static void leave(uv_loop_t *loop) {
  struct rota_poller *poller = rota__loop_poller(loop);
  enter(loop, ROTA_PHASE_NONE);
  prepare_to_wait(loop);
  if (poller->ops->flush != NULL)
    poller->ops->flush(poller);
  bool found = rota__loop_has_events(loop);
  if (!rota__wake_sleep(loop) || found)
    rota__wake_signal(loop);
}

int uv_run(uv_loop_t *loop, uv_run_mode mode) {
  struct rota_loop *internal = rota__loop(loop);
  rota__wake_up(loop);
  bool alive = is_alive(loop, internal);
  if (!alive)
    uv_update_time(loop);
  if (mode == UV_RUN_DEFAULT && alive && loop->stop_flag == 0)
    run_timers(loop, internal);

  while (alive && loop->stop_flag == 0) {
    bool had_nothing = !has_pending(internal) && rota__list_empty(&internal->idle);
    bool can_block = mode == UV_RUN_DEFAULT || (mode == UV_RUN_ONCE && had_nothing);
    run_pending(loop, internal);
    run_idle_and_prepare(loop, internal);
    run_poll(loop, internal, can_block);
    run_check(loop, internal);
    run_closing(loop, internal);
    run_timers(loop, internal);
    alive = is_alive(loop, internal);
    if (mode != UV_RUN_DEFAULT)
      break;
  }

  loop->stop_flag = 0;
  leave(loop);
  return alive;
}

void uv_stop(uv_loop_t *loop) {
  loop->stop_flag = 1;
}

/* Also of a loop that was closed. */
int uv_loop_alive(const uv_loop_t *loop) {
  return loop->internal_fields != NULL && is_alive(loop, rota__loop(loop));
}

void uv_update_time(uv_loop_t *loop) {
  update_clock(loop);
}

uint64_t uv_now(const uv_loop_t *loop) {
  return loop->core.now_ms;
}

int uv_backend_fd(const uv_loop_t *loop) {
  return rota__loop_poller(loop)->ops->fd(rota__loop_poller(loop));
}

int uv_backend_timeout(const uv_loop_t *loop) {
  if (!has_time(loop, rota__loop(loop)) || rota__loop(loop)->before_poll != NULL ||
      !rota__list_empty(&rota__loop(loop)->changed) || rota__loop_has_events(loop))
    return 0;
  const struct rota_wheel *timers = &rota__loop(loop)->timers;
  if (rota__wheel_empty(timers))
    return -1;
  uint64_t due_ms = rota__wheel_next_due(timers);
  if (due_ms <= loop->core.now_ms)
    return 0;
  uint64_t left_ms = due_ms - loop->core.now_ms;
  return left_ms > INT32_MAX ? INT32_MAX : (int)left_ms;
}
