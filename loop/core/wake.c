#include "loop/core/wake.h"

#include <sched.h>

#include "loop/core/internal.h"
#include "loop/core/observe.h"
#include "loop/core/pool/pool.h"

/* Nothing to do: the stacks are checked after every wait, whatever ended it. */
static void on_event(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events) {
  (void)loop;
  (void)watcher;
  (void)events;
}

static int open_descriptor(uv_loop_t *loop) {
  struct rota_wake *wake = &rota__loop(loop)->wake;
  struct rota_poller *poller = rota__loop_poller(loop);
  wake->bell.fd = -1;
  wake->poller = poller->ops->wake == NULL ? NULL : poller;
  rota__watcher_init(&wake->watcher, on_event, -1);
  if (wake->poller != NULL)
    return 0;
  int err = rota__os_bell_open(&wake->bell);
  if (err < 0)
    return err;
  wake->watcher.fd = wake->bell.fd;
  err = rota__watcher_start(loop, &wake->watcher, POLLIN | ROTA_WATCH_EDGE);
  if (err < 0)
    rota__os_bell_close(&wake->bell);
  return err;
}

int rota__wake_init(uv_loop_t *loop) {
  struct rota_wake *wake = &rota__loop(loop)->wake;
  atomic_init(&wake->finished, NULL);
  atomic_init(&wake->asleep, 1);
  atomic_init(&wake->pushing, 0);
  return open_descriptor(loop);
}

int rota__wake_fork(uv_loop_t *loop) {
  atomic_store(&rota__loop(loop)->wake.pushing, 0); /* that thread exists in the parent only */
  rota__wake_close(loop);
  /* The pool's threads exist in the parent only: so do the jobs that they had finished. */
  atomic_store(&rota__loop(loop)->wake.finished, NULL);
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
  rota__os_bell_close(&wake->bell);
}

bool rota__wake_sleep(uv_loop_t *loop) {
  struct rota_wake *wake = &rota__loop(loop)->wake;
  /* Sequentially consistent, like the pushes: either we see the push, or the pusher sees that we sleep. */
  atomic_store(&wake->asleep, 1);
  return atomic_load(&rota__loop(loop)->asyncs.sent) == NULL && rota__loop(loop)->asyncs.later == NULL &&
         atomic_load(&wake->finished) == NULL;
}

void rota__wake_up(uv_loop_t *loop) {
  atomic_store_explicit(&rota__loop(loop)->wake.asleep, 0, memory_order_relaxed);
}

bool rota__wake_was_woken(uv_loop_t *loop) {
  return atomic_load(&rota__loop(loop)->wake.asleep) == 0;
}

static void wake_loop(struct rota_wake *wake) {
  if (wake->poller != NULL)
    wake->poller->ops->wake(wake->poller);
  else
    rota__os_bell_ring(&wake->bell);
}

void rota__wake_push_end(struct rota_wake *wake) {
  if (atomic_load(&wake->asleep) != 0 && atomic_exchange(&wake->asleep, 0) != 0)
    wake_loop(wake);
  atomic_fetch_sub_explicit(&wake->pushing, 1, memory_order_release);
}

void rota__wake_signal(uv_loop_t *loop) {
  struct rota_wake *wake = &rota__loop(loop)->wake;
  rota__wake_push_begin(wake);
  rota__wake_push_end(wake);
}

void rota__wake_finished(uv_loop_t *loop, struct rota_work *work) {
  struct rota_wake *wake = &rota__loop(loop)->wake;
  rota__wake_push_begin(wake);
  struct rota_link *top = atomic_load_explicit(&wake->finished, memory_order_relaxed);
  do
    work->link.next = top;
  while (!atomic_compare_exchange_weak(&wake->finished, &top, &work->link));
  rota__wake_push_end(wake);
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
    struct rota_work *work = rota__container_of(oldest, struct rota_work, link);
    oldest = oldest->next;
    calls++;
    rota__work_done(loop, work);
  }
  return calls;
}

/* Results of the pool come first, as with libuv: an async handle that they send to is called in the same pass. */
int rota__wake_dispatch(uv_loop_t *loop) {
  struct rota_loop *internal = rota__loop(loop);
  int calls = 0;
  if (atomic_load_explicit(&internal->wake.finished, memory_order_relaxed) != NULL)
    calls += call_finished(loop, &internal->wake);
  if (rota__asyncs_sent(&internal->asyncs))
    calls += rota__asyncs_call(loop, &internal->asyncs);
  return calls;
}
