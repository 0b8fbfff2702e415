/* A runtime's life: the engine is made, the bootstrap sets its callbacks, the main script runs, then the loop until
 * nothing is left, 'beforeExit' while that revives it, and 'exit'. */
#include "runtime/order/env.h"

#include <limits.h>
#include <rota.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/bind/worker/worker.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/jobs/await.h"
#include "runtime/engine/jobs/drain.h"
#include "runtime/engine/jobs/jobs.h"
#include "runtime/engine/jobs/table.h"
#include "runtime/engine/limit/heap.h"
#include "runtime/engine/value/stack.h"
#include "runtime/observe/trace.h"
#include "runtime/options/table.h"
#include "runtime/order/builtin.h"
#include "runtime/permission/permission.h"

_Thread_local struct js_env *js_env_here;

static JSValueRef native_binding(JSContextRef context, struct js_frame *frame) {
  char *name = js_to_text(context, js_arg(context, frame, 0), NULL);
  JSObjectRef binding = name != NULL ? js_binding_get(js_env_here, name) : NULL;
  free(name);
  return binding != NULL ? binding : js_undefined(context);
}

static JSValueRef native_compile(JSContextRef context, struct js_frame *frame) {
  char *id = js_to_text(context, js_arg(context, frame, 0), NULL);
  JSObjectRef function = id != NULL ? js_builtin_compile(js_env_here, id) : NULL;
  free(id);
  return function != NULL ? function : js_undefined(context);
}

/* loads(1), loads(-1): a built-in module is loaded, or is there */
static JSValueRef native_loads(JSContextRef context, struct js_frame *frame) {
  js_env_here->loading += (int)js_to_integer(context, js_arg(context, frame, 0));
  return js_undefined(context);
}

static JSValueRef native_set_callbacks(JSContextRef context, struct js_frame *frame) {
  static const char *const names[] = JS_CALLBACK_NAMES;
  js_set_callbacks(context, js_arg(context, frame, 0), JS_CALLBACK_COUNT, names, js_env_here->callbacks);
  return js_undefined(context);
}

static JSValueRef native_set_callback(JSContextRef context, struct js_frame *frame) {
  struct js_env *env = js_env_here;
  int index = (int)js_to_integer(context, js_arg(context, frame, 0));
  JSValueUnprotect(env->context, env->callbacks[index]);
  env->callbacks[index] = (JSObjectRef)js_arg(context, frame, 1);
  JSValueProtect(env->context, env->callbacks[index]);
  return js_undefined(context);
}

static JSValueRef native_has(JSContextRef context, struct js_frame *frame) {
  char *id = js_to_text(context, js_arg(context, frame, 0), NULL);
  bool found = id != NULL && js_builtin_has(id);
  free(id);
  return js_boolean(context, found);
}

/* Nothing, where they run only after JavaScript has returned. */
static JSValueRef native_run_microtasks(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  if (js_drains_anywhere())
    js_observe_microtasks(js_env_here);
  return js_undefined(context);
}

/* setImporter(function): see js_import_follow */
static JSValueRef native_set_importer(JSContextRef context, struct js_frame *frame) {
  return js_boolean(context, js_import_follow(context, (JSObjectRef)js_arg(context, frame, 0)));
}

/* noteRejections(function): see js_await_note_rejections */
static JSValueRef native_note_rejections(JSContextRef context, struct js_frame *frame) {
  js_await_note_rejections(context, (JSObjectRef)js_arg(context, frame, 0));
  return js_undefined(context);
}

static JSValueRef native_set_rejection_callback(JSContextRef context, struct js_frame *frame) {
  JSGlobalContextSetUnhandledRejectionCallback(js_env_here->context, (JSObjectRef)js_arg(context, frame, 0), NULL);
  return js_undefined(context);
}

static JSValueRef native_watch_errors(JSContextRef context, struct js_frame *frame) {
  return js_boolean(context, js_error_watch(context, (JSObjectRef)js_arg(context, frame, 0),
                                            &js_env_here->words[JS_WORD_MAKING_ERROR]));
}

/* postponeError(an error that its constructor has just made): see js_error_postpone */
static JSValueRef native_postpone_error(JSContextRef context, struct js_frame *frame) {
  return js_boolean(context, js_error_postpone(context, js_arg(context, frame, 0)));
}

/* The clock, brought up to date: a timer counts from when it was set, not from when the loop last looked. */
static JSValueRef native_now(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  struct js_env *env = js_env_here;
  uv_update_time(env->loop);
  return js_number(context, (double)(uv_now(env->loop) - env->clock_base_ms));
}

/* How many jobs the engine has ever queued, give or take a constant, in its lowest 30 bits: an integer is what compiled
 * code compares fastest. Each question counts as one, and so do other threads' jobs. */
static JSValueRef native_jobs_queued(JSContextRef context, struct js_frame *frame) {
  (void)context;
  (void)frame;
  return js_integer((int32_t)(js_jobs_queued() & 0x3fffffff));
}

/* queueJob(function): see js_await_queue */
static JSValueRef native_queue_job(JSContextRef context, struct js_frame *frame) {
  js_await_queue(context, (JSObjectRef)js_arg(context, frame, 0));
  return js_undefined(context);
}

