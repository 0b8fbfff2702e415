/* rota-names.node: tells librota what runs in Node by JavaScript function, file and line.
 *
 * A native module that Node loads before the program (--require, which librota-graft.so puts into NODE_OPTIONS when
 * names are wanted). It runs the modules of inject/names/script, which are in it as one script, and gives them the
 * functions below. Each thread that has JavaScript loads it anew: what it keeps is the environment's own. */
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "inject/names/names.h"
#include "inject/names/option.h"
#include "inject/names/v8.h"
#include "rota.h"

enum { ARGUMENTS_MAX = 3, LEFT_OUT_SHARE = 10 /* less than a tenth of the time is not worth a line */ };

#ifndef NAMES_SCRIPT
#define NAMES_SCRIPT "/dev/null" /* for checks of this file alone: the build names the real one */
#endif

__asm__(".pushsection .rodata\n"
        "names_script: .incbin \"" NAMES_SCRIPT "\"\n"
        "names_script_end: .byte 0\n"
        ".popsection\n");
extern const char names_script[] __attribute__((visibility("hidden")));
extern const char names_script_end[] __attribute__((visibility("hidden")));

/* Nothing of this fails but for lack of memory, or because Node is about to stop: then nothing is told. */
static struct names_env *arguments(napi_env env, napi_callback_info info, napi_value *values) {
  size_t count = ARGUMENTS_MAX;
  void *data = NULL;
  values[0] = values[1] = values[2] = NULL;
  napi_get_cb_info(env, info, &count, values, NULL, &data);
  return data;
}

static napi_value boolean(napi_env env, bool value) {
  napi_value result = NULL;
  napi_get_boolean(env, value, &result);
  return result;
}

static napi_value text_value(napi_env env, const char *text) {
  napi_value result = NULL;
  napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &result);
  return result;
}

static bool is_function(napi_env env, napi_value value) {
  int type;
  return value != NULL && napi_typeof(env, value, &type) == NAPI_OK && type == NAPI_FUNCTION;
}

/* ---- what the script calls ---- */

static napi_value on_enter(napi_env env, napi_callback_info info) {
  napi_value values[ARGUMENTS_MAX];
  struct names_env *own = arguments(env, info, values);
  return boolean(env, names_part_begin(own, NAMES_ENTRY, is_function(env, values[0]) ? values[0] : NULL));
}

static napi_value on_react(napi_env env, napi_callback_info info) {
  napi_value values[ARGUMENTS_MAX];
  return boolean(env, names_part_begin(arguments(env, info, values), NAMES_REACTION, NULL));
}

static napi_value on_run(napi_env env, napi_callback_info info) {
  napi_value values[ARGUMENTS_MAX];
  struct names_env *own = arguments(env, info, values);
  int32_t kind = NAMES_TICK;
  napi_get_value_int32(env, values[0], &kind);
  return boolean(env, names_part_begin(own, (enum names_kind)kind, values[1]));
}

static napi_value on_name(napi_env env, napi_callback_info info) {
  napi_value values[ARGUMENTS_MAX];
  struct names_env *own = arguments(env, info, values);
  return boolean(env, names_part_lacks_name(own) && is_function(env, values[0]) && names_part_name(own, values[0]));
}

/* title(text, file, line): a number for it. */
static napi_value on_title(napi_env env, napi_callback_info info) {
  napi_value values[ARGUMENTS_MAX], result = NULL;
  char text[PATH_MAX], file[PATH_MAX];
  size_t length;
  int32_t line = 0;
  (void)arguments(env, info, values);
  napi_get_value_int32(env, values[2], &line);
  if (napi_get_value_string_utf8(env, values[0], text, sizeof text, &length) != NAPI_OK ||
      napi_get_value_string_utf8(env, values[1], file, sizeof file, &length) != NAPI_OK)
    return NULL;
  napi_create_int32(env, (int32_t)rota_name(text, file, line), &result);
  return result;
}

/* serves(trace, request): the identifiers of the request that is served now; empty: none. */
static napi_value on_serves(napi_env env, napi_callback_info info) {
  napi_value values[ARGUMENTS_MAX];
  struct names_env *own = arguments(env, info, values);
  char trace[64] = "", request[160] = "";
  size_t length;
  napi_get_value_string_utf8(env, values[0], trace, sizeof trace, &length);
  napi_get_value_string_utf8(env, values[1], request, sizeof request, &length);
  rota_watchdog_request(own->loop, trace, request);
  return NULL;
}

