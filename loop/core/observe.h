/* Observers: how the loop reports what it does. It reports phases, the begin and end of each callback, waits, new
 * handles, requests that go to the pool or the poller, and jobs of the pool.
 *
 * Ticks, trace and watchdog are observers. Without an observer this costs a load and a branch that is not taken. */
#ifndef ROTA_LOOP_OBSERVE_H
#define ROTA_LOOP_OBSERVE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "loop/base/check.h"
#include "uv.h"

enum rota_phase {
  ROTA_PHASE_NONE, /* outside of uv_run */
  ROTA_PHASE_TIMERS,
  ROTA_PHASE_PENDING,
  ROTA_PHASE_IDLE,
  ROTA_PHASE_PREPARE,
  ROTA_PHASE_POLL,
  ROTA_PHASE_CHECK,
  ROTA_PHASE_CLOSING,
};

typedef void (*rota_function)(void);

struct rota_call {
  const void *subject; /* the handle or the request */
  rota_function function;
  bool is_request;
};

/* Where a drain counts while it runs; other threads may read it. The observer owns it. */
struct rota_drain_progress {
  _Atomic uint64_t run;            /* ticks and microtasks of this drain */
  _Atomic(rota_function) function; /* the function that runs; null: it is the engine's */
};

/* Ticks or microtasks are run: the parts of a drain. */
struct rota_drain {
  bool microtasks;
  bool begins;
  uint64_t count;                       /* at the end: how many ran; UINT64_MAX: the engine's, not known */
  uint64_t so_far;                      /* how many the drain had run before this part */
  struct rota_drain_progress *progress; /* an observer may set it, at the beginning */
};

/* A hook may run user code (ticks do, in `end`), which may add and remove other observers: the next observer is looked
 * up after the hook has returned. So an observer must not remove itself inside its own hook. An observer that was added
 * during a callback sees the end of that callback without its begin. */
struct rota_observer {
  struct rota_observer *next;
  void (*phase)(struct rota_observer *self, uv_loop_t *loop, enum rota_phase phase);        /* may be null */
  void (*begin)(struct rota_observer *self, uv_loop_t *loop, const struct rota_call *call); /* may be null */
  void (*end)(struct rota_observer *self, uv_loop_t *loop);                                 /* may be null */
  /* Before and after the poller's wait. timeout_ns -1: no limit; n: how many events came, or an error. */
  void (*wait)(struct rota_observer *self, uv_loop_t *loop, int64_t timeout_ns); /* may be null */
  void (*woken)(struct rota_observer *self, uv_loop_t *loop, int n);             /* may be null */
  /* A handle was initialised. */
  void (*handle)(struct rota_observer *self, uv_loop_t *loop, uv_handle_t *handle); /* may be null */
  /* A request was given to the pool or the poller (begun), or a job of the pool will be called back now (not begun).
   * Requests of the poller end with their callback. */
  void (*request)(struct rota_observer *self, uv_loop_t *loop, uv_req_t *req, bool begun); /* may be null */
  void (*drain)(struct rota_observer *self, uv_loop_t *loop, struct rota_drain *drain);    /* may be null */
  /* It stays behind all others, also those added later: its end comes after the ticks were drained. */
  bool outermost;
};

/* The times of a job of the pool. Reported on the thread that ran it, before the loop learns that it has ended. */
struct rota_job {
  uv_req_t *req;
  uint32_t kind; /* enum rota_work_kind */
  uint64_t queued_ns;
  uint64_t begin_ns;
  uint64_t end_ns;
};

typedef void (*rota_job_observer)(const struct rota_job *job);

/* One for the process, like the pool; null: none. It gets jobs that were queued while it was set, by a loop with an
 * observer. */
extern _Atomic(rota_job_observer) rota__job_observer;

/* The number of the callback that runs on the calling thread, for an async handle that is sent from it; null: nobody
 * wants to know. */
typedef uint32_t (*rota_call_finder)(void);
extern _Atomic(rota_call_finder) rota__call_finder;

/* A loop was made, or continues in a child process. observe/trace decides whether to observe it. */
void rota__loop_made(uv_loop_t *loop);
/* Called before and after a loop is made. simulate/ decides whether to steer it: it may wrap the poller and replace the
 * clock and the way to the pool. */
void rota__steer_prepare(void);
void rota__loop_steer(uv_loop_t *loop);

void rota__observer_add(uv_loop_t *loop, struct rota_observer *observer);
void rota__observer_remove(uv_loop_t *loop, struct rota_observer *observer);

void rota__observe_phase(uv_loop_t *loop, enum rota_phase phase);
void rota__observe_begin(uv_loop_t *loop, const void *subject, bool is_request, rota_function function);
void rota__observe_end(uv_loop_t *loop);
void rota__observe_wait(uv_loop_t *loop, int64_t timeout_ns) __attribute__((cold));
void rota__observe_woken(uv_loop_t *loop, int n) __attribute__((cold));
void rota__observe_handle(uv_loop_t *loop, uv_handle_t *handle) __attribute__((cold));
void rota__observe_request(uv_loop_t *loop, uv_req_t *req, bool begun) __attribute__((cold));
void rota__observe_drain(uv_loop_t *loop, struct rota_drain *drain);
uint64_t rota__observe_queued(void)
    __attribute__((cold)); /* the time, if an observer wants to know when a job was queued; else 0 */
void rota__observe_job(const struct rota_job *job) __attribute__((cold));

/* Every call of user code is between a begin and an end. The handle or request may be freed at the end. Alloc callbacks
 * are not reported: they ask for memory and are no event. */
static inline void rota__handle_call_begin(uv_loop_t *loop, const void *handle, rota_function function) {
  if (rota__unlikely(loop->core.observers != NULL))
    rota__observe_begin(loop, handle, false, function);
}

static inline void rota__req_call_begin(uv_loop_t *loop, const void *req, rota_function function) {
  if (rota__unlikely(loop->core.observers != NULL))
    rota__observe_begin(loop, req, true, function);
}

static inline void rota__call_end(uv_loop_t *loop) {
  if (rota__unlikely(loop->core.observers != NULL))
    rota__observe_end(loop);
}

#endif
