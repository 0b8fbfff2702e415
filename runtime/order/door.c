/* The door into JavaScript. Every callback of the loop comes through here.
 *
 * A call runs the function, then drains: ticks until there are none, microtasks until there are none, again while
 * either made more, then unhandled rejections. A call inside another call (a binding that calls back at once) leaves
 * the drain to the outermost one. Before it returns, it updates the loop's timer and idle handles from the shared words
 * that JavaScript has written, so setTimeout and setImmediate never call into C. */
#include "runtime/bind/worker/worker.h"
#include "runtime/engine/jobs/await.h"
#include "runtime/engine/jobs/drain.h"
#include "runtime/engine/limit/stop.h"
#include "runtime/engine/value/call.h"
#include "runtime/observe/trace.h"
#include "runtime/order/env.h"
#include "runtime/order/html/html.h"
#include "runtime/order/rest.h"

#include <rota.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void js_door_report(struct js_env *env, JSValueRef error) {
  js_worker_check(env);
  if (env->stopping)
    return; /* that is how a worker's code is ended */
  JSObjectRef handler = env->callbacks[JS_CALLBACK_UNCAUGHT];
  JSValueRef again = NULL;
  if (handler != NULL)
    JSObjectCallAsFunction(env->context, handler, NULL, 1, &error, &again);
  if ((handler != NULL && again == NULL) || env->stopping)
    return;
  /* The handler itself failed: the error cannot be handled in JavaScript any more. */
  char *text = js_to_text(env->context, again != NULL ? again : error, NULL);
  char *stack = NULL;
  if (JSValueIsObject(env->context, again != NULL ? again : error))
    stack = js_to_text(env->context, js_get(env->context, (JSObjectRef)(again != NULL ? again : error), "stack"), NULL);
  fprintf(stderr, "%s\n%s\n", text != NULL ? text : "an error without text", stack != NULL ? stack : "");
  _exit(7);
}

static void sync_timer(struct js_env *env) {
  uint64_t due_ms = (uint64_t)env->words[JS_WORD_TIMER_DUE];
  if (due_ms != env->timer_due_ms) {
    env->timer_due_ms = due_ms;
    if (due_ms == 0) {
      uv_timer_stop(&env->timer);
    } else {
      /* A callback may run longer than a timer that it has started: that timer is due in this iteration's timers phase,
       * as if the handle had been set at once. A timer that is started in the timers phase waits for the next one. */
      uint64_t now_ms = uv_now(env->loop) - env->clock_base_ms;
      uint64_t least_ms = env->in_timers ? 1 : 0;
      uv_timer_start(&env->timer, (uv_timer_cb)env->timer.data, due_ms > now_ms ? due_ms - now_ms : least_ms, 0);
    }
  }
  if (due_ms != 0) {
    if (env->words[JS_WORD_TIMER_REFS] > 0)
      uv_ref((uv_handle_t *)&env->timer);
    else
      uv_unref((uv_handle_t *)&env->timer);
  }
}

/* The handle's callback does nothing: an active idle handle keeps poll from blocking while immediates wait. */
static void on_idle(uv_idle_t *handle) {
  struct js_env *env = handle->loop->data;
  if (env->observed)
    rota_name_call(env->loop, ROTA_NAME_NONE);
}

/* The drain rule: ticks until there are none, microtasks until there are none, again while either made more, then
 * unhandled rejections, which may make more of both. A tick that throws ends the drain: the rest waits for the next
 * callback, as in Node. Returns whether nothing has thrown.
 *
 * Most callbacks queue nothing, or only microtasks: then JavaScript is not entered. Else one step in JavaScript does
 * the rest, by the same rule (internal/process/task_queues), because an entry for each part would cost more than most
 * parts. If promise jobs only run after JavaScript has returned, a step is one run of ticks or one look at rejections.
 */
static bool drain_all(struct js_env *env) {
  double *words = env->words;
  enum js_step step = JS_STEP_RAN;
  for (;;) {
    if (words[JS_WORD_TICKS] == 0)
      js_door_microtasks(env);
    if (words[JS_WORD_TICKS] == 0 && words[JS_WORD_REJECTIONS] == 0 &&
        (step == JS_STEP_LOOKED || words[JS_WORD_REPORTED] == 0))
      return true;
    js_worker_check(env);
    if (env->stopping)
      return false;
    JSValueRef error = NULL;
    JSValueRef done = js_call(env->context, env->callbacks[JS_CALLBACK_STEP], NULL, 0, NULL, &error);
    if (error != NULL)
      js_door_report(env, error);
    step = error == NULL && !env->stopping ? (enum js_step)js_to_integer(env->context, done) : JS_STEP_FAILED;
    if (step == JS_STEP_FAILED)
      return false;
  }
}

