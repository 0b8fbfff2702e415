/* The private part of a loop; uv_loop_t.internal_fields points to it. */
#ifndef ROTA_LOOP_INTERNAL_H
#define ROTA_LOOP_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "loop/base/list.h"
#include "loop/base/wheel.h"
#include "loop/core/async.h"
#include "loop/core/pool/linger.h"
#include "loop/core/wake.h"
#include "loop/core/watcher.h"
#include "loop/os/clock.h"
#include "loop/poller/poller.h"
#include "uv.h"

struct rota_pool;
struct rota_job_way;
struct rota_io_hook;

struct rota_loop {
  struct rota_wheel timers;
  struct rota_os_millisecond clock;
  struct rota_wake wake; /* and finished jobs of the pool */
  struct rota_asyncs asyncs;
  struct rota_pool *pool; /* null: the process's */
  const struct rota_job_way *job_way;
  struct rota_io_hook *io_hook; /* null unless a simulator controls the loop (io_hook.h) */
  struct rota_op *deferred;     /* ended without the poller: to be called back in the pending phase, oldest first */
  struct rota_op *deferred_last;
  struct rota_linger linger;
  unsigned int jobs;                   /* jobs in the pool that were not called back yet */
  struct rota_watcher *signal_watcher; /* its events are dispatched after the others of a round; may be null */

  /* what other rooms keep for a loop: they allocate it, and `release` frees it when the loop is closed */
  struct rota_attachment *attachments;

  uint64_t loop_count;
  uint64_t events;
  uint64_t events_waiting;
  bool measure_idle;
  _Atomic uint64_t idle_ns;
  _Atomic uint64_t idle_since_ns; /* 0: not waiting */
};

static inline struct rota_loop *rota__loop(const uv_loop_t *loop) {
  return loop->internal_fields;
}

static inline struct rota_poller *rota__loop_poller(const uv_loop_t *loop) {
  return loop->core.poller;
}

/* No descriptor is watched but the loop's own: the poller has nothing to tell. */
static inline bool rota__loop_is_quiet(const uv_loop_t *loop) {
  const struct rota_poller *poller = rota__loop_poller(loop);
  return poller->ops->quiet != NULL && poller->ops->quiet(poller);
}

static inline bool rota__wake_has_work(const uv_loop_t *loop) {
  const struct rota_loop *internal = rota__loop(loop);
  return rota__wake_has_finished(&internal->wake) || rota__asyncs_sent(&internal->asyncs);
}

/* State that a room keeps once for each loop that needs it (the inotify descriptor, the signal pipe, ...). */
struct rota_attachment {
  struct rota_attachment *next;
  const void *key; /* the address of something that the room owns */
  /* The loop is being closed: undo and free. */
  void (*release)(uv_loop_t *loop, struct rota_attachment *attachment);
  /* In the child after fork; may be null. The loop has a new poller and registers its watchers again. */
  int (*fork)(uv_loop_t *loop, struct rota_attachment *attachment);
};

struct rota_attachment *rota__loop_attachment(const uv_loop_t *loop, const void *key); /* null: none yet */
void rota__loop_attach(uv_loop_t *loop, struct rota_attachment *attachment);
bool rota__loop_is_default(const uv_loop_t *loop); /* uv_default_loop's, which may be being made */

/* The operation has ended, and the poller does not know it: it is called back in the pending phase. */
void rota__op_defer(uv_loop_t *loop, struct rota_op *op);
/* Cancels an operation that the poller has not begun. Its `done` is called in the pending phase, with UV_ECANCELED. */
int rota__op_cancel(uv_loop_t *loop, struct rota_op *op);

#endif
