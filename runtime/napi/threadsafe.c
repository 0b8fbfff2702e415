/* Thread-safe functions: any thread queues data, the loop calls JavaScript with it.
 *
 * One lock guards the queue, the number of threads that may use the function, and whether it is closing. The loop takes
 * one item at a time, so that the callback may use the function, too. A function is freed when its handle is closed and
 * no thread uses it any more, whichever comes last. */
#include <rota.h>
#include <stdlib.h>

#include "runtime/napi/napi.h"

struct item {
  struct item *next;
  void *data;
};

struct napi_threadsafe_function__ {
  uv_mutex_t lock;
  uv_cond_t room; /* there is some, or none is needed any more */
  struct item *first, **end;
  size_t count, max; /* 0: no limit */
  size_t threads;
  bool closing; /* nothing is called any more */
  bool closed;  /* the handle is */
  /* The loop's: */
  uv_async_t async;
  bool handle_closing;
  napi_env env;
  JSValueRef function, resource; /* protected; the first may be NULL */
  void *context, *finalize_data;
  napi_finalize finalize;
  napi_threadsafe_function_call_js call_js;
};

enum { CALLS_A_ROUND = 1000 };

static void destroy(struct napi_threadsafe_function__ *function) {
  uv_mutex_destroy(&function->lock);
  uv_cond_destroy(&function->room);
  free(function);
}

/* Without a callback of its own, the function is called without arguments. */
static void call_plainly(napi_env env, napi_value function, void *context, void *data) {
  (void)context;
  (void)data;
  if (env == NULL || function == NULL)
    return;
  napi_value undefined;
  napi_get_undefined(env, &undefined);
  napi_status status = napi_call_function(env, undefined, function, 0, NULL, NULL);
  if (status != napi_ok && status != napi_pending_exception)
    napi_throw_error(env, "ERR_NAPI_TSFN_CALL_JS", "Failed to call JS callback");
}

/* With the lock held. */
static struct item *take(struct napi_threadsafe_function__ *function) {
  struct item *item = function->first;
  function->first = item->next;
  if (function->first == NULL)
    function->end = &function->first;
  if (function->count-- == function->max)
    uv_cond_signal(&function->room);
  return item;
}

/* Items that were queued and are never passed to JavaScript: the addon frees their data. */
static void empty(struct napi_threadsafe_function__ *function) {
  uv_mutex_lock(&function->lock);
  while (function->first != NULL) {
    struct item *item = take(function);
    uv_mutex_unlock(&function->lock);
    function->call_js(NULL, NULL, function->context, item->data);
    free(item);
    uv_mutex_lock(&function->lock);
  }
  uv_mutex_unlock(&function->lock);
}

static void on_end(void *data);

static void forgive(napi_env env) {
  if (env->exception != NULL && (env->thread->ending || js_napi_reports_only(env)))
    env->exception = NULL;
}

static void on_closed(uv_handle_t *handle) {
  struct napi_threadsafe_function__ *function = handle->data;
  napi_env env = function->env;
  empty(function);
  if (function->finalize != NULL) {
    struct js_napi_call call;
    js_napi_call_begin(&call, env, env->thread->ending ? NULL : function->resource);
    function->finalize(env, function->finalize_data, function->context);
    forgive(env);
    js_napi_call_end(&call);
  }
  if (function->function != NULL)
    JSValueUnprotect(env->context, function->function);
  js_napi_async_drop(env, function->resource);
  if (env->thread->ending)
    env->thread->hooks_under_way--;
  uv_mutex_lock(&function->lock);
  function->closed = true;
  bool last = function->threads == 0;
  uv_mutex_unlock(&function->lock);
  if (last)
    destroy(function);
}

static void close_handle(struct napi_threadsafe_function__ *function) {
  if (function->handle_closing)
    return;
  function->handle_closing = true;
  uv_mutex_lock(&function->lock);
  function->closing = true;
  uv_cond_broadcast(&function->room);
  uv_mutex_unlock(&function->lock);
  if (function->env->thread->ending)
    function->env->thread->hooks_under_way++;
  else
    js_napi_hook_remove(function->env->thread, on_end, function);
  uv_close((uv_handle_t *)&function->async, on_closed);
}

/* The env ends before the threads are done. */
static void on_end(void *data) {
  close_handle(data);
}

