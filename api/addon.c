/* rota-api.node: what the package rota-loop calls of rota.h, for JavaScript.
 *
 * The functions are looked up at run time: in a plain Node there is no librota, and the addon says so. It is the same
 * for rota's own runtime. Errors are returned as numbers; api/index.js and api/test.js make of them what people read.
 * Each thread that has JavaScript loads it anew. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inject/names/node_api.h"
#include "rota.h"

enum { ARGUMENTS_MAX = 2, PATH_SIZE = 4096, NAME_SIZE = 256 };
static const double ns_per_ms = 1e6;

/* What is used of librota. */
static struct {
  const char *(*version)(void);
  unsigned int (*steering)(void);
  unsigned int (*observing)(void);
  int (*observe)(uv_loop_t *loop);
  int (*trace_start)(const char *path, const rota_trace_options_t *options);
  int (*trace_stop)(void);
  uint32_t (*name)(const char *function, const char *file, int line);
  void (*trace_mark)(uint32_t name, uint64_t value);
  int (*stats_start)(void);
  void (*stats_stop)(void);
  int (*stats_reset)(uv_loop_t *loop);
  int (*stats_get)(const uv_loop_t *loop, rota_figure figure, rota_stats_t *stats);
  int (*stats_time)(const uv_loop_t *loop, uint64_t *busy_ns, uint64_t *idle_ns);
  const char *(*figure_name)(rota_figure figure);
  void (*print_alive)(uv_loop_t *loop, FILE *stream);
  int (*clock_stop)(void);
  int (*clock_go)(void);
  int (*clock_advance)(uint64_t duration_ms, rota_clock_cb ended, void *data);
  int (*clock_run_all)(uint64_t steps_max, rota_clock_cb ended, void *data);
} rota;

/* False: librota is not in this process, or is an older one, which lacks something. ISO C has no pointers to functions
 * that come from pointers to data. */
static bool find_library(void) {
  const struct {
    const char *name;
    void *place;
  } wanted[] = {{"rota_version", &rota.version},
                {"rota_steering", &rota.steering},
                {"rota_observing", &rota.observing},
                {"rota_observe", &rota.observe},
                {"rota_trace_start", &rota.trace_start},
                {"rota_trace_stop", &rota.trace_stop},
                {"rota_name", &rota.name},
                {"rota_trace_mark", &rota.trace_mark},
                {"rota_stats_start", &rota.stats_start},
                {"rota_stats_stop", &rota.stats_stop},
                {"rota_stats_reset", &rota.stats_reset},
                {"rota_stats_get", &rota.stats_get},
                {"rota_stats_time", &rota.stats_time},
                {"rota_figure_name", &rota.figure_name},
                {"rota_print_alive", &rota.print_alive},
                {"rota_clock_stop", &rota.clock_stop},
                {"rota_clock_go", &rota.clock_go},
                {"rota_clock_advance", &rota.clock_advance},
                {"rota_clock_run_all", &rota.clock_run_all}};
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
    void *found = dlsym(RTLD_DEFAULT, wanted[i].name);
    if (found == NULL)
      return false;
    memcpy(wanted[i].place, &found, sizeof found);
  }
  return true;
}

/* ---- values ---- */

static uv_loop_t *arguments(napi_env env, napi_callback_info info, napi_value *values) {
  size_t count = ARGUMENTS_MAX;
  void *loop = NULL;
  values[0] = values[1] = NULL;
  napi_get_cb_info(env, info, &count, values, NULL, &loop);
  return loop;
}

static uv_loop_t *own_loop(napi_env env, napi_callback_info info) {
  napi_value values[ARGUMENTS_MAX];
  return arguments(env, info, values);
}

static napi_value number(napi_env env, double value) {
  napi_value result = NULL;
  napi_create_double(env, value, &result);
  return result;
}

static double number_of(napi_env env, napi_value value) {
  double result = 0;
  napi_get_value_double(env, value, &result);
  return result;
}

static napi_value text(napi_env env, const char *value) {
  napi_value result = NULL;
  napi_create_string_utf8(env, value, NAPI_AUTO_LENGTH, &result);
  return result;
}

