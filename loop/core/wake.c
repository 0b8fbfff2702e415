#include "loop/core/wake.h"

#include <sched.h>

#include "loop/core/internal.h"
#include "loop/core/observe.h"
#include "loop/core/pool/pool.h"
#include "loop/os/clock.h"

/* Never called: the poll phase knows this watcher. */
static void on_event(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events) {
  (void)loop;
  (void)watcher;
  (void)events;
}

static int open_descriptor(uv_loop_t *loop) {
  struct rota_wake *wake = &rota__loop(loop)->wake;
  struct rota_poller *poller = rota__loop_poller(loop);
  wake->descriptor.fd = -1;
  wake->poller = poller->ops->wake == NULL ? NULL : poller;
  poller->wake_fd = ROTA_READY_WOKEN;
  rota__watcher_init(&wake->watcher, on_event, -1);
  if (wake->poller != NULL)
    return 0;
  int err = rota__os_wakeup_open(&wake->descriptor);
  if (err < 0)
    return err;
  wake->watcher.fd = poller->wake_fd = wake->descriptor.fd;
  err = rota__watcher_start(loop, &wake->watcher, POLLIN);
  if (err < 0)
    rota__os_wakeup_close(&wake->descriptor);
  return err;
}

int rota__wake_init(uv_loop_t *loop) {
  struct rota_wake *wake = &rota__loop(loop)->wake;
  atomic_init(&wake->finished, NULL);
  atomic_init(&wake->asleep, ROTA_ASLEEP);
  atomic_init(&wake->brief_since_ns, 0);
  atomic_init(&wake->busy_wakeup, ROTA_WAKEUP_OFF);
  atomic_init(&wake->pushing, 0);
  return open_descriptor(loop);
}

int rota__wake_fork(uv_loop_t *loop) {
  atomic_store(&rota__loop(loop)->wake.pushing, 0); /* that thread exists in the parent only */
  rota__wake_close(loop);
  atomic_store(&rota__loop(loop)->wake.busy_wakeup, ROTA_WAKEUP_OFF); /* a wake-up was the parent's */
  /* The pool's threads exist in the parent only: so do the jobs that they had finished. */
  atomic_store(&rota__loop(loop)->wake.finished, NULL);
  rota__loop(loop)->wake.ops_noted = rota__loop(loop)->wake.ops_left = false;
  rota__loop(loop)->jobs = 0;
  rota__asyncs_fork(loop);
  return open_descriptor(loop);
}

void rota__wake_close(uv_loop_t *loop) {
  struct rota_wake *wake = &rota__loop(loop)->wake;
  /* A thread whose push was already dispatched may be about to wake it. */
  while (atomic_load(&wake->pushing) > 0)
    sched_yield();
  rota__watcher_close(loop, &wake->watcher);
  rota__os_wakeup_close(&wake->descriptor);
}

static inline bool fall_asleep(uv_loop_t *loop, enum rota_sleep sleep) {
  struct rota_wake *wake = &rota__loop(loop)->wake;
  /* Sequentially consistent, like the pushes: either we see the push, or the pusher sees that we sleep. */
  atomic_store(&wake->asleep, (int)sleep);
  return atomic_load(&rota__loop(loop)->asyncs.sent) == NULL && rota__loop(loop)->asyncs.later == NULL &&
         !rota__wake_has_finished(wake);
}

bool rota__wake_sleep(uv_loop_t *loop) {
  return fall_asleep(loop, ROTA_ASLEEP);
}

bool rota__wake_sleep_briefly(uv_loop_t *loop, uint64_t now_ns) {
  atomic_store_explicit(&rota__loop(loop)->wake.brief_since_ns, now_ns, memory_order_relaxed);
  return fall_asleep(loop, ROTA_ASLEEP_BRIEFLY);
}

void rota__wake_up(uv_loop_t *loop) {
  atomic_store_explicit(&rota__loop(loop)->wake.asleep, ROTA_AWAKE, memory_order_relaxed);
}

bool rota__wake_was_woken(uv_loop_t *loop) {
  return atomic_load(&rota__loop(loop)->wake.asleep) == ROTA_AWAKE;
}

static void wake_loop(struct rota_wake *wake) {
  if (wake->poller != NULL)
    wake->poller->ops->wake(wake->poller);
  else
    rota__os_wakeup_signal(&wake->descriptor);
}

/* Whether this push is the one that wakes a busy loop. */
static bool disarm(struct rota_wake *wake) {
  int armed = ROTA_WAKEUP_ARMED;
  return atomic_load_explicit(&wake->busy_wakeup, memory_order_relaxed) == ROTA_WAKEUP_ARMED &&
         atomic_compare_exchange_strong(&wake->busy_wakeup, &armed, ROTA_WAKEUP_SENT);
}

