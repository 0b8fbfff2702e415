/* Probes of those uses that have no file of their own: they are words of memory that one function reads. */
#include "runtime/engine/uses/probes.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/engine/engine.h"
#include "runtime/engine/jobs/drain.h"

JSValueRef js_check_evaluate(JSContextRef context, const char *code) {
  JSStringRef text = JSStringCreateWithUTF8CString(code);
  JSValueRef value = JSEvaluateScript(context, text, NULL, NULL, 1, NULL);
  JSStringRelease(text);
  return value;
}

bool js_check_holds(JSContextRef context, const char *code) {
  JSValueRef value = js_check_evaluate(context, code);
  return value != NULL && JSValueToBoolean(context, value);
}

void js_check_drain(JSContextRef context) {
  js_drain(context, JSContextGetGroup(context));
}

int js_probe_values(JSGlobalContextRef context) {
  static const double numbers[] = {0,          -0.0, 1,      -1,  2147483647, -2147483648.0,
                                   2147483648, 0.5,  -1e300, NAN, -NAN,       INFINITY};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    JSValueRef value = JSValueMakeNumber(context, numbers[i]);
    double back[] = {js_to_number(context, value), JSValueToNumber(context, value, NULL)};
    uint64_t bits[2]; /* a number that is none equals nothing, and the two zeros each other */
    memcpy(bits, back, sizeof bits);
    if (value != js_number(context, numbers[i]) || bits[0] != bits[1])
      return 1;
  }
  if (js_undefined(context) != JSValueMakeUndefined(context) || js_null(context) != JSValueMakeNull(context) ||
      js_boolean(context, true) != JSValueMakeBoolean(context, true) ||
      js_boolean(context, false) != JSValueMakeBoolean(context, false))
    return 2;
  /* what is no number */
  JSValueRef others[] = {js_check_evaluate(context, "'a'"), js_check_evaluate(context, "({})"), js_undefined(context),
                         js_boolean(context, true)};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (others[i] == NULL || js_is_number(others[i]))
      return 3;
  return 0;
}

/* Each of these has a kind of its own, whatever its prototype is. */
int js_probe_kinds(JSGlobalContextRef context) {
  static const char *const samples[] = {"'a'",
                                        "Symbol()",
                                        "10n ** 30n",
                                        "({})",
                                        "[]",
                                        "(() => {})",
                                        "new Map",
                                        "new Set",
                                        "new Date",
                                        "/a/",
                                        "new Promise(() => {})",
                                        "new WeakMap",
                                        "new WeakSet",
                                        "new Error",
                                        "new Uint8Array(1)",
                                        "new ArrayBuffer(1)",
                                        "new DataView(new ArrayBuffer(1))",
                                        "new Proxy({}, {})",
                                        "new Map().entries()",
                                        "new Set().values()",
                                        "(function* () {})()"};
  enum { COUNT = sizeof samples / sizeof *samples };
  unsigned kinds[COUNT];
  for (int i = 0; i < COUNT; i++) {
    char again[200];
    snprintf(again, sizeof again,
             "s = %s; if (typeof s === 'object' && !(s instanceof Proxy0)) "
             "Object.setPrototypeOf(s, null); s",
             samples[i]);
    js_check_evaluate(context, "Proxy0 = function () {}; 0");
    JSValueRef one = js_check_evaluate(context, samples[i]), two = js_check_evaluate(context, again);
    if (one == NULL || two == NULL || js_kind_of(one) == 0 || js_kind_of(one) != js_kind_of(two))
      return 1 + i;
    kinds[i] = js_kind_of(one);
    for (int k = 0; k < i; k++)
      if (kinds[k] == kinds[i])
        return 100 + i;
  }
  return js_kind_of(js_integer(5)) != 0 || js_kind_of(js_null(context)) != 0 ? 200 : 0;
}

int js_probe_layout(JSGlobalContextRef context) {
  static const char *const views[] = {"Int8", "Uint8", "Uint8Clamped", "Int16", "Uint16", "Int32"};
  if (js_kind_of(js_check_evaluate(context, "(() => {})")) != js_layout.function ||
      js_kind_of(js_check_evaluate(context, "new ArrayBuffer(1)")) != js_layout.buffer)
    return 1;
  for (unsigned i = 0; i < sizeof views / sizeof *views; i++) {
    char code[60];
    snprintf(code, sizeof code, "new %sArray(3)", views[i]);
    if (js_kind_of(js_check_evaluate(context, code)) != js_layout.buffer + 1u + i)
      return 2;
  }
  return 0;
}

int js_probe_drain(JSGlobalContextRef context) {
  js_check_evaluate(context, "n = 0; Promise.resolve().then(() => n++).then(() => n++); 0");
  js_vm_drain_microtasks(JSContextGetGroup(context));
  return js_check_holds(context, "n === 2") ? 0 : 1;
}

