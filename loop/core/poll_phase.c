/* The poll phase: registers with the poller which watchers changed, waits, and calls the watchers whose events came.
 *
 * A phase is a few waits, each with a dispatch. The wait is repeated while no event came that has a callback. It is
 * interrupted when the wheel must move timers to a lower level, and then continues. After a full batch the poller is
 * asked again without waiting, for a limited number of batches: a flood of I/O cannot starve the timers. */
#include "loop/base/check.h"
#include "loop/base/units.h"
#include "loop/core/internal.h"
#include "loop/core/observe.h"
#include "loop/core/pool/pool.h"
#include "loop/core/spin.h"
#include "loop/os/clock.h"

enum {
  BATCH_MAX = 1024,
  BATCHES_MAX = 48,
  WOKEN_SOON_NS = 50000, /* the measured time includes the wake-up itself */
  NAP_JOBS = 5,          /* fewer results are not worth the delay */
  MANY_JOBS = 17,
  JOB_NS = 300, /* what each of many jobs takes at least */
};

/* What a phase knows from one wait to the next. */
struct phase {
  bool may_block;
  bool has_descriptors; /* any is watched besides the loop's own */
  bool pushed_first;    /* what was pushed before the phase precedes all events */
  bool clock_is_new;
  int batches_left;
  int64_t limit_ns; /* of each wait: short while a descriptor could not be watched, else INT64_MAX */
};

/* What a wait has brought. */
struct outcome {
  int n;              /* entries in `ready` */
  bool were_ready;    /* before the wait: it did not sleep */
  bool other_threads; /* have finished jobs or sent async handles */
};

/* ---- registering ---- */

/* Returns the limit of the waits: it is short if a descriptor could not be watched. */
static int64_t register_changes(uv_loop_t *loop) {
  struct rota_poller *poller = rota__loop_poller(loop);
  int64_t limit_ns = INT64_MAX;
  struct rota_link changed;
  rota__list_take(&changed, &rota__loop(loop)->changed);
  while (!rota__list_empty(&changed)) {
    struct rota_link *link = rota__list_first(&changed);
    struct rota_watcher *watcher = rota__container_of(link, struct rota_watcher, changed);
    rota__list_remove(link);
    int err = poller->ops->watch(poller, watcher->fd, watcher->events, watcher->generation);
    if (err == 0) {
      watcher->registered = watcher->events;
      continue;
    }
    /* The watch is tried again in the next iteration. A descriptor that cannot be polled (a regular file) is always
     * ready. Any other error is a lack of resources, which may pass. */
    rota__list_append(&rota__loop(loop)->changed, link);
    if (limit_ns > 0)
      limit_ns = err == UV_EPERM ? 0 : NS_PER_MS;
    if (err == UV_EPERM)
      watcher->cb(loop, watcher, watcher->events & (POLLIN | POLLOUT));
  }
  return limit_ns;
}

/* ---- waiting ---- */

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

static int64_t timeout_of(const uv_loop_t *loop, const struct phase *phase) {
  int64_t timeout_ns = phase->may_block ? time_to_wait(loop) : 0;
  bool is_longer = (uint64_t)timeout_ns > (uint64_t)phase->limit_ns; /* -1: for ever */
  return rota__unlikely(phase->limit_ns != INT64_MAX) && is_longer ? phase->limit_ns : timeout_ns;
}

static bool has_something(const void *what) {
  const uv_loop_t *loop = what;
  return rota__wake_has_work(loop) || rota__loop_has_events(loop);
}

/* When to look first. A loop that took each of many results as it comes would share cache lines with the threads for
 * each of them. */
static uint64_t time_of_jobs(unsigned int jobs) {
  uint64_t time_ns = (uint64_t)jobs * JOB_NS;
  if (jobs < MANY_JOBS)
    return 0;
  return time_ns < ROTA_SPIN_NS ? time_ns : ROTA_SPIN_NS;
}