/* Whether the loop sleeps briefly, and the next result comes soon enough to wake it. */
static bool may_be_quiet(struct rota_wake *wake) {
  return atomic_load(&wake->asleep) == ROTA_ASLEEP_BRIEFLY &&
         rota__os_clock_ns() - atomic_load_explicit(&wake->brief_since_ns, memory_order_relaxed) < ROTA_QUIET_NS;
}

void rota__wake_push_end(struct rota_wake *wake) {
  if (atomic_load(&wake->asleep) != ROTA_AWAKE && atomic_exchange(&wake->asleep, ROTA_AWAKE) != ROTA_AWAKE) {
    atomic_store(&wake->busy_wakeup, ROTA_WAKEUP_SENT);
    wake_loop(wake);
  } else if (disarm(wake)) {
    wake_loop(wake);
  }
  atomic_fetch_sub_explicit(&wake->pushing, 1, memory_order_release);
}

void rota__wake_signal(uv_loop_t *loop) {
  struct rota_wake *wake = &rota__loop(loop)->wake;
  rota__wake_push_begin(wake);
  rota__wake_push_end(wake);
}

void rota__wake_arm(uv_loop_t *loop) {
  struct rota_wake *wake = &rota__loop(loop)->wake;
  int off = ROTA_WAKEUP_OFF;
  if (rota__unlikely(atomic_load_explicit(&wake->busy_wakeup, memory_order_relaxed) == ROTA_WAKEUP_OFF))
    atomic_compare_exchange_strong(&wake->busy_wakeup, &off, ROTA_WAKEUP_ARMED);
}

static void push(struct rota_wake *wake, struct rota_link *link, bool more_follows) {
  rota__wake_push_begin(wake);
  struct rota_link *top = atomic_load_explicit(&wake->finished, memory_order_relaxed);
  do
    link->next = top;
  while (!atomic_compare_exchange_weak(&wake->finished, &top, link));
  if (more_follows && may_be_quiet(wake))
    atomic_fetch_sub_explicit(&wake->pushing, 1, memory_order_release);
  else
    rota__wake_push_end(wake);
}

void rota__wake_note_op(uv_loop_t *loop) {
  struct rota_wake *wake = &rota__loop(loop)->wake;
  if (wake->ops_noted)
    return;
  wake->ops_noted = wake->ops_left = true;
  push(wake, &wake->ops_begun, false);
}

/* The descriptor is cleared first: a thread that pushes in between does not signal it, but its push is found when the
 * stacks are looked at. */
void rota__wake_consume(uv_loop_t *loop) {
  struct rota_wake *wake = &rota__loop(loop)->wake;
  if (wake->descriptor.fd >= 0)
    rota__os_wakeup_clear(&wake->descriptor);
  atomic_store(&wake->busy_wakeup, rota__loop_watches_nothing(loop) ? ROTA_WAKEUP_OFF : ROTA_WAKEUP_ARMED);
}

void rota__wake_finished(uv_loop_t *loop, struct rota_work *work, bool more_follows) {
  push(&rota__loop(loop)->wake, &work->link, more_follows);
}

static int call_late_ops(uv_loop_t *loop) {
  enum { AT_ONCE = 64 };
  struct rota_poller *poller = rota__loop_poller(loop);
  struct rota_ready ready[AT_ONCE];
  int calls = 0, n;
  do {
    n = poller->ops->take_late(poller, ready, AT_ONCE);
    for (int i = 0; i < n; i++)
      ready[i].op->done(ready[i].op, ready[i].u.completion.result, ready[i].u.completion.flags);
    calls += n > 0 ? n : 0;
  } while (n == AT_ONCE);
  rota__loop(loop)->wake.ops_left = n < 0;
  return calls;
}

static int call_finished(uv_loop_t *loop, struct rota_wake *wake) {
  struct rota_link *newest = atomic_exchange_explicit(&wake->finished, NULL, memory_order_acquire);
  struct rota_link *oldest = NULL;
  while (newest != NULL) {
    struct rota_link *next = newest->next;
    newest->next = oldest;
    oldest = newest;
    newest = next;
  }
  int calls = 0;
  while (oldest != NULL) {
    struct rota_link *link = oldest;
    oldest = link->next;
    if (link == &wake->ops_begun) {
      wake->ops_noted = false;
      calls += call_late_ops(loop);
      continue;
    }
    calls++;
    rota__work_done(loop, rota__container_of(link, struct rota_work, link));
  }
  return calls;
}

/* Results of the pool come first, as with libuv: an async handle that they send to is called in the same pass. */
int rota__wake_dispatch(uv_loop_t *loop) {
  struct rota_loop *internal = rota__loop(loop);
  int calls = 0;
  if (atomic_load_explicit(&internal->wake.finished, memory_order_relaxed) != NULL)
    calls += call_finished(loop, &internal->wake);
  /* Those that were not late yet when their place came, and would be passed over again. */
  if (internal->wake.ops_left)
    calls += call_late_ops(loop);
  if (rota__asyncs_sent(&internal->asyncs))
    calls += rota__asyncs_call(loop, &internal->asyncs);
  return calls;
}
