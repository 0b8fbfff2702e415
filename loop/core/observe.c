#include "loop/core/observe.h"

#include "loop/os/clock.h"

_Atomic(rota_job_observer) rota__job_observer;
_Atomic(rota_call_finder) rota__call_finder;

void rota__observer_add(uv_loop_t *loop, struct rota_observer *observer) {
  /* The observer goes to the end of the list, but before an outermost one. So observers that were added first are
   * called first, at the begin and at the end. */
  struct rota_observer *last = loop->core.observers;
  if (last == NULL || (last->outermost && !observer->outermost)) {
    observer->next = last;
    loop->core.observers = observer;
    return;
  }
  while (last->next != NULL && !(last->next->outermost && !observer->outermost))
    last = last->next;
  observer->next = last->next;
  last->next = observer;
}

void rota__observer_remove(uv_loop_t *loop, struct rota_observer *observer) {
  struct rota_observer *before = loop->core.observers;
  if (before == observer) {
    loop->core.observers = observer->next;
    return;
  }
  while (before != NULL && before->next != observer)
    before = before->next;
  if (before != NULL)
    before->next = observer->next;
}

void rota__observe_phase(uv_loop_t *loop, enum rota_phase phase) {
  for (struct rota_observer *observer = loop->core.observers; observer != NULL; observer = observer->next) {
    if (observer->phase != NULL)
      observer->phase(observer, loop, phase);
  }
}

void rota__observe_begin(uv_loop_t *loop, const void *subject, bool is_request, rota_function function) {
  const struct rota_call call = {.subject = subject, .function = function, .is_request = is_request};
  for (struct rota_observer *observer = loop->core.observers; observer != NULL; observer = observer->next) {
    if (observer->begin != NULL)
      observer->begin(observer, loop, &call);
  }
}

void rota__observe_end(uv_loop_t *loop) {
  for (struct rota_observer *observer = loop->core.observers; observer != NULL; observer = observer->next) {
    if (observer->end != NULL)
      observer->end(observer, loop);
  }
}

void rota__observe_wait(uv_loop_t *loop, int64_t timeout_ns) {
  for (struct rota_observer *observer = loop->core.observers; observer != NULL; observer = observer->next) {
    if (observer->wait != NULL)
      observer->wait(observer, loop, timeout_ns);
  }
}

void rota__observe_woken(uv_loop_t *loop, int n) {
  for (struct rota_observer *observer = loop->core.observers; observer != NULL; observer = observer->next) {
    if (observer->woken != NULL)
      observer->woken(observer, loop, n);
  }
}

void rota__observe_handle(uv_loop_t *loop, uv_handle_t *handle) {
  for (struct rota_observer *observer = loop->core.observers; observer != NULL; observer = observer->next) {
    if (observer->handle != NULL)
      observer->handle(observer, loop, handle);
  }
}

void rota__observe_request(uv_loop_t *loop, uv_req_t *req, bool begun) {
  for (struct rota_observer *observer = loop->core.observers; observer != NULL; observer = observer->next) {
    if (observer->request != NULL)
      observer->request(observer, loop, req, begun);
  }
}

void rota__observe_drain(uv_loop_t *loop, struct rota_drain *drain) {
  for (struct rota_observer *observer = loop->core.observers; observer != NULL; observer = observer->next) {
    if (observer->drain != NULL)
      observer->drain(observer, loop, drain);
  }
}

uint64_t rota__observe_queued(void) {
  return atomic_load_explicit(&rota__job_observer, memory_order_relaxed) == NULL ? 0 : rota__os_clock_ns();
}

void rota__observe_job(const struct rota_job *job) {
  rota_job_observer observer = atomic_load_explicit(&rota__job_observer, memory_order_acquire);
  if (observer != NULL)
    observer(job);
}
