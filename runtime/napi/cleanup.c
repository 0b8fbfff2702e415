/* The end of an addon: hooks, the last one added first, and data for each env. */
#include <stdlib.h>

#include "runtime/napi/napi.h"

/* An asynchronous hook has a handle, and is done when the addon removes the handle. */
struct napi_async_cleanup_hook_handle__ {
  napi_env env;
  napi_async_cleanup_hook call;
  void *argument;
  bool under_way;
};

struct js_napi_hook {
  struct js_napi_hook *next;
  void (*call)(void *argument);
  void *argument;
};

void js_napi_hook_add(struct js_napi *thread, void (*call)(void *argument), void *argument) {
  struct js_napi_hook *hook = malloc(sizeof *hook);
  if (hook == NULL)
    js_napi_fatal("hook", "out of memory");
  *hook = (struct js_napi_hook){thread->hooks, call, argument};
  thread->hooks = hook;
}

void js_napi_hook_remove(struct js_napi *thread, void (*call)(void *argument), void *argument) {
  for (struct js_napi_hook **at = &thread->hooks; *at != NULL; at = &(*at)->next) {
    struct js_napi_hook *hook = *at;
    if (hook->call != call || hook->argument != argument)
      continue;
    *at = hook->next;
    free(hook);
    return;
  }
}

void js_napi_hooks_run(struct js_napi *thread) {
  while (thread->hooks != NULL || thread->hooks_under_way > 0) {
    while (thread->hooks != NULL) {
      struct js_napi_hook *hook = thread->hooks;
      thread->hooks = hook->next;
      hook->call(hook->argument);
      free(hook);
    }
    if (thread->hooks_under_way > 0)
      uv_run(thread->runtime->loop, UV_RUN_ONCE);
  }
}

/* The last of an env's own hooks: it was added before any of the addon's. Asynchronous hooks run before it. */
void js_napi_env_end(void *data) {
  napi_env env = data;
  if (env->hooks_under_way > 0) {
    env->end_waits = true;
    return;
  }
  js_napi_finalizers_end(env);
  js_napi_references_finalize(env);
  napi_finalize finalize = env->instance_finalize;
  env->instance_finalize = NULL;
  if (finalize != NULL)
    js_napi_finalize_now(env, finalize, env->instance_data, env->instance_hint);
  js_napi_finalizers_end(env);
}

napi_status napi_add_env_cleanup_hook(node_api_basic_env env, napi_cleanup_hook call, void *argument) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, call);
  js_napi_hook_add(env->thread, call, argument);
  return napi_ok;
}

napi_status napi_remove_env_cleanup_hook(node_api_basic_env env, napi_cleanup_hook call, void *argument) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, call);
  js_napi_hook_remove(env->thread, call, argument);
  return napi_ok;
}

static void run_async(void *data) {
  struct napi_async_cleanup_hook_handle__ *handle = data;
  handle->under_way = true;
  handle->env->hooks_under_way++;
  handle->env->thread->hooks_under_way++;
  handle->call(handle, handle->argument);
}

napi_status napi_add_async_cleanup_hook(node_api_basic_env env, napi_async_cleanup_hook call, void *argument,
                                        napi_async_cleanup_hook_handle *result) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, call);
  struct napi_async_cleanup_hook_handle__ *handle = calloc(1, sizeof *handle);
  if (handle == NULL)
    return js_napi_fail(env, napi_generic_failure);
  handle->env = env;
  handle->call = call;
  handle->argument = argument;
  js_napi_hook_add(env->thread, run_async, handle);
  if (result != NULL)
    *result = handle;
  return js_napi_ok(env);
}

napi_status napi_remove_async_cleanup_hook(napi_async_cleanup_hook_handle handle) {
  if (handle == NULL)
    return napi_invalid_arg;
  napi_env env = handle->env;
  bool was_under_way = handle->under_way;
  if (!was_under_way)
    js_napi_hook_remove(env->thread, run_async, handle);
  free(handle);
  if (!was_under_way)
    return napi_ok;
  env->thread->hooks_under_way--;
  if (--env->hooks_under_way == 0 && env->end_waits)
    js_napi_env_end(env);
  return napi_ok;
}

/* Data that is replaced is not finalized: only the addon knows whether it still needs it. */
napi_status napi_set_instance_data(node_api_basic_env env, void *data, napi_finalize finalize, void *hint) {
  NAPI_NEEDS_ENV(env);
  env->instance_data = data;
  env->instance_finalize = finalize;
  env->instance_hint = hint;
  return js_napi_ok(env);
}

napi_status napi_get_instance_data(node_api_basic_env env, void **data) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, data);
  *data = env->instance_data;
  return js_napi_ok(env);
}
