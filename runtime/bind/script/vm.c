/* The binding `vm`: further globals in the same engine, and running with a time limit.
 *
 * The global of a new context is an object of a class with hooks: reads, writes and deletions use the program's object
 * (the sandbox) first. The engine itself defines functions and variables that a script declares on the global, without
 * the hooks; with the hooks `off` JavaScript finds them afterwards and copies them. */
#include <stdlib.h>

#include "runtime/bind/binding.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/jobs/await.h"
#include "runtime/engine/jobs/jobs.h"
#include "runtime/engine/jobs/table.h"
#include "runtime/engine/limit/watch.h"
#include "runtime/order/env.h"

static const char sandbox_name[] = "sandbox";
static _Thread_local bool hooks_off; /* the hooks are off: the global shows its own properties */

static JSStringRef sandbox_key(void) {
  static _Thread_local JSStringRef key;
  if (key == NULL)
    key = JSStringCreateWithUTF8CString(sandbox_name);
  return key;
}

/* The global's private pointer is the sandbox; the private property of the same object keeps it alive. */
static JSObjectRef forward(JSObjectRef global) {
  return hooks_off ? NULL : JSObjectGetPrivate(global);
}

/* There is no hook for `has`: the engine would ask it first and then this one. */
static JSValueRef hook_get(JSContextRef context, JSObjectRef global, JSStringRef name, JSValueRef *exception) {
  JSObjectRef sandbox = forward(global);
  if (sandbox == NULL || js_global_asked_for_own)
    return NULL;
  JSValueRef value = JSObjectGetProperty(context, sandbox, name, exception);
  if (value != NULL && JSValueIsUndefined(context, value) && !JSObjectHasProperty(context, sandbox, name))
    return NULL;
  return value;
}

static bool hook_set(JSContextRef context, JSObjectRef global, JSStringRef name, JSValueRef value,
                     JSValueRef *exception) {
  JSObjectRef sandbox = forward(global);
  if (sandbox == NULL)
    return false;
  JSObjectSetProperty(context, sandbox, name, value, kJSPropertyAttributeNone, exception);
  return true;
}

static bool hook_delete(JSContextRef context, JSObjectRef global, JSStringRef name, JSValueRef *exception) {
  JSObjectRef sandbox = forward(global);
  if (sandbox == NULL || !JSObjectHasProperty(context, sandbox, name))
    return false;
  return JSObjectDeleteProperty(context, sandbox, name, exception);
}

static void hook_names(JSContextRef context, JSObjectRef global, JSPropertyNameAccumulatorRef names) {
  JSObjectRef sandbox = forward(global);
  if (sandbox == NULL)
    return;
  JSPropertyNameArrayRef list = JSObjectCopyPropertyNames(context, sandbox);
  for (size_t i = 0; i < JSPropertyNameArrayGetCount(list); i++)
    JSPropertyNameAccumulatorAddName(names, JSPropertyNameArrayGetNameAtIndex(list, i));
  JSPropertyNameArrayRelease(list);
}

static JSClassRef global_class(void) {
  static _Thread_local JSClassRef made;
  if (made == NULL) {
    JSClassDefinition definition = {0};
    definition.className = "Object";
    definition.attributes = kJSClassAttributeNoAutomaticPrototype;
    definition.getProperty = hook_get;
    definition.setProperty = hook_set;
    definition.deleteProperty = hook_delete;
    definition.getPropertyNames = hook_names;
    made = JSClassCreate(&definition);
  }
  return made;
}

/* makeScript(code, url) -> an object for `evaluate`; undefined: the code has an error, or there are none */
static JSValueRef make_script(JSContextRef context, struct js_frame *frame) {
  JSStringRef code = JSValueToStringCopy(context, js_arg(context, frame, 0), NULL);
  JSStringRef url = JSValueToStringCopy(context, js_arg(context, frame, 1), NULL);
  JSObjectRef script = code != NULL && url != NULL ? js_script_make(context, code, url) : NULL;
  if (code != NULL)
    JSStringRelease(code);
  if (url != NULL)
    JSStringRelease(url);
  return script != NULL ? script : js_undefined(context);
}

