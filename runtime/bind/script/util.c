/* The binding `util`: internals of values that JavaScript cannot read itself. */
#include <stdlib.h>
#include <string.h>

#include "runtime/bind/binding.h"
#include "runtime/engine/jobs/await.h"
#include "runtime/engine/jobs/jobs.h"
#include "runtime/engine/limit/heap.h"
#include "runtime/engine/value/text.h"

/* ---- the binding `util` ---- */

/* promiseDetails(promise) -> [state, result]: 0 pending, 1 fulfilled, 2 rejected, 3 unknown. The caller knows it is a
 * promise. */
static JSValueRef promise_details(JSContextRef context, struct js_frame *frame) {
  if (!js_uses(JS_USE_PROMISES)) {
    JSValueRef unknown[] = {js_integer(3), js_undefined(context)};
    return js_array(context, 2, unknown);
  }
  const struct js_promise *promise = (const struct js_promise *)js_arg(context, frame, 0);
  int state = js_promise_state(promise);
  JSValueRef pair[] = {js_number(context, state), state == 0 ? js_undefined(context) : promise->result};
  return js_array(context, 2, pair);
}

/* Undefined: not known. */
static JSValueRef promise_handled(JSContextRef context, struct js_frame *frame) {
  if (!js_uses(JS_USE_PROMISES))
    return js_undefined(context);
  const struct js_promise *promise = (const struct js_promise *)js_arg(context, frame, 0);
  return js_boolean(context, js_promise_handled(promise));
}

/* promiseUnhandle(promise): it counts as not handled again. The caller knows it is a promise. An engine that reports
 * rejections when the jobs are done has forgotten one that is rejected. */
static JSValueRef promise_unhandle(JSContextRef context, struct js_frame *frame) {
  struct js_promise *promise = (struct js_promise *)js_arg(context, frame, 0);
  if (js_uses(JS_USE_PROMISES) && (js_promise_state(promise) == 0 || js_uses(JS_USE_REJECTIONS)))
    js_promise_unhandle(promise);
  return js_undefined(context);
}

/* proxyTarget(value) -> the target, or undefined when the value is no proxy. */
static JSValueRef proxy_target(JSContextRef context, struct js_frame *frame) {
  JSValueRef value = js_arg(context, frame, 0);
  JSObjectRef target = JSValueIsObject(context, value) ? JSObjectGetProxyTarget((JSObjectRef)value) : NULL;
  return target != NULL ? target : js_undefined(context);
}

/* proxyDetails(value) -> [target, handler], or undefined if the value is no proxy. Both are after the object's
 * header. The handler is null if the proxy was revoked, and undefined if the engine does not tell it. */
static JSValueRef proxy_details(JSContextRef context, struct js_frame *frame) {
  JSValueRef value = js_arg(context, frame, 0);
  JSObjectRef target = JSValueIsObject(context, value) ? JSObjectGetProxyTarget((JSObjectRef)value) : NULL;
  if (target == NULL)
    return js_undefined(context);
  const JSValueRef *words = (const JSValueRef *)value;
  bool known = js_uses(JS_USE_PROXIES) && words[2] == (JSValueRef)target;
  JSValueRef pair[] = {target, known ? words[3] : js_uses(JS_USE_PROXIES) ? js_null(context) : js_undefined(context)};
  return js_array(context, 2, pair);
}

/* cellType(value) -> a number that objects of one kind share, whatever their prototypes; -1 for what is no object. The
 * numbers have no meaning of their own: JavaScript compares them with those of samples. Undefined: not known. */
static JSValueRef cell_type(JSContextRef context, struct js_frame *frame) {
  JSValueRef value = js_arg(context, frame, 0);
  if (!JSValueIsObject(context, value))
    return js_number(context, -1);
  return js_uses(JS_USE_KINDS) ? js_integer((int32_t)js_kind_of(value)) : js_undefined(context);
}

/* copyIterator(from, to) -> what it gives (0 keys, 1 values, 2 pairs). Sets an iterator over a map or set to the
 * position of another of the same kind, so that the remaining values can be read without advancing the other. The state
 * is four values after the header: position, collection, its table, and the kind of result. The original keeps them
 * alive meanwhile. Undefined: it cannot be done. */
static JSValueRef copy_iterator(JSContextRef context, struct js_frame *frame) {
  if (!js_uses(JS_USE_ITERATORS))
    return js_undefined(context);
  const struct js_iterator *from = (const struct js_iterator *)js_arg(context, frame, 0);
  struct js_iterator *to = (struct js_iterator *)js_arg(context, frame, 1);
  memcpy(to->state, from->state, sizeof to->state);
  return from->state[JS_ITERATOR_KIND];
}

