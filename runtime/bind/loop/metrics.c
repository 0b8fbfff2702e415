/* The binding `metrics`: the loop's histograms (rota_stats_* of rota.h) for JavaScript. All times are nanoseconds.
 *
 *   start(), stop()      recording, for this loop and the thread pool; what was recorded stays
 *   recording()          whether it is on
 *   figures              the names, in the order of their numbers
 *   read(figure)         fills `values`: count, min, max, mean, p50, p75, p90, p99, p99.9, sum; false if there is
 * nothing percentile(figure, percent) time()               fills `values`: busy, idle (of the time in uv_run) reset()
 * of this loop and the pool values               a Float64Array of 10 */
#include "runtime/bind/binding.h"
#include "runtime/observe/trace.h"

#include <rota.h>
#include <stdlib.h>

enum { VALUES = 10 };

static _Thread_local double *values;

static JSValueRef start(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  int err = rota_stats_start();
  if (err == 0)
    err = rota_observe(js_env_here->loop);
  if (err == 0)
    js_trace_attach(js_env_here);
  return js_number(context, err);
}

static JSValueRef stop(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  rota_stats_stop();
  return js_undefined(context);
}

static JSValueRef recording(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return js_boolean(context, (rota_observing() & ROTA_OBSERVE_STATS) != 0);
}

static int figure_of(JSContextRef context, struct js_frame *frame) {
  return (int)js_to_integer(context, js_arg(context, frame, 0));
}

static JSValueRef read_figure(JSContextRef context, struct js_frame *frame) {
  rota_stats_t stats;
  int figure = figure_of(context, frame);
  if (rota_stats_get(js_env_here->loop, (rota_figure)figure, &stats) != 0 || stats.count == 0)
    return js_boolean(context, false);
  const uint64_t read[VALUES] = {stats.count,  stats.min_ns, stats.max_ns, stats.mean_ns, stats.p50_ns,
                                 stats.p75_ns, stats.p90_ns, stats.p99_ns, stats.p999_ns, stats.sum_ns};
  for (int i = 0; i < VALUES; i++)
    values[i] = (double)read[i];
  return js_boolean(context, true);
}

static JSValueRef percentile(JSContextRef context, struct js_frame *frame) {
  uint64_t value_ns = 0;
  rota_stats_percentile(js_env_here->loop, (rota_figure)figure_of(context, frame),
                        js_to_number(context, js_arg(context, frame, 1)), &value_ns);
  return js_number(context, (double)value_ns);
}

static JSValueRef time_spent(JSContextRef context, struct js_frame *frame) {
  uint64_t busy_ns = 0, idle_ns = 0;
  (void)frame;
  rota_stats_time(js_env_here->loop, &busy_ns, &idle_ns);
  values[0] = (double)busy_ns;
  values[1] = (double)idle_ns;
  return js_undefined(context);
}

static JSValueRef reset(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  rota_stats_reset(js_env_here->loop);
  rota_stats_reset(NULL);
  return js_undefined(context);
}

static void free_nothing(void *bytes, void *data) {
  (void)bytes;
  (void)data;
}

JSObjectRef js_binding_metrics(struct js_env *env) {
  static const struct js_method methods[] = {
      {"start", start, 0},           {"stop", stop, 0},       {"recording", recording, 0}, {"read", read_figure, 1},
      {"percentile", percentile, 2}, {"time", time_spent, 0}, {"reset", reset, 0},         {NULL, NULL, 0},
  };
  JSObjectRef binding = js_object(env->context), names = js_array(env->context, 0, NULL);
  values = calloc(VALUES, sizeof *values);
  if (values == NULL)
    return NULL;
  js_set_methods(env->context, binding, methods);
  for (unsigned i = 0; i < ROTA_FIGURE_MAX; i++)
    JSObjectSetPropertyAtIndex(env->context, names, i, js_string(env->context, rota_figure_name((rota_figure)i)), NULL);
  js_set(env->context, binding, "figures", names);
  js_set(env->context, binding, "values",
         JSObjectMakeTypedArrayWithBytesNoCopy(env->context, kJSTypedArrayTypeFloat64Array, values,
                                               VALUES * sizeof *values, free_nothing, NULL, NULL));
  return binding;
}