/* evaluate(script, or code, url, first line) -> the completion value, in the context that this function belongs to */
static JSValueRef evaluate(JSContextRef context, struct js_frame *frame) {
  if (JSValueIsObject(context, js_arg(context, frame, 0))) {
    JSValueRef thrown = NULL;
    JSValueRef result = js_script_run(context, (JSObjectRef)frame->arguments[0], &thrown);
    if (thrown != NULL)
      return js_throw(context, thrown);
    return result != NULL ? result : js_undefined(context);
  }
  JSStringRef code = JSValueToStringCopy(context, js_arg(context, frame, 0), NULL);
  JSStringRef url = JSValueToStringCopy(context, js_arg(context, frame, 1), NULL);
  int line = (int)js_to_integer(context, js_arg(context, frame, 2));
  JSValueRef error = NULL;
  JSValueRef value = code != NULL && url != NULL ? JSEvaluateScript(context, code, NULL, url, line, &error) : NULL;
  if (code != NULL)
    JSStringRelease(code);
  if (url != NULL)
    JSStringRelease(url);
  if (error != NULL)
    return js_throw(context, error);
  return value != NULL ? value : js_undefined(context);
}

/* setPrototype(object or null): of the global that this function belongs to, and of the object that is `this` for it */
static JSValueRef set_prototype(JSContextRef context, struct js_frame *frame) {
  JSValueRef prototype = js_arg(context, frame, 0);
  if (js_uses(JS_USE_PROTOTYPES)) {
    js_set_prototype(context, JSContextGetGroup(context), prototype);
    js_set_prototype((JSContextRef)JSContextGetGlobalObject(context), JSContextGetGroup(context), prototype);
  }
  return js_undefined(context);
}

/* followJobs(): jobs of the context that this function belongs to carry the current frame (engine/jobs/await.h) */
static JSValueRef follow_jobs(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return js_boolean(context, js_await_follow_in(context));
}

/* own(function) calls it with the hooks off, so that the globals show only their own properties */
static JSValueRef own(JSContextRef context, struct js_frame *frame) {
  bool before = hooks_off;
  hooks_off = true;
  JSValueRef error = NULL;
  JSValueRef value = JSObjectCallAsFunction(context, (JSObjectRef)js_arg(context, frame, 0), NULL, 0, NULL, &error);
  hooks_off = before;
  return error != NULL ? js_throw(context, error) : value;
}

/* makeContext(sandbox or undefined, onRejection) -> [globalThis, evaluate, setPrototype, followJobs] */
static JSValueRef make_context(JSContextRef context, struct js_frame *frame) {
  JSValueRef sandbox = js_arg(context, frame, 0);
  bool hooked = JSValueIsObject(context, sandbox);
  js_env_here->loading++; /* an end in the middle of this aborts the process on JavaScriptCore 2.54 */
  JSGlobalContextRef made = JSGlobalContextCreateInGroup(JSContextGetGroup(context), hooked ? global_class() : NULL);
  js_env_here->loading--;
  if (made == NULL)
    return js_throw_text(context, "no memory for a context");
  JSObjectRef global = JSContextGetGlobalObject(made);
  js_repair_global(made);
  if (hooked) {
    js_global_watch(forward);
    JSObjectSetPrivateProperty(made, global, sandbox_key(), sandbox);
    JSObjectSetPrivate(global, (void *)sandbox);
  }
  js_import_follow(made, NULL);
  if (!js_await_note_rejections_in(made))
    JSGlobalContextSetUnhandledRejectionCallback(made, (JSObjectRef)js_arg(context, frame, 1), NULL);
  JSValueRef parts[] = {global, js_function(made, evaluate, 3), js_function(made, set_prototype, 1),
                        js_function(made, follow_jobs, 0)};
  JSObjectRef result = js_array(context, 4, parts);
  JSGlobalContextRelease(made); /* it lives as long as its global is reachable */
  return js_unless_ended(context, result);
}

/* limited(milliseconds, function) -> [the function's result], or null if the time was up */
static JSValueRef limited(JSContextRef context, struct js_frame *frame) {
  double limit_ms = js_to_number(context, js_arg(context, frame, 0));
  JSValueRef value, error;
  bool in_time = js_call_limited(context, (JSObjectRef)js_arg(context, frame, 1), limit_ms, &value, &error);
  if (in_time && error == NULL)
    return js_array(context, 1, &value);
  if (!in_time && !js_limit_passed() && !js_env_here->stopping)
    return js_null(context);
  return js_throw(context, error != NULL ? error : js_undefined(context)); /* or an outer limit ends this, too */
}

JSObjectRef js_binding_vm(struct js_env *env) {
  static const struct js_method methods[] = {
      {"makeContext", make_context, 2},
      {"makeScript", make_script, 2},
      {"own", own, 1},
      {"limited", limited, 2},
      {NULL, NULL, 0},
  };
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  return binding;
}
