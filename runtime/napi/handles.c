/* The list of values that addons hold, which the collector scans, and scopes, which are lengths of it. */
#include "runtime/napi/napi.h"

#include "runtime/napi/home.h"

#include <stdlib.h>

void js_napi_grow(struct js_napi *home) {
  size_t room = home->room == 0 ? 1024 : home->room * 2;
  JSValueRef *handles = realloc(home->handles, room * sizeof *handles);
  if (handles == NULL)
    js_napi_fatal("handles", "out of memory");
  home->handles = handles;
  home->room = room;
}

/* Called while all JavaScript is stopped, each time the collector has reached a fixed point. */
void js_napi_mark(struct js_marker *marker, void *data) {
  struct js_napi *home = data;
  for (size_t i = 0; i < home->used; i++)
    if (js_is_cell(home->handles[i]))
      marker->mark(marker, (JSObjectRef)home->handles[i]);
  for (struct napi_env__ *env = home->envs; env != NULL; env = env->next)
    if (js_is_cell(env->exception))
      marker->mark(marker, (JSObjectRef)env->exception);
}

/* A scope is represented by the length of the list when it was opened, plus one: it is never NULL. */
static void *scope_of(size_t used) {
  return (void *)(uintptr_t)(used + 1); // NOLINT(performance-no-int-to-ptr): a number that the addon only hands back
}

static size_t used_of(const void *scope) {
  return (size_t)((uintptr_t)scope - 1);
}

napi_status napi_open_handle_scope(napi_env env, napi_handle_scope *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  *result = scope_of(env->home->used);
  env->open_scopes++;
  return js_napi_ok(env);
}

napi_status napi_close_handle_scope(napi_env env, napi_handle_scope scope) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, scope);
  if (env->open_scopes == 0)
    return napi_handle_scope_mismatch;
  env->open_scopes--;
  if (used_of(scope) < env->home->used)
    env->home->used = used_of(scope);
  return js_napi_ok(env);
}

/* The first entry of an escapable scope belongs to its parent: it is empty until a value escapes into it. */
napi_status napi_open_escapable_handle_scope(napi_env env, napi_escapable_handle_scope *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  struct js_napi *home = env->home;
  if (home->used == home->room)
    js_napi_grow(home);
  home->handles[home->used++] = NULL;
  *result = scope_of(home->used);
  env->open_scopes++;
  return js_napi_ok(env);
}

napi_status napi_close_escapable_handle_scope(napi_env env, napi_escapable_handle_scope scope) {
  return napi_close_handle_scope(env, (napi_handle_scope)scope);
}

napi_status napi_escape_handle(napi_env env, napi_escapable_handle_scope scope, napi_value escapee,
                               napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, scope);
  NAPI_NEEDS(env, escapee);
  NAPI_NEEDS(env, result);
  JSValueRef *place = &env->home->handles[used_of(scope) - 1];
  if (*place != NULL)
    return js_napi_fail(env, napi_escape_called_twice);
  *place = js_napi_value(escapee);
  *result = escapee;
  return js_napi_ok(env);
}