static void call_one(struct napi_threadsafe_function__ *function, struct item *item) {
  napi_env env = function->env;
  struct js_napi_call call;
  js_napi_call_begin(&call, env, function->resource);
  napi_value callable = function->function != NULL ? js_napi_keep(env, function->function) : NULL;
  function->call_js(env, callable, function->context, item->data);
  free(item);
  forgive(env);
  js_napi_call_end(&call);
}

static void on_wake(uv_async_t *handle) {
  struct napi_threadsafe_function__ *function = handle->data;
  for (int i = 0; i < CALLS_A_ROUND; i++) {
    if (function->handle_closing || function->env->thread->runtime->stopping)
      return;
    uv_mutex_lock(&function->lock);
    struct item *item = !function->closing && function->first != NULL ? take(function) : NULL;
    bool done = function->closing || (function->first == NULL && function->threads == 0);
    uv_mutex_unlock(&function->lock);
    if (item != NULL)
      call_one(function, item);
    if (done)
      close_handle(function);
    if (item == NULL || done)
      return;
  }
  uv_async_send(&function->async); /* others want the loop, too */
}

napi_status napi_create_threadsafe_function(napi_env env, napi_value callable, napi_value resource, napi_value name,
                                            size_t max, size_t threads, void *finalize_data, napi_finalize finalize,
                                            void *context, napi_threadsafe_function_call_js call_js,
                                            napi_threadsafe_function *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, name);
  if (threads == 0)
    return js_napi_fail(env, napi_invalid_arg);
  NAPI_NEEDS(env, result);
  if (callable == NULL) {
    NAPI_NEEDS(env, call_js);
  } else {
    JSObjectRef object = js_napi_object(env, callable);
    if (object == NULL || !JSObjectIsFunction(env->context, object))
      return js_napi_fail(env, napi_invalid_arg);
  }
  struct napi_threadsafe_function__ *function = calloc(1, sizeof *function);
  if (function == NULL)
    return js_napi_fail(env, napi_generic_failure);
  napi_status status = js_napi_async_make(env, resource, name, &function->resource);
  if (status != napi_ok) {
    free(function);
    return status;
  }
  if (uv_async_init(env->thread->runtime->loop, &function->async, on_wake) != 0 ||
      uv_mutex_init(&function->lock) != 0 || uv_cond_init(&function->room) != 0)
    js_napi_fatal("napi_create_threadsafe_function", "out of resources");
  function->async.data = function;
  function->end = &function->first;
  function->max = max;
  function->threads = threads;
  function->env = env;
  function->context = context;
  function->finalize = finalize;
  function->finalize_data = finalize_data;
  function->call_js = call_js != NULL ? call_js : call_plainly;
  if (callable != NULL) {
    function->function = js_napi_value(callable);
    JSValueProtect(env->context, function->function);
  }
  js_napi_hook_add(env->thread, on_end, function);
  *result = function;
  return js_napi_ok(env);
}

napi_status napi_get_threadsafe_function_context(napi_threadsafe_function function, void **result) {
  if (function == NULL || result == NULL)
    return napi_invalid_arg;
  *result = function->context;
  return napi_ok;
}

/* With the lock held, which it releases: a thread has learnt that the function is closing, and uses it no more. */
static napi_status leave_closing(struct napi_threadsafe_function__ *function) {
  napi_status status = function->threads == 0 ? napi_invalid_arg : napi_closing;
  if (function->threads > 0)
    function->threads--;
  bool last = function->threads == 0 && function->closed;
  uv_mutex_unlock(&function->lock);
  if (last)
    destroy(function);
  return status;
}

napi_status napi_call_threadsafe_function(napi_threadsafe_function function, void *data,
                                          napi_threadsafe_function_call_mode mode) {
  if (function == NULL)
    return napi_invalid_arg;
  struct item *item = malloc(sizeof *item);
  if (item == NULL)
    return napi_generic_failure;
  uv_mutex_lock(&function->lock);
  while (function->max > 0 && function->count >= function->max && !function->closing) {
    if (mode == napi_tsfn_nonblocking) {
      uv_mutex_unlock(&function->lock);
      free(item);
      return napi_queue_full;
    }
    uv_cond_wait(&function->room, &function->lock);
  }
  if (function->closing) {
    free(item);
    return leave_closing(function);
  }
  *item = (struct item){NULL, data};
  *function->end = item;
  function->end = &item->next;
  function->count++;
  uv_async_send(&function->async);
  uv_mutex_unlock(&function->lock);
  return napi_ok;
}

