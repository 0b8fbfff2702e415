/* The state of a loop, and what the rooms above ask of it. */
#ifndef ROTA_LOOP_INTERNAL_H
#define ROTA_LOOP_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "loop/base/list.h"
#include "loop/base/spin.h"
#include "loop/base/wheel.h"
#include "loop/core/async.h"
#include "loop/core/wake.h"
#include "loop/core/watcher.h"
#include "loop/os/clock.h"
#include "loop/poller/poller.h"
#include "uv.h"

struct rota_pool;
struct rota_job_way;
struct rota_io_hook;

/* The state of a loop is in this structure, which uv_loop_t.internal_fields points to, with two exceptions, both in
 * uv_loop_t:
 *   - what libuv has there, because programs read it: data, active_handles, active_reqs, handle_queue, stop_flag;
 *   - `core` (uv/parts.h): what every callback and every start of a handle reads, the time, the phase and the
 * observers. It costs one load less there, and the time can still be read when the loop is closed. Fields are grouped
 * by the phase, or the source of events, that owns them: only its file writes them. What another room keeps for a loop
 * is an attachment. */
struct rota_loop {
  /* timers (timer.c, loop.c) */
  struct rota_wheel timers;
  struct rota_os_millisecond clock;

  /* pending (watcher.c) */
  struct rota_link pending; /* watchers whose callback is due */
  struct rota_op *deferred; /* operations that ended without the poller, oldest first */
  struct rota_op *deferred_last;

  /* idle, prepare, check (idle.c) */
  struct rota_link idle;
  struct rota_link prepare;
  struct rota_link check;

  /* poll: descriptors (watcher.c, poll_phase.c) */
  struct rota_poller *poller;
  struct rota_watcher **watchers; /* by descriptor */
  size_t watchers_capacity;
  unsigned int generation;             /* of the last watcher that entered the table */
  struct rota_link changed;            /* watchers whose events the poller does not know yet */
  struct rota_watcher *signal_watcher; /* its events are dispatched after the others of a wait; may be null */
  struct rota_io_hook *io_hook;        /* null unless a simulator controls the loop (io_hook.h) */

  /* poll: other threads (wake.c, async.c, pool/pool.c) */
  struct rota_wake wake; /* and finished jobs of the pool */
  struct rota_asyncs asyncs;
  struct rota_pool *pool; /* null: the process's */
  const struct rota_job_way *job_way;
  unsigned int jobs;     /* in the pool, and not called back yet */
  struct rota_spin spin; /* before the loop sleeps */
  struct rota_spin nap;  /* a brief sleep before a long one */
  bool woken_soon;       /* the last time it slept, another thread woke it soon */

  /* poll: called once, before the loop polls or leaves uv_run; null: nothing to do (loop/fs/gather.c) */
  void (*before_poll)(uv_loop_t *loop);

  /* poll: figures (poll_phase.c) */
  uint64_t loop_count;
  uint64_t events;
  uint64_t events_waiting;
  bool measure_idle;
  _Atomic uint64_t idle_ns;
  _Atomic uint64_t idle_since_ns; /* 0: not waiting */

  /* closing (handle.c) */
  uv_handle_t *closing; /* last in, first out */

  struct rota_attachment *attachments;
};

static inline struct rota_loop *rota__loop(const uv_loop_t *loop) {
  return loop->internal_fields;
}

static inline struct rota_poller *rota__loop_poller(const uv_loop_t *loop) {
  return rota__loop(loop)->poller;
}

/* No descriptor is watched but the loop's own: the poller has nothing to report. */
static inline bool rota__loop_watches_nothing(const uv_loop_t *loop) {
  const struct rota_poller *poller = rota__loop_poller(loop);
  return poller->ops->is_idle != NULL && poller->ops->is_idle(poller);
}

/* As far as the poller knows without a system call. */
static inline bool rota__loop_has_events(const uv_loop_t *loop) {
  const struct rota_poller *poller = rota__loop_poller(loop);
  return poller->ops->has_events != NULL && poller->ops->has_events(poller);
}

static inline bool rota__wake_has_work(const uv_loop_t *loop) {
  const struct rota_loop *internal = rota__loop(loop);
  return rota__wake_has_finished(&internal->wake) || rota__asyncs_sent(&internal->asyncs);
}

/* ---- the phases of uv_run, as loop.c calls them ---- */

/* Runs all timers due by the loop's clock. */
void rota__timers_run(uv_loop_t *loop);
void rota__pending_run(uv_loop_t *loop);
void rota__idle_run(uv_loop_t *loop);
void rota__prepare_run(uv_loop_t *loop);
/* Waits for I/O, if may_block, until the next timer is due, and runs the callbacks. Returns whether the loop's time was
 * updated. */
bool rota__poll_phase_run(uv_loop_t *loop, bool may_block);
void rota__check_run(uv_loop_t *loop);
void rota__closing_run(uv_loop_t *loop);

/* ---- attachments ---- */

/* What a room keeps once for each loop that needs it (the inotify descriptor, the mailbox of signals, ...). The room
 * allocates it. */
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

/* ---- operations ---- */

/* The operation has ended, and the poller does not know it: it is called back in the pending phase. */
void rota__op_defer(uv_loop_t *loop, struct rota_op *op);
/* Cancels an operation that the poller has not begun. Its `done` is called in the pending phase, with UV_ECANCELED. */
int rota__op_cancel(uv_loop_t *loop, struct rota_op *op);

#endif
