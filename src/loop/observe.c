#include "loop/observe.h"

void rota__observer_add(uv_loop_t *loop, struct rota_observer *observer) {
  /* At the end, so that those who came first begin first, and end first. */
  struct rota_observer *last = loop->core.observers;
  observer->next = NULL;
  if (last == NULL) {
    loop->core.observers = observer;
    return;
  }
  while (last->next != NULL)
    last = last->next;
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
