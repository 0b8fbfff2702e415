/* Every way in which an addon calls JavaScript, for the order of what follows. */
#include "addon.h"

#include <uv.h>

/* ---- work on the pool ---- */

struct work {
  napi_async_work work;
  napi_ref callback;
  napi_deferred deferred; /* or a promise */
  napi_status status;
  int times;
};

static void execute(napi_env env, void *data) {
  (void)env;
  (void)data;
}

static void complete(napi_env env, napi_status status, void *data) {
  struct work *work = data;
  napi_value callback, undefined, argument = make_number(env, status);
  MUST(napi_get_undefined(env, &undefined));
  if (work->deferred != NULL) {
    MUST(napi_resolve_deferred(env, work->deferred, make_text(env, "resolved")));
  } else {
    MUST(napi_get_reference_value(env, work->callback, &callback));
    for (int i = 0; i < work->times; i++)
      if (napi_call_function(env, undefined, callback, 1, &argument, NULL) != napi_ok)
        break;
    MUST(napi_delete_reference(env, work->callback));
  }
  MUST(napi_delete_async_work(env, work->work));
  free(work);
}

static struct work *make_work(napi_env env) {
  struct work *work = calloc(1, sizeof *work);
  MUST(napi_create_async_work(env, NULL, make_text(env, "test"), execute, complete, work, &work->work));
  return work;
}

/* work(callback, times): calls it so many times in one completion */
static napi_value queue_work(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX];
  get_arguments(env, info, arguments);
  struct work *work = make_work(env);
  work->times = to_int(env, arguments[1]);
  MUST(napi_create_reference(env, arguments[0], 1, &work->callback));
  MUST(napi_queue_async_work(env, work->work));
  return NULL;
}

static napi_value promise_work(napi_env env, napi_callback_info info) {
  (void)info;
  napi_value promise;
  struct work *work = make_work(env);
  MUST(napi_create_promise(env, &work->deferred, &promise));
  MUST(napi_queue_async_work(env, work->work));
  return promise;
}

/* ---- calls at once ---- */

static napi_value call_function(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX], undefined, result = NULL;
  get_arguments(env, info, arguments);
  MUST(napi_get_undefined(env, &undefined));
  napi_call_function(env, undefined, arguments[0], 0, NULL, &result);
  return result;
}

static napi_value make_callback(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX], object, result = NULL;
  get_arguments(env, info, arguments);
  MUST(napi_create_object(env, &object));
  napi_make_callback(env, NULL, object, arguments[0], 0, NULL, &result);
  return result;
}

/* ---- from handles of the loop ---- */

enum how { PLAINLY, BY_CALLBACK, IN_SCOPE };

struct timer {
  uv_timer_t handle;
  napi_env env;
  napi_ref callback;
  napi_async_context context;
  enum how how;
};

static void on_timer_closed(uv_handle_t *handle) {
  free(handle);
}

static void on_timer(uv_timer_t *handle) {
  struct timer *timer = (struct timer *)handle;
  napi_env env = timer->env;
  napi_handle_scope scope;
  napi_callback_scope callback_scope;
  napi_value callback, object;
  MUST(napi_open_handle_scope(env, &scope));
  MUST(napi_get_reference_value(env, timer->callback, &callback));
  MUST(napi_create_object(env, &object));
  if (timer->how == BY_CALLBACK) {
    napi_make_callback(env, timer->context, object, callback, 0, NULL, NULL);
  } else if (timer->how == IN_SCOPE) {
    MUST(napi_open_callback_scope(env, NULL, timer->context, &callback_scope));
    napi_call_function(env, object, callback, 0, NULL, NULL);
    napi_call_function(env, object, callback, 0, NULL, NULL);
    MUST(napi_close_callback_scope(env, callback_scope));
  } else {
    napi_call_function(env, object, callback, 0, NULL, NULL);
  }
  MUST(napi_delete_reference(env, timer->callback));
  MUST(napi_async_destroy(env, timer->context));
  MUST(napi_close_handle_scope(env, scope));
  uv_close((uv_handle_t *)handle, on_timer_closed);
}

/* timer(milliseconds, how, callback) */
static napi_value start_timer(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX];
  get_arguments(env, info, arguments);
  struct timer *timer = calloc(1, sizeof *timer);
  uv_loop_t *loop;
  MUST(napi_get_uv_event_loop(env, &loop));
  timer->env = env;
  timer->how = (enum how)to_int(env, arguments[1]);
  MUST(napi_create_reference(env, arguments[2], 1, &timer->callback));
  MUST(napi_async_init(env, NULL, make_text(env, "timer"), &timer->context));
  uv_timer_init(loop, &timer->handle);
  uv_timer_start(&timer->handle, on_timer, (uint64_t)to_int(env, arguments[0]), 0);
  return NULL;
}

/* ---- from other threads ---- */

struct caller {
  napi_threadsafe_function function;
  uv_thread_t thread;
  int count;
  napi_ref finished;
};

static void run_caller(void *data) {
  struct caller *caller = data;
  for (intptr_t i = 1; i <= caller->count; i++) {
    napi_status status = napi_call_threadsafe_function(caller->function, (void *)i, napi_tsfn_blocking);
    if (status == napi_closing)
      return; /* that was the release */
    MUST(status);
  }
  MUST(napi_release_threadsafe_function(caller->function, napi_tsfn_release));
}

static void call_js(napi_env env, napi_value callback, void *context, void *data) {
  (void)context;
  napi_value undefined, argument;
  if (env == NULL)
    return;
  argument = make_number(env, (double)(intptr_t)data);
  MUST(napi_get_undefined(env, &undefined));
  napi_call_function(env, undefined, callback, 1, &argument, NULL);
}

static void on_caller_done(napi_env env, void *data, void *context) {
  (void)context;
  struct caller *caller = data;
  napi_value finished, undefined;
  uv_thread_join(&caller->thread);
  MUST(napi_get_reference_value(env, caller->finished, &finished));
  MUST(napi_get_undefined(env, &undefined));
  napi_call_function(env, undefined, finished, 0, NULL, NULL); /* not in a thread that was ended */
  MUST(napi_delete_reference(env, caller->finished));
  free(caller);
}

/* threadsafe(callback, count, room, finished) */
static napi_value start_caller(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX];
  get_arguments(env, info, arguments);
  struct caller *caller = calloc(1, sizeof *caller);
  caller->count = to_int(env, arguments[1]);
  MUST(napi_create_reference(env, arguments[3], 1, &caller->finished));
  MUST(napi_create_threadsafe_function(env, arguments[0], NULL, make_text(env, "caller"),
                                       (size_t)to_int(env, arguments[2]), 1, caller, on_caller_done, NULL, call_js,
                                       &caller->function));
  uv_thread_create(&caller->thread, run_caller, caller);
  return NULL;
}

NAPI_MODULE_INIT() {
  static const struct entry entries[] = {
      {"work", queue_work},
      {"promiseWork", promise_work},
      {"call", call_function},
      {"makeCallback", make_callback},
      {"timer", start_timer},
      {"threadsafe", start_caller},
      {NULL, NULL},
  };
  add_functions(env, exports, entries);
  return exports;
}
