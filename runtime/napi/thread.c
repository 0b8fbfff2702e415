/* What a thread has for addons: the values that they hold, and the state. */
#include <stdlib.h>

#include "runtime/engine/uses/probes.h"
#include "runtime/napi/napi.h"

/* ---- handles ---- */

/* The list of values that addons hold, which the collector scans, and scopes, which are lengths of it. */

void js_napi_grow(struct js_napi *thread) {
  size_t room = thread->room == 0 ? 1024 : thread->room * 2;
  JSValueRef *handles = realloc(thread->handles, room * sizeof *handles);
  if (handles == NULL)
    js_napi_fatal("handles", "out of memory");
  thread->handles = handles;
  thread->room = room;
}

/* Called while all JavaScript is stopped, each time the collector has reached a fixed point. */
static void js_napi_mark(struct js_marker *marker, void *data) {
  struct js_napi *thread = data;
  for (size_t i = 0; i < thread->used; i++)
    if (js_is_cell(thread->handles[i]))
      marker->mark(marker, (JSObjectRef)thread->handles[i]);
  for (struct napi_env__ *env = thread->envs; env != NULL; env = env->next)
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
  *result = scope_of(env->thread->used);
  env->open_scopes++;
  return js_napi_ok(env);
}

napi_status napi_close_handle_scope(napi_env env, napi_handle_scope scope) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, scope);
  if (env->open_scopes == 0)
    return napi_handle_scope_mismatch;
  env->open_scopes--;
  if (used_of(scope) < env->thread->used)
    env->thread->used = used_of(scope);
  return js_napi_ok(env);
}

/* The first entry of an escapable scope belongs to its parent: it is empty until a value escapes into it. */
napi_status napi_open_escapable_handle_scope(napi_env env, napi_escapable_handle_scope *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  struct js_napi *thread = env->thread;
  if (thread->used == thread->room)
    js_napi_grow(thread);
  thread->handles[thread->used++] = NULL;
  *result = scope_of(thread->used);
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
  JSValueRef *place = &env->thread->handles[used_of(scope) - 1];
  if (*place != NULL)
    return js_napi_fail(env, napi_escape_called_twice);
  *place = js_napi_value(escapee);
  *result = escapee;
  return js_napi_ok(env);
}

/* ---- the state ---- */

/* The state of a thread for addons: made when the first one is loaded, freed at the end of its JavaScript. */

static void on_collected(JSContextGroupRef group, void *data) {
  struct js_napi *thread = data;
  (void)group;
  for (struct napi_env__ *env = thread->envs; env != NULL; env = env->next)
    js_napi_references_sweep(env);
  js_napi_records_sweep(thread);
}

static void on_wake(uv_async_t *handle) {
  (void)handle; /* wakes the loop: the finalizers run in its check phase */
}

static unsigned char kind_of_sample(JSContextRef context, const char *code) {
  return js_cell_kind(js_check_evaluate(context, code));
}

/* A program may have replaced Date and similar globals: the samples are made without their names. */
static void learn_kinds(JSContextRef context, struct js_napi_kinds *kinds) {
  JSObjectRef resolve, reject;
  kinds->string = kind_of_sample(context, "'a'");
  kinds->symbol = js_cell_kind(JSValueMakeSymbol(context, NULL));
  kinds->bigint = kind_of_sample(context, "12345678901234567890n");
  kinds->function = kind_of_sample(context, "(() => {})");
  kinds->object = kind_of_sample(context, "({})");
  kinds->array = kind_of_sample(context, "[]");
  kinds->error = kind_of_sample(context, "try { null.x } catch (e) { e }");
  kinds->promise = js_cell_kind(JSObjectMakeDeferredPromise(context, &resolve, &reject, NULL));
  kinds->date = js_cell_kind(JSObjectMakeDate(context, 0, NULL, NULL));
}

struct js_napi *js_napi_here(struct js_env *env) {
  if (env->napi != NULL)
    return env->napi;
  struct js_napi *thread = calloc(1, sizeof *thread);
  if (thread == NULL)
    return NULL;
  thread->runtime = env;
  thread->context = env->context;
  thread->group = env->group;
  js_napi_grow(thread);
  learn_kinds(env->context, &thread->kinds);
  thread->make_instance = (JSObjectRef)js_check_evaluate(env->context, js_napi_make_instance);
  JSValueProtect(env->context, thread->make_instance);
  if (uv_async_init(env->loop, &thread->wake, on_wake) != 0)
    js_napi_fatal("thread", "out of resources");
  uv_unref((uv_handle_t *)&thread->wake);
  JSContextGroupAddMarkingConstraint(thread->group, js_napi_mark, thread);
  JSContextGroupAddHeapFinalizer(thread->group, on_collected, thread);
  env->napi = thread;
  return thread;
}

/* Runs everything at the end of addons: their hooks, the last one first; each env is one of them. */
void js_napi_end(struct js_env *env) {
  struct js_napi *thread = env->napi;
  if (thread == NULL || thread->ending)
    return;
  thread->ending = true;
  env->stopping = true; /* the loop may run again, but not for JavaScript */
  js_napi_hooks_run(thread);
  JSContextGroupRemoveHeapFinalizer(thread->group, on_collected, thread);
}

/* After the engine is gone, too. */
void js_napi_forget(struct js_env *env) {
  struct js_napi *thread = env->napi;
  if (thread == NULL)
    return;
  env->napi = NULL;
  for (size_t i = 0; i < thread->marked_room; i++)
    free(thread->marked[i]);
  free(thread->marked);
  free(thread->handles);
  while (thread->envs != NULL) {
    struct napi_env__ *next = thread->envs->next;
    while (thread->envs->references != NULL) {
      struct napi_ref__ *reference = thread->envs->references;
      thread->envs->references = reference->next;
      free(reference);
    }
    free(thread->envs->file);
    free(thread->envs);
    thread->envs = next;
  }
  free(thread);
}

JSValueRef js_napi_help(napi_env env, enum js_napi_helper helper, size_t argc, const JSValueRef argv[]) {
  JSValueRef error = NULL;
  JSValueRef result = JSObjectCallAsFunction(env->context, env->thread->helpers[helper], NULL, argc, argv, &error);
  if (error != NULL) {
    js_napi_threw(env, error);
    return NULL;
  }
  return result;
}
