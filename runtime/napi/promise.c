/* Promises that the addon settles, scripts, and external memory. */
#include <stdlib.h>

#include "runtime/napi/napi.h"

struct napi_deferred__ {
  JSObjectRef resolve, reject;
};

napi_status napi_create_promise(napi_env env, napi_deferred *deferred, napi_value *promise) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, deferred);
  NAPI_NEEDS(env, promise);
  struct napi_deferred__ *made = malloc(sizeof *made);
  if (made == NULL)
    return js_napi_fail(env, napi_generic_failure);
  JSValueRef error = NULL;
  JSObjectRef object = JSObjectMakeDeferredPromise(env->context, &made->resolve, &made->reject, &error);
  if (error != NULL) {
    free(made);
    return js_napi_threw(env, error);
  }
  JSValueProtect(env->context, made->resolve);
  JSValueProtect(env->context, made->reject);
  *deferred = made;
  return js_napi_give(env, object, promise);
}

static napi_status conclude(napi_env env, napi_deferred deferred, napi_value value, bool resolved) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, deferred);
  NAPI_NEEDS(env, value);
  JSValueRef error = NULL, argument = js_napi_value(value);
  JSObjectCallAsFunction(env->context, resolved ? deferred->resolve : deferred->reject, NULL, 1, &argument, &error);
  JSValueUnprotect(env->context, deferred->resolve);
  JSValueUnprotect(env->context, deferred->reject);
  free(deferred);
  return error != NULL ? js_napi_threw(env, error) : js_napi_ok(env);
}

napi_status napi_resolve_deferred(napi_env env, napi_deferred deferred, napi_value resolution) {
  return conclude(env, deferred, resolution, true);
}

napi_status napi_reject_deferred(napi_env env, napi_deferred deferred, napi_value rejection) {
  return conclude(env, deferred, rejection, false);
}

napi_status napi_is_promise(napi_env env, napi_value value, bool *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  *result = js_cell_kind(js_napi_value(value)) == env->thread->kinds.promise;
  return js_napi_ok(env);
}

napi_status napi_run_script(napi_env env, napi_value script, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, script);
  NAPI_NEEDS(env, result);
  if (js_cell_kind(js_napi_value(script)) != env->thread->kinds.string)
    return js_napi_fail(env, napi_string_expected);
  JSValueRef error = NULL;
  JSStringRef text = JSValueToStringCopy(env->context, js_napi_value(script), NULL);
  JSValueRef value = JSEvaluateScript(env->context, text, NULL, NULL, 1, &error);
  JSStringRelease(text);
  env->exception = error;
  return error != NULL ? js_napi_fail(env, napi_generic_failure) : js_napi_give(env, value, result);
}

/* The engine is told about additional memory; it counts again at each collection, so releases need not be reported. */
napi_status napi_adjust_external_memory(node_api_basic_env env, int64_t change, int64_t *result) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, result);
  if (change > 0 && !env->in_collector)
    JSReportExtraMemoryCost(env->context, (size_t)change);
  env->external_bytes += change;
  *result = env->external_bytes;
  return js_napi_ok(env);
}
