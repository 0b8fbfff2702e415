#include "loop/core/wake.h"

#include <sched.h>

#include "loop/core/async.h"
#include "loop/core/internal.h"
#include "loop/core/observe.h"
#include "loop/core/pool/pool.h"
#include "loop/os/fd.h"

/* Nothing to do: what was pushed is looked at after every wait, whatever ended it. */
static void on_event(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events) {
  (void)loop;
  (void)watcher;
  (void)events;
}

static int open_descriptor(uv_loop_t *loop) {
  struct rota_wake *wake = &rota__loop(loop)->wake;
  wake->fd = rota__os_eventfd();
  if (wake->fd < 0)
    return wake->fd;
  rota__watcher_init(&wake->watcher, on_event, wake->fd);
  int err = rota__watcher_start(loop, &wake->watcher, POLLIN | ROTA_POLL_EDGE);
  if (err < 0) {
    rota__os_close(wake->fd);
    wake->fd = -1;
  }
  return err;
}

int rota__wake_init(uv_loop_t *loop) {
  struct rota_wake *wake = &rota__loop(loop)->wake;
  atomic_init(&wake->sent, NULL);
  atomic_init(&wake->finished, NULL);
  atomic_init(&wake->asleep, 1);
  atomic_init(&wake->pushing, 0);
  wake->taken = NULL;
  return open_descriptor(loop);
}

int rota__wake_fork(uv_loop_t *loop) {
  atomic_store(&rota__loop(loop)->wake.pushing, 0); /* whoever it was stayed with the parent */
  rota__wake_close(loop);
  /* The pool's threads stayed with the parent: what they had finished is theirs. */
  atomic_store(&rota__loop(loop)->wake.finished, NULL);
  rota__loop(loop)->jobs = 0;
  return open_descriptor(loop);
}

void rota__wake_close(uv_loop_t *loop) {
  struct rota_wake *wake = &rota__loop(loop)->wake;
  /* A thread whose push has been dispatched already may be on its way to the bell. */
  while (atomic_load(&wake->pushing) > 0)
    sched_yield();
  rota__watcher_close(loop, &wake->watcher);
  rota__os_close(wake->fd);
  wake->fd = -1;
}

bool rota__wake_sleep(uv_loop_t *loop) {
  struct rota_wake *wake = &rota__loop(loop)->wake;
  /* Sequentially consistent, as are the pushes: either we see what was pushed, or the pusher sees us asleep. */
  atomic_store(&wake->asleep, 1);
  return atomic_load(&wake->sent) == NULL && atomic_load(&wake->finished) == NULL && wake->taken == NULL;
}

void rota__wake_up(uv_loop_t *loop) {
  atomic_store_explicit(&rota__loop(loop)->wake.asleep, 0, memory_order_relaxed);
}

/* The end of a push. Nothing of the loop may be touched after it. */
static void ring_the_bell(struct rota_wake *wake) {
  static const uint64_t one = 1;
  /* The write cannot block: the counter would have to hold 2^64 - 2 wake-ups. */
  if (atomic_load(&wake->asleep) != 0 && atomic_exchange(&wake->asleep, 0) != 0)
    (void)rota__os_write(wake->fd, &one, sizeof(one));
  atomic_fetch_sub_explicit(&wake->pushing, 1, memory_order_release);
}

void rota__wake_ring(uv_loop_t *loop) {
  struct rota_wake *wake = &rota__loop(loop)->wake;
  atomic_fetch_add_explicit(&wake->pushing, 1, memory_order_relaxed);
  ring_the_bell(wake);
}

int uv_async_send(uv_async_t *async) {
  /* Already on the stack: the callback has yet to run, and will see whatever the caller wrote before this. */
  if (__atomic_exchange_n(&async->state, ROTA_ASYNC_SENT, __ATOMIC_ACQ_REL) == ROTA_ASYNC_SENT)
    return 0;
  struct rota_wake *wake = &rota__loop(async->loop)->wake;
  atomic_fetch_add_explicit(&wake->pushing, 1, memory_order_relaxed);
  uv_async_t *top = atomic_load_explicit(&wake->sent, memory_order_relaxed);
  do
    async->next_sent = top;
  while (!atomic_compare_exchange_weak(&wake->sent, &top, async));
  /* The handle may be gone from here on. */
  ring_the_bell(wake);
  return 0;
}

void rota__wake_finished(uv_loop_t *loop, struct rota_work *work) {
  struct rota_wake *wake = &rota__loop(loop)->wake;
  atomic_fetch_add_explicit(&wake->pushing, 1, memory_order_relaxed);
  struct rota_link *top = atomic_load_explicit(&wake->finished, memory_order_relaxed);
  do
    work->link.next = top;
  while (!atomic_compare_exchange_weak(&wake->finished, &top, &work->link));
  ring_the_bell(wake);
}

/* Appends what was sent since to the taken ones, oldest first. */
static void take_sent(struct rota_wake *wake) {
  uv_async_t *newest = atomic_exchange_explicit(&wake->sent, NULL, memory_order_acquire);
  uv_async_t *oldest = NULL;
  while (newest != NULL) {
    uv_async_t *next = newest->next_sent;
    newest->next_sent = oldest;
    oldest = newest;
    newest = next;
  }
  uv_async_t **end = &wake->taken;
  while (*end != NULL)
    end = &(*end)->next_sent;
  *end = oldest;
}

void rota__wake_unsend(uv_async_t *async) {
  struct rota_wake *wake = &rota__loop(async->loop)->wake;
  while (__atomic_load_n(&async->state, __ATOMIC_ACQUIRE) == ROTA_ASYNC_SENT) {
    take_sent(wake);
    for (uv_async_t **link = &wake->taken; *link != NULL; link = &(*link)->next_sent) {
      if (*link != async)
        continue;
      *link = async->next_sent;
      __atomic_store_n(&async->state, ROTA_ASYNC_QUIET, __ATOMIC_RELEASE);
      return;
    }
    /* A sender has marked the handle and not pushed it yet: a matter of instructions, unless it was preempted. */
    sched_yield();
  }
}

static int call_asyncs(uv_loop_t *loop, struct rota_wake *wake) {
  take_sent(wake);
  /* As many as were taken by now: what a callback sends is for the next poll phase. It may also close others of them,
   * which takes them out of the list. */
  int count = 0;
  for (const uv_async_t *async = wake->taken; async != NULL; async = async->next_sent)
    count++;
  int calls = 0;
  for (; calls < count && wake->taken != NULL; calls++) {
    uv_async_t *async = wake->taken;
    wake->taken = async->next_sent;
    /* Quiet before the call: a send during the callback leads to another. */
    __atomic_exchange_n(&async->state, ROTA_ASYNC_QUIET, __ATOMIC_ACQ_REL);
    if (async->async_cb == NULL)
      continue;
    rota__handle_call_begin(loop, async, (rota_function)async->async_cb);
    async->async_cb(async);
    rota__call_end(loop);
  }
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
    struct rota_work *work = rota__container_of(oldest, struct rota_work, link);
    oldest = oldest->next;
    calls++;
    rota__work_done(loop, work);
  }
  return calls;
}

int rota__wake_dispatch(uv_loop_t *loop) {
  struct rota_wake *wake = &rota__loop(loop)->wake;
  int calls = 0;
  if (atomic_load_explicit(&wake->sent, memory_order_relaxed) != NULL || wake->taken != NULL)
    calls += call_asyncs(loop, wake);
  if (atomic_load_explicit(&wake->finished, memory_order_relaxed) != NULL)
    calls += call_finished(loop, wake);
  return calls;
}
