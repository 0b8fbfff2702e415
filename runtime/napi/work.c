/* Work for the thread pool: `execute` there, `complete` on the loop. */
#include "runtime/napi/napi.h"

#include <rota.h>
#include <stdlib.h>

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
  int err = uv_queue_work(env->home->runtime->loop, &work->request, execute_work, complete_work);
  return err == 0 ? js_napi_ok(env) : js_napi_fail(env, napi_generic_failure);
}

napi_status napi_cancel_async_work(node_api_basic_env env, napi_async_work work) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, work);
  int err = uv_cancel((uv_req_t *)&work->request);
  return err == 0 ? js_napi_ok(env) : js_napi_fail(env, napi_generic_failure);
}
