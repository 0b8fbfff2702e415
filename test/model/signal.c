/* Signals. Each signal that the loop's own thread raises is reported once to every watcher of its number that is still
 * started then. */
#include "model.h"
#include "steps.h"

#include <signal.h>

static const int numbers[] = {SIGUSR2, SIGHUP, SIGURG};
enum { NUMBERS = 3 };

struct watcher {
  struct object base;
  int number; /* 0: stopped */
  bool once;
  int expected, heard;
};

static bool settled(const struct object *object) {
  const struct watcher *watcher = (const struct watcher *)object;
  return watcher->number == 0 || watcher->heard >= watcher->expected;
}

static void stop(struct watcher *watcher) {
  uv_signal_stop((uv_signal_t *)watcher->base.handle);
  watcher->number = 0;
}

/* If it has unreported signals, its close callback may come later than those of others. */
static void closing(struct object *object) {
  const struct watcher *watcher = (const struct watcher *)object;
  if (watcher->heard < watcher->expected)
    object->own_close = true;
}

static void act(struct object *object, enum action action, int amount) {
  (void)amount;
  if (action == DO_CLOSE)
    object_close(object);
  if (action == DO_STOP)
    stop((struct watcher *)object);
}

static void print(const struct object *object, struct text *out) {
  text_add(out, " heard %d,", ((const struct watcher *)object)->heard);
}

static const struct kind kind = {.name = "signal", .settled = settled, .closing = closing, .act = act, .print = print};

static bool is_watcher(const struct object *object) {
  return object->kind == &kind;
}

static void on_signal(uv_signal_t *handle, int number) {
  struct watcher *watcher = handle->data;
  callback_enter(&watcher->base);
  if (number != watcher->number || watcher->base.closing)
    object_bad(&watcher->base, "heard %d", number);
  watcher->heard++;
  if (watcher->once)
    watcher->number = 0;
  object_react(&watcher->base, ON_FIRE);
  callback_leave();
}

/* Once one-shot, always one-shot: libuv never resets the flag. */
void step_signal(const struct step *step) {
  struct watcher *watcher = (struct watcher *)world_pick(step->a, is_watcher);
  if (watcher == NULL || step->a % 2 == 0) {
    watcher = object_new(sizeof(*watcher), &kind, sizeof(uv_signal_t));
    uv_signal_init(world.loop, (uv_signal_t *)watcher->base.handle);
    watcher->once = step->c % 3 == 0;
  } else if (watcher->heard < watcher->expected) {
    return; /* whether it hears of what was raised before it was stopped is open */
  } else {
    stop(watcher);
  }
  int number = numbers[step->b % NUMBERS];
  int err = watcher->once ? uv_signal_start_oneshot((uv_signal_t *)watcher->base.handle, on_signal, number)
                          : uv_signal_start((uv_signal_t *)watcher->base.handle, on_signal, number);
  object_note(&watcher->base, "start:%s", error_name(err));
  watcher->number = number;
  watcher->expected = watcher->heard;
}

void step_signal_stop(const struct step *step) {
  struct watcher *watcher = (struct watcher *)world_pick(step->a, is_watcher);
  if (watcher != NULL)
    stop(watcher);
}

/* Only watched signals: another one would end the process. */
void step_raise(const struct step *step) {
  int number = numbers[step->a % NUMBERS];
  int times = 1 + step->b % 3;
  bool watched = false;
  for (struct object *object = world.objects; object != NULL; object = object->next) {
    struct watcher *watcher = (struct watcher *)object;
    if (!is_watcher(object) || object->closing || watcher->number != number)
      continue;
    watched = true;
    watcher->expected += watcher->once ? (watcher->expected == watcher->heard) : times;
  }
  for (int i = 0; watched && i < times; i++)
    raise(number);
}
