/* Lifetimes: references, wraps, finalizers, tags, externals, data of an env, and hooks at its end. */
#include "addon.h"

#include <string.h>
#include <uv.h>

static int finalized; /* of the process: threads count, too */

struct data {
  int loads;
  napi_ref log;
};

static void say(const char *text, int number) {
  printf("%s %d\n", text, number);
  fflush(stdout);
}

static void count_finalized(napi_env env, void *data, void *hint) {
  (void)env;
  (void)hint;
  finalized++;
  free(data);
}

static napi_value get_finalized(napi_env env, napi_callback_info info) {
  (void)info;
  return make_number(env, finalized);
}

/* ---- a class ---- */

static napi_value make_counter(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX], self, target;
  size_t count = ARGUMENTS_MAX;
  MUST(napi_get_cb_info(env, info, &count, arguments, &self, NULL));
  MUST(napi_get_new_target(env, info, &target));
  if (target == NULL) {
    napi_throw_type_error(env, "ERR_NO_NEW", "Counter wants new");
    return NULL;
  }
  int *value = malloc(sizeof *value);
  *value = count > 0 ? to_int(env, arguments[0]) : 0;
  MUST(napi_wrap(env, self, value, count_finalized, NULL, NULL));
  return self;
}

static int *counter_of(napi_env env, napi_callback_info info, napi_value *arguments) {
  napi_value self;
  size_t count = ARGUMENTS_MAX;
  void *value;
  MUST(napi_get_cb_info(env, info, &count, arguments, &self, NULL));
  if (napi_unwrap(env, self, &value) == napi_ok)
    return value;
  napi_throw_type_error(env, NULL, "no Counter");
  return NULL;
}

static napi_value counter_add(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX];
  int *value = counter_of(env, info, arguments);
  if (value == NULL)
    return NULL;
  *value += to_int(env, arguments[0]);
  return make_number(env, *value);
}

static napi_value counter_get(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX];
  int *value = counter_of(env, info, arguments);
  return value != NULL ? make_number(env, *value) : NULL;
}

static napi_value counter_set(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX];
  int *value = counter_of(env, info, arguments);
  if (value != NULL)
    *value = to_int(env, arguments[0]);
  return NULL;
}

static napi_value counter_zero(napi_env env, napi_callback_info info) {
  napi_value self, constructor, instance, argument = make_number(env, 0);
  (void)info;
  MUST(napi_get_cb_info(env, info, NULL, NULL, &self, NULL));
  constructor = self;
  MUST(napi_new_instance(env, constructor, 1, &argument, &instance));
  return instance;
}

static void define_counter(napi_env env, napi_value exports) {
  napi_property_descriptor properties[] = {
      {"add", NULL, counter_add, NULL, NULL, NULL, napi_default_method, NULL},
      {"value", NULL, NULL, counter_get, counter_set, NULL, napi_enumerable | napi_configurable, NULL},
      {"unit", NULL, NULL, NULL, NULL, make_text(env, "ones"), napi_enumerable, NULL},
      {"zero", NULL, counter_zero, NULL, NULL, NULL, napi_static, NULL},
  };
  napi_value constructor;
  MUST(napi_define_class(env, "Counter", NAPI_AUTO_LENGTH, make_counter, NULL, 4, properties, &constructor));
  MUST(napi_set_named_property(env, exports, "Counter", constructor));
}

/* ---- references ---- */

static napi_ref held;

/* hold(value, count); release() -> the count; value() -> it, or undefined */
static napi_value hold(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX];
  get_arguments(env, info, arguments);
  if (held != NULL)
    MUST(napi_delete_reference(env, held));
  MUST(napi_create_reference(env, arguments[0], (uint32_t)to_int(env, arguments[1]), &held));
  return NULL;
}

static napi_value release(napi_env env, napi_callback_info info) {
  uint32_t count = 99;
  (void)info;
  napi_status status = napi_reference_unref(env, held, &count);
  return make_number(env, status == napi_ok ? (double)count : -(double)status);
}

static napi_value again(napi_env env, napi_callback_info info) {
  uint32_t count = 99;
  (void)info;
  MUST(napi_reference_ref(env, held, &count));
  return make_number(env, count);
}

static napi_value get_held(napi_env env, napi_callback_info info) {
  napi_value value;
  (void)info;
  MUST(napi_get_reference_value(env, held, &value));
  return value;
}

/* Many values at once, kept in memory that only the addon knows. */
static napi_value survive(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX], global, collect, undefined, sum;
  napi_valuetype type;
  enum { MANY = 5000 };
  get_arguments(env, info, arguments);
  napi_value *kept = malloc(MANY * sizeof *kept);
  MUST(napi_get_global(env, &global));
  MUST(napi_get_undefined(env, &undefined));
  MUST(napi_get_named_property(env, global, "gc", &collect));
  for (int i = 0; i < MANY; i++) {
    MUST(napi_create_object(env, &kept[i]));
    MUST(napi_set_named_property(env, kept[i], "number", make_number(env, i)));
  }
  MUST(napi_typeof(env, collect, &type));
  if (type == napi_function)
    MUST(napi_call_function(env, undefined, collect, 0, NULL, NULL));
  for (int i = 0; i < MANY; i++) { /* reuses freed memory */
    napi_value other;
    napi_handle_scope scope;
    MUST(napi_open_handle_scope(env, &scope));
    MUST(napi_create_array_with_length(env, 3, &other));
    MUST(napi_close_handle_scope(env, scope));
  }
  double total = 0;
  for (int i = 0; i < MANY; i++) {
    napi_value number;
    double each;
    MUST(napi_get_named_property(env, kept[i], "number", &number));
    MUST(napi_get_value_double(env, number, &each));
    total += each;
  }
  free(kept);
  MUST(napi_create_double(env, total, &sum));
  return sum;
}

