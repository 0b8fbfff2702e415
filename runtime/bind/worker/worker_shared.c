/* Shared memory between engines. A SharedArrayBuffer's cell points at the engine's buffer, in which its contents begin
 * at the third word; the engine's own `shareWith` makes other contents refer to the same memory and counts that. So a
 * buffer is held by contents of ours while it travels, and an empty SharedArrayBuffer of the other engine is made to
 * refer to it. js_shared_check looks whether that works, each time the program is built. */
#include "runtime/bind/worker/worker.h"

#include <stdlib.h>

enum { BUFFER_AT = 2, CONTENTS_AT = 2, CONTENTS_WORDS = 16 };

/* JSC::ArrayBufferContents::shareWith(ArrayBufferContents &) */
extern void js_contents_share(void *contents, void *with) __asm__("_ZN3JSC19ArrayBufferContents9shareWithERS0_");

static void *contents_of(JSValueRef buffer) {
  return ((void *const *)buffer)[BUFFER_AT] != NULL ? (void **)((void *const *)buffer)[BUFFER_AT] + CONTENTS_AT : NULL;
}

void *js_shared_hold(JSValueRef buffer) {
  void *held = calloc(CONTENTS_WORDS, sizeof(void *));
  if (held != NULL)
    js_contents_share(contents_of(buffer), held);
  return held;
}

void js_shared_give(void *held, JSValueRef buffer) {
  js_contents_share(held, contents_of(buffer));
}

/* Contents that refer to nothing take the place of those that did. */
void js_shared_drop(void *held) {
  void *nothing[CONTENTS_WORDS] = {NULL};
  js_contents_share(nothing, held);
  free(held);
}

int js_shared_check(JSContextRef context) {
  JSStringRef code =
      JSStringCreateWithUTF8CString("a = new SharedArrayBuffer(24); b = new SharedArrayBuffer(0); [a, b]");
  JSValueRef pair = JSEvaluateScript(context, code, NULL, NULL, 1, NULL);
  JSStringRelease(code);
  if (pair == NULL)
    return 30;
  void *held = js_shared_hold(JSObjectGetPropertyAtIndex(context, (JSObjectRef)pair, 0, NULL));
  js_shared_give(held, JSObjectGetPropertyAtIndex(context, (JSObjectRef)pair, 1, NULL));
  js_shared_drop(held);
  code = JSStringCreateWithUTF8CString("new Uint8Array(a)[7] = 9; b.byteLength * 10 + new Uint8Array(b)[7]");
  JSValueRef sum = JSEvaluateScript(context, code, NULL, NULL, 1, NULL);
  JSStringRelease(code);
  return sum != NULL && js_to_integer(context, sum) == 249 ? 0 : 31;
}
