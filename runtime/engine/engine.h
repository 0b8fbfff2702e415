/* The engine's values, in the few shapes that the bindings need. Only the files engine*.c know how it is done. */
#ifndef ROTA_ENGINE_H
#define ROTA_ENGINE_H

#include "runtime/engine/engine_private.h"
#include "runtime/engine/engine_value.h"

#include <stddef.h>

struct rota_env;

/* One row for each function that a binding offers. */
struct rota_method {
  const char *name;
  rota_native function;
  unsigned length;
};

JSGlobalContextRef rota_engine_create(void);
int rota_engine_check(JSGlobalContextRef context);
/* napi/function.c's part of it. */
int rota_napi_function_check(JSContextRef context);
/* The value of a piece of code, for the parts of that check; null when it throws. */
JSValueRef rota_check_evaluate(JSContextRef context, const char *code);
/* Null if the engine is the one that this program was built with; else a text that says what to do. What
 * engine_private.h relies on is only known of that one: an update of the system may change it. */
const char *rota_engine_mismatch(void);

static inline int rota_argc(const struct rota_frame *frame) {
  return frame->count_with_this - 1;
}
static inline JSValueRef rota_arg(JSContextRef context, const struct rota_frame *frame, int index) {
  return index < rota_argc(frame) ? frame->arguments[index] : rota_undefined(context);
}

JSObjectRef rota_function(JSContextRef context, rota_native function, unsigned length);
/* The same, for one that stack traces do not show. */
JSObjectRef rota_function_hidden(JSContextRef context, rota_native function);
JSValueRef rota_throw(JSContextRef context, JSValueRef value);
JSValueRef rota_throw_text(JSContextRef context, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Bytes that are not UTF-8 become U+FFFD, as everywhere in Node. */
JSValueRef rota_text(JSContextRef context, const char *bytes, size_t length);
JSValueRef rota_string(JSContextRef context, const char *text);
JSStringRef rota_text_string(const char *bytes, size_t length);

/* A copy in UTF-8 that the caller frees; NULL when the value has no text or memory is short. */
char *rota_to_text(JSContextRef context, JSValueRef value, size_t *length);
/* The bytes of a typed array, a DataView or an ArrayBuffer, valid while the value lives. */
bool rota_to_bytes(JSContextRef context, JSValueRef value, unsigned char **bytes, size_t *length);

void rota_set(JSContextRef context, JSObjectRef object, const char *name, JSValueRef value);
JSValueRef rota_get(JSContextRef context, JSObjectRef object, const char *name);
void rota_set_methods(JSContextRef context, JSObjectRef object, const struct rota_method *methods);
JSObjectRef rota_object(JSContextRef context);
JSObjectRef rota_array(JSContextRef context, size_t count, const JSValueRef values[]);

#endif
