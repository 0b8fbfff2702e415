/* Calls in both directions. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/bind/worker/worker.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/limit/watch.h"
#include "runtime/engine/uses/probes.h"
#include "runtime/order/env.h"

/* ---- JavaScript called by C ---- */

/* What the C API does around a call costs as much as the call: it takes the lock that we have, and copies what it is
 * given. The engine's own functions want a description of what is called, which the function itself gives, and a list
 * of arguments, which is a pointer and a number. */

enum { CELL_TYPE = 5 };

/* More than the engine's own, which it fills in. */
struct description {
  uint64_t words[4];
};

struct argument_list {
  const JSValueRef *values;
  int count;
};

struct exception {
  uint64_t header;
  JSValueRef value;
};

/* JSC::JSFunction::getCallData, and JSC::call with a place for the exception. */
static struct description (*describe)(JSObjectRef function);
static JSValueRef (*call_described)(JSContextRef context, JSObjectRef function, const struct description *description,
                                    JSValueRef this_value, const struct argument_list *arguments,
                                    struct exception **exception);

const struct js_symbol js_call_symbols[] = {
    {"_ZN3JSC10JSFunction11getCallDataEPNS_6JSCellE", &describe},
    {"_ZN3JSC4callEPNS_14JSGlobalObjectENS_7JSValueERKNS_8CallDataES2_RKNS_7ArgListERN3WTF8NakedPtrINS_9ExceptionEEE",
     &call_described},
    {NULL, NULL}};

JSValueRef js_call(JSContextRef context, JSObjectRef function, JSObjectRef this_object, size_t argc,
                   const JSValueRef argv[], JSValueRef *error) {
  if (!js_uses(JS_USE_CALLS) || ((const unsigned char *)function)[CELL_TYPE] != js_layout.function)
    return JSObjectCallAsFunction(context, function, this_object, argc, argv, error);
  struct description description = describe(function);
  struct argument_list arguments = {argv, (int)argc};
  struct exception *exception = NULL;
  JSValueRef result = call_described(context, function, &description,
                                     this_object != NULL ? this_object : js_undefined(context), &arguments, &exception);
  if (exception == NULL)
    return result;
  *error = exception->value;
  return NULL;
}

int js_probe_calls(JSGlobalContextRef context) {
  static const struct {
    const char *function;
    int result, error;
  } checks[] = {
      {"(function (a, b) { 'use strict'; return this === undefined ? a + b + arguments.length : 0; })", 9, 0},
      {"((a, b) => { throw a * b; })", 0, 12},
      {"(function (a, b) { return a + b; }).bind(null, 1)", 4, 0},
      {"Math.max", 4, 0},
      {"new Proxy(Math.min, {})", 3, 0},
  };
  JSValueRef arguments[] = {js_number(context, 3), js_number(context, 4)};
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
    JSValueRef error = NULL;
    JSObjectRef function = (JSObjectRef)js_check_evaluate(context, checks[i].function);
    JSValueRef result = js_call(context, function, NULL, 2, arguments, &error);
    if (checks[i].error != 0 ? result != NULL || error == NULL || js_to_integer(context, error) != checks[i].error
                             : error != NULL || js_to_integer(context, result) != checks[i].result)
      return 1 + (int)i;
  }
  return 0;
}

/* ---- C called by JavaScript ---- */

/* Functions written in C, and what they throw.
 *
 * The engine's own kind is called straight from compiled code, with the frame that the code has made. Where its layout
 * is not known, functions are callbacks of the C API: the frame is made here, the engine's lock, which the API lets go
 * around each callback, is taken again, so that natives hold it always, and an exception is handed over when the native
 * returns. Which native a callback stands for is looked up by the function's address: the engine moves nothing, and an
 * address that is used again is written again. */

void *(*js_vm_throw)(JSContextGroupRef vm, JSContextRef context, JSValueRef value);
void *(*js_vm_termination)(JSContextGroupRef vm);
void (*js_vm_throw_exception)(JSContextGroupRef vm, JSContextRef context, void *exception);
JSObjectRef (*js_function_create)(JSContextGroupRef vm, JSContextRef context, unsigned length, void *const *name,
                                  js_native function, uint8_t visibility, uint8_t intrinsic, js_native constructor,
                                  const void *signature);
