/* An asynchronous function is a generator to the engine. The generator has the promise of the call. A promise that is
 * not settled has a list of reactions; the reaction of an `await` has the generator that waits. So the functions that
 * wait are found from the job that runs, upwards, as V8 does it: as long as exactly one reaction waits for each
 * promise. The program pays for this only when it makes an error.
 *
 * Everything is read from words of memory, whose places are known for one release. The probe compares the result with
 * functions that it knows. */
#include "runtime/engine/value/waiting.h"

#include "runtime/engine/jobs/await.h"
#include "runtime/engine/uses/probes.h"

#include <stdlib.h>
#include <string.h>

enum { FUNCTION = 26, BUFFER = 38, PLAIN_OBJECT = 24, GENERATOR = 65, ASYNC_GENERATOR = 66, PROMISE = 76 };

/* Other releases number the kinds of cells differently. */
bool js_waiting_is_known(void) {
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
bool js_waiting_is_body(JSValueRef generator, JSValueRef function) {
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
static JSValueRef climb(JSContextRef context, JSValueRef promise, JSValueRef found[JS_WAITING_VALUES], bool *is_shown) {
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

bool js_waiting_is_job(JSContextRef context, JSValueRef function) {
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

size_t js_waiting_list(JSContextRef context, const JSValueRef *arguments, int given, JSValueRef *found, size_t most) {
  size_t count = 0;
  JSValueRef promise = promise_of_job(arguments, given);
  /* A chain of then() may be long, and a program could make a circle of promises. */
  for (int steps = 0; steps < 1000 && count < most && js_kind_of(promise) == PROMISE; steps++) {
    bool is_shown = true;
    promise = climb(context, promise, &found[count * JS_WAITING_VALUES], &is_shown);
    if (promise == NULL)
      break;
    count += is_shown;
  }
  return count;
}

/* ---- probe ---- */

static JSValueRef probe_waiting(JSContextRef context, struct js_frame *frame) {
  JSValueRef arguments[] = {js_arg(context, frame, 0)}, found[10 * JS_WAITING_VALUES];
  size_t count = js_waiting_list(context, arguments, 1, found, 10);
  return js_array(context, count * JS_WAITING_VALUES, found);
}

int js_probe_waiting(JSGlobalContextRef context) {
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