static void set(napi_env env, napi_value object, const char *name, double value) {
  napi_set_named_property(env, object, name, number(env, value));
}

/* ---- trace ---- */

static napi_value on_trace_start(napi_env env, napi_callback_info info) {
  napi_value values[ARGUMENTS_MAX];
  uv_loop_t *loop = arguments(env, info, values);
  char path[PATH_SIZE];
  size_t length;
  if (napi_get_value_string_utf8(env, values[0], path, sizeof path, &length) != NAPI_OK)
    return number(env, UV_EINVAL);
  if (length >= sizeof path - 1)
    return number(env, UV_ENAMETOOLONG);
  int err = rota.trace_start(path, NULL);
  return number(env, err < 0 ? err : rota.observe(loop));
}

static napi_value on_trace_stop(napi_env env, napi_callback_info info) {
  (void)info;
  return number(env, rota.trace_stop());
}

/* mark(name, value) */
static napi_value on_mark(napi_env env, napi_callback_info info) {
  napi_value values[ARGUMENTS_MAX];
  char name[NAME_SIZE];
  size_t length;
  arguments(env, info, values);
  double value = number_of(env, values[1]);
  if (napi_get_value_string_utf8(env, values[0], name, sizeof name, &length) == NAPI_OK)
    rota.trace_mark(rota.name(name, NULL, 0), value > 0 ? (uint64_t)value : 0);
  return NULL;
}

/* ---- statistics ---- */

static napi_value on_stats_start(napi_env env, napi_callback_info info) {
  uv_loop_t *loop = own_loop(env, info);
  int err = rota.stats_start();
  return number(env, err < 0 && err != UV_EALREADY ? err : rota.observe(loop));
}

static napi_value on_stats_stop(napi_env env, napi_callback_info info) {
  (void)env;
  (void)info;
  rota.stats_stop();
  return NULL;
}

static napi_value on_stats_reset(napi_env env, napi_callback_info info) {
  uv_loop_t *loop = own_loop(env, info);
  rota.stats_reset(loop);
  rota.stats_reset(NULL);
  return NULL;
}

static napi_value figure(napi_env env, const rota_stats_t *stats) {
  napi_value object = NULL;
  napi_create_object(env, &object);
  set(env, object, "count", (double)stats->count);
  set(env, object, "min", (double)stats->min_ns / ns_per_ms);
  set(env, object, "max", (double)stats->max_ns / ns_per_ms);
  set(env, object, "mean", (double)stats->mean_ns / ns_per_ms);
  set(env, object, "p50", (double)stats->p50_ns / ns_per_ms);
  set(env, object, "p75", (double)stats->p75_ns / ns_per_ms);
  set(env, object, "p90", (double)stats->p90_ns / ns_per_ms);
  set(env, object, "p99", (double)stats->p99_ns / ns_per_ms);
  set(env, object, "p999", (double)stats->p999_ns / ns_per_ms);
  set(env, object, "sum", (double)stats->sum_ns / ns_per_ms);
  return object;
}

/* An object of those figures that have values. Those of the pool's jobs are the process's. */
static napi_value on_figures(napi_env env, napi_callback_info info) {
  uv_loop_t *loop = own_loop(env, info);
  napi_value object = NULL;
  napi_create_object(env, &object);
  for (int i = 0; i < ROTA_FIGURE_MAX; i++) {
    rota_stats_t stats;
    if (rota.stats_get(i < ROTA_FIGURE_QUEUE_FILE ? loop : NULL, (rota_figure)i, &stats) == 0 && stats.count > 0)
      napi_set_named_property(env, object, rota.figure_name((rota_figure)i), figure(env, &stats));
  }
  return object;
}

/* { active, idle }, in milliseconds */
static napi_value on_time(napi_env env, napi_callback_info info) {
  uv_loop_t *loop = own_loop(env, info);
  uint64_t busy_ns = 0, idle_ns = 0;
  napi_value object = NULL;
  rota.stats_time(loop, &busy_ns, &idle_ns);
  napi_create_object(env, &object);
  set(env, object, "active", (double)busy_ns / ns_per_ms);
  set(env, object, "idle", (double)idle_ns / ns_per_ms);
  return object;
}

