/* The poll phase: tells the poller which watchers changed, waits, and calls the watchers whose events came.
 *
 * The wait continues while no event came that has a callback. It is interrupted when the wheel must move timers to a
 * lower level, and then continues. After a full batch the poller is asked again without waiting, for a limited number
 * of rounds: a flood of I/O cannot starve the timers. */
#include "loop/base/check.h"
#include "loop/base/units.h"
#include "loop/core/handle.h"
#include "loop/core/internal.h"
#include "loop/core/phases.h"
#include "loop/core/wake.h"
#include "loop/os/clock.h"

enum { BATCH_MAX = 1024, ROUNDS_MAX = 48 };

/* Returns the limit of the wait: it is short if a descriptor could not be watched. */
static int64_t tell_poller(uv_loop_t *loop) {
  struct rota_poller *poller = rota__loop_poller(loop);
  int64_t limit_ns = INT64_MAX;
  struct rota_link changed;
  rota__list_take(&changed, &loop->core.changed);
  while (!rota__list_empty(&changed)) {
    struct rota_link *link = rota__list_first(&changed);
    struct rota_watcher *watcher = rota__container_of(link, struct rota_watcher, changed);
    rota__list_remove(link);
    int err = poller->ops->watch(poller, watcher->fd, watcher->wanted, watcher->generation);
    if (err == 0) {
      watcher->told = watcher->wanted;
      continue;
    }
    /* The watch is tried again in the next iteration. A descriptor that cannot be polled (a regular file) is always
     * ready. Any other error is a lack of resources, which may pass. */
    rota__list_append(&loop->core.changed, link);
    if (limit_ns > 0)
      limit_ns = err == UV_EPERM ? 0 : NS_PER_MS;
    if (err == UV_EPERM)
      watcher->cb(loop, watcher, watcher->wanted & (POLLIN | POLLOUT));
  }
  return limit_ns;
}

/* Returns whether a callback was (or may have been) made. */
static bool dispatch_watch(uv_loop_t *loop, const struct rota_ready *ready, struct rota_watcher **signals) {
  int fd = ready->u.watch.fd;
  struct rota_watcher *watcher = (size_t)fd < loop->core.watchers_capacity ? loop->core.watchers[fd] : NULL;
  if (watcher == NULL) {
    struct rota_poller *poller = rota__loop_poller(loop);
    poller->ops->watch(poller, fd, 0, 0);
    return false;
  }
  if (watcher->generation != ready->u.watch.generation)
    return false; /* the event belongs to an earlier descriptor of this number */
  unsigned int events = ready->u.watch.events & (watcher->wanted | POLLERR | POLLHUP);
  /* An owner that checks only for the events it asked for would miss a bare error. */
  if (events == POLLERR || events == POLLHUP)
    events |= watcher->wanted & (POLLIN | POLLOUT | ROTA_WATCH_PEER_SHUT | POLLPRI);
  if (events == 0)
    return false;
  if (watcher == rota__loop(loop)->signal_watcher) {
    *signals = watcher;
    return true;
  }
  watcher->cb(loop, watcher, events);
  return true;
}

/* The place among the events of what was pushed before they were looked at, if no wake-up among them shows it. */
enum place { NOWHERE, FIRST, LAST };

/* The wake-up came after the events were taken: it would wake the next wait for nothing. */
static int call_pushed(uv_loop_t *loop) {
  if (atomic_load_explicit(&rota__loop(loop)->wake.marking, memory_order_relaxed) == ROTA_WAKE_MARKED)
    rota__wake_seen(loop);
  return rota__wake_dispatch(loop);
}

/* Results of the pool and sent async handles are called where the wake-up is (wake.h). What the callbacks after it
 * bring about, a job that the pool does at once or an async handle that they send to, comes in the next iteration,
 * after check, as with libuv: an immediate precedes it. */
static int dispatch(uv_loop_t *loop, const struct rota_ready *ready, int n, enum place pushed) {
  struct rota_watcher *signals = NULL;
  int wake_fd = rota__loop(loop)->wake.watcher.fd;
  int calls = pushed == FIRST ? call_pushed(loop) : 0;
  for (int i = 0; i < n; i++) {
    if (ready[i].op != NULL) {
      ready[i].op->done(ready[i].op, ready[i].u.completion.result, ready[i].u.completion.flags);
      calls++;
    } else if (ready[i].u.watch.fd == wake_fd) {
      rota__wake_seen(loop);
      calls += rota__wake_dispatch(loop);
      pushed = NOWHERE;
    } else {
      calls += dispatch_watch(loop, &ready[i], &signals);
    }
  }
  if (pushed == LAST)
    calls += call_pushed(loop);
  if (signals != NULL)
    signals->cb(loop, signals, POLLIN);
  return calls;
}

/* The time to the next timer, or to the moment when the wheel must move timers down. */
static int64_t time_to_wait(const uv_loop_t *loop) {
  const struct rota_wheel *timers = &rota__loop(loop)->timers;
  if (rota__wheel_empty(timers))
    return -1;
  uint64_t until_ms = rota__wheel_next_bound(timers);
  uint64_t until_ns = until_ms > INT64_MAX / NS_PER_MS ? INT64_MAX : until_ms * NS_PER_MS;
  uint64_t now_ns = rota__os_clock.loop_ns();
  return until_ns > now_ns ? (int64_t)(until_ns - now_ns) : 0;
}