/* ---- buffers on memory of ours ---- */

static napi_value external_buffer(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX], buffer;
  get_arguments(env, info, arguments);
  size_t length = (size_t)to_int(env, arguments[0]);
  char *bytes = malloc(length + 1);
  memset(bytes, 'x', length);
  MUST(napi_create_external_buffer(env, length, bytes, count_finalized, NULL, &buffer));
  return buffer;
}

static napi_value external_arraybuffer(napi_env env, napi_callback_info info) {
  napi_value buffer;
  (void)info;
  MUST(napi_create_external_arraybuffer(env, calloc(1, 16), 16, count_finalized, NULL, &buffer));
  return buffer;
}

/* ---- tags and externals ---- */

static const napi_type_tag tag_a = {1, 2}, tag_b = {1, 3};

static napi_value tag(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX];
  get_arguments(env, info, arguments);
  return make_number(env, napi_type_tag_object(env, arguments[0], to_int(env, arguments[1]) ? &tag_b : &tag_a));
}

static napi_value check_tag(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX];
  bool matches = false;
  get_arguments(env, info, arguments);
  MUST(napi_check_object_type_tag(env, arguments[0], to_int(env, arguments[1]) ? &tag_b : &tag_a, &matches));
  return make_number(env, matches);
}

static napi_value make_external(napi_env env, napi_callback_info info) {
  napi_value external;
  int *number = malloc(sizeof *number);
  (void)info;
  *number = 42;
  MUST(napi_create_external(env, number, count_finalized, NULL, &external));
  return external;
}

static napi_value read_external(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX];
  void *data = NULL;
  get_arguments(env, info, arguments);
  MUST(napi_get_value_external(env, arguments[0], &data));
  return make_number(env, *(int *)data);
}

/* ---- the end ---- */

static void on_hook(void *argument) {
  say("hook", (int)(intptr_t)argument);
}

static napi_async_cleanup_hook_handle slow_handle;

static void on_slow_closed(uv_handle_t *handle) {
  free(handle);
  say("slow hook done", 0);
  MUST(napi_remove_async_cleanup_hook(slow_handle));
}

static void on_slow_timer(uv_timer_t *timer) {
  uv_close((uv_handle_t *)timer, on_slow_closed);
}

static void on_slow_hook(napi_async_cleanup_hook_handle handle, void *loop) {
  say("slow hook", 0);
  slow_handle = handle;
  uv_timer_t *timer = malloc(sizeof *timer);
  uv_timer_init(loop, timer);
  uv_timer_start(timer, on_slow_timer, 5, 0);
}

static void on_instance_end(napi_env env, void *data, void *hint) {
  struct data *instance = data;
  (void)env;
  (void)hint;
  say("instance data of load", instance->loads);
  free(instance);
}

static void say_finalized(napi_env env, void *data, void *hint) {
  napi_value global, value;
  (void)hint;
  MUST(napi_get_global(env, &global));
  napi_status status = napi_get_named_property(env, global, "process", &value);
  say(status == napi_ok ? "finalizer, with JavaScript" : "finalizer, without JavaScript", (int)(intptr_t)data);
}

/* atEnd(kept): hooks, a finalizer of an object that lives to the end */
static napi_value at_end(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX];
  uv_loop_t *loop;
  get_arguments(env, info, arguments);
  MUST(napi_get_uv_event_loop(env, &loop));
  MUST(napi_add_env_cleanup_hook(env, on_hook, (void *)1));
  MUST(napi_add_env_cleanup_hook(env, on_hook, (void *)2));
  MUST(napi_add_async_cleanup_hook(env, on_slow_hook, loop, NULL));
  MUST(napi_add_env_cleanup_hook(env, on_hook, (void *)3));
  MUST(napi_remove_env_cleanup_hook(env, on_hook, (void *)2));
  MUST(napi_add_finalizer(env, arguments[0], (void *)7, say_finalized, NULL, NULL));
  return NULL;
}

static napi_value loads(napi_env env, napi_callback_info info) {
  void *data;
  (void)info;
  MUST(napi_get_instance_data(env, &data));
  return make_number(env, ((struct data *)data)->loads);
}

static napi_value file_name(napi_env env, napi_callback_info info) {
  const char *name;
  (void)info;
  MUST(node_api_get_module_file_name(env, &name));
  return make_text(env, name);
}

NAPI_MODULE_INIT() {
  static int all_loads;
  static const struct entry entries[] = {
      {"finalized", get_finalized},
      {"hold", hold},
      {"release", release},
      {"again", again},
      {"held", get_held},
      {"survive", survive},
      {"externalBuffer", external_buffer},
      {"externalArrayBuffer", external_arraybuffer},
      {"tag", tag},
      {"checkTag", check_tag},
      {"makeExternal", make_external},
      {"readExternal", read_external},
      {"atEnd", at_end},
      {"loads", loads},
      {"fileName", file_name},
      {NULL, NULL},
  };
  struct data *data = calloc(1, sizeof *data);
  data->loads = ++all_loads;
  MUST(napi_set_instance_data(env, data, on_instance_end, NULL));
  add_functions(env, exports, entries);
  define_counter(env, exports);
  return exports;
}
