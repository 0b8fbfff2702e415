#include "inject/names/names.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "inject/names/v8.h"
#include "rota.h"

static _Thread_local struct names_env *here;

char *names_alive_stack(void) {
  napi_handle_scope scope;
  struct names_stack stack;
  if (here == NULL || !names_v8_runs(here->isolate) || napi_open_handle_scope(here->env, &scope) != NAPI_OK)
    return NULL;
  names_stack_take(&stack, here->env, here->isolate, NAMES_FRAMES);
  char *text = names_stack_text(&stack, "      ", true);
  napi_close_handle_scope(here->env, scope);
  return text;
}

static char *on_made(void *data) {
  (void)data;
  return names_alive_stack();
}

/* Node's function that runs all timers; null: it has another name. */
static bool is_node_timer(const uv_handle_t *handle) {
  if (handle->type != UV_TIMER)
    return false;
  void *run = dlsym(RTLD_DEFAULT, "_ZN4node11Environment9RunTimersEP10uv_timer_s");
  uv_timer_cb callback = ((const uv_timer_t *)handle)->timer.cb;
  return run != NULL && memcmp(&run, &callback, sizeof run) == 0;
}

/* These were made before any JavaScript ran. The one idle handle is active while immediates wait. */
static bool is_node_idle(const uv_handle_t *handle) {
  return handle == here->own_idle;
}

static bool is_node_async(const uv_handle_t *handle) {
  for (unsigned int i = 0; i < here->own_asyncs_count; i++)
    if (here->own_asyncs[i] == handle)
      return true;
  return false;
}

static void on_own(uv_handle_t *handle, void *data) {
  struct names_env *env = data;
  if (handle->type == UV_IDLE)
    env->own_idle = handle;
  if (handle->type == UV_ASYNC && env->own_asyncs_count < NAMES_OWN_ASYNCS)
    env->own_asyncs[env->own_asyncs_count++] = handle;
}

/* What a function of the script tells; null: nothing. */
static char *call_for_text(napi_ref function) {
  napi_handle_scope scope;
  napi_value list, self, text, thrown;
  size_t length = 0;
  char *lines = NULL;
  if (napi_open_handle_scope(here->env, &scope) != NAPI_OK)
    return NULL;
  if (napi_get_reference_value(here->env, function, &list) != NAPI_OK || napi_get_global(here->env, &self) != NAPI_OK ||
      napi_call_function(here->env, self, list, 0, NULL, &text) != NAPI_OK ||
      napi_get_value_string_utf8(here->env, text, NULL, 0, &length) != NAPI_OK)
    napi_get_and_clear_last_exception(here->env, &thrown);
  else if (length > 0 && (lines = malloc(length + 1)) != NULL)
    napi_get_value_string_utf8(here->env, text, lines, length + 1, &length);
  napi_close_handle_scope(here->env, scope);
  return lines;
}

/* On the loop's thread, outside of JavaScript. */
static int on_alive(uv_loop_t *loop, const uv_handle_t *handle, FILE *stream, void *data) {
  (void)data;
  if (here == NULL || here->loop != loop || here->list_timers == NULL)
    return 0;
  napi_ref list = is_node_timer(handle)   ? here->list_timers
                  : is_node_idle(handle)  ? here->list_immediates
                  : is_node_async(handle) ? here->list_workers
                                          : NULL;
  char *lines = list == NULL ? NULL : call_for_text(list);
  if (lines == NULL)
    return 0;
  fputs(lines, stream);
  free(lines);
  return 1;
}

void names_alive_start(struct names_env *env) {
  here = env;
  rota_set_stack_hook(on_made, NULL);
  rota_set_alive_hook(on_alive, NULL);
}

void names_alive_set(struct names_env *env, napi_value functions) {
  const struct {
    const char *name;
    napi_ref *reference;
  } all[] = {{"remember", &env->remember_timer},
             {"listTimers", &env->list_timers},
             {"listImmediates", &env->list_immediates},
             {"listWorkers", &env->list_workers}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    napi_value function;
    if (napi_get_named_property(env->env, functions, all[i].name, &function) == NAPI_OK)
      napi_create_reference(env->env, function, 1, all[i].reference);
  }
  uv_walk(env->loop, on_own, env);
}

void names_alive_made(struct names_env *env, napi_value timer, const char *by) {
  napi_value remember, text, name;
  char *stack = names_alive_stack();
  if (timer != NULL && napi_get_reference_value(env->env, env->remember_timer, &remember) == NAPI_OK &&
      napi_create_string_utf8(env->env, stack != NULL ? stack : "", NAPI_AUTO_LENGTH, &text) == NAPI_OK &&
      napi_create_string_utf8(env->env, by, NAPI_AUTO_LENGTH, &name) == NAPI_OK) {
    napi_value values[] = {timer, text, name};
    names_v8_call(env->isolate, remember, remember, 3, values);
  }
  free(stack);
}