int js_probe_promises(JSGlobalContextRef context) {
  const struct js_promise *promise = (const struct js_promise *)js_check_evaluate(context, "p = new Promise(() => {})");
  if (promise == NULL || js_promise_state(promise) != 0 || js_promise_handled(promise))
    return 2;
  js_check_evaluate(context, "p.then(() => {}); 0");
  if (!js_promise_handled(promise))
    return 3;
  struct js_promise *changed = (struct js_promise *)(uintptr_t)promise;
  js_promise_unhandle(changed);
  js_check_evaluate(context, "p.then(() => {}); 0");
  if (js_promise_state(promise) != 0 || !js_promise_handled(promise))
    return 7;
  promise = (const struct js_promise *)js_check_evaluate(context, "p = Promise.reject(5)");
  if (promise == NULL || js_promise_state(promise) != 2 || js_to_integer(context, promise->result) != 5 ||
      js_promise_handled(promise))
    return 4;
  js_check_evaluate(context, "p.catch(() => {}); 0");
  if (!js_promise_handled(promise))
    return 5;
  promise = (const struct js_promise *)js_check_evaluate(context, "p = Promise.resolve('six')");
  if (promise == NULL || js_promise_state(promise) != 1 || !JSValueIsString(context, promise->result))
    return 6;
  return 0;
}

/* A copy gives what the original has still to give, which itself goes on as if nothing had been. */
int js_probe_iterators(JSGlobalContextRef context) {
  static const char *const codes[] = {"m = new Map([[1, 2], [3, 4]]); i = m.entries(); i.next(); i", "m.entries()",
                                      "m = new Set([1, 3]); i = m.values(); i.next(); i", "m.values()"};
  for (int k = 0; k < 4; k += 2) {
    const struct js_iterator *from = (const struct js_iterator *)js_check_evaluate(context, codes[k]);
    if (from == NULL || from->state[1] != js_check_evaluate(context, "m") ||
        js_to_integer(context, from->state[JS_ITERATOR_KIND]) != (k == 0 ? 2 : 1))
      return 1 + k;
    struct js_iterator *to = (struct js_iterator *)js_check_evaluate(context, codes[k + 1]);
    js_set(context, JSContextGetGlobalObject(context), "copy", (JSValueRef)to);
    memcpy(to->state, from->state, sizeof to->state);
    if (!js_check_holds(context, "a = [...copy].flat(); b = [...i].flat();"
                                 "a[0] === 3 && a.length > 0 && String(a) === String(b)"))
      return 2 + k;
  }
  return 0;
}

int js_probe_weak(JSGlobalContextRef context) {
  const struct js_weak *weak = (const struct js_weak *)js_check_evaluate(
      context, "o = {}; q = {}; w = new WeakMap([[o, 5], [q, 6]]); w.delete(q); w");
  if (weak == NULL || weak->count != 1 || weak->capacity < 2 || weak->capacity > 64)
    return 7;
  int used = 0;
  for (uint32_t k = 0; k < weak->capacity; k++) {
    if (!js_weak_bucket_used(weak->buckets[2 * k]))
      continue;
    used++;
    if (weak->buckets[2 * k] != js_check_evaluate(context, "o") ||
        js_to_integer(context, weak->buckets[2 * k + 1]) != 5)
      return 8;
  }
  return used != 1 ? 9 : 0;
}

int js_probe_proxies(JSGlobalContextRef context) {
  const JSValueRef *words = (const JSValueRef *)js_check_evaluate(context, "t = {}; h = {}; new Proxy(t, h)");
  return words != NULL && words[2] == js_check_evaluate(context, "t") && words[3] == js_check_evaluate(context, "h")
             ? 0
             : 1;
}

void (*js_set_prototype)(JSContextRef global_or_object, JSContextGroupRef vm, JSValueRef prototype);
const struct js_symbol js_prototypes_symbols[] = {
    {"_ZN3JSC8JSObject18setPrototypeDirectERNS_2VMENS_7JSValueE", &js_set_prototype}, {NULL, NULL}};

int js_probe_prototypes(JSGlobalContextRef context) {
  JSGlobalContextRef other = JSGlobalContextCreateInGroup(JSContextGetGroup(context), NULL);
  JSValueRef prototype = js_check_evaluate(context, "({ inherited: 5 })");
  js_set_prototype(other, JSContextGetGroup(other), prototype);
  js_set_prototype((JSContextRef)JSContextGetGlobalObject(other), JSContextGetGroup(other), prototype);
  return js_check_holds(other, "inherited === 5 && globalThis.inherited === 5") ? 0 : 1;
}