/* What runs has that number. True: the time for it is spent. */
static napi_value on_entitle(napi_env env, napi_callback_info info) {
  napi_value values[ARGUMENTS_MAX];
  struct names_env *own = arguments(env, info, values);
  int32_t name = 0;
  napi_get_value_int32(env, values[0], &name);
  return boolean(env, names_part_title(own, (uint32_t)name));
}

/* Who reads the trace sees where names are not complete. */
static napi_value on_closed(napi_env env, napi_callback_info info) {
  napi_value values[ARGUMENTS_MAX];
  struct names_env *own = arguments(env, info, values);
  if (atomic_exchange(&own->is_closed, true))
    return NULL;
  own->closed_ns = uv_hrtime();
  rota_trace_mark(rota_name("names are off from here on", NULL, 0), 0);
  return NULL;
}

static void note_opened(struct names_env *own) {
  own->left_out_ns += uv_hrtime() - own->closed_ns;
  rota_trace_mark(rota_name("names are on again", NULL, 0), 0);
}

/* Once, by whichever of the program's ends comes first. */
static void print_left_out(struct names_env *own) {
  if (atomic_exchange(&own->has_told, true))
    return;
  if (atomic_load(&own->is_closed))
    own->left_out_ns += uv_hrtime() - own->closed_ns;
  uint64_t lived_ns = uv_hrtime() - own->start_ns;
  if (own->attached == NULL && own->left_out_ns > lived_ns / LEFT_OUT_SHARE)
    fprintf(stderr, "rota: names: off for %.0f %% of the time, because the program was busy; long calls have names\n",
            100.0 * (double)own->left_out_ns / (double)lived_ns);
}

/* process.exit runs no clean-up hooks. */
static struct names_env *main_env;

static void on_exit_of_process(void) {
  print_left_out(main_env);
}

static void tell_at_exit(struct names_env *own) {
  if (main_env != NULL)
    return;
  main_env = own;
  atexit(on_exit_of_process);
}

static void call(struct names_env *own, napi_ref function, bool argument) {
  napi_handle_scope scope;
  napi_value called, self, thrown;
  if (napi_open_handle_scope(own->env, &scope) != NAPI_OK)
    return;
  napi_value value = boolean(own->env, argument);
  if (napi_get_reference_value(own->env, function, &called) != NAPI_OK || napi_get_global(own->env, &self) != NAPI_OK ||
      napi_call_function(own->env, self, called, 1, &value, NULL) != NAPI_OK)
    napi_get_and_clear_last_exception(own->env, &thrown);
  napi_close_handle_scope(own->env, scope);
}

/* ---- rota attach ---- */

static struct {
  pthread_mutex_t lock;
  struct names_env *first;
} attachable = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* On the loop's thread, but Node cannot be entered here. */
static void on_observe(uv_loop_t *loop, unsigned int observing, void *data) {
  (void)data;
  pthread_mutex_lock(&attachable.lock);
  for (struct names_env *own = attachable.first; own != NULL; own = own->next_attachable)
    if (own->loop == loop) {
      atomic_store(&own->is_seen, (observing & ROTA_OBSERVE_TRACE) != 0);
      uv_async_send(&own->opener);
    }
  pthread_mutex_unlock(&attachable.lock);
}

static void make_attachable(struct names_env *own) {
  pthread_mutex_lock(&attachable.lock);
  own->next_attachable = attachable.first;
  attachable.first = own;
  pthread_mutex_unlock(&attachable.lock);
  rota_set_observe_hook(on_observe, NULL);
}

static void forget_attachable(struct names_env *own) {
  pthread_mutex_lock(&attachable.lock);
  for (struct names_env **link = &attachable.first; *link != NULL; link = &(*link)->next_attachable)
    if (*link == own) {
      *link = own->next_attachable;
      break;
    }
  pthread_mutex_unlock(&attachable.lock);
}

/* The alarm looks while somebody sees what it finds, and what it may cost is counted from here. */
static void change_seen(struct names_env *own) {
  bool is_seen = atomic_load(&own->is_seen);
  if (atomic_exchange(&own->is_notified, is_seen) == is_seen)
    return;
  own->start_ns = uv_hrtime();
  own->spent_ns = own->title_ns = own->left_out_ns = 0;
  if (!is_seen)
    names_alarm_remove(own);
  call(own, own->attached, is_seen);
  atomic_store(&own->is_closed, false);
  if (is_seen)
    names_alarm_add(own);
}