/* A loop spins before it sleeps (base/spin.h) while its jobs are in the pool, or if another thread woke it soon the
 * last time it slept. That pays while threads answer each other, and stops by itself when they do not. Returns whether
 * something came meanwhile. */
static bool spin(uv_loop_t *loop) {
  struct rota_loop *internal = rota__loop(loop);
  if ((internal->jobs == 0 && !internal->woken_soon) || !rota__spin_try(&internal->spin))
    return false;
  uint64_t spent_ns;
  bool found = rota__spin_until(has_something, loop, time_of_jobs(internal->jobs), &spent_ns);
  rota__spin_result(&internal->spin, !found, spent_ns);
  return found;
}

static inline __attribute__((always_inline)) int sleep_in_poller(uv_loop_t *loop, int64_t timeout_ns,
                                                                 struct rota_ready *ready) {
  struct rota_poller *poller = rota__loop_poller(loop);
  struct rota_loop *internal = rota__loop(loop);
  uint64_t before_ns = rota__os_clock_ns();
  if (internal->measure_idle)
    atomic_store_explicit(&internal->idle_since_ns, before_ns, memory_order_relaxed);
  int n = poller->ops->wait(poller, timeout_ns, ready, BATCH_MAX);
  uint64_t slept_ns = rota__os_clock_ns() - before_ns;
  rota__wake_up(loop);
  internal->woken_soon = slept_ns <= WOKEN_SOON_NS && rota__wake_has_work(loop);
  if (internal->measure_idle) {
    uint64_t idle_ns = atomic_load_explicit(&internal->idle_ns, memory_order_relaxed);
    atomic_store_explicit(&internal->idle_ns, idle_ns + slept_ns, memory_order_relaxed);
    atomic_store_explicit(&internal->idle_since_ns, 0, memory_order_relaxed);
  }
  return n;
}

static int look(uv_loop_t *loop, struct rota_ready *ready) {
  struct rota_poller *poller = rota__loop_poller(loop);
  return rota__loop_watches_nothing(loop) ? 0 : poller->ops->wait(poller, 0, ready, BATCH_MAX);
}

/* A nap is a short sleep before a long one. Many results are waited for, and the first need not wake the loop if others
 * follow soon (wake.h). Not if a descriptor is watched: the wake-up's place among the events is that of the first
 * result. Not if a tool decides what time it is or which job is done, and not on Windows, whose shortest wait is long.
 */
__attribute__((noinline)) static bool may_nap(uv_loop_t *loop, const struct phase *phase, int64_t timeout_ns) {
  const struct rota_loop *internal = rota__loop(loop);
  return !phase->has_descriptors && (timeout_ns < 0 || timeout_ns > ROTA_NAP_NS) &&
         internal->job_way == &rota__pool_way && internal->io_hook == NULL && internal->poller->port == NULL &&
         rota__os_clock.loop_ns == rota__os_clock_ns && rota__spin_try(&rota__loop(loop)->nap);
}

/* Whether something came. A nap that had to end by itself was too long for these jobs: the next ones are left out, as
 * with spins. */
__attribute__((noinline)) static bool nap(uv_loop_t *loop, struct rota_ready *ready, int *n) {
  struct rota_loop *internal = rota__loop(loop);
  uint64_t before_ns = rota__os_clock_ns();
  if (!rota__wake_sleep_briefly(loop, before_ns)) {
    rota__wake_up(loop);
    *n = look(loop, ready);
    return true;
  }
  *n = sleep_in_poller(loop, ROTA_NAP_NS, ready);
  bool has_result = *n != 0 || rota__wake_has_work(loop);
  rota__spin_result(&internal->nap, !has_result || rota__os_clock_ns() - before_ns >= ROTA_NAP_NS, 0);
  return has_result;
}

