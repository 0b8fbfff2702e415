/* A function's place is known to the engine, and to nobody through its API: JSFunction::sourceCode tells where the
 * function's text lies, and the text's provider begins with what it was called. The number of microtasks comes from the
 * counter that each of them takes its identity from.
 *
 * These shapes are the engine's own affair; js_place_check looks whether they are as described here, each time the
 * program is built. */
#include "runtime/engine/engine_place.h"

#include <string.h>

enum { CELL_FUNCTION = 26, PROVIDER_NAME = 9, FLAG_LATIN1 = 4 };

struct source_code {
  void *const *provider;
  int start, end;
  int line, column; /* from 0 */
};

struct name_header {
  uint32_t references;
  uint32_t length;
  const void *data;
  uint32_t hash_and_flags;
};

extern const struct source_code *js_function_source(JSValueRef function) __asm__("_ZNK3JSC10JSFunction10sourceCodeEv");
extern uint64_t
js_next_identity(void) __asm__("_ZN3WTF38ObjectIdentifierThreadSafeAccessTraitsImE26generateIdentifierInternalEv");

bool js_place_of(JSValueRef function, struct js_place *place) {
  uint64_t bits = (uint64_t)(uintptr_t)function;
  if (bits == 0 || (bits & 0xFFFE000000000002u) != 0 || ((const unsigned char *)function)[5] != CELL_FUNCTION)
    return false;
  const struct source_code *code = js_function_source(function);
  if (code == NULL || code->provider == NULL)
    return false;
  *place = (struct js_place){.source = code->provider, .start = code->start, .line = code->line + 1};
  return true;
}

struct js_characters js_place_file(const struct js_place *place) {
  const struct name_header *name = ((void *const *)place->source)[PROVIDER_NAME];
  if (name == NULL)
    return (struct js_characters){"", 0, false};
  return (struct js_characters){name->data, name->length, (name->hash_and_flags & FLAG_LATIN1) == 0};
}

uint64_t js_microtasks_queued(void) {
  return js_next_identity();
}

static JSValueRef run(JSContextRef context, const char *code) {
  JSStringRef text = JSStringCreateWithUTF8CString(code), name = JSStringCreateWithUTF8CString("/place/check.js");
  JSValueRef value = JSEvaluateScript(context, text, NULL, name, 1, NULL);
  JSStringRelease(text);
  JSStringRelease(name);
  return value;
}

int js_place_check(JSContextRef context) {
  struct js_place place;
  JSValueRef function = run(context, "\n(function () {\n  return function known() {};\n})()");
  if (!js_place_of(function, &place) || place.line != 3)
    return 20;
  struct js_characters file = js_place_file(&place);
  if (file.wide || file.length != 15 || memcmp(file.data, "/place/check.js", 15) != 0)
    return 24;
  if (!js_place_of(run(context, "() => 1"), &place) || place.line != 1)
    return 21;
  if (js_place_of(run(context, "(function () {}).bind(1)"), &place) ||
      js_place_of(run(context, "new Proxy(function () {}, {})"), &place) || js_place_of(run(context, "5"), &place) ||
      js_place_of(run(context, "({})"), &place))
    return 22;
  uint64_t before = js_microtasks_queued();
  run(context, "Promise.resolve().then(() => {}).then(() => {}).then(() => {}); 0");
  js_vm_drain_microtasks(JSContextGetGroup(context));
  return js_microtasks_queued() - before - 1 == 3 ? 0 : 23;
}