/* On the loop, outside of JavaScript. */
static void on_open(uv_async_t *handle) {
  struct names_env *own = handle->data;
  rota_name_call(own->loop, ROTA_NAME_NONE);
  if (own->attached != NULL)
    change_seen(own);
  if (atomic_exchange(&own->is_closed, false)) {
    note_opened(own);
    call(own, own->open, true);
  }
}

static void on_opener_closed(uv_handle_t *handle) {
  rota_name_call(handle->loop, ROTA_NAME_NONE);
  names_v8_leave();
  napi_remove_async_cleanup_hook(((struct names_env *)handle->data)->cleanup);
}

/* The environment itself stays: V8 may still call back what it was asked for. */
static void on_cleanup(napi_async_cleanup_hook_handle handle, void *data) {
  struct names_env *own = data;
  own->cleanup = handle;
  print_left_out(own);
  forget_attachable(own);
  names_alarm_remove(own);
  uv_close((uv_handle_t *)&own->opener, on_opener_closed);
}

/* opens(function, attached): the window can be opened by this function; from now on the alarm looks. With the second,
 * it does so when somebody attaches. */
static napi_value on_opens(napi_env env, napi_callback_info info) {
  napi_value values[ARGUMENTS_MAX];
  struct names_env *own = arguments(env, info, values);
  napi_async_cleanup_hook_handle handle;
  if (napi_create_reference(env, values[0], 1, &own->open) != NAPI_OK ||
      uv_async_init(own->loop, &own->opener, on_open) != 0)
    return NULL;
  own->opener.data = own;
  tell_at_exit(own);
  uv_unref((uv_handle_t *)&own->opener);
  napi_add_async_cleanup_hook(env, on_cleanup, own, &handle);
  if (!is_function(env, values[1]))
    names_alarm_add(own);
  else if (napi_create_reference(env, values[1], 1, &own->attached) == NAPI_OK)
    make_attachable(own);
  return NULL;
}

static napi_value on_hook_reactions(napi_env env, napi_callback_info info) {
  napi_value values[ARGUMENTS_MAX];
  struct names_env *own = arguments(env, info, values);
  names_v8_hook_reactions(own->isolate, values[0]);
  return NULL;
}

static napi_value on_main(napi_env env, napi_callback_info info) {
  napi_value values[ARGUMENTS_MAX];
  struct names_env *own = arguments(env, info, values);
  char file[PATH_MAX];
  size_t length;
  if (napi_get_value_string_utf8(env, values[0], file, sizeof file, &length) != NAPI_OK)
    file[0] = 0;
  uint32_t name = rota_name("(main script)", file, file[0] != 0);
  rota_call_open_main(own->loop, name);
  rota_name_call(own->loop, name);
  names_part_opened(own, file[0] != 0);
  return NULL;
}

static napi_value on_wraps(napi_env env, napi_callback_info info) {
  napi_value values[ARGUMENTS_MAX];
  struct names_env *own = arguments(env, info, values);
  napi_create_reference(env, values[0], 1, &own->wrap);
  return NULL;
}

/* trampoline(kind, name, original) */
static napi_value on_trampoline(napi_env env, napi_callback_info info) {
  napi_value values[ARGUMENTS_MAX];
  struct names_env *own = arguments(env, info, values);
  int32_t kind = NAMES_TRAMPOLINE_CALLBACK;
  napi_get_value_int32(env, values[0], &kind);
  return names_trampoline_make(own, values[1], values[2], (enum names_trampoline)kind);
}

static napi_value on_makers(napi_env env, napi_callback_info info) {
  napi_value values[ARGUMENTS_MAX];
  struct names_env *own = arguments(env, info, values);
  names_alive_set(own, values[0]);
  names_alive_start(own);
  return NULL;
}

static napi_value on_maker(napi_env env, napi_callback_info info) {
  (void)info;
  char *stack = names_alive_stack();
  napi_value result = text_value(env, stack != NULL ? stack : "");
  free(stack);
  return result;
}

/* ---- what it tries first ---- */

static napi_value on_stack(napi_env env, napi_callback_info info) {
  napi_value values[ARGUMENTS_MAX];
  struct names_env *own = arguments(env, info, values);
  struct names_stack stack;
  names_stack_take(&stack, env, own->isolate, NAMES_FRAMES);
  char *text = names_stack_text(&stack, "", false);
  napi_value result = text_value(env, text != NULL ? text : "");
  free(text);
  return result;
}

static napi_value on_maps(napi_env env, napi_callback_info info) {
  (void)env;
  (void)info;
  names_v8_want_maps();
  return NULL;
}

