/* uv_run: a line for each phase. */
#include "loop/core/internal.h"
#include "loop/core/observe.h"
#include "loop/core/phases.h"
#include "loop/core/timer.h"

enum { PENDING_ROUNDS = 8 };

static bool is_alive(const uv_loop_t *loop) {
  return loop->active_handles > 0 || loop->active_reqs.count > 0 || loop->core.closing != NULL;
}

static bool has_pending(const uv_loop_t *loop) {
  return !rota__list_empty(&loop->core.pending) || rota__loop(loop)->deferred != NULL;
}

/* Whether poll may wait, according to the state of the loop. */
static bool has_time(const uv_loop_t *loop) {
  return loop->stop_flag == 0 && (loop->active_handles > 0 || loop->active_reqs.count > 0) && !has_pending(loop) &&
         rota__list_empty(&loop->core.idle) && loop->core.closing == NULL;
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

static void run_timers(uv_loop_t *loop) {
  enter(loop, ROTA_PHASE_TIMERS);
  update_clock(loop);
  if (!rota__wheel_empty(&rota__loop(loop)->timers))
    rota__timers_run(loop);
}

static void run_pending(uv_loop_t *loop) {
  enter(loop, ROTA_PHASE_PENDING);
  if (has_pending(loop))
    rota__pending_run(loop);
}

static void run_idle_and_prepare(uv_loop_t *loop) {
  enter(loop, ROTA_PHASE_IDLE);
  if (!rota__list_empty(&loop->core.idle))
    rota__idle_run(loop);
  enter(loop, ROTA_PHASE_PREPARE);
  if (!rota__list_empty(&loop->core.prepare))
    rota__prepare_run(loop);
}

static void run_poll(uv_loop_t *loop, bool may_block) {
  enter(loop, ROTA_PHASE_POLL);
  rota__loop(loop)->loop_count++;
  bool looked_at_the_clock = rota__poll_phase_run(loop, may_block && has_time(loop));
  /* The callbacks that come next see the time after the poll, also when there was nothing to wait for. */
  if (!looked_at_the_clock && (!rota__list_empty(&loop->core.check) || loop->core.closing != NULL || has_pending(loop)))
    update_clock(loop);
  /* Errors of writes that the callbacks made are reported before check, for a limited number of rounds. */
  for (int round = 0; round < PENDING_ROUNDS && has_pending(loop); round++)
    rota__pending_run(loop);
}

static void run_check(uv_loop_t *loop) {
  enter(loop, ROTA_PHASE_CHECK);
  if (!rota__list_empty(&loop->core.check))
    rota__check_run(loop);
}

static void run_closing(uv_loop_t *loop) {
  enter(loop, ROTA_PHASE_CLOSING);
  if (loop->core.closing != NULL)
    rota__closing_run(loop);
}

/* As far as the poller knows without a system call. */
static bool has_events(const uv_loop_t *loop) {
  const struct rota_poller *poller = rota__loop_poller(loop);
  return poller->ops->has_events != NULL && poller->ops->has_events(poller);
}

/* Outside of uv_run, the program may poll the backend's descriptor: everything must be registered with it. */
static void leave(uv_loop_t *loop) {
  struct rota_poller *poller = rota__loop_poller(loop);
  enter(loop, ROTA_PHASE_NONE);
  if (poller->ops->flush != NULL)
    poller->ops->flush(poller);
  bool found = has_events(loop);
  if (!rota__wake_sleep(loop) || found)
    rota__wake_signal(loop);
}

int uv_run(uv_loop_t *loop, uv_run_mode mode) {
  rota__wake_up(loop);
  bool alive = is_alive(loop);
  if (!alive)
    uv_update_time(loop);
  if (mode == UV_RUN_DEFAULT && alive && loop->stop_flag == 0)
    run_timers(loop);

  while (alive && loop->stop_flag == 0) {
    bool had_nothing = !has_pending(loop) && rota__list_empty(&loop->core.idle);
    bool can_block = mode == UV_RUN_DEFAULT || (mode == UV_RUN_ONCE && had_nothing);
    run_pending(loop);
    run_idle_and_prepare(loop);
    run_poll(loop, can_block);
    run_check(loop);
    run_closing(loop);
    run_timers(loop);
    alive = is_alive(loop);
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

int uv_loop_alive(const uv_loop_t *loop) {
  return is_alive(loop);
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
  if (!has_time(loop) || !rota__list_empty(&loop->core.changed) || has_events(loop))
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
