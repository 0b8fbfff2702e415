/* Timers. Those that fire once, all started in one batch, fire in the order of their due times, then of their starts.
 *
 * A timer that repeats stops itself after some times. One that is far off never fires. */
#include "model.h"
#include "steps.h"

struct timer {
  struct object base;
  bool active, ordered;
  int repeats; /* how often it still fires; 1: no more than once */
  int fired;
};

enum { FAR_MS = 1000000 };

static bool settled(const struct object *object) {
  return !((const struct timer *)object)->active;
}

static void on_timer(uv_timer_t *handle) {
  struct timer *timer = handle->data;
  callback_enter(&timer->base);
  timer->fired++;
  if (timer->ordered && !timer->base.loose)
    text_add(&world.timer_order, " %d", timer->base.id);
  if (--timer->repeats <= 0) {
    if (uv_is_active((uv_handle_t *)handle) != (uv_timer_get_repeat(handle) != 0))
      object_bad(&timer->base, "active is wrong");
    uv_timer_stop(handle);
  }
  timer->active = uv_is_active((uv_handle_t *)handle);
  object_react(&timer->base, ON_FIRE);
  callback_leave();
}

static void act(struct object *object, enum action action, int amount) {
  struct timer *timer = (struct timer *)object;
  uv_timer_t *handle = (uv_timer_t *)object->handle;
  if (action == DO_CLOSE)
    object_close(object);
  if (action == DO_STOP) {
    uv_timer_stop(handle);
    timer->active = false;
  }
  if (action == DO_RESTART) {
    timer->active = true;
    timer->ordered = false;
    timer->repeats = 1;
    object_note(object, "restart %d", uv_timer_start(handle, on_timer, (uint64_t)amount % 4, 0));
  }
}

static void print(const struct object *object, struct text *out) {
  text_add(out, " fired %d,", ((const struct timer *)object)->fired);
}

static const struct kind kind = {.name = "timer", .settled = settled, .act = act, .print = print};

static bool is_timer(const struct object *object) {
  return object->kind == &kind;
}

static void start(struct timer *timer, int delay, int repeats) {
  static const int delays[] = {0, 0, 1, 1, 2, 3, 5, 8, FAR_MS};
  uint64_t delay_ms = (uint64_t)delays[delay % 9];
  timer->active = delay_ms != FAR_MS;
  timer->repeats = repeats % 4 == 3 ? 2 + repeats % 3 : 1;
  timer->ordered = timer->repeats == 1;
  uint64_t repeat_ms = timer->repeats > 1 ? 1 + (uint64_t)repeats % 3 : 0;
  int err = uv_timer_start((uv_timer_t *)timer->base.handle, on_timer, delay_ms, repeat_ms);
  object_note(&timer->base, "start %s due %d", error_name(err),
              (int)uv_timer_get_due_in((uv_timer_t *)timer->base.handle));
}

void step_timer(const struct step *step) {
  struct timer *timer = (struct timer *)world_pick(step->a, is_timer);
  if (timer == NULL || step->a % 3 > 0) {
    timer = object_new(sizeof(*timer), &kind, sizeof(uv_timer_t));
    uv_timer_init(world.loop, (uv_timer_t *)timer->base.handle);
  }
  start(timer, step->b, step->c);
}

void step_timer_again(const struct step *step) {
  struct timer *timer = (struct timer *)world_pick(step->a, is_timer);
  if (timer == NULL)
    return;
  uv_timer_t *handle = (uv_timer_t *)timer->base.handle;
  if (step->b % 2 == 0)
    uv_timer_set_repeat(handle, (uint64_t)step->c % 3);
  int err = uv_timer_again(handle);
  object_note(&timer->base, "again %s repeat %d", error_name(err), (int)uv_timer_get_repeat(handle));
  if (err == 0 && uv_timer_get_repeat(handle) != 0) {
    timer->active = true;
    timer->ordered = false;
    timer->repeats = 2;
  }
}

void step_timer_stop(const struct step *step) {
  struct timer *timer = (struct timer *)world_pick(step->a, is_timer);
  if (timer == NULL)
    return;
  timer->active = false;
  object_note(&timer->base, "stop %d", uv_timer_stop((uv_timer_t *)timer->base.handle));
}
