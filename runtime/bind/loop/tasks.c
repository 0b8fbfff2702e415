/* The binding `tasks`: lets the loop run the engine's tasks (engine/jobs/tasks.h) once a program uses a feature that
 * makes them. Most programs never do.
 *
 *   watch()   from now on */
#include "runtime/bind/binding.h"
#include "runtime/engine/jobs/jobs.h"

struct tasks {
  uv_poll_t poll;
  uv_timer_t timer;
  bool watched;
};

static _Thread_local struct tasks here;

static void on_due(uv_timer_t *timer);

static void run_tasks(void) {
  struct js_env *env = js_env_here;
  if (env->stopping)
    return;
  env->depth++; /* the calls of the tasks are one callback of the loop */
  int next_ms = js_tasks_run();
  env->depth--;
  js_enter_finish(env);
  if (next_ms < 0)
    uv_timer_stop(&here.timer);
  else
    uv_timer_start(&here.timer, on_due, (uint64_t)next_ms, 0);
}

static void on_due(uv_timer_t *timer) {
  (void)timer;
  run_tasks();
}

static void on_ready(uv_poll_t *poll, int status, int events) {
  (void)poll;
  (void)status;
  (void)events;
  run_tasks();
}

static JSValueRef watch(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  int fd = here.watched ? -1 : js_tasks_descriptor();
  if (fd < 0 || uv_poll_init(js_env_here->loop, &here.poll, fd) != 0)
    return js_undefined(context);
  here.watched = true;
  uv_timer_init(js_env_here->loop, &here.timer);
  uv_poll_start(&here.poll, UV_READABLE, on_ready);
  uv_unref((uv_handle_t *)&here.poll);
  uv_unref((uv_handle_t *)&here.timer);
  return js_undefined(context);
}

static const struct js_method methods[] = {{"watch", watch, 0}, {NULL, NULL, 0}};

JSObjectRef js_binding_tasks(struct js_env *env) {
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  return binding;
}