static int block(uv_loop_t *loop, int64_t timeout_ns, struct rota_ready *ready) {
  struct rota_poller *poller = rota__loop_poller(loop);
  struct rota_loop *internal = rota__loop(loop);
  uint64_t before_ns = rota__os_clock_ns();
  if (internal->measure_idle)
    atomic_store_explicit(&internal->idle_since_ns, before_ns, memory_order_relaxed);
  int n = poller->ops->wait(poller, timeout_ns, ready, BATCH_MAX);
  uint64_t slept_ns = rota__os_clock_ns() - before_ns;
  rota__wake_up(loop);
  rota__linger_learn(loop, slept_ns, rota__wake_has_work(loop));
  if (internal->measure_idle) {
    uint64_t idle_ns = atomic_load_explicit(&internal->idle_ns, memory_order_relaxed);
    atomic_store_explicit(&internal->idle_ns, idle_ns + slept_ns, memory_order_relaxed);
    atomic_store_explicit(&internal->idle_since_ns, 0, memory_order_relaxed);
  }
  return n;
}

static int look(uv_loop_t *loop, struct rota_ready *ready) {
  struct rota_poller *poller = rota__loop_poller(loop);
  return rota__loop_is_quiet(loop) ? 0 : poller->ops->wait(poller, 0, ready, BATCH_MAX);
}

/* `waited` tells whether the events may have come during the wait: if not, they had been ready before it. */
static int wait_for_events(uv_loop_t *loop, int64_t timeout_ns, struct rota_ready *ready, bool *waited) {
  bool has_work = rota__wake_has_work(loop);
  *waited = false;
  if (timeout_ns == 0 || has_work || rota__loop(loop)->measure_idle) {
    /* Metrics count the events that were ready before the wait: these are looked for first, without waiting. */
    int n = look(loop, ready);
    if (n != 0 || timeout_ns == 0 || has_work)
      return n;
  }
  *waited = true;
  if (rota__linger(loop) || !rota__wake_sleep(loop))
    return look(loop, ready);
  return block(loop, timeout_ns, ready);
}

/* The common case of a loop that is busy with something other than I/O. */
static bool nothing_to_do(const uv_loop_t *loop) {
  return rota__list_empty(&loop->core.changed) && loop->core.observers == NULL && !rota__wake_has_work(loop) &&
         rota__loop_is_quiet(loop);
}

/* The system has no other reason to refuse a wait. Nobody knows what else the program closed, or whose descriptor has
 * the number now, so the loop does not continue on a new one; libuv stops here, too. */
static void stop_without_poller(const uv_loop_t *loop, int err) {
  struct rota_poller *poller = rota__loop_poller(loop);
  rota__stop("a loop cannot wait (%s): the program closed descriptor %d, which belongs to the loop", uv_err_name(err),
             poller->ops->fd(poller));
}

static bool poll_events(uv_loop_t *loop, bool may_block) {
  struct rota_loop *internal = rota__loop(loop);
  struct rota_ready ready[BATCH_MAX];
  bool waited, looked_at_the_clock = false;
  /* What was pushed while no descriptor was watched precedes the events of those that are watched from now on. */
  bool quiet = rota__loop_is_quiet(loop), pushed_first = quiet && rota__wake_has_work(loop);
  int64_t limit_ns = INT64_MAX;
  if (!rota__list_empty(&loop->core.changed)) {
    limit_ns = tell_poller(loop);
    quiet = rota__loop_is_quiet(loop);
  }
  for (int rounds = ROUNDS_MAX; rounds > 0;) {
    int64_t timeout_ns = may_block ? time_to_wait(loop) : 0;
    if (rota__unlikely(limit_ns != INT64_MAX) && (uint64_t)timeout_ns > (uint64_t)limit_ns) /* -1: for ever */
      timeout_ns = limit_ns;
    if (rota__unlikely(loop->core.observers != NULL))
      rota__observe_wait(loop, timeout_ns);
    int n = wait_for_events(loop, timeout_ns, ready, &waited);
    if (rota__unlikely(loop->core.observers != NULL))
      rota__observe_woken(loop, n);
    if (rota__unlikely(n < 0 && n != UV_EINTR))
      stop_without_poller(loop, n);
    if (!quiet)
      rota__wake_mark(loop);
    bool woken = rota__wake_has_work(loop), called_for = n > 0 || woken;
    if (may_block || called_for) {
      uv_update_time(loop);
      looked_at_the_clock = true;
    }
    /* After a full batch, the wake-up may be in the next one. */
    bool is_whole = n != BATCH_MAX || rounds == 1;
    enum place pushed = !woken ? NOWHERE : pushed_first ? FIRST : is_whole ? LAST : NOWHERE;
    int calls = called_for ? dispatch(loop, ready, n > 0 ? n : 0, pushed) : 0;
    pushed_first = false;
    internal->events += (uint64_t)calls;
    if (!waited)
      internal->events_waiting += (uint64_t)calls;
    if (n == BATCH_MAX) {
      may_block = false;
      rounds--;
      continue;
    }
    if (calls > 0 || !may_block || limit_ns != INT64_MAX)
      break;
    if (rota__wheel_turn(&internal->timers, loop->core.now_ms))
      break;
    /* No event came that has a callback: the wait continues. */
  }
  return looked_at_the_clock;
}

bool rota__poll_phase_run(uv_loop_t *loop, bool may_block) {
  return (may_block || !nothing_to_do(loop)) && poll_events(loop, may_block);
}
