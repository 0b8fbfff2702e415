/* The binding `v8`: what the engine tells about its memory, in the few figures that it has. */
#include "runtime/bind/binding.h"

#include "runtime/engine/engine_text.h"

/* heap() -> { heapSize, heapCapacity, extraMemorySize, objectCount, ... }, as the engine calls them */
static JSValueRef heap(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  return JSGetMemoryUsageStatistics(context);
}

/* collect(): all garbage, now */
static JSValueRef collect(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  JSSynchronousGarbageCollectForDebugging(context);
  return rota_undefined(context);
}

/* isOneByte(text) -> whether its characters are kept as Latin-1 */
static JSValueRef is_one_byte(JSContextRef context, struct rota_frame *frame) {
  struct rota_characters text;
  return rota_boolean(context, rota_borrow_text(context, rota_arg(context, frame, 0), &text) && !text.wide);
}

JSObjectRef rota_binding_v8(struct rota_env *env) {
  static const struct rota_method methods[] = {
      {"heap", heap, 0},
      {"collect", collect, 0},
      {"isOneByte", is_one_byte, 1},
      {NULL, NULL, 0},
  };
  JSObjectRef binding = rota_object(env->context);
  rota_set_methods(env->context, binding, methods);
  return binding;
}
