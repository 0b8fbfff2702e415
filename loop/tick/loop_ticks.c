/* Ticks of a loop: an observer that opens a scope before each of the loop's callbacks and closes it after.
 *
 * The loop also finds its ticks through the observer: it has no field for them. This is the only file of the room that
 * knows the loop. */
#include "loop/base/alloc.h"
#include "loop/base/list.h"
#include "loop/core/observe.h"
#include "loop/tick/ticks.h"

struct loop_ticks {
  struct rota_observer observer;
  uv_loop_t *loop;
  struct rota_ticks ticks;
  struct rota_ticks_watch watch;
};

static struct rota_drain_progress *on_drain_begin(struct rota_ticks_watch *self, bool microtasks, uint64_t so_far) {
  struct loop_ticks *owner = rota__container_of(self, struct loop_ticks, watch);
  struct rota_drain drain = {.microtasks = microtasks, .begins = true, .so_far = so_far};
  rota__observe_drain(owner->loop, &drain);
  return drain.progress;
}

static void on_drain_end(struct rota_ticks_watch *self, bool microtasks, uint64_t count) {
  struct loop_ticks *owner = rota__container_of(self, struct loop_ticks, watch);
  struct rota_drain drain = {.microtasks = microtasks, .count = count};
  rota__observe_drain(owner->loop, &drain);
}

/* Observers of drains are outermost, so they come after the ticks in the list. Without one, the drain reports nothing.
 */
static void look_for_watchers(struct loop_ticks *owner) {
  owner->ticks.watch = owner->observer.next == NULL ? NULL : &owner->watch;
}

static void on_begin(struct rota_observer *self, uv_loop_t *loop, const struct rota_call *call) {
  struct loop_ticks *owner = rota__container_of(self, struct loop_ticks, observer);
  (void)loop;
  (void)call;
  if (owner->ticks.depth == 0)
    look_for_watchers(owner);
  rota_callback_scope_open(&owner->ticks);
}

/* An end without a begin belongs to the callback in which the ticks were attached. */
static void on_end(struct rota_observer *self, uv_loop_t *loop) {
  struct loop_ticks *owner = rota__container_of(self, struct loop_ticks, observer);
  (void)loop;
  if (rota__unlikely(owner->ticks.depth == 0))
    rota_ticks_drain(&owner->ticks);
  else
    rota_callback_scope_close(&owner->ticks);
}

static struct loop_ticks *find(const uv_loop_t *loop) {
  struct rota_observer *observer;
  for (observer = loop->core.observers; observer != NULL; observer = observer->next) {
    if (observer->end == on_end)
      return rota__container_of(observer, struct loop_ticks, observer);
  }
  return NULL;
}

int rota_ticks_attach(uv_loop_t *loop, rota_ticks_t **ticks) {
  struct loop_ticks *owner;
  if (find(loop) != NULL)
    return UV_EALREADY;
  owner = rota__calloc(1, sizeof(*owner));
  if (owner == NULL)
    return UV_ENOMEM;
  rota__ticks_init(&owner->ticks);
  owner->loop = loop;
  owner->observer.begin = on_begin;
  owner->observer.end = on_end;
  owner->watch.begin = on_drain_begin;
  owner->watch.end = on_drain_end;
  rota__observer_add(loop, &owner->observer);
  look_for_watchers(owner);
  *ticks = &owner->ticks;
  return 0;
}

int rota_ticks_detach(rota_ticks_t *ticks) {
  struct loop_ticks *owner = rota__container_of(ticks, struct loop_ticks, ticks);
  if (rota__ticks_busy(ticks))
    return UV_EBUSY;
  rota__observer_remove(owner->loop, &owner->observer);
  rota__ticks_destroy(ticks);
  rota__free(owner);
  return 0;
}

rota_ticks_t *rota_ticks_of(const uv_loop_t *loop) {
  struct loop_ticks *owner = find(loop);
  return owner == NULL ? NULL : &owner->ticks;
}
