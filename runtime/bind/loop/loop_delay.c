/* The binding `loop_delay`: the loop's delay monitors (rota_delay_* of rota.h). All times are nanoseconds.
 *
 *   create(interval)    a monitor, which ends with its object; or a number: a negative error
 *                       (interval in milliseconds; 0: iterations are measured)
 *   start(monitor), stop(monitor)    0 or a negative error
 *   reset(monitor)      forgets the values
 *   read(monitor)       fills `values`: count, exceeding, min, max
 *   buckets(monitor)    an array: the least value of a bucket, how many are in it, and so on for all that have any
 *   values              a Float64Array of 4 */
#include "runtime/bind/binding.h"

#include <rota.h>
#include <stdlib.h>

enum { VALUES = 4 };

static _Thread_local double *values;
static _Thread_local JSClassRef monitor_class;

static void finalize(JSObjectRef object) {
  rota_delay_t *delay = JSObjectGetPrivate(object);
  if (delay != NULL)
    rota_delay_destroy(delay);
}

static rota_delay_t *delay_of(JSContextRef context, struct js_frame *frame) {
  JSValueRef value = js_arg(context, frame, 0);
  return JSValueIsObjectOfClass(context, value, monitor_class) ? JSObjectGetPrivate((JSObjectRef)value) : NULL;
}

static JSValueRef create(JSContextRef context, struct js_frame *frame) {
  rota_delay_t *delay;
  int64_t interval_ms = js_to_integer(context, js_arg(context, frame, 0));
  int err = rota_delay_create(js_env_here->loop, (uint64_t)interval_ms, &delay);
  return err == 0 ? JSObjectMake(context, monitor_class, delay) : js_number(context, err);
}

static JSValueRef start(JSContextRef context, struct js_frame *frame) {
  rota_delay_t *delay = delay_of(context, frame);
  return js_number(context, delay == NULL ? UV_EINVAL : rota_delay_start(delay));
}

static JSValueRef stop(JSContextRef context, struct js_frame *frame) {
  rota_delay_t *delay = delay_of(context, frame);
  return js_number(context, delay == NULL ? UV_EINVAL : rota_delay_stop(delay));
}

static JSValueRef reset(JSContextRef context, struct js_frame *frame) {
  rota_delay_t *delay = delay_of(context, frame);
  if (delay != NULL)
    rota_delay_reset(delay);
  return js_undefined(context);
}

static JSValueRef read_values(JSContextRef context, struct js_frame *frame) {
  rota_delay_t *delay = delay_of(context, frame);
  rota_stats_t stats = {0};
  uint64_t exceeding = 0;
  if (delay != NULL)
    rota_delay_get(delay, &stats, &exceeding);
  values[0] = (double)stats.count;
  values[1] = (double)exceeding;
  values[2] = (double)stats.min_ns;
  values[3] = (double)stats.max_ns;
  return js_undefined(context);
}

static JSValueRef buckets(JSContextRef context, struct js_frame *frame) {
  rota_delay_t *delay = delay_of(context, frame);
  JSObjectRef list = js_array(context, 0, NULL);
  rota_delay_bucket_t bucket;
  unsigned at = 0;
  for (uint64_t from_ns = 0; delay != NULL && rota_delay_next_bucket(delay, from_ns, &bucket) == 0;
       from_ns = bucket.last_ns + 1) {
    JSObjectSetPropertyAtIndex(context, list, at++, js_number(context, (double)bucket.first_ns), NULL);
    JSObjectSetPropertyAtIndex(context, list, at++, js_number(context, (double)bucket.count), NULL);
  }
  return list;
}

static void free_nothing(void *bytes, void *data) {
  (void)bytes;
  (void)data;
}

JSObjectRef js_binding_loop_delay(struct js_env *env) {
  static const struct js_method methods[] = {
      {"create", create, 1},    {"start", start, 1},     {"stop", stop, 1}, {"reset", reset, 1},
      {"read", read_values, 1}, {"buckets", buckets, 1}, {NULL, NULL, 0},
  };
  JSClassDefinition definition = {0};
  JSObjectRef binding = js_object(env->context);
  values = calloc(VALUES, sizeof *values);
  if (values == NULL)
    return NULL;
  definition.className = "DelayMonitor";
  definition.finalize = finalize;
  monitor_class = JSClassCreate(&definition);
  js_set_methods(env->context, binding, methods);
  js_set(env->context, binding, "values",
         JSObjectMakeTypedArrayWithBytesNoCopy(env->context, kJSTypedArrayTypeFloat64Array, values,
                                               VALUES * sizeof *values, free_nothing, NULL, NULL));
  return binding;
}
