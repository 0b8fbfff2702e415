/* The way into JavaScript: every callback of the loop comes through here. The functions are listed in env.h.
 *
 * The outermost call drains what its callback has queued (the drain rule: `drain` in lib/process/task_queues.js). Then
 * it brings the loop's timer and idle handles up to date with the shared words that JavaScript has written, so
 * setTimeout and setImmediate never call into C. */
#include <rota.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/bind/worker/worker.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/jobs/await.h"
#include "runtime/engine/jobs/drain.h"
#include "runtime/engine/limit/watch.h"
#include "runtime/observe/trace.h"
#include "runtime/order/env.h"

static void on_timer(uv_timer_t *handle);

void js_enter_report(struct js_env *env, JSValueRef error) {
  js_worker_check(env);
  if (env->stopping)
    return; /* the error is the one that ends a worker's code */
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

/* ---- the drain ---- */

/* A worker's microtasks can be interrupted, which costs an entry. */
void js_enter_jobs(struct js_env *env) {
  if (env->drain != NULL)
    js_drain_within(env->context, env->drain);
  else
    js_drain(env->context, env->group);
}

/* Whether the drain rule has anything to do besides microtasks. */
static bool has_work(const struct js_env *env) {
  const double *words = env->words;
  return words[JS_WORD_TICKS] != 0 || words[JS_WORD_REJECTIONS] != 0 || words[JS_WORD_REPORTED] != 0 ||
         words[JS_WORD_CONTINUES] != 0;
}

/* The rule itself is in JavaScript, which is entered only if there is more than microtasks: most callbacks queue
 * nothing, or microtasks alone. Where microtasks run only after JavaScript has returned, it returns for them, and is
 * called again. */
static void drain(struct js_env *env) {
  enum js_drain drained;
  do {
    if (env->words[JS_WORD_TICKS] == 0)
      js_observe_microtasks(env);
    if (!has_work(env))
      break;
    js_worker_check(env);
    if (env->stopping)
      break;
    JSValueRef error = NULL;
    JSValueRef result = js_call(env->context, env->callbacks[JS_CALLBACK_DRAIN], NULL, 0, NULL, &error);
    if (error != NULL)
      js_enter_report(env, error);
    drained = error == NULL ? (enum js_drain)js_to_integer(env->context, result) : JS_DRAIN_FAILED;
  } while (drained == JS_DRAIN_MICROTASKS && !env->stopping);
  js_await_leave(env->context);
}

/* ---- the loop's handles ---- */

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
      uv_timer_start(&env->timer, on_timer, due_ms > now_ms ? due_ms - now_ms : least_ms, 0);
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
  js_observe_hidden(env);
}

static void sync_handles(struct js_env *env) {
  sync_timer(env);
  if (env->html != NULL)
    js_html_sync(env);
  if (env->words[JS_WORD_IMMEDIATE_REFS] > 0)
    uv_idle_start(&env->idle, on_idle);
  else
    uv_idle_stop(&env->idle);
}

/* ---- calls ---- */

/* The outermost call has run and drained. */
static void return_to_loop(struct js_env *env) {
  js_worker_check(env);
  js_idle_gc_note_call(env);
  js_observe_leave(env);
  sync_handles(env);
}

/* A callback that throws gets no drain after it, with one exception: the main script. The HTML standard knows no such
 * rule: there a microtask checkpoint follows each callback. */
static bool drains_after_error(const struct js_env *env, JSObjectRef function) {
  return function == env->callbacks[JS_CALLBACK_MAIN] || env->html != NULL;
}

JSValueRef js_enter(struct js_env *env, JSObjectRef function, JSObjectRef this_object, size_t argc,
                    const JSValueRef argv[]) {
  if (env->stopping)
    return js_undefined(env->context);
  JSValueRef error = NULL;
  env->depth++;
  js_observe_enter(env, function);
  JSValueRef result = js_call(env->context, function, this_object, argc, argv, &error);
  if (error != NULL) {
    js_enter_report(env, error);
    env->threw = true;
  }
  if (env->depth == 1) {
    env->threw = false;
    if ((error == NULL || drains_after_error(env, function)) && !env->stopping)
      drain(env);
    return_to_loop(env);
  }
  env->depth--;
  return result;
}

void js_enter_finish(struct js_env *env) {
  if (env->depth > 0 || env->stopping)
    return;
  env->depth++;
  if (!env->threw || env->html != NULL)
    drain(env);
  env->threw = false;
  return_to_loop(env);
  env->depth--;
}

JSValueRef js_enter_callback(struct js_env *env, enum js_callback callback, size_t argc, const JSValueRef argv[]) {
  return js_enter(env, env->callbacks[callback], NULL, argc, argv);
}

/* ---- callbacks of the loop ---- */

static void on_timer(uv_timer_t *handle) {
  struct js_env *env = handle->loop->data;
  env->timer_due_ms = 0;
  env->in_timers = true;
  js_enter_callback(env, JS_CALLBACK_TIMERS, 0, NULL);
  env->in_timers = false;
}

static void on_check(uv_check_t *handle) {
  struct js_env *env = handle->loop->data;
  if (env->napi != NULL)
    js_napi_check(env);
  if (env->words[JS_WORD_IMMEDIATES] != 0)
    js_enter_callback(env, JS_CALLBACK_IMMEDIATES, 0, NULL);
  else
    js_observe_hidden(env);
}

/* The check handle is always there and never keeps the loop alive; the idle handle does, while referenced immediates
 * wait. */
void js_enter_open(struct js_env *env) {
  env->loop->data = env;
  env->clock_base_ms = uv_now(env->loop) - 1; /* a time is never 0 */
  uv_timer_init(env->loop, &env->timer);
  uv_check_init(env->loop, &env->check);
  uv_check_start(&env->check, on_check);
  uv_unref((uv_handle_t *)&env->check);
  uv_idle_init(env->loop, &env->idle);
  js_idle_gc_open(env);
}