static JSValueRef native_ids(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return js_builtin_ids(context);
}

static void free_nothing(void *bytes, void *context) {
  (void)bytes;
  (void)context;
}

static const struct js_method bootstrap_methods[] = {
    {"internalBinding", native_binding, 1},
    {"compileBuiltin", native_compile, 1},
    {"loads", native_loads, 1},
    {"builtinIds", native_ids, 0},
    {"hasBuiltin", native_has, 1},
    {"setCallback", native_set_callback, 2},
    {"setCallbacks", native_set_callbacks, 1},
    {"setRejectionCallback", native_set_rejection_callback, 1},
    {"setImporter", native_set_importer, 1},
    {"noteRejections", native_note_rejections, 1},
    {"runMicrotasks", native_run_microtasks, 0},
    {"now", native_now, 0},
    {"watchErrors", native_watch_errors, 1},
    {"postponeError", native_postpone_error, 1},
    {NULL, NULL, 0},
};

/* Tells JavaScript what the engine cannot do or does wrong; with the best engine nothing is set. */
static void set_engine(JSContextRef context, JSObjectRef native) {
  if (js_jobs_are_numbered())
    js_set(context, native, "jobsQueued", js_function(context, native_jobs_queued, 0));
  if (js_await_queues())
    js_set(context, native, "queueJob", js_function(context, native_queue_job, 1));
  bool repaired = js_uses(JS_USE_REPAIR);
  if (!js_drains_anywhere())
    js_set(context, native, "returnsToDrain", js_boolean(context, true));
  unsigned wrong = js_uses(JS_USE_AWAIT) ? 0 : 8;
  if (!repaired)
    wrong |= (js_uses(JS_ORDER_FOR_AWAIT) ? 0u : 1u) | (js_uses(JS_ORDER_THENABLES) ? 0u : 2u);
  if (!js_repair_marks_delegation()) {
    wrong |= js_uses(JS_ORDER_DELEGATION) ? 0u : 4u;
    js_set(context, native, "delegatesUnmarked", js_boolean(context, true));
  }
  if (wrong != 0) /* the bits are those of lib/modules/order_edits.js */
    js_set(context, native, "wrongOrder", js_number(context, wrong));
  if (!repaired && !js_uses(JS_ORDER_THENABLES))
    js_set(context, native, "wrongReturn", js_boolean(context, true));
  if (!repaired && !js_uses(JS_ORDER_FINALLY))
    js_set(context, native, "wrongFinally", js_boolean(context, true));
  if (!js_uses(JS_USE_IMPORT))
    js_set(context, native, "hidesImports", js_boolean(context, true));
  if (!js_uses(JS_USE_PROMISES))
    js_set(context, native, "hidesPromises", js_boolean(context, true));
  if (!js_uses(JS_USE_KINDS))
    js_set(context, native, "hidesKinds", js_boolean(context, true));
  if (js_uses(JS_USE_FRAMES))
    js_set(context, native, "receivers", js_function(context, js_frames_receivers, 1));
  if (!js_uses(JS_USE_WAKING))
    js_set(context, native, "waitsInSlices", js_boolean(context, true));
}

int js_env_init(struct js_env *env, uv_loop_t *loop, struct js_options *options) {
  return js_env_init_thread(env, loop, options, NULL);
}

/* A worker's clock begins with the process, too. */
static uint64_t process_started_ns; /* written by the main thread, before there are others */

int js_env_begin_permission(const struct js_options *options) {
  bool has_script =
      options->code == NULL && !options->read_stdin && options->command == NULL && options->script_at < options->argc;
  return js_permission_begin(&options->words, has_script ? options->argv[options->script_at] : NULL);
}

static int begin_engine(struct js_env *env, uv_loop_t *loop, struct js_options *options) {
  if (process_started_ns == 0)
    process_started_ns = uv_hrtime();
  env->started_ns = process_started_ns;
  env->loop = loop;
  env->engine_began_ns = uv_hrtime();
  env->options = options;
  env->words = calloc(JS_WORD_COUNT, sizeof *env->words);
  int err = js_tasks_own(env->worker != NULL);
  if (err != 0)
    return err;
  if (env->worker == NULL)
    js_limit_choose(js_words_value(&options->words, "max-old-space-size"),
                    js_words_value(&options->words, "max-old-space-size-percentage"));
  js_builtin_begin();
  env->context = env->words != NULL ? js_engine_create() : NULL;
  if (env->context == NULL)
    return UV_ENOMEM;
  env->engine_made_ns = uv_hrtime();
  env->group = JSContextGetGroup(env->context);
  if (env->worker == NULL) {
    js_heap_is_new(env->group); /* there may be many threads, and they may have limits */
    js_limit_watch(env->context);
  }
  return 0;
}