js_native js_function_no_constructor;

const struct js_symbol js_natives_symbols[] = {
    {"_ZN3JSC2VM14throwExceptionEPNS_14JSGlobalObjectENS_7JSValueE", &js_vm_throw},
    {"_ZN3JSC10JSFunction6createERNS_2VMEPNS_14JSGlobalObjectEjRKN3WTF6StringENS5_11FunctionPtrILNS5_6PtrTagE1EFlS4_"
     "PNS_9CallFrameEELNS5_18FunctionAttributesE2EEENS_24ImplementationVisibilityENS_9IntrinsicESF_PKNS_"
     "6DOMJIT9SignatureE",
     &js_function_create},
    {"_ZN3JSC29callHostFunctionAsConstructorEPNS_14JSGlobalObjectEPNS_9CallFrameE", &js_function_no_constructor},
    {NULL, NULL}};

const struct js_symbol js_ending_symbols[] = {
    {"_ZN3JSC2VM26ensureTerminationExceptionEv", &js_vm_termination},
    {"_ZN3JSC2VM14throwExceptionEPNS_14JSGlobalObjectEPNS_9ExceptionE", &js_vm_throw_exception},
    {NULL, NULL}};

/* ---- callbacks of the C API ---- */

struct made {
  JSObjectRef function; /* NULL: free */
  js_native native;
};

/* Open addressing, at most half full; its size is a power of two. Entries of functions that are gone stay until
 * their address is used again: there are never more than addresses. */
static _Thread_local struct {
  struct made *rows;
  size_t size, used;
  JSValueRef thrown; /* by the native that is about to return */
} natives;

