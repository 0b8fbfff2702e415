/* The engine walks its stack with an object of its own, JSC::StackVisitor, whose constructor and step are exported. It
 * has frames that compiled code has inlined, too, in the same order as the lines of an error's stack.
 *
 * The object is used as words of memory. Its place in the words is known for one release; the probe compares what is
 * there with frames that it knows. */
#include "runtime/engine/value/frames.h"

#include "runtime/engine/uses/probes.h"

#include <string.h>

enum { WORDS = 64, FRAME = 2, CALLEE = 6, CODE = 7, INLINED = 13, INLINED_TOO = 14, FRAMES_MAX = 200 };

/* Kinds of the engine's scopes, the global object among them. A function that is called by its name alone has one of
 * them as `this` until it asks for it: no value for programs. */
enum { FIRST_SCOPE = 52, LAST_SCOPE = 57 };

static void (*visitor_make)(uint64_t words[WORDS], void *frame, const void *vm, bool skips_first);
static void (*visitor_next)(uint64_t words[WORDS]);
static bool (*frame_is_hidden)(const uint64_t words[WORDS]);

const struct js_symbol js_frames_symbols[] = {
    {"_ZN3JSC12StackVisitorC1EPNS_9CallFrameERNS_2VMEb", &visitor_make},
    {"_ZN3JSC12StackVisitor13gotoNextFrameEv", &visitor_next},
    {"_ZNK3JSC12StackVisitor5Frame33isImplementationVisibilityPrivateEv", &frame_is_hidden},
    {NULL, NULL}};

/* A frame that is inlined has no words of its own. One without code is a native function's. */
static bool has_receiver(const uint64_t words[WORDS]) {
  return words[INLINED] == 0 && words[INLINED_TOO] == 0 && words[CODE] != 0;
}

static JSValueRef this_of(JSContextRef context, const struct js_frame *frame) {
  JSValueRef value = frame->this_value;
  unsigned kind = value != NULL ? js_kind_of(value) : FIRST_SCOPE;
  return kind >= FIRST_SCOPE && kind <= LAST_SCOPE ? js_undefined(context) : value;
}

JSValueRef js_frames_receivers(JSContextRef context, struct js_frame *frame) {
  uint64_t words[WORDS] = {0};
  JSValueRef found[FRAMES_MAX * 2];
  int wanted = (int)js_to_integer(context, js_arg(context, frame, 0)), count = 0;
  if (wanted > FRAMES_MAX)
    wanted = FRAMES_MAX;
  visitor_make(words, frame, JSContextGetGroup(context), false);
  for (; count < wanted && words[FRAME] != 0; visitor_next(words)) {
    if (frame_is_hidden(words))
      continue;
    const struct js_frame *at = (const struct js_frame *)(uintptr_t)words[FRAME];
    bool has = has_receiver(words);
    JSValueRef callee = (JSValueRef)(uintptr_t)words[CALLEE];
    has = has && js_kind_of(callee) == js_layout.function; /* that of a script is no value for programs */
    found[count * 2] = has ? callee : words[CODE] == 0 ? js_null(context) : js_undefined(context);
    found[count * 2 + 1] = has ? this_of(context, at) : js_undefined(context);
    count++;
  }
  return js_array(context, (size_t)count * 2, found);
}

static JSValueRef probe_native(JSContextRef context, struct js_frame *frame) {
  return js_frames_receivers(context, frame);
}

int js_probe_frames(JSGlobalContextRef context) {
  if (js_layout.heap_at != 0xc0)
    return 95; /* another release */
  js_set(context, JSContextGetGlobalObject(context), "receivers", js_function(context, probe_native, 1));
  return js_check_holds(context, "(() => { const object = { m() { return receivers(20); } };"
                                 "function plain() { const list = object.m(); list.plain = plain; return list; }"
                                 "const seen = [1].map(function each() { return plain(); }, object)[0];"
                                 "const at = seen.indexOf(object.m);"
                                 "globalThis.outside = function outside() { return receivers(20); };"
                                 "const out = outside();"
                                 "return at >= 0 && seen[at + 1] === object && seen[at + 2] === seen.plain &&"
                                 "seen[at + 3] === undefined && seen[at + 5] === object && out[2] === outside &&"
                                 "out[3] === undefined; })()")
             ? 0
             : 96;
}
