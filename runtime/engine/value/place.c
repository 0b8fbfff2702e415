/* A function's place is known to the engine, but its API does not tell it: JSFunction::sourceCode tells where the
 * function's text lies, and the text's provider begins with what it was called.
 *
 * These shapes are the engine's own affair: JS_USE_PLACES. Without it no function has a place. */
#include "runtime/engine/value/place.h"

#include "runtime/engine/uses/probes.h"

#include <string.h>

enum { PROVIDER_NAME = 9, FLAG_LATIN1 = 4 };

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

static const struct source_code *(*function_source)(JSValueRef function);

const struct js_symbol js_place_symbols[] = {{"_ZNK3JSC10JSFunction10sourceCodeEv", &function_source}, {NULL, NULL}};

bool js_place_of(JSValueRef function, struct js_place *place) {
  if (!js_uses(JS_USE_PLACES) || js_kind_of(function) != js_layout.function)
    return false;
  const struct source_code *code = function_source(function);
  if (code == NULL || code->provider == NULL)
    return false;
  *place = (struct js_place){
      .source = code->provider, .start = code->start, .line = code->line + 1, .column = code->column + 1};
  return true;
}

struct js_characters js_place_file(const struct js_place *place) {
  const struct name_header *name = ((void *const *)place->source)[PROVIDER_NAME];
  if (name == NULL)
    return (struct js_characters){"", 0, false};
  return (struct js_characters){name->data, name->length, (name->hash_and_flags & FLAG_LATIN1) == 0};
}

static JSValueRef run(JSContextRef context, const char *code) {
  JSStringRef text = JSStringCreateWithUTF8CString(code), name = JSStringCreateWithUTF8CString("/place/check.js");
  JSValueRef value = JSEvaluateScript(context, text, NULL, name, 1, NULL);
  JSStringRelease(text);
  JSStringRelease(name);
  return value;
}

int js_probe_places(JSGlobalContextRef context) {
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
  return 0;
}