/* Returns the number of events, or an error. */
static int look_or_sleep(uv_loop_t *loop, const struct phase *phase, int64_t timeout_ns, struct rota_ready *ready,
                         bool *were_ready) {
  bool has_work = rota__wake_has_work(loop);
  *were_ready = true;
  /* Metrics count the events that were ready before the wait: these are looked for first, without waiting. A tool that
   * decides what comes would take that for a turn of the loop, and the order would depend on who measures. */
  bool measures = rota__loop(loop)->measure_idle && !atomic_load(&rota__poller_plain);
  if (timeout_ns == 0 || has_work || measures) {
    int n = look(loop, ready);
    if (n != 0 || timeout_ns == 0 || has_work)
      return n;
  }
  *were_ready = false;
  if (spin(loop))
    return look(loop, ready);
  if (rota__unlikely(rota__loop(loop)->jobs >= NAP_JOBS) && may_nap(loop, phase, timeout_ns)) {
    int n;
    if (nap(loop, ready, &n))
      return n;
    timeout_ns = timeout_of(loop, phase);
  }
  if (!rota__wake_sleep(loop)) {
    rota__wake_up(loop);
    return look(loop, ready);
  }
  return sleep_in_poller(loop, timeout_ns, ready);
}

/* The system has no other reason to refuse a wait. Nobody knows what else the program closed, or whose descriptor has
 * the number now, so the loop does not continue on a new one; libuv stops here, too. */
static void stop_without_poller(const uv_loop_t *loop, int err) {
  struct rota_poller *poller = rota__loop_poller(loop);
  rota__stop("a loop cannot wait (%s): the program closed descriptor %d, which belongs to the loop", uv_err_name(err),
             poller->ops->fd(poller));
}

static struct outcome wait_once(uv_loop_t *loop, const struct phase *phase, struct rota_ready *ready) {
  struct outcome outcome;
  int64_t timeout_ns = timeout_of(loop, phase);
  if (rota__unlikely(loop->core.observers != NULL))
    rota__observe_wait(loop, timeout_ns);
  int n = look_or_sleep(loop, phase, timeout_ns, ready, &outcome.were_ready);
  if (rota__unlikely(loop->core.observers != NULL))
    rota__observe_woken(loop, n);
  if (rota__unlikely(n < 0 && n != UV_EINTR))
    stop_without_poller(loop, n);
  if (phase->has_descriptors)
    rota__wake_arm(loop);
  outcome.n = n > 0 ? n : 0;
  outcome.other_threads = rota__wake_has_work(loop);
  return outcome;
}

/* ---- dispatching; each function returns how many callbacks ran, or may have run ---- */

static int dispatch_watch(uv_loop_t *loop, const struct rota_ready *ready, struct rota_watcher **signals) {
  const struct rota_loop *internal = rota__loop(loop);
  int fd = ready->u.watch.fd;
  struct rota_watcher *watcher = (size_t)fd < internal->watchers_capacity ? internal->watchers[fd] : NULL;
  if (watcher == NULL) {
    internal->poller->ops->watch(internal->poller, fd, 0, 0);
    return 0;
  }
  if (watcher->generation != ready->u.watch.generation)
    return 0; /* the event belongs to an earlier descriptor of this number */
  unsigned int events = ready->u.watch.events & (watcher->events | POLLERR | POLLHUP);
  /* An owner that checks only for the events it asked for would miss a bare error. */
  if (events == POLLERR || events == POLLHUP)
    events |= watcher->events & (POLLIN | POLLOUT | ROTA_WATCH_PEER_SHUT | POLLPRI);
  if (events == 0)
    return 0;
  if (watcher == internal->signal_watcher)
    *signals = watcher;
  else
    watcher->cb(loop, watcher, events);
  return 1;
}

/* The place among the events of what other threads pushed, if no wake-up among the events shows it. */
enum place { NOWHERE, FIRST, LAST };

static enum place place_of_pushed(const struct phase *phase, const struct outcome *outcome) {
  if (!outcome->other_threads)
    return NOWHERE;
  if (phase->pushed_first)
    return FIRST;
  /* After a full batch, the wake-up may be in the next one. */
  return outcome->n < BATCH_MAX || phase->batches_left == 1 ? LAST : NOWHERE;
}

