/* How the loop tells others what it does: the phase that it is in, each callback before and after.
 *
 * Ticks, trace and watchdog hang on here. While nobody does, it costs a load and a branch not taken. */
#ifndef ROTA_LOOP_OBSERVE_H
#define ROTA_LOOP_OBSERVE_H

#include <stdbool.h>

#include "base/check.h"
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

/* A hook may run user code (ticks do, in `end`), which may add and remove other observers: the way on is looked up
 * after the hook has returned. So an observer must not remove itself inside of its own hook. One that was added in the
 * midst of a callback sees its end without its begin. */
struct rota_observer {
  struct rota_observer *next;
  void (*phase)(struct rota_observer *self, uv_loop_t *loop, enum rota_phase phase);        /* may be null */
  void (*begin)(struct rota_observer *self, uv_loop_t *loop, const struct rota_call *call); /* may be null */
  void (*end)(struct rota_observer *self, uv_loop_t *loop);                                 /* may be null */
};

void rota__observer_add(uv_loop_t *loop, struct rota_observer *observer);
void rota__observer_remove(uv_loop_t *loop, struct rota_observer *observer);

void rota__observe_phase(uv_loop_t *loop, enum rota_phase phase);
void rota__observe_begin(uv_loop_t *loop, const void *subject, bool is_request, rota_function function);
void rota__observe_end(uv_loop_t *loop);

/* Every call into the user's code stands between a begin and an end. The subject may be gone at the end.
 * Not around alloc callbacks: they are a question, not an event. */
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
