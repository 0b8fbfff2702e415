/* Shared memory between engines. A SharedArrayBuffer's cell points at the engine's buffer, in which its contents begin
 * at the third word; the engine's own `shareWith` makes other contents refer to the same memory and counts that. So a
 * buffer is held by contents of ours while it travels, and an empty SharedArrayBuffer of the other engine is made to
 * refer to it. JS_USE_SHARED says whether that works; there is no other way. */
#include "runtime/engine/value/shared.h"

#include "runtime/engine/uses/probes.h"

#include <stdlib.h>

enum { BUFFER_AT = 2, CONTENTS_AT = 2, CONTENTS_WORDS = 16 };

/* JSC::ArrayBufferContents::shareWith(ArrayBufferContents &) */
static void (*share)(void *contents, void *with);

const struct js_symbol js_shared_symbols[] = {{"_ZN3JSC19ArrayBufferContents9shareWithERS0_", &share}, {NULL, NULL}};

static void *contents_of(JSValueRef buffer) {
  return ((void *const *)buffer)[BUFFER_AT] != NULL ? (void **)((void *const *)buffer)[BUFFER_AT] + CONTENTS_AT : NULL;
}

void *js_shared_hold(JSValueRef buffer) {
  void *held = !js_uses(JS_USE_SHARED) ? NULL : calloc(CONTENTS_WORDS, sizeof(void *));
  if (held != NULL)
    share(contents_of(buffer), held);
  return held;
}

void js_shared_give(void *held, JSValueRef buffer) {
  share(held, contents_of(buffer));
}

/* Contents that refer to nothing take the place of those that did. */
void js_shared_drop(void *held) {
  void *nothing[CONTENTS_WORDS] = {NULL};
  share(nothing, held);
  free(held);
}

int js_probe_shared(JSGlobalContextRef context) {
  JSValueRef pair = js_check_evaluate(context, "a = new SharedArrayBuffer(24); b = new SharedArrayBuffer(0); [a, b]");
  if (pair == NULL)
    return 30;
  void *held = js_shared_hold(JSObjectGetPropertyAtIndex(context, (JSObjectRef)pair, 0, NULL));
  js_shared_give(held, JSObjectGetPropertyAtIndex(context, (JSObjectRef)pair, 1, NULL));
  js_shared_drop(held);
  return js_check_holds(context, "new Uint8Array(a)[7] = 9; b.byteLength === 24 && new Uint8Array(b)[7] === 9") ? 0
                                                                                                                : 31;
}