static napi_value on_alive(napi_env env, napi_callback_info info) {
  uv_loop_t *loop = own_loop(env, info);
  char *printed = NULL;
  size_t size;
  FILE *stream = open_memstream(&printed, &size);
  if (stream == NULL)
    return text(env, "");
  rota.print_alive(loop, stream);
  fclose(stream);
  napi_value result = text(env, printed != NULL ? printed : "");
  free(printed);
  return result;
}

/* ---- time that stands still ---- */

static napi_value on_clock_stop(napi_env env, napi_callback_info info) {
  (void)info;
  return number(env, rota.clock_stop());
}

static napi_value on_clock_go(napi_env env, napi_callback_info info) {
  (void)info;
  return number(env, rota.clock_go());
}

/* On the thread of some loop. The status is told on the thread that has asked, where it keeps the loop alive until
 * then.
 */
static void on_ended(int status, void *data) {
  napi_threadsafe_function function = data;
  if (napi_call_threadsafe_function(function, (void *)(intptr_t)status, 0) == NAPI_OK)
    napi_release_threadsafe_function(function, 0);
}

static void tell(napi_env env, napi_value callback, void *context, void *data) {
  napi_value self, status;
  (void)context;
  if (env == NULL || napi_get_undefined(env, &self) != NAPI_OK)
    return; /* Node is about to stop */
  status = number(env, (double)(intptr_t)data);
  napi_call_function(env, self, callback, 1, &status, NULL);
}

typedef int (*advance)(uint64_t amount, rota_clock_cb ended, void *data);

static napi_value start_advance(napi_env env, napi_callback_info info, advance function) {
  napi_value values[ARGUMENTS_MAX];
  napi_threadsafe_function told;
  arguments(env, info, values);
  if (napi_create_threadsafe_function(env, values[1], NULL, text(env, "rota-loop"), 0, 1, NULL, NULL, NULL, tell,
                                      &told) != NAPI_OK)
    return number(env, UV_ENOMEM);
  int err = function((uint64_t)number_of(env, values[0]), on_ended, told);
  if (err < 0)
    napi_release_threadsafe_function(told, 0);
  return number(env, err);
}

/* clockAdvance(milliseconds, callback), clockRunAll(steps, callback): the callback gets the status. */
static napi_value on_clock_advance(napi_env env, napi_callback_info info) {
  return start_advance(env, info, rota.clock_advance);
}

static napi_value on_clock_run_all(napi_env env, napi_callback_info info) {
  return start_advance(env, info, rota.clock_run_all);
}

/* ---- the module ---- */

static napi_value on_steering(napi_env env, napi_callback_info info) {
  (void)info;
  return number(env, rota.steering());
}

static napi_value on_observing(napi_env env, napi_callback_info info) {
  (void)info;
  return number(env, rota.observing());
}

__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env, napi_value exports);
napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  static const struct {
    const char *name;
    napi_callback callback;
  } functions[] = {{"traceStart", on_trace_start},
                   {"traceStop", on_trace_stop},
                   {"mark", on_mark},
                   {"statsStart", on_stats_start},
                   {"statsStop", on_stats_stop},
                   {"statsReset", on_stats_reset},
                   {"figures", on_figures},
                   {"time", on_time},
                   {"alive", on_alive},
                   {"clockStop", on_clock_stop},
                   {"clockGo", on_clock_go},
                   {"steering", on_steering},
                   {"clockAdvance", on_clock_advance},
                   {"clockRunAll", on_clock_run_all},
                   {"observing", on_observing}};
  uv_loop_t *loop;
  if (!find_library() || napi_get_uv_event_loop(env, &loop) != NAPI_OK)
    return exports;
  napi_set_named_property(env, exports, "version", text(env, rota.version()));
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    napi_value function;
    if (napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].callback, loop, &function) ==
        NAPI_OK)
      napi_set_named_property(env, exports, functions[i].name, function);
  }
  return exports;
}
