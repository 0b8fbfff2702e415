/* The engine's values, in the forms that the bindings need. Only the files of runtime/engine know how this is done. */
#ifndef JS_ENGINE_H
#define JS_ENGINE_H

#include <JavaScriptCore/JavaScript.h>
#include <stddef.h>

#include "runtime/engine/uses/private.h"
#include "runtime/engine/uses/uses.h"
#include "runtime/engine/value/value.h"

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

/* ---- calls (value/call.c) ---- */

/* Calling a function, as the engine itself does it. */

/* JSObjectCallAsFunction for callers that hold the engine's lock, as all callers here do: the API's function would take
 * and release it again. Without a `this_object` it is undefined. */
JSValueRef js_call(JSContextRef context, JSObjectRef function, JSObjectRef this_object, size_t argc,
                   const JSValueRef argv[], JSValueRef *error);

/* ---- errors (value/error.c) ---- */

/* Errors that the engine throws by itself, adopted at the first access to one of their properties. */

/* From now on `adopt` is called, in this thread, with each error, once, before a property of it is looked up, changed
 * or listed. What it does to the error is what the program sees. An error that is accessed while `*busy` is not 0 is
 * never adopted: its maker has already handled it. */
bool js_error_watch(JSContextRef context, JSObjectRef adopt, const double *busy);

/* An error that a constructor has made, and that has its message: `adopt` is called with it when its properties are
 * listed, or when one is asked for that the engine makes itself: `stack` and what belongs to it. False: errors are not
 * watched. */
bool js_error_postpone(JSContextRef context, JSValueRef error);

/* ---- scripts (value/script.c) ---- */

/* A text that is run in several contexts of one engine (vm). JSEvaluateScript copies, hashes and compares the whole
 * text each time, and what the text defines keeps that copy alive. A script of the engine's has the text once. Its
 * first line is number 1. It belongs to JS_USE_SCRIPTS; callers evaluate the text if that is off. */

/* An object that holds the script, or NULL: the text has a syntax error, or memory is short, or the use is off. */
JSObjectRef js_script_make(JSContextRef context, JSStringRef text, JSStringRef url);
/* In the global of this context. NULL: an exception. */
JSValueRef js_script_run(JSContextRef context, JSObjectRef script, JSValueRef *exception);
/* Before the engine of this thread is gone: it must not be asked to release a script while it ends. */
void js_scripts_forget(void);

/* ---- memory of a thread (thread_memory.c) ---- */

/* Large memory of a thread that most threads never use. A _Thread_local array would be zeroed, and so touched, when any
 * thread starts: the engine's, the pool's, the main thread of a program that prints a line. */

/* *place, a _Thread_local pointer, or new zeroed memory of that size, which it then is. It is freed when the thread
 * ends. NULL: there is no memory. */
void *js_thread_memory(void **place, size_t size);

/* ---- further globals (context/global.c) ---- */

/* The contexts of node:vm, as seen through their `globalThis`: what the C API's hooks leave out (symbols, descriptors,
 * definitions) is the sandbox's, too. */

/* The object that stands behind a context's global now, or NULL. */
typedef JSObjectRef (*js_sandbox_of)(JSObjectRef global);

/* From now on, for all globals of the process. False: the engine's class does not look as expected, and nothing is
 * done. */
bool js_global_watch(js_sandbox_of sandbox_of);

/* Whether the C API's hooks are being asked for what is the global's own: what the sandbox has been asked for already.
 */
extern _Thread_local bool js_global_asked_for_own;

/* ---- the time zone of dates (context/time_zone.c) ---- */

/* From now on; null or "": the system's. An unknown name means UTC, as in Node. */
void js_time_zone_set(JSContextRef context, const char *name);

int js_time_zone_check(JSContextRef context);

#endif
