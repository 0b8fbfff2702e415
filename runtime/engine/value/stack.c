/* Three things that the engine knows of functions: which of them wait for a promise, which are on the stack, and where
 * one was written. */
#include "runtime/engine/value/stack.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/engine/jobs/await.h"
#include "runtime/engine/uses/probes.h"

/* ---- functions that wait ---- */

/* An asynchronous function is a generator to the engine. The generator has the promise of the call. A promise that is
 * not settled has a list of reactions; the reaction of an `await` has the generator that waits. So the functions that
 * wait are found from the job that runs, upwards, as V8 does it: as long as exactly one reaction waits for each
 * promise. The program pays for this only when it makes an error.
 *
 * Everything is read from words of memory, whose places are known for one release. The probe compares the result with
 * functions that it knows. */

/* Each one that waits has four values: its code, its `this`, which of its awaits it waits at, counted in the order of
 * the engine's code, and whether it is a generator. Promise.all has null, undefined, the index of the promise, and
 * false. */
enum { WAITING_VALUES = 4, BODY_ARGUMENTS = 5 };

enum { FUNCTION = 26, BUFFER = 38, PLAIN_OBJECT = 24, GENERATOR = 65, ASYNC_GENERATOR = 66, PROMISE = 76 };

/* Other releases number the kinds of cells differently. */
static bool is_known(void) {
  return js_layout.function == FUNCTION;
}

/* Words of the engine's objects. Those of plain objects are their first properties. */
enum { ELEMENTS = 1 };
enum { GENERATOR_STATE = 3, GENERATOR_CODE, GENERATOR_THIS, GENERATOR_PROMISE = 7, GENERATOR_CALLS };
enum { CALL_PROMISE = 4 };
enum { REACTIONS_FIRST = 2, REACTIONS_MORE = 6, REACTIONS_LOOKED_AT = 8 };
enum { REACTION_PROMISE, REACTION_FULFILLED, REACTION_REJECTED, REACTION_CONTEXT, REACTION_VALUES };
enum { ELEMENT_ALL = 2, ELEMENT_INDEX, ALL_PROMISE = 2 };

static JSValueRef word(JSValueRef cell, int index) {
  return ((const JSValueRef *)cell)[index];
}

static bool is_generator(JSValueRef value) {
  unsigned kind = js_kind_of(value);
  return kind == GENERATOR || kind == ASYNC_GENERATOR;
}

/* Here any release will do: the kinds of generators are as far from that of a buffer in all of them. 2.54 has one more,
 * for asynchronous functions, and their code one word earlier. */
static bool is_body_of(JSValueRef generator, JSValueRef function) {
  enum { EARLIER = GENERATOR_CODE - 1 };
  unsigned first = js_layout.buffer + (unsigned)(GENERATOR - BUFFER), kind = js_kind_of(generator);
  bool is_one = kind >= first && kind < first + js_layout.generators;
  return is_one && (word(generator, GENERATOR_CODE) == function || word(generator, EARLIER) == function);
}

/* The promise that a generator settles; an asynchronous generator has one for each call of next(). */
static JSValueRef promise_of(JSValueRef generator) {
  if (js_kind_of(generator) == GENERATOR)
    return word(generator, GENERATOR_PROMISE);
  JSValueRef call = word(generator, GENERATOR_CALLS);
  return js_kind_of(call) == PLAIN_OBJECT ? word(call, CALL_PROMISE) : NULL;
}

/* The reactions to a promise are one plain object. The first is its first four properties, the others are its elements,
 * four values each; a fifth property counts these. -> the one at `index`, or NULL. */
static const JSValueRef *reaction_at(JSContextRef context, JSValueRef list, int index) {
  JSValueRef more = word(list, REACTIONS_MORE), elements = word(list, ELEMENTS);
  if (index == 0)
    return (const JSValueRef *)list + REACTIONS_FIRST;
  bool is_there = JSValueIsNumber(context, more) && index * REACTION_VALUES <= js_to_integer(context, more);
  return is_there && elements != NULL ? (const JSValueRef *)elements + (index - 1) * REACTION_VALUES : NULL;
}

/* The one reaction to a promise that is not settled. Those that carry the asynchronous context do not count. */
static const JSValueRef *single_reaction(JSContextRef context, JSValueRef promise) {
  JSValueRef list = ((const struct js_promise *)promise)->result;
  const JSValueRef *single = NULL, *at;
  if (js_promise_state((const struct js_promise *)promise) != 0 || js_kind_of(list) != PLAIN_OBJECT)
    return NULL;
  for (int i = 0; i < REACTIONS_LOOKED_AT && (at = reaction_at(context, list, i)) != NULL; i++) {
    if (js_await_is_reaction(context, at[REACTION_FULFILLED]))
      continue;
    if (single != NULL)
      return NULL;
    single = at;
  }
  return single;
}

/* What waits for a promise, unless that is only a reaction of then() -> the promise that it settles itself. */
static JSValueRef climb(JSContextRef context, JSValueRef promise, JSValueRef found[WAITING_VALUES], bool *is_shown) {
  const JSValueRef *reaction = single_reaction(context, promise);
  if (reaction == NULL)
    return NULL;
  JSValueRef waits = reaction[REACTION_CONTEXT];
  if (is_generator(waits)) {
    found[0] = word(waits, GENERATOR_CODE);
    found[1] = word(waits, GENERATOR_THIS);
    found[2] = word(waits, GENERATOR_STATE);
    found[3] = js_boolean(context, js_kind_of(waits) == ASYNC_GENERATOR);
    return promise_of(waits);
  }
  if (js_kind_of(waits) != PLAIN_OBJECT) {
    *is_shown = false;
    return reaction[REACTION_PROMISE];
  }
  JSValueRef all = word(waits, ELEMENT_ALL), index = word(waits, ELEMENT_INDEX);
  if (js_kind_of(all) != PLAIN_OBJECT || index == NULL || !JSValueIsNumber(context, index))
    return NULL;
  found[0] = js_null(context);
  found[1] = js_undefined(context);
  found[2] = index;
  found[3] = js_boolean(context, false);
  return word(all, ALL_PROMISE);
}