napi_status napi_acquire_threadsafe_function(napi_threadsafe_function function) {
  if (function == NULL)
    return napi_invalid_arg;
  uv_mutex_lock(&function->lock);
  bool closing = function->closing;
  function->threads += !closing;
  uv_mutex_unlock(&function->lock);
  return closing ? napi_closing : napi_ok;
}

napi_status napi_release_threadsafe_function(napi_threadsafe_function function,
                                             napi_threadsafe_function_release_mode mode) {
  if (function == NULL)
    return napi_invalid_arg;
  uv_mutex_lock(&function->lock);
  if (function->threads == 0) {
    uv_mutex_unlock(&function->lock);
    return napi_invalid_arg;
  }
  function->threads--;
  if (!function->closing && (function->threads == 0 || mode == napi_tsfn_abort)) {
    function->closing = mode == napi_tsfn_abort;
    if (function->closing)
      uv_cond_broadcast(&function->room);
    uv_async_send(&function->async);
  }
  bool last = function->threads == 0 && function->closed;
  uv_mutex_unlock(&function->lock);
  if (last)
    destroy(function);
  return napi_ok;
}

napi_status napi_ref_threadsafe_function(node_api_basic_env env, napi_threadsafe_function function) {
  (void)env;
  if (function == NULL)
    return napi_invalid_arg;
  uv_ref((uv_handle_t *)&function->async);
  return napi_ok;
}

napi_status napi_unref_threadsafe_function(node_api_basic_env env, napi_threadsafe_function function) {
  (void)env;
  if (function == NULL)
    return napi_invalid_arg;
  uv_unref((uv_handle_t *)&function->async);
  return napi_ok;
}

/* ---- work for the thread pool ---- */

/* Work for the thread pool: `execute` there, `complete` on the loop. */

struct napi_async_work__ {
  uv_work_t request;
  napi_env env;
  napi_async_execute_callback execute;
  napi_async_complete_callback complete;
  void *data;
  JSValueRef async;
};

napi_status napi_create_async_work(napi_env env, napi_value resource, napi_value name,
                                   napi_async_execute_callback execute, napi_async_complete_callback complete,
                                   void *data, napi_async_work *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, execute);
  NAPI_NEEDS(env, result);
  NAPI_NEEDS(env, name);
  struct napi_async_work__ *work = calloc(1, sizeof *work);
  if (work == NULL)
    return js_napi_fail(env, napi_generic_failure);
  work->env = env;
  work->execute = execute;
  work->complete = complete;
  work->data = data;
  napi_status status = js_napi_async_make(env, resource, name, &work->async);
  if (status != napi_ok)
    free(work);
  else
    *result = work;
  return status;
}

napi_status napi_delete_async_work(napi_env env, napi_async_work work) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, work);
  js_napi_async_drop(env, work->async);
  free(work);
  return js_napi_ok(env);
}

static void execute_work(uv_work_t *request) {
  struct napi_async_work__ *work = (struct napi_async_work__ *)request;
  rota_job_about("addon's work", NULL);
  work->execute(work->env, work->data);
}

/* It may delete the work. */
static void complete_work(uv_work_t *request, int err) {
  struct napi_async_work__ *work = (struct napi_async_work__ *)request;
  if (work->complete == NULL)
    return;
  napi_env env = work->env;
  struct js_napi_call call;
  js_napi_call_begin(&call, env, work->async);
  work->complete(env, err == 0 ? napi_ok : err == UV_ECANCELED ? napi_cancelled : napi_generic_failure, work->data);
  js_napi_call_end(&call);
}

napi_status napi_queue_async_work(node_api_basic_env env, napi_async_work work) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, work);
  int err = uv_queue_work(env->thread->runtime->loop, &work->request, execute_work, complete_work);
  return err == 0 ? js_napi_ok(env) : js_napi_fail(env, napi_generic_failure);
}

napi_status napi_cancel_async_work(node_api_basic_env env, napi_async_work work) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, work);
  int err = uv_cancel((uv_req_t *)&work->request);
  return err == 0 ? js_napi_ok(env) : js_napi_fail(env, napi_generic_failure);
}
