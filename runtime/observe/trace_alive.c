/* rota why: what keeps the loop alive, with JavaScript's stacks as the places where things were made.
 *
 * All timers of JavaScript are one handle of the loop, and all immediates another: JavaScript lists them itself. The
 * list is printed once, some time after the script was run, and whenever SIGUSR2 comes. */
#include "runtime/observe/trace.h"

#include <rota.h>
#include <stdio.h>
#include <stdlib.h>

static uv_timer_t later;
static bool told;

static char *stack_here(void *data) {
  struct js_env *env = data;
  if (js_env_here != env)
    return NULL; /* another thread's */
  return js_stack_text(env->context, "      ", true);
}

static int describe_handle(uv_loop_t *loop, const uv_handle_t *handle, FILE *stream, void *data) {
  struct js_env *env = js_env_here;
  (void)data;
  if (env == NULL || loop != env->loop)
    return 0; /* another thread's */
  bool timers = handle == (const uv_handle_t *)&env->timer;
  if (!timers && handle != (const uv_handle_t *)&env->idle)
    return 0;
  JSObjectRef function = env->describe != NULL ? env->describe : env->attached;
  JSValueRef wanted = js_boolean(env->context, timers), error = NULL;
  JSValueRef arguments[] = {env->describe != NULL ? wanted : js_undefined(env->context), wanted};
  JSValueRef text =
      function == NULL ? NULL : JSObjectCallAsFunction(env->context, function, NULL, 2, arguments, &error);
  char *lines = text != NULL && JSValueIsString(env->context, text) ? js_to_text(env->context, text, NULL) : NULL;
  if (lines == NULL)
    return 0;
  fputs(lines, stream);
  free(lines);
  return 1;
}

static void on_later(uv_timer_t *timer) {
  told = true;
  rota_name_call(timer->loop, ROTA_NAME_NONE);
  rota_print_alive(timer->loop, stderr);
}

void js_alive_list(struct js_env *env) {
  rota_set_alive_hook(describe_handle, env);
}

void js_alive_attach(struct js_env *env) {
  rota_set_stack_hook(stack_here, env);
  rota_set_alive_hook(describe_handle, env);
  if (!env->options->why)
    return;
  unsigned long long after_ms = 0;
  (void)rota__setting_read_number(ROTA_SETTING_WHY_AFTER, env->options->settings[ROTA_SETTING_WHY_AFTER], &after_ms);
  uv_timer_init(env->loop, &later);
  uv_timer_start(&later, on_later, after_ms, 0);
  uv_unref((uv_handle_t *)&later);
}

void js_alive_end(struct js_env *env) {
  if (env->options->why && !told)
    fprintf(stderr, "rota: the program ended by itself: nothing keeps its loop alive\n");
}
