/* Waking a loop from other threads and from signal handlers.
 *
 * Other threads push onto two stacks: async handles that were sent (async.h), and jobs that the pool has finished. A
 * push is one compare-and-swap. The loop is woken when it may sleep, or does not run at all (the program may poll its
 * backend descriptor). Some pollers can be woken themselves. For the others there is a wake-up descriptor. Its watcher
 * is level-triggered, like all others: the system reports a descriptor that was ready in the last wait before those
 * that became ready since, and libuv's wake-up is such a descriptor.
 *
 * A busy loop checks the stacks in every poll phase, and need not be woken to do so. But what was pushed before a
 * socket became ready is called before the socket's callback, and after it otherwise, as with libuv. Only the system
 * knows this order. So if the loop watches any descriptor, the first push since the last wake-up wakes the busy loop,
 * too: the wake-up's place among the events is the place of what was pushed. */
#ifndef ROTA_LOOP_WAKE_H
#define ROTA_LOOP_WAKE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "loop/os/file.h"
#include "uv.h"

/* Whether a push wakes a loop that does not sleep. */
enum rota_busy_wakeup {
  ROTA_WAKEUP_OFF,   /* no: there are no other events, or the loop has not polled yet */
  ROTA_WAKEUP_ARMED, /* the next one does */
  ROTA_WAKEUP_SENT,  /* no: a wake-up is on its way */
};

/* Whether a pusher wakes the loop. */
enum rota_sleep {
  ROTA_AWAKE,
  ROTA_ASLEEP,
  /* For a short time, since it waits for many results. A thread that brings one and has another job of the loop need
   * not wake it, until ROTA_QUIET_NS have passed: so one wake-up is for many results. If all threads get stuck in long
   * jobs, the sleep ends by itself. */
  ROTA_ASLEEP_BRIEFLY
};

enum { ROTA_QUIET_NS = 100000, ROTA_NAP_NS = 1000000 /* how long a brief sleep is at most */ };

struct rota_wake {
  _Atomic(struct rota_link *) finished; /* links of struct rota_work */
  _Atomic int asleep;                   /* enum rota_sleep */
  _Atomic uint64_t brief_since_ns;      /* when it fell asleep briefly */
  _Atomic int busy_wakeup;              /* enum rota_busy_wakeup */
  _Atomic int pushing;                  /* threads that may still touch this structure */
  struct rota_link ops_begun;           /* in `finished`: when the first operation was submitted to the poller */
  bool ops_noted;                       /* it is there */
  bool ops_left;                        /* the poller may have operations that it has not begun */
  struct rota_os_wakeup descriptor;     /* not open if the poller can be woken */
  struct rota_poller *poller;           /* the one to wake; null: signal the descriptor */
  struct rota_watcher watcher;          /* of the descriptor */
};

int rota__wake_init(uv_loop_t *loop);
int rota__wake_fork(uv_loop_t *loop);
void rota__wake_close(uv_loop_t *loop);

/* The loop will block or leave uv_run: from now on, a push wakes it. Returns false if something was
 * pushed already; then the loop must not block. */
bool rota__wake_sleep(uv_loop_t *loop);
/* The same, but for a short time only (ROTA_ASLEEP_BRIEFLY). `now_ns` is rota__os_clock_ns. */
bool rota__wake_sleep_briefly(uv_loop_t *loop, uint64_t now_ns);
void rota__wake_up(uv_loop_t *loop);
bool rota__wake_was_woken(uv_loop_t *loop); /* since rota__wake_sleep */
void rota__wake_signal(uv_loop_t *loop);    /* wakes it, if nobody has */
/* The events were taken from the poller, and descriptors are watched: the next push wakes the loop though it is busy,
 * and gets a place among the next events. */
void rota__wake_arm(uv_loop_t *loop);
/* An operation was submitted to the poller, which may begin it in its next wait. If a callback takes so long that a
 * thread would have done it, it has the place of a job that was done at once. */
void rota__wake_note_op(uv_loop_t *loop);
/* The wake-up itself is among the events that were taken from a poller: without this call, it would come again. */
void rota__wake_consume(uv_loop_t *loop);
/* Calls what was pushed so far. Returns how many callbacks ran. */
int rota__wake_dispatch(uv_loop_t *loop);

/* A busy loop was woken, and has not consumed the wake-up. */
static inline bool rota__wake_is_sent(const struct rota_wake *wake) {
  return atomic_load_explicit(&wake->busy_wakeup, memory_order_relaxed) == ROTA_WAKEUP_SENT;
}

/* The pool has finished jobs. `ops_begun` alone is not work: the poller reports those operations. */
static inline bool rota__wake_has_finished(const struct rota_wake *wake) {
  const struct rota_link *top = atomic_load(&wake->finished);
  return top != NULL && (top != &wake->ops_begun || top->next != NULL);
}

/* A push from any thread is made between these two. The pusher must not touch the loop after the second. */
static inline void rota__wake_push_begin(struct rota_wake *wake) {
  atomic_fetch_add_explicit(&wake->pushing, 1, memory_order_relaxed);
}
void rota__wake_push_end(struct rota_wake *wake);

/* A thread may bring results without waking it. */
static inline bool rota__wake_is_brief(const struct rota_wake *wake) {
  return atomic_load_explicit(&wake->asleep, memory_order_relaxed) == ROTA_ASLEEP_BRIEFLY;
}

/* From any thread. The work's request must not be touched by the caller any more. `more_follows`: the caller will call
 * this again for another job of this loop, which it has begun. */
void rota__wake_finished(uv_loop_t *loop, struct rota_work *work, bool more_follows);

#endif