/* weakEntries(collection, width) -> keys, or with a width of 2 keys and values in turn; undefined: not known. */
static JSValueRef weak_entries(JSContextRef context, struct js_frame *frame) {
  if (!js_uses(JS_USE_WEAK))
    return js_undefined(context);
  const struct js_weak *weak = (const struct js_weak *)js_arg(context, frame, 0);
  uint32_t width = (uint32_t)js_to_integer(context, js_arg(context, frame, 1));
  JSValueRef *found = malloc((size_t)weak->count * width * sizeof *found + 1);
  uint32_t n = 0;
  for (uint32_t i = 0; found != NULL && i < weak->capacity && n < weak->count * width; i++) {
    const JSValueRef *bucket = weak->buckets + (size_t)i * width;
    if (!js_weak_bucket_used(bucket[0]))
      continue;
    for (uint32_t k = 0; k < width; k++)
      found[n++] = bucket[k];
  }
  JSValueRef array = js_array(context, n, found);
  free(found);
  return array;
}

static JSValueRef collect(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  JSSynchronousGarbageCollectForDebugging(context);
  return js_undefined(context);
}

/* followPromises(holder, restore, reaction) -> whether it is possible: see engine/jobs/await.h. */
static JSValueRef follow_promises(JSContextRef context, struct js_frame *frame) {
  JSObjectRef given[3];
  for (int i = 0; i < 3; i++)
    given[i] = (JSObjectRef)js_arg(context, frame, i);
  return js_boolean(context, js_await_follow(context, given[0], given[1], given[2]));
}

/* runBefore(promise, reaction) -> false: it is settled */
static JSValueRef run_before(JSContextRef context, struct js_frame *frame) {
  return js_boolean(context,
                    js_await_remember(context, js_arg(context, frame, 0), (JSObjectRef)js_arg(context, frame, 1)));
}

/* delegated(result) -> see js_repair_delegated */
static JSValueRef delegated(JSContextRef context, struct js_frame *frame) {
  if (!js_repair_marks_delegation())
    return js_arg(context, frame, 0);
  return js_repair_delegated(context, js_arg(context, frame, 0));
}

/* trackJobs(announce, after), trackJobs(): see js_await_track */
static JSValueRef track_jobs(JSContextRef context, struct js_frame *frame) {
  bool on = js_argc(frame) == 2;
  js_await_track(context, on ? (JSObjectRef)frame->arguments[0] : NULL, on ? (JSObjectRef)frame->arguments[1] : NULL);
  return js_undefined(context);
}

/* engine() -> [version, build id, the names of uses that are off] */
static JSValueRef engine(JSContextRef context, struct js_frame *frame) {
  JSValueRef off[JS_USE_COUNT];
  size_t count = 0;
  (void)frame;
  for (int use = 0; use < JS_USE_COUNT; use++)
    if (!js_uses((enum js_use)use) && js_use_counts((enum js_use)use))
      off[count++] = js_string(context, js_use_name((enum js_use)use));
  JSValueRef parts[] = {js_string(context, js_engine_version()), js_string(context, js_engine_build()),
                        js_array(context, count, off)};
  return js_array(context, 3, parts);
}

JSObjectRef js_binding_util(struct js_env *env) {
  static const struct js_method methods[] = {
      {"promiseDetails", promise_details, 1},
      {"promiseHandled", promise_handled, 1},
      {"promiseUnhandle", promise_unhandle, 1},
      {"proxyTarget", proxy_target, 1},
      {"proxyDetails", proxy_details, 1},
      {"cellType", cell_type, 1},
      {"copyIterator", copy_iterator, 2},
      {"weakEntries", weak_entries, 2},
      {"collect", collect, 0},
      {"engine", engine, 0},
      {"followPromises", follow_promises, 3},
      {"runBefore", run_before, 2},
      {"delegated", delegated, 1},
      {"trackJobs", track_jobs, 2},
      {NULL, NULL, 0},
  };
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  return binding;
}

/* ---- the binding `v8` ---- */

/* The binding `v8`: the few statistics of the engine about its memory. */

/* collect(): all garbage, now */
static JSValueRef collect_all(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  JSSynchronousGarbageCollectForDebugging(context);
  return js_undefined(context);
}

/* isOneByte(text) -> whether its characters are kept as Latin-1 */
static JSValueRef is_one_byte(JSContextRef context, struct js_frame *frame) {
  struct js_characters text;
  return js_boolean(context, js_borrow_text(context, js_arg(context, frame, 0), &text) && !text.wide);
}

/* limit() -> the limit of the heap, in bytes */
static JSValueRef limit(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return js_number(context, (double)js_limit_bytes());
}

JSObjectRef js_binding_v8(struct js_env *env) {
  static const struct js_method methods[] = {
      {"collect", collect_all, 0},
      {"isOneByte", is_one_byte, 1},
      {"limit", limit, 0},
      {NULL, NULL, 0},
  };
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  return binding;
}