/* The engine's functions are known by their names, and then by their code. An engine has a thread of its own. */
enum { FUNCTION_CODE = 3, JOB_FUNCTIONS = 2 };

/* Is it one of the engine's functions that run the job of a reaction? */
static bool is_job(JSContextRef context, JSValueRef function) {
  static const char *const names[JOB_FUNCTIONS] = {"promiseReactionJob", "promiseReactionJobWithoutPromise"};
  static _Thread_local JSValueRef codes[JOB_FUNCTIONS];
  JSValueRef code = word(function, FUNCTION_CODE);
  bool is_known = true;
  for (int i = 0; i < JOB_FUNCTIONS; i++) {
    if (codes[i] == code)
      return true;
    is_known = is_known && codes[i] != NULL;
  }
  if (is_known)
    return false;
  size_t length;
  char *name = js_to_text(context, js_get(context, (JSObjectRef)function, "name"), &length);
  int found = -1;
  for (int i = 0; i < JOB_FUNCTIONS && name != NULL; i++)
    if (strcmp(name, names[i]) == 0)
      codes[found = i] = word(function, FUNCTION_CODE); /* the question may have changed it */
  free(name);
  return found >= 0;
}

/* The engine's functions for jobs have (promise, handler, value, context) or, if nothing needs the promise of then(),
 * (handler, value, context). */
static JSValueRef promise_of_job(const JSValueRef *arguments, int given) {
  int context = given > 0 && js_kind_of(arguments[0]) == js_layout.function ? 2 : 3;
  if (given > context && is_generator(arguments[context]))
    return promise_of(arguments[context]);
  return given > 0 ? arguments[0] : NULL;
}

/* From the arguments of the engine's function that runs a job. -> how many were found. */
static size_t list_waiting(JSContextRef context, const JSValueRef *arguments, int given, JSValueRef *found,
                           size_t most) {
  size_t count = 0;
  JSValueRef promise = promise_of_job(arguments, given);
  /* A chain of then() may be long, and a program could make a circle of promises. */
  for (int steps = 0; steps < 1000 && count < most && js_kind_of(promise) == PROMISE; steps++) {
    bool is_shown = true;
    promise = climb(context, promise, &found[count * WAITING_VALUES], &is_shown);
    if (promise == NULL)
      break;
    count += is_shown;
  }
  return count;
}

/* ---- probe ---- */

static JSValueRef probe_waiting(JSContextRef context, struct js_frame *frame) {
  JSValueRef arguments[] = {js_arg(context, frame, 0)}, found[10 * WAITING_VALUES];
  size_t count = list_waiting(context, arguments, 1, found, 10);
  return js_array(context, count * WAITING_VALUES, found);
}

static int check_waiting(JSGlobalContextRef context) {
  js_set(context, JSContextGetGlobalObject(context), "waiting", js_function(context, probe_waiting, 1));
  js_check_evaluate(context, "wake = undefined; object = { async m() { await 1; await list[0]; } };"
                             "list = [new Promise((done) => { wake = done; })];"
                             "async function outer() { await Promise.all([1, object.m()]); }"
                             "async function* values() { await outer(); yield 1; }"
                             "async function last() { for await (const value of values()); }"
                             "end = last().then(() => {}); 0");
  js_check_drain(context);
  return js_check_holds(context, "(() => { const found = waiting(list[0]);"
                                 "const good = found.length === 20 && found[1] === object && found[2] === 2 &&"
                                 "found[4] === null && found[6] === 1 && found[10] === 1 && found[14] === 1 &&"
                                 "!found[11] && found[15] && found[16].name === 'last'; wake(); list[0].then(() => "
                                 "{}); list[0].then(() => {});"
                                 "return good && waiting(list[0]).length === 0 && waiting({}).length === 0; })()")
             ? 0
             : 97;
}

/* ---- the stack ---- */

/* The engine walks its stack with an object of its own, JSC::StackVisitor, whose constructor and step are exported. It
 * has frames that compiled code has inlined, too, in the same order as the lines of an error's stack.
 *
 * The object is used as words of memory. The probe compares what is there with frames that it knows. */

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
  return js_argc(frame) == BODY_ARGUMENTS && is_body_of(frame->arguments[0], callee);
}

/* What waits for the promise's job whose frame this is. */
static JSValueRef waiting_for(JSContextRef context, const struct js_frame *job, int most) {
  JSValueRef found[FRAMES_MAX * WAITING_VALUES];
  if (job == NULL || most <= 0)
    return js_undefined(context);
  size_t count = list_waiting(context, job->arguments, js_argc(job), found, (size_t)most);
  return count == 0 ? js_undefined(context) : js_array(context, count * WAITING_VALUES, found);
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
      if (job == NULL && has && is_known() && is_job(context, callee))
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
             ? (is_known() ? check_waiting(context) : 0)
             : 96;
}

/* ---- places ---- */

/* A function's place is known to the engine, but its API does not tell it: JSFunction::sourceCode tells where the
 * function's text lies, and the text's provider begins with what it was called.
 *
 * These shapes are the engine's own affair: JS_USE_PLACES. Without it no function has a place. */

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
