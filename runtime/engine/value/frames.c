/* The engine walks its stack with an object of its own, JSC::StackVisitor, whose constructor and step are exported. It
 * has frames that compiled code has inlined, too, in the same order as the lines of an error's stack.
 *
 * The object is used as words of memory. The probe compares what is there with frames that it knows. */
#include "runtime/engine/value/frames.h"

#include "runtime/engine/uses/probes.h"
#include "runtime/engine/value/waiting.h"

#include <string.h>

enum { WORDS = 64, INLINED = 0, FRAME = 2, CALLEE = 6, CODE = 7, FRAMES_MAX = 200, VALUES = 3 };
enum { FRAME_CALLEE = 3 };

/* Kinds of the engine's scopes, the global object among them, counted from that of a buffer. A function that is called
 * by its name alone has one of them as `this` until it asks for it: no value for programs. */
enum { FIRST_SCOPE = 14, LAST_SCOPE = 19 };

static void (*visitor_make)(uint64_t words[WORDS], void *frame, const void *vm, bool skips_first);
static void (*visitor_next)(uint64_t words[WORDS]);
static bool (*frame_is_hidden)(const uint64_t words[WORDS]);

const struct js_symbol js_frames_symbols[] = {
    {"_ZN3JSC12StackVisitorC1EPNS_9CallFrameERNS_2VMEb", &visitor_make},
    {"_ZN3JSC12StackVisitor13gotoNextFrameEv", &visitor_next},
    {"_ZNK3JSC12StackVisitor5Frame33isImplementationVisibilityPrivateEv", &frame_is_hidden},
    {NULL, NULL}};

/* A frame that is inlined has no words of its own: those are of the function that it is inlined in. One without code is
 * a native function's. */
static bool has_receiver(const uint64_t words[WORDS], const struct js_frame *frame) {
  return words[INLINED] == 0 && words[CODE] != 0 && frame->bookkeeping[FRAME_CALLEE] == words[CALLEE];
}

static JSValueRef this_of(JSContextRef context, const struct js_frame *frame) {
  JSValueRef value = frame->this_value;
  unsigned kind = value != NULL ? js_kind_of(value) : js_layout.buffer + 0u + FIRST_SCOPE;
  return kind - js_layout.buffer >= FIRST_SCOPE && kind - js_layout.buffer <= LAST_SCOPE ? js_undefined(context)
                                                                                         : value;
}

/* Is it the code of a generator, or of an asynchronous function, which the engine calls with the generator and four
 * other values? The function that the program knows calls this one, and may have a name where this one has none. */
static bool is_body(const struct js_frame *frame, JSValueRef callee) {
  return js_argc(frame) == JS_BODY_ARGUMENTS && js_waiting_is_body(frame->arguments[0], callee);
}

/* What waits for the promise's job whose frame this is. */
static JSValueRef waiting_for(JSContextRef context, const struct js_frame *job, int most) {
  JSValueRef found[FRAMES_MAX * JS_WAITING_VALUES];
  if (job == NULL || most <= 0)
    return js_undefined(context);
  size_t count = js_waiting_list(context, job->arguments, js_argc(job), found, (size_t)most);
  return count == 0 ? js_undefined(context) : js_array(context, count * JS_WAITING_VALUES, found);
}

JSValueRef js_frames_receivers(JSContextRef context, struct js_frame *frame) {
  uint64_t words[WORDS] = {0};
  JSValueRef found[1 + FRAMES_MAX * VALUES];
  int wanted = (int)js_to_integer(context, js_arg(context, frame, 0)), count = 0;
  const struct js_frame *job = NULL; /* the innermost; a job may call what runs others */
  if (wanted > FRAMES_MAX)
    wanted = FRAMES_MAX;
  visitor_make(words, frame, JSContextGetGroup(context), false);
  for (; count < wanted && words[FRAME] != 0; visitor_next(words)) {
    const struct js_frame *at = (const struct js_frame *)(uintptr_t)words[FRAME];
    JSValueRef callee = (JSValueRef)(uintptr_t)words[CALLEE], *values = &found[1 + count * VALUES];
    /* The callee of a script is no value for programs. */
    bool has = has_receiver(words, at) && js_kind_of(callee) == js_layout.function;
    if (frame_is_hidden(words)) {
      if (job == NULL && has && js_waiting_is_known() && js_waiting_is_job(context, callee))
        job = at;
      continue;
    }
    values[0] = has ? callee : words[CODE] == 0 ? js_null(context) : js_undefined(context);
    values[1] = has ? this_of(context, at) : js_undefined(context);
    values[2] = js_boolean(context, has && is_body(at, callee));
    count++;
  }
  found[0] = waiting_for(context, job, wanted);
  return js_array(context, 1 + (size_t)count * VALUES, found);
}

static JSValueRef probe_native(JSContextRef context, struct js_frame *frame) {
  return js_frames_receivers(context, frame);
}

int js_probe_frames(JSGlobalContextRef context) {
  js_set(context, JSContextGetGlobalObject(context), "receivers", js_function(context, probe_native, 1));
  return js_check_holds(context, "(() => { const object = { m() { return receivers(20); } };"
                                 "function plain() { const list = object.m(); list.plain = plain; return list; }"
                                 "const seen = [1].map(function each() { return plain(); }, object)[0];"
                                 "const at = seen.indexOf(object.m);"
                                 "globalThis.outside = function outside() { return receivers(20); };"
                                 "const out = outside();"
                                 "return at >= 0 && seen[at + 1] === object && seen[at + 3] === seen.plain &&"
                                 "seen[at + 4] === undefined && seen[at + 7] === object && out[4] === outside &&"
                                 "out[5] === undefined && out[0] === undefined; })()")
             ? (js_waiting_is_known() ? js_probe_waiting(context) : 0)
             : 96;
}
