/* The binding `v8`: the few statistics of the engine about its memory. */
#include "runtime/bind/binding.h"

#include "runtime/engine/limit/limit.h"
#include "runtime/engine/value/text.h"

/* collect(): all garbage, now */
static JSValueRef collect(JSContextRef context, struct js_frame *frame) {
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
      {"collect", collect, 0},
      {"isOneByte", is_one_byte, 1},
      {"limit", limit, 0},
      {NULL, NULL, 0},
  };
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  return binding;
}
