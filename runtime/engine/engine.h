/* The engine's values, in the forms that the bindings need. Only the files of runtime/engine know how this is done. */
#ifndef JS_ENGINE_H
#define JS_ENGINE_H

#include "runtime/engine/uses/private.h"
#include "runtime/engine/uses/uses.h"
#include "runtime/engine/value/value.h"

#include <stddef.h>

struct js_env;

/* One row for each function that a binding offers. */
struct js_method {
  const char *name;
  js_native function;
  unsigned length;
};

JSGlobalContextRef js_engine_create(void);
/* To be called before the first engine is made: it will only interpret, and make no memory executable (--jitless). */
void js_engine_without_compilers(void);
static inline int js_argc(const struct js_frame *frame) {
  return frame->count_with_this - 1;
}
static inline JSValueRef js_arg(JSContextRef context, const struct js_frame *frame, int index) {
  return index < js_argc(frame) ? frame->arguments[index] : js_undefined(context);
}

JSObjectRef js_function(JSContextRef context, js_native function, unsigned length);
/* The same, for one that stack traces do not show. */
JSObjectRef js_function_hidden(JSContextRef context, js_native function);
JSValueRef js_throw(JSContextRef context, JSValueRef value);
/* What nothing catches: this thread's JavaScript ends. */
JSValueRef js_throw_end(JSContextRef context);
/* What is kept for functions, when the engine of this thread is gone. */
void js_natives_end(void);
JSValueRef js_throw_text(JSContextRef context, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Bytes that are not UTF-8 become U+FFFD, as everywhere in Node. */
JSValueRef js_text(JSContextRef context, const char *bytes, size_t length);
JSValueRef js_string(JSContextRef context, const char *text);
JSStringRef js_text_string(const char *bytes, size_t length);

/* A copy in UTF-8 that the caller frees; NULL when the value has no text or memory is short. */
char *js_to_text(JSContextRef context, JSValueRef value, size_t *length);
/* The bytes of a typed array, a DataView or an ArrayBuffer, valid while the value lives. */
bool js_to_bytes(JSContextRef context, JSValueRef value, unsigned char **bytes, size_t *length);

void js_set(JSContextRef context, JSObjectRef object, const char *name, JSValueRef value);
JSValueRef js_get(JSContextRef context, JSObjectRef object, const char *name);
/* Takes the functions that `object` has by these names; what it does not have stays as it was. */
void js_set_callbacks(JSContextRef context, JSValueRef object, int count, const char *const names[],
                      JSObjectRef callbacks[]);
void js_set_methods(JSContextRef context, JSObjectRef object, const struct js_method *methods);
JSObjectRef js_object(JSContextRef context);
JSObjectRef js_array(JSContextRef context, size_t count, const JSValueRef values[]);

#endif
