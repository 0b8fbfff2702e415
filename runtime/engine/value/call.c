/* What the C API does around a call costs as much as the call: it takes the lock that we have, and copies what it is
 * given. The engine's own functions want a description of what is called, which the function itself gives, and a list
 * of arguments, which is a pointer and a number. */
#include "runtime/engine/value/call.h"

#include "runtime/engine/uses/probes.h"

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