static napi_value on_place(napi_env env, napi_callback_info info) {
  napi_value values[ARGUMENTS_MAX];
  struct names_env *own = arguments(env, info, values);
  char text[NAMES_TEXT + 16];
  names_v8_place(env, own->isolate, values[0], text, sizeof text);
  return text_value(env, text);
}

/* ---- the module ---- */

static void add_functions(napi_env env, napi_value object, struct names_env *own) {
  static const struct {
    const char *name;
    napi_callback callback;
  } functions[] = {{"enter", on_enter},
                   {"react", on_react},
                   {"run", on_run},
                   {"name", on_name},
                   {"closed", on_closed},
                   {"opens", on_opens},
                   {"main", on_main},
                   {"stack", on_stack},
                   {"title", on_title},
                   {"entitle", on_entitle},
                   {"serves", on_serves},
                   {"place", on_place},
                   {"maps", on_maps},
                   {"wraps", on_wraps},
                   {"hookReactions", on_hook_reactions},
                   {"trampoline", on_trampoline},
                   {"makers", on_makers},
                   {"maker", on_maker},
                   {"call", names_trampoline_call}};
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    napi_value function;
    if (napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].callback, own, &function) ==
        NAPI_OK)
      napi_set_named_property(env, object, functions[i].name, function);
  }
}

static bool run_script(napi_env env, napi_value native, const char *file) {
  napi_value text, function, global, process, result;
  bool is_right = false;
  if (napi_create_string_utf8(env, names_script, (size_t)(names_script_end - names_script), &text) != NAPI_OK ||
      napi_run_script(env, text, &function) != NAPI_OK || napi_get_global(env, &global) != NAPI_OK ||
      napi_get_named_property(env, global, "process", &process) != NAPI_OK)
    return false;
  names_v8_own(function);
  const napi_value values[] = {native, process, text_value(env, file)};
  return napi_call_function(env, global, function, sizeof values / sizeof values[0], values, &result) == NAPI_OK &&
         napi_get_value_bool(env, result, &is_right) == NAPI_OK && is_right;
}

static bool start(napi_env env, const char *file) {
  struct names_env *own = calloc(1, sizeof *own);
  napi_value native;
  char option[PATH_MAX];
  if (own == NULL || !names_v8_find() || napi_get_uv_event_loop(env, &own->loop) != NAPI_OK ||
      napi_create_object(env, &native) != NAPI_OK || !names_option(option, sizeof option, file)) {
    free(own);
    return false;
  }
  own->env = env;
  own->isolate = names_v8_isolate();
  own->start_ns = uv_hrtime();
  unsigned int observing = rota_observing();
  add_functions(env, native, own);
  napi_set_named_property(env, native, "option", text_value(env, option));
  napi_set_named_property(env, native, "wantsParts",
                          boolean(env, (observing & (ROTA_OBSERVE_TRACE | ROTA_OBSERVE_WATCHDOG)) != 0));
  if (names_own_module() != NULL)
    napi_set_named_property(env, native, "module", names_own_module());
  const char *attach = getenv("ROTA_ATTACH");
  napi_set_named_property(env, native, "maySee", boolean(env, attach != NULL && *attach != 0 && *attach != '0'));
  napi_set_named_property(env, native, "wantsRequests", boolean(env, (observing & ROTA_OBSERVE_WATCHDOG) != 0));
  napi_set_named_property(env, native, "wantsMakers", boolean(env, (observing & ROTA_OBSERVE_ORIGINS) != 0));
  if (!run_script(env, native, file))
    return false;
  names_blocked_start();
  names_job_start();
  return true;
}

void names_cannot(void) {
  fputs("rota: names: JavaScript functions cannot be named in this Node: C++ functions are shown; Node 18 and later "
        "have names\n",
        stderr);
}

/* A worker may be ended while it starts: then it runs no JavaScript, and this is no fault of its Node. */
static bool can_run_scripts(napi_env env) {
  napi_value text, result;
  return napi_create_string_utf8(env, "0", NAPI_AUTO_LENGTH, &text) == NAPI_OK &&
         napi_run_script(env, text, &result) == NAPI_OK;
}

napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  Dl_info own;
  napi_value thrown;
  if (dladdr((const void *)names_script, &own) == 0 || start(env, own.dli_fname))
    return exports;
  napi_get_and_clear_last_exception(env, &thrown);
  if (can_run_scripts(env))
    names_cannot();
  return exports;
}