static struct made *find_made(JSObjectRef function) {
  size_t mask = natives.size - 1;
  size_t at = (size_t)(((uintptr_t)function >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 20) & mask;
  while (natives.rows[at].function != NULL && natives.rows[at].function != function)
    at = (at + 1) & mask;
  return &natives.rows[at];
}

static bool grow(void) {
  enum { FIRST_SIZE = 2048 };
  size_t old_size = natives.size;
  struct made *old = natives.rows, *rows = calloc(old_size > 0 ? old_size * 2 : FIRST_SIZE, sizeof *rows);
  if (rows == NULL)
    return false;
  natives.rows = rows;
  natives.size = old_size > 0 ? old_size * 2 : FIRST_SIZE;
  for (size_t i = 0; i < old_size; i++)
    if (old[i].function != NULL)
      *find_made(old[i].function) = old[i];
  free(old);
  return true;
}

static JSValueRef on_call(JSContextRef context, JSObjectRef function, JSObjectRef this_object, size_t argc,
                          const JSValueRef argv[], JSValueRef *exception) {
  enum { FEW = 16 };
  union {
    struct js_frame frame;
    char room[sizeof(struct js_frame) + FEW * sizeof(JSValueRef)];
  } few;
  struct js_frame *frame = argc <= FEW ? &few.frame : malloc(sizeof *frame + argc * sizeof *argv);
  if (frame == NULL)
    return NULL;
  memset(frame, 0, sizeof *frame);
  frame->count_with_this = (int32_t)argc + 1;
  frame->this_value = this_object;
  memcpy(frame->arguments, argv, argc * sizeof *argv);
  JSLock(context);
  natives.thrown = NULL;
  JSValueRef result = find_made(function)->native(context, frame);
  if (result == NULL && natives.thrown != NULL)
    *exception = natives.thrown;
  natives.thrown = NULL;
  JSUnlock(context);
  if (frame != &few.frame)
    free(frame);
  return result;
}

static JSObjectRef make_callback(JSContextRef context, js_native native, unsigned length) {
  static _Thread_local JSStringRef length_name;
  if (length_name == NULL)
    length_name = JSStringCreateWithUTF8CString("length");
  if (natives.used * 2 >= natives.size && !grow())
    return NULL;
  JSObjectRef function = JSObjectMakeFunctionWithCallback(context, NULL, on_call);
  if (function == NULL)
    return NULL;
  if (length > 0) {
    JSPropertyAttributes hidden = kJSPropertyAttributeReadOnly | kJSPropertyAttributeDontEnum;
    JSObjectSetProperty(context, function, length_name, JSValueMakeNumber(context, length), hidden, NULL);
  }
  struct made *made = find_made(function);
  natives.used += made->function == NULL;
  *made = (struct made){function, native};
  return function;
}

void js_natives_end(void) {
  free(natives.rows);
  natives.rows = NULL;
  natives.size = natives.used = 0;
}

/* ---- either way ---- */

enum { VISIBLE, HIDDEN }; /* in stack traces */

static JSObjectRef make_function(JSContextRef context, js_native function, unsigned length, uint8_t visibility) {
  void *no_name = NULL;
  if (!js_uses(JS_USE_NATIVES))
    return make_callback(context, function, length);
  return js_function_create(JSContextGetGroup(context), context, length, &no_name, function, visibility, 0,
                            js_function_no_constructor, NULL);
}

JSObjectRef js_function(JSContextRef context, js_native function, unsigned length) {
  return make_function(context, function, length, VISIBLE);
}

JSObjectRef js_function_hidden(JSContextRef context, js_native function) {
  return make_function(context, function, 0, HIDDEN);
}

static void throw_value(JSContextRef context, JSValueRef value) {
  if (js_uses(JS_USE_NATIVES))
    js_vm_throw(JSContextGetGroup(context), context, value);
  else
    natives.thrown = value;
}

/* Without the engine's own exception, what is thrown may be caught; the time limit then ends the code that continues.
 */
JSValueRef js_throw_end(JSContextRef context) {
  JSContextGroupRef vm = JSContextGetGroup(context);
  if (js_uses(JS_USE_ENDING))
    js_vm_throw_exception(vm, context, js_vm_termination(vm));
  else
    throw_value(context, js_string(context, "the thread has ended"));
  return NULL;
}

/* What ends a worker, or a script whose time is up, is not made catchable by a native that passes it on. */
JSValueRef js_throw(JSContextRef context, JSValueRef value) {
  if (js_env_here != NULL)
    js_worker_check(js_env_here);
  if ((js_env_here != NULL && js_env_here->stopping) || js_limit_passed())
    return js_throw_end(context);
  throw_value(context, value);
  return NULL;
}

JSValueRef js_throw_text(JSContextRef context, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  JSValueRef message = js_string(context, text);
  return js_throw(context, JSObjectMakeError(context, 1, &message, NULL));
}

/* ---- probes ---- */

static JSValueRef check_native(JSContextRef context, struct js_frame *frame) {
  if (js_argc(frame) == 0)
    return js_throw(context, js_check_evaluate(context, "({ thrown: 3 })"));
  bool good = js_argc(frame) == 2 && js_to_integer(context, frame->arguments[0]) == 7 &&
              js_to_number(context, frame->arguments[1]) == 2.5;
  return good ? frame->arguments[0] : js_undefined(context);
}

int js_probe_natives(JSGlobalContextRef context) {
  JSObjectRef function = js_function(context, check_native, 2);
  js_set(context, JSContextGetGlobalObject(context), "check", function);
  if (!js_check_holds(context, "typeof check === 'function' && check(7, 2.5) === 7 && check.length === 2"))
    return 1;
  if (!js_check_holds(context, "let seen = 0; for (let i = 0; i < 30000; i++) { try { check(); } catch (e) {"
                               "  seen += e.thrown + check(7, 2.5); } } seen === 300000"))
    return 2;
  return js_check_holds(context, "try { new check(7, 2.5); false } catch (e) { e instanceof TypeError }") ? 0 : 3;
}

static JSValueRef check_end(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return js_throw_end(context);
}

int js_probe_ending(JSGlobalContextRef context) {
  js_set(context, JSContextGetGlobalObject(context), "end", js_function(context, check_end, 0));
  js_check_evaluate(context, "n = 0; 0");
  JSValueRef value = js_check_evaluate(context, "try { end(); } catch { n = 1; } finally { n = 2; } 5");
  return value == NULL && js_check_holds(context, "n === 0") ? 0 : 1;
}