/* A wake-up that is on its way came after the events were taken: it would wake the next wait for nothing. */
static int call_pushed(uv_loop_t *loop) {
  if (rota__wake_is_sent(&rota__loop(loop)->wake))
    rota__wake_consume(loop);
  return rota__wake_dispatch(loop);
}

/* Results of the pool and sent async handles are called where the wake-up is (wake.h). What the callbacks after it
 * bring about, a job that the pool does at once or an async handle that they send to, comes in the next iteration,
 * after check, as with libuv: an immediate precedes it. Signals come after the other events. */
static int dispatch(uv_loop_t *loop, const struct rota_ready *ready, int n, enum place pushed) {
  struct rota_watcher *signals = NULL;
  int wake_fd = rota__loop(loop)->wake.watcher.fd;
  int calls = pushed == FIRST ? call_pushed(loop) : 0;
  for (int i = 0; i < n; i++) {
    if (ready[i].op != NULL) {
      ready[i].op->done(ready[i].op, ready[i].u.completion.result, ready[i].u.completion.flags);
      calls++;
    } else if (ready[i].u.watch.fd == wake_fd) {
      rota__wake_consume(loop);
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

/* ---- the phase ---- */

static struct phase begin(uv_loop_t *loop, bool may_block) {
  struct phase phase = {.may_block = may_block,
                        .has_descriptors = !rota__loop_watches_nothing(loop),
                        .batches_left = BATCHES_MAX,
                        .limit_ns = INT64_MAX};
  /* What was pushed while no descriptor was watched precedes the events of those that are watched from now on. */
  phase.pushed_first = !phase.has_descriptors && rota__wake_has_work(loop);
  if (!rota__list_empty(&rota__loop(loop)->changed)) {
    phase.limit_ns = register_changes(loop);
    phase.has_descriptors = !rota__loop_watches_nothing(loop);
  }
  return phase;
}

static int call_back(uv_loop_t *loop, struct phase *phase, const struct rota_ready *ready, struct outcome outcome) {
  struct rota_loop *internal = rota__loop(loop);
  bool has_calls = outcome.n > 0 || outcome.other_threads;
  if (phase->may_block || has_calls) {
    uv_update_time(loop);
    phase->clock_is_new = true;
  }
  int calls = has_calls ? dispatch(loop, ready, outcome.n, place_of_pushed(phase, &outcome)) : 0;
  phase->pushed_first = false;
  internal->events += (uint64_t)calls;
  if (outcome.were_ready)
    internal->events_waiting += (uint64_t)calls;
  return calls;
}

/* Whether the phase has to wait again. */
static bool goes_on(uv_loop_t *loop, struct phase *phase, int n, int calls) {
  if (n == BATCH_MAX) {
    phase->may_block = false;
    return --phase->batches_left > 0;
  }
  if (calls > 0 || !phase->may_block || phase->limit_ns != INT64_MAX)
    return false;
  return !rota__wheel_turn(&rota__loop(loop)->timers, loop->core.now_ms);
}

static bool poll_events(uv_loop_t *loop, bool may_block) {
  struct rota_ready ready[BATCH_MAX];
  struct outcome outcome;
  struct phase phase = begin(loop, may_block);
  int calls;
  do {
    outcome = wait_once(loop, &phase, ready);
    calls = call_back(loop, &phase, ready, outcome);
  } while (goes_on(loop, &phase, outcome.n, calls));
  return phase.clock_is_new;
}

/* The common case of a loop that is busy with something other than I/O. */
static bool has_nothing_to_do(const uv_loop_t *loop) {
  return rota__list_empty(&rota__loop(loop)->changed) && loop->core.observers == NULL && !rota__wake_has_work(loop) &&
         rota__loop_watches_nothing(loop);
}

bool rota__poll_phase_run(uv_loop_t *loop, bool may_block) {
  return (may_block || !has_nothing_to_do(loop)) && poll_events(loop, may_block);
}
