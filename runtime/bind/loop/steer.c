/* The binding `steer`: the time of day by the loop's clock, and advancing that clock. */
#include "runtime/bind/binding.h"

#include <rota.h>
#include <stdio.h>
#include <stdlib.h>

enum { NS_PER_MS = 1000000 };

/* In whole milliseconds, as Date counts. */
static JSValueRef day(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  uv_timespec64_t now;
  uv_clock_gettime(UV_CLOCK_REALTIME, &now);
  int64_t now_ms = now.tv_sec * 1000 + now.tv_nsec / NS_PER_MS;
  return js_number(context, (double)now_ms);
}

/* advance(milliseconds) -> 0, or a negative error: time is not virtual */
static JSValueRef advance(JSContextRef context, struct js_frame *frame) {
  double duration_ms = js_to_number(context, js_arg(context, frame, 0));
  if (!(duration_ms >= 0 && duration_ms <= 1e12))
    return js_number(context, UV_EINVAL);
  int err = rota_virtual_time_advance((uint64_t)duration_ms);
  uv_update_time(js_env_here->loop);
  return js_number(context, err);
}

/* lateness() -> for how many rounds messages from another thread wait: 0 unless a schedule says otherwise */
static JSValueRef lateness(JSContextRef context, struct js_frame *frame) {
  static const unsigned rounds[] = {0, 1, 2, 10};
  static const char *const words[] = {"", "worker: messages for a port come a round later",
                                      "worker: messages for a port come two rounds later",
                                      "worker: messages for a port come ten rounds later"};
  (void)frame;
  return js_number(context, rounds[rota_schedule_choose(js_env_here->loop, sizeof rounds / sizeof *rounds, words)]);
}

/* chooseTask(sources) -> which of the task sources that have a task comes first (--loop=html): 0, unless a schedule
 * says otherwise. The first one is that of the oldest task. */
static JSValueRef choose_task(JSContextRef context, struct js_frame *frame) {
  enum { SOURCES = 16, LENGTH = 80 };
  char texts[SOURCES][LENGTH];
  const char *words[SOURCES];
  JSObjectRef sources = (JSObjectRef)js_arg(context, frame, 0);
  int64_t count = js_to_integer(context, js_get(context, sources, "length"));
  unsigned options = count > SOURCES ? SOURCES : (unsigned)count;
  for (unsigned i = 0; i < options; i++) {
    char *name = js_to_text(context, JSObjectGetPropertyAtIndex(context, sources, i, NULL), NULL);
    snprintf(texts[i], LENGTH, "task: of the source %s, before older ones of other sources", name != NULL ? name : "");
    words[i] = texts[i];
    free(name);
  }
  return js_number(context, rota_schedule_choose(js_env_here->loop, options, words));
}

JSObjectRef js_binding_steer(struct js_env *env) {
  static const struct js_method methods[] = {{"day", day, 0},
                                             {"advance", advance, 1},
                                             {"lateness", lateness, 0},
                                             {"chooseTask", choose_task, 1},
                                             {NULL, NULL, 0}};
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  js_set(env->context, binding, "isScheduled", js_boolean(env->context, rota_steering() & ROTA_STEER_SCHEDULE));
  return binding;
}