/* What internal/bootstrap gets: functions, and what this thread is. */
static JSObjectRef native_object(struct js_env *env) {
  JSObjectRef native = js_object(env->context);
  js_set_methods(env->context, native, bootstrap_methods);
  js_set(env->context, native, "words",
         JSObjectMakeTypedArrayWithBytesNoCopy(env->context, kJSTypedArrayTypeFloat64Array, env->words,
                                               JS_WORD_COUNT * sizeof *env->words, free_nothing, NULL, NULL));
  js_trace_introduce(env, native);
  set_engine(env->context, native);
  if (env->html != NULL)
    js_set(env->context, native, "isHtmlLoop", js_boolean(env->context, true));
  if (env->worker != NULL)
    js_set(env->context, native, "isWorker", js_boolean(env->context, true));
  if (env->options->command != NULL && env->worker == NULL)
    js_set(env->context, native, "command", js_string(env->context, env->options->command));
  return native;
}

int js_env_init_thread(struct js_env *env, uv_loop_t *loop, struct js_options *options, struct js_worker *worker) {
  memset(env, 0, sizeof *env);
  env->worker = worker;
  js_env_here = env;
  int err = worker == NULL ? js_env_begin_permission(options) : 0;
  if (err != 0)
    return err;
  err = begin_engine(env, loop, options);
  if (err != 0)
    return err;
  js_enter_open(env);
  err = js_html_open(env);
  if (err != 0)
    return err;
  js_trace_attach(env);
  JSObjectRef bootstrap = js_builtin_compile(env, "internal/bootstrap");
  if (bootstrap == NULL)
    return UV_EINVAL;
  JSValueRef arguments[] = {native_object(env)};
  env->depth++; /* nothing is drained before the main script */
  js_enter(env, bootstrap, NULL, 1, arguments);
  env->depth--;
  return env->callbacks[JS_CALLBACK_COUNT - 1] != NULL ? 0 : UV_EINVAL;
}

/* The main script is run before the loop, 'beforeExit' after it. */
static void note_time(struct js_env *env, enum js_callback callback) {
  struct timespec spent;
  if (callback != JS_CALLBACK_MAIN) {
    env->loop_ended_ns = uv_hrtime();
    return;
  }
  env->loop_began_ns = uv_hrtime();
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  env->loop_began_cpu_ns = (uint64_t)spent.tv_sec * 1000000000u + (uint64_t)spent.tv_nsec;
}

/* Code that no callback of the loop has called. */
static void run_outside(struct js_env *env, enum js_callback callback, const char *what) {
  js_observe_outside(env, callback == JS_CALLBACK_MAIN ? "start-up" : what); /* up to js_trace_script */
  if (callback == JS_CALLBACK_MAIN)
    env->bootstrapped_ns = uv_hrtime();
  bool counts = callback == JS_CALLBACK_MAIN && env->worker != NULL; /* a worker's script is its loop's time, too */
  if (counts)
    note_time(env, callback);
  js_enter_callback(env, callback, 0, NULL);
  if (!counts)
    note_time(env, callback);
  js_observe_outside_end(env);
}

/* The loop runs inside a function that the engine has called. So its callbacks enter the engine from within, which is
 * cheaper: at each entry from outside the engine checks the time zone and clears its cache of dates. Stack traces do
 * not show this frame. */
static JSValueRef native_run_loop(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  uv_run(js_env_here->loop, UV_RUN_DEFAULT);
  return js_undefined(context);
}

int js_env_run(struct js_env *env) {
  JSObjectRef run_loop = js_function_hidden(env->context, native_run_loop);
  run_outside(env, JS_CALLBACK_MAIN, "main script");
  js_heap_is_filled(env->group);
  do {
    /* Ending a worker's code needs the outermost entry to return, and so do jobs that run when the lock is released. */
    if ((env->worker != NULL || !js_drains_anywhere()) && !env->stopping)
      uv_run(env->loop, UV_RUN_DEFAULT);
    else if (!env->stopping)
      JSObjectCallAsFunction(env->context, run_loop, NULL, 0, NULL, NULL);
    run_outside(env, JS_CALLBACK_BEFORE_EXIT, "beforeExit");
  } while (uv_loop_alive(env->loop) && !env->stopping);
  if (env->stopping)
    return env->exit_code;
  /* After 'exit' nothing runs: what its listeners queue is dropped. */
  JSValueRef error = NULL;
  JSValueRef code = JSObjectCallAsFunction(env->context, env->callbacks[JS_CALLBACK_EXIT], NULL, 0, NULL, &error);
  if (!js_drains_anywhere()) {
    JSValueRef after = js_boolean(env->context, true);
    js_enter_finish(env);
    code = JSObjectCallAsFunction(env->context, env->callbacks[JS_CALLBACK_EXIT], NULL, 1, &after, &error);
  }
  if (env->stopping)
    return env->exit_code;
  return code != NULL ? (int)js_to_integer(env->context, code) : 7;
}

/* The end of the process.
 *
 * Jobs of the pool are finished first, queued ones included, as in Node: fs.write() before process.exit() writes. No
 * JavaScript runs meanwhile. The engine is not destroyed, since that would only cost time. */
void js_end_process(int code) {
  fflush(NULL);
  if (js_env_here != NULL)
    js_workers_stop(js_env_here);
  uv_library_shutdown();
  js_trace_end(code);
  uv_tty_reset_mode(); /* a program may leave a terminal raw */
  _exit(code);
}
