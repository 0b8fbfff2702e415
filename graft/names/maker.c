#include "graft/names/maker.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "graft/names/engine.h"
#include "rota.h"

static _Thread_local struct names_env *here;

static char *take_stack(const char *indent) {
  napi_handle_scope scope;
  struct names_stack stack;
  if (here == NULL || !names_engine_runs(here->isolate) || napi_open_handle_scope(here->env, &scope) != NAPI_OK)
    return NULL;
  names_stack_take(&stack, here->env, here->isolate, NAMES_FRAMES);
  char *text = names_stack_text(&stack, indent, true);
  napi_close_handle_scope(here->env, scope);
  return text;
}

static char *on_made(void *data) {
  (void)data;
  return take_stack("      ");
}

/* Node's function that runs all timers; null: it has another name. */
static bool is_node_timer(const uv_handle_t *handle) {
  if (handle->type != UV_TIMER)
    return false;
  void *run = dlsym(RTLD_DEFAULT, "_ZN4node11Environment9RunTimersEP10uv_timer_s");
  uv_timer_cb callback = ((const uv_timer_t *)handle)->timer.cb;
  return run != NULL && memcmp(&run, &callback, sizeof run) == 0;
}

/* On the loop's thread, outside of JavaScript. */
static int on_alive(uv_loop_t *loop, const uv_handle_t *handle, FILE *stream, void *data) {
  napi_handle_scope scope;
  napi_value list, self, text, thrown;
  size_t length = 0;
  char *lines = NULL;
  (void)data;
  if (here == NULL || here->loop != loop || here->list_timers == NULL || !is_node_timer(handle) ||
      napi_open_handle_scope(here->env, &scope) != NAPI_OK)
    return 0;
  if (napi_get_reference_value(here->env, here->list_timers, &list) != NAPI_OK ||
      napi_get_global(here->env, &self) != NAPI_OK ||
      napi_call_function(here->env, self, list, 0, NULL, &text) != NAPI_OK ||
      napi_get_value_string_utf8(here->env, text, NULL, 0, &length) != NAPI_OK)
    napi_get_and_clear_last_exception(here->env, &thrown);
  else if (length > 0 && (lines = malloc(length + 1)) != NULL)
    napi_get_value_string_utf8(here->env, text, lines, length + 1, &length);
  napi_close_handle_scope(here->env, scope);
  if (lines == NULL)
    return 0;
  fputs(lines, stream);
  free(lines);
  return 1;
}

void names_maker_start(struct names_env *env) {
  here = env;
  rota_set_stack_hook(on_made, NULL);
  rota_set_alive_hook(on_alive, NULL);
}

void names_maker_set(struct names_env *env, napi_value remember, napi_value list) {
  napi_create_reference(env->env, remember, 1, &env->remember_timer);
  napi_create_reference(env->env, list, 1, &env->list_timers);
}

void names_maker_made(struct names_env *env, napi_value timer) {
  napi_value remember, text;
  char *stack = take_stack("      ");
  if (timer != NULL && napi_get_reference_value(env->env, env->remember_timer, &remember) == NAPI_OK &&
      napi_create_string_utf8(env->env, stack != NULL ? stack : "", NAPI_AUTO_LENGTH, &text) == NAPI_OK) {
    napi_value values[] = {timer, text};
    names_engine_call(env->isolate, remember, remember, 2, values);
  }
  free(stack);
}
