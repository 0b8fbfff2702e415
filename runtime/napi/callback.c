/* Calls from addons into JavaScript as callbacks of the loop: within an asynchronous context, and with ticks and
 * microtasks after the outermost. */
#include <stdlib.h>

#include "runtime/napi/napi.h"

/* The context is an object of runtime/lib/modules/addons.js: the resource for the hooks, and the frame that was
 * current. */
struct napi_async_context__ {
  JSValueRef async;
};

struct napi_callback_scope__ {
  struct js_napi_call call;
};

void js_napi_uncaught(napi_env env, JSValueRef error) {
  js_enter_report(env->thread->runtime, error);
}

/* JavaScript reads the options, and warns. */
bool js_napi_reports_only(napi_env env) {
  if (env->version >= 10 || env->thread->ending)
    return false;
  JSValueRef only_reported =
      JSObjectCallAsFunction(env->context, env->thread->helpers[HELPER_WARN_UNCAUGHT], NULL, 0, NULL, NULL);
  return only_reported != NULL && js_to_boolean(env->context, only_reported);
}

static void tell(napi_env env, enum js_napi_helper helper, JSValueRef async, bool more) {
  JSValueRef arguments[] = {async, js_boolean(env->context, more)};
  JSObjectCallAsFunction(env->context, env->thread->helpers[helper], NULL, 2, arguments, NULL);
}

void js_napi_call_begin(struct js_napi_call *call, napi_env env, JSValueRef async) {
  struct js_napi *thread = env->thread;
  *call = (struct js_napi_call){env, thread->used, env->open_scopes, async != NULL && !thread->runtime->stopping};
  thread->runtime->depth++;
  if (call->entered)
    tell(env, HELPER_ASYNC_ENTER, async, false);
}

void js_napi_call_end(struct js_napi_call *call) {
  napi_env env = call->env;
  struct js_napi *thread = env->thread;
  thread->used = call->used;
  env->open_scopes = call->scopes;
  JSValueRef error = env->exception;
  env->exception = NULL;
  if (error != NULL)
    js_napi_uncaught(env, error);
  if (call->entered)
    tell(env, HELPER_ASYNC_LEAVE, js_undefined(env->context), false);
  thread->runtime->depth--;
  js_enter_finish(thread->runtime);
}

/* A given resource is an object, or converted to one; the name is text, or converted to it. */
napi_status js_napi_async_make(napi_env env, napi_value resource, napi_value name, JSValueRef *result) {
  JSValueRef error = NULL, arguments[] = {js_undefined(env->context), js_napi_value(name)};
  uint64_t bits = (uint64_t)(uintptr_t)resource;
  if (bits == JS_VALUE_UNDEFINED || bits == JS_VALUE_NULL)
    return js_napi_fail(env, napi_object_expected);
  if (resource != NULL)
    arguments[0] = JSValueToObject(env->context, js_napi_value(resource), NULL);
  *result = JSObjectCallAsFunction(env->context, env->thread->helpers[HELPER_ASYNC_INIT], NULL, 2, arguments, &error);
  if (error != NULL)
    return js_napi_fail(env, napi_string_expected);
  JSValueProtect(env->context, *result);
  return js_napi_ok(env);
}

void js_napi_async_drop(napi_env env, JSValueRef async) {
  if (!env->thread->ending && !env->thread->runtime->stopping)
    tell(env, HELPER_ASYNC_DESTROY, async, false);
  JSValueUnprotect(env->context, async);
}

napi_status napi_async_init(napi_env env, napi_value resource, napi_value name, napi_async_context *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, name);
  NAPI_NEEDS(env, result);
  struct napi_async_context__ *context = malloc(sizeof *context);
  if (context == NULL)
    return js_napi_fail(env, napi_generic_failure);
  napi_status status = js_napi_async_make(env, resource, name, &context->async);
  if (status != napi_ok)
    free(context);
  else
    *result = context;
  return status;
}

napi_status napi_async_destroy(napi_env env, napi_async_context context) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, context);
  js_napi_async_drop(env, context->async);
  free(context);
  return js_napi_ok(env);
}

/* An exception goes to the caller, and there is no drain after it. */
napi_status napi_make_callback(napi_env env, napi_async_context context, napi_value receiver, napi_value function,
                               size_t argc, const napi_value *argv, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, receiver);
  if (argc > 0)
    NAPI_NEEDS(env, argv);
  NAPI_NEEDS_OBJECT(env, receiver, self);
  NAPI_NEEDS(env, function);
  JSObjectRef object = js_napi_object(env, function);
  if (object == NULL || !JSObjectIsFunction(env->context, object))
    return js_napi_fail(env, napi_invalid_arg);
  struct js_env *runtime = env->thread->runtime;
  JSValueRef error = NULL;
  runtime->depth++;
  tell(env, HELPER_ASYNC_ENTER, context != NULL ? context->async : js_undefined(env->context), true);
  JSValueRef value = JSObjectCallAsFunction(env->context, object, self, argc, (const JSValueRef *)argv, &error);
  tell(env, HELPER_ASYNC_LEAVE, js_undefined(env->context), false);
  runtime->depth--;
  if (error != NULL)
    return js_napi_threw(env, error);
  if (result != NULL)
    *result = js_napi_keep(env, value);
  js_enter_finish(runtime);
  return js_napi_ok(env);
}

napi_status napi_open_callback_scope(napi_env env, napi_value resource, napi_async_context context,
                                     napi_callback_scope *result) {
  (void)resource; /* unused, by the API's documentation */
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  struct napi_callback_scope__ *scope = malloc(sizeof *scope);
  if (scope == NULL)
    return js_napi_fail(env, napi_generic_failure);
  js_napi_call_begin(&scope->call, env, context != NULL ? context->async : NULL);
  env->open_callback_scopes++;
  *result = scope;
  return js_napi_ok(env);
}

/* Values made inside of it stay alive: it is no handle scope. */
napi_status napi_close_callback_scope(napi_env env, napi_callback_scope scope) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, scope);
  if (env->open_callback_scopes == 0)
    return napi_callback_scope_mismatch;
  env->open_callback_scopes--;
  scope->call.used = env->thread->used;
  scope->call.scopes = env->open_scopes;
  js_napi_call_end(&scope->call);
  free(scope);
  return js_napi_ok(env);
}