/* After the outermost call. If promise jobs only run after JavaScript has returned, a function that runs several
 * callbacks with a drain in between returns after each, and asks to be called again. */
static void drain(struct js_env *env) {
  bool good = drain_all(env);
  while (env->words[JS_WORD_AGAIN] != 0 && !env->stopping) {
    JSValueRef error = NULL, arguments[] = {js_boolean(env->context, good)};
    env->words[JS_WORD_AGAIN] = 0;
    js_call(env->context, env->callbacks[JS_CALLBACK_RESUME], NULL, 1, arguments, &error);
    if (error != NULL)
      js_door_report(env, error);
    good = drain_all(env);
  }
  js_await_leave(env->context);
}

/* A worker's microtasks can be interrupted, which costs an entry. */
void js_door_jobs(struct js_env *env) {
  if (env->drain != NULL)
    js_drain_within(env->context, env->drain);
  else
    js_drain(env->context, env->group);
}

void js_door_end(struct js_env *env) {
  drain(env);
}

void js_door_microtasks(struct js_env *env) {
  if (env->observed)
    js_trace_microtasks(env);
  else
    js_door_jobs(env);
}

static void sync_loop(struct js_env *env) {
  js_worker_check(env);
  js_rest_note_call(env);
  if (env->observed)
    js_trace_leave(env);
  sync_timer(env);
  if (env->html != NULL)
    js_html_sync(env);
  if (env->words[JS_WORD_IMMEDIATE_REFS] > 0)
    uv_idle_start(&env->idle, on_idle);
  else
    uv_idle_stop(&env->idle);
}

/* A callback that throws gets no drain after it, with one exception: the main script. The HTML standard knows no such
 * rule: there a microtask checkpoint follows each callback. */
static bool drains_after_error(const struct js_env *env, JSObjectRef function) {
  return function == env->callbacks[JS_CALLBACK_MAIN] || env->html != NULL;
}

JSValueRef js_door_call(struct js_env *env, JSObjectRef function, JSObjectRef this_object, size_t argc,
                        const JSValueRef argv[]) {
  if (env->stopping)
    return js_undefined(env->context);
  JSValueRef error = NULL;
  env->depth++;
  if (env->observed)
    js_trace_enter(env, function);
  JSValueRef result = js_call(env->context, function, this_object, argc, argv, &error);
  if (error != NULL) {
    js_door_report(env, error);
    env->threw = true;
  }
  if (env->depth == 1) {
    env->threw = false;
    if ((error == NULL || drains_after_error(env, function)) && !env->stopping)
      drain(env);
    sync_loop(env);
  }
  env->depth--;
  return result;
}

/* After calls that were made with `depth` raised: does what the outermost call would have done. */
void js_door_settle(struct js_env *env) {
  if (env->depth > 0 || env->stopping)
    return;
  env->depth++;
  if (!env->threw || env->html != NULL)
    drain(env);
  env->threw = false;
  sync_loop(env);
  env->depth--;
}

JSValueRef js_door_enter(struct js_env *env, enum js_callback callback, size_t argc, const JSValueRef argv[]) {
  return js_door_call(env, env->callbacks[callback], NULL, argc, argv);
}

static void on_timer(uv_timer_t *handle) {
  struct js_env *env = handle->loop->data;
  env->timer_due_ms = 0;
  env->in_timers = true;
  js_door_enter(env, JS_CALLBACK_TIMERS, 0, NULL);
  env->in_timers = false;
}

static void on_check(uv_check_t *handle) {
  struct js_env *env = handle->loop->data;
  if (env->napi != NULL)
    js_napi_check(env);
  if (env->words[JS_WORD_IMMEDIATES] != 0)
    js_door_enter(env, JS_CALLBACK_IMMEDIATES, 0, NULL);
  else if (env->observed)
    rota_name_call(env->loop, ROTA_NAME_NONE);
}

/* The check handle is always there and never keeps the loop alive; the idle handle does, while referenced immediates
 * wait. */
void js_door_open(struct js_env *env) {
  env->loop->data = env;
  env->clock_base_ms = uv_now(env->loop) - 1; /* a time is never 0 */
  uv_timer_init(env->loop, &env->timer);
  env->timer.data = (void *)on_timer;
  uv_check_init(env->loop, &env->check);
  uv_check_start(&env->check, on_check);
  uv_unref((uv_handle_t *)&env->check);
  uv_idle_init(env->loop, &env->idle);
  js_rest_open(env);
}
