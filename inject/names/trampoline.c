#include "inject/names/names.h"

#include <stdio.h>
#include <stdlib.h>

#include "inject/names/v8.h"
#include "rota.h"

enum { ARGUMENTS_FEW = 8, NAME_MAX_SIZE = 64, LONG_TEXT = 100000 };

struct trampoline {
  struct names_env *env;
  napi_ref original;
  char name[NAME_MAX_SIZE];
};

struct arguments {
  size_t count;
  napi_value self;
  void *data;
  napi_value *values;
  napi_value few[ARGUMENTS_FEW];
};

/* There may be any number of them. */
static bool take_arguments(napi_env env, napi_callback_info info, struct arguments *all) {
  all->count = ARGUMENTS_FEW;
  all->values = all->few;
  if (napi_get_cb_info(env, info, &all->count, all->few, &all->self, &all->data) != NAPI_OK)
    return false;
  if (all->count <= ARGUMENTS_FEW)
    return true;
  all->values = malloc(all->count * sizeof all->values[0]);
  return all->values != NULL &&
         napi_get_cb_info(env, info, &all->count, all->values, &all->self, &all->data) == NAPI_OK;
}

static void free_arguments(struct arguments *all) {
  if (all->values != all->few)
    free(all->values);
}

static bool is_type(napi_env env, napi_value value, int wanted) {
  int type;
  return value != NULL && napi_typeof(env, value, &type) == NAPI_OK && type == wanted;
}

static napi_value call_original(const struct trampoline *own, struct arguments *all) {
  napi_value original, result = NULL;
  if (napi_get_reference_value(own->env->env, own->original, &original) == NAPI_OK)
    result = names_v8_call(own->env->isolate, original, all->self, all->count, all->values);
  free_arguments(all);
  return result;
}

/* ---- callbacks ---- */

/* Of a list of JavaScript's; false: there is no memory, or Node is about to stop. */
static bool take_list(napi_env env, napi_value list, struct arguments *all) {
  uint32_t count = 0;
  all->values = all->few;
  if (napi_get_array_length(env, list, &count) != NAPI_OK)
    return false;
  if (count > ARGUMENTS_FEW && (all->values = malloc(count * sizeof all->values[0])) == NULL)
    return false;
  all->count = count;
  for (uint32_t i = 0; i < count; i++)
    if (napi_get_element(env, list, i, &all->values[i]) != NAPI_OK) {
      free_arguments(all);
      return false;
    }
  return true;
}

/* apply(function, self, list) */
napi_value names_trampoline_call(napi_env env, napi_callback_info info) {
  napi_value trap[3] = {NULL, NULL, NULL}, result = NULL;
  size_t count = 3;
  void *data;
  struct arguments all;
  if (napi_get_cb_info(env, info, &count, trap, NULL, &data) != NAPI_OK || !take_list(env, trap[2], &all))
    return NULL;
  struct names_env *own = data;
  if (names_part_lacks_name(own))
    names_part_name(own, trap[0]);
  result = names_v8_call(own->isolate, trap[0], trap[1], all.count, all.values);
  free_arguments(&all);
  return result;
}

static napi_value on_function(napi_env env, napi_callback_info info) {
  struct arguments all;
  if (!take_arguments(env, info, &all))
    return NULL;
  const struct trampoline *own = all.data;
  napi_value *last = all.count == 0 ? NULL : &all.values[all.count - 1];
  napi_value wrap, wrapped;
  if (last != NULL && !own->env->is_closed && is_type(env, *last, NAPI_FUNCTION) &&
      napi_get_reference_value(env, own->env->wrap, &wrap) == NAPI_OK &&
      (wrapped = names_v8_call(own->env->isolate, wrap, wrap, 1, last)) != NULL)
    *last = wrapped;
  return call_original(own, &all);
}

/* ---- functions that may take long ---- */

/* Null: it is not known. Freed with free. */
static char *stack_of_caller(const struct trampoline *own) {
  struct names_stack stack;
  names_stack_take(&stack, own->env->env, own->env->isolate, NAMES_FRAMES);
  char *caller = names_stack_text(&stack, "    ", false), *text = NULL;
  if (caller == NULL || asprintf(&text, "    at %s (native)\n%s", own->name, caller) < 0)
    text = NULL;
  free(caller);
  return text;
}

/* `calls_back`: it may call a function of the program's, as JSON.parse does. */
static napi_value call_slow(const struct trampoline *own, struct arguments *all, bool calls_back) {
  names_blocked_enter(own->env, rota_observing() & ROTA_OBSERVE_WATCHDOG ? stack_of_caller(own) : NULL);
  uint64_t began_ns = uv_hrtime();
  bool is_outermost = own->env->slow_name == NULL && !calls_back;
  if (is_outermost) {
    own->env->slow_name = own->name;
    own->env->slow_ns = began_ns;
  }
  napi_value result = call_original(own, all);
  names_sample_left(own->env, own->name, began_ns);
  if (is_outermost)
    own->env->slow_name = NULL;
  names_blocked_leave(own->env);
  return result;
}

static napi_value on_slow(napi_env env, napi_callback_info info) {
  struct arguments all;
  return take_arguments(env, info, &all) ? call_slow(all.data, &all, false) : NULL;
}

static napi_value on_parse(napi_env env, napi_callback_info info) {
  struct arguments all;
  size_t length = 0;
  if (!take_arguments(env, info, &all))
    return NULL;
  bool is_long = all.count > 0 && napi_get_value_string_utf16(env, all.values[0], NULL, 0, &length) == NAPI_OK &&
                 length >= LONG_TEXT;
  return is_long ? call_slow(all.data, &all, all.count > 1) : call_original(all.data, &all);
}

static napi_value on_made(napi_env env, napi_callback_info info) {
  struct arguments all;
  if (!take_arguments(env, info, &all))
    return NULL;
  const struct trampoline *own = all.data;
  napi_value timer = call_original(own, &all);
  if (timer != NULL)
    names_alive_made(own->env, timer, own->name);
  return timer;
}

static napi_value on_last(napi_env env, napi_callback_info info) {
  struct arguments all;
  if (!take_arguments(env, info, &all))
    return NULL;
  rota_trace_flush();
  return call_original(all.data, &all);
}

/* ---- making one ---- */

/* They live as long as the environment. */
napi_value names_trampoline_make(struct names_env *env, napi_value name, napi_value original,
                                 enum names_trampoline kind) {
  static const napi_callback callbacks[] = {on_function, on_slow, on_parse, on_made, on_last};
  struct trampoline *own = calloc(1, sizeof *own);
  size_t length;
  napi_value function;
  if (own == NULL || napi_get_value_string_utf8(env->env, name, own->name, sizeof own->name, &length) != NAPI_OK ||
      napi_create_reference(env->env, original, 1, &own->original) != NAPI_OK ||
      napi_create_function(env->env, own->name, length, callbacks[kind], own, &function) != NAPI_OK) {
    free(own);
    return NULL;
  }
  own->env = env;
  return function;
}
