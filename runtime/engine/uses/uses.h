/* What this program uses of the engine beyond its documented C API, one row for each use: how it is probed, and what is
 * done in its place. The table is in engine/uses/uses.c.
 *
 * A use is on when its symbols are there and its probe has passed on exactly this build of the engine, known by its
 * build id. Code that relies on a use calls js_uses() first, and has another way through the documented API if it is
 * off. */
#ifndef JS_ENGINE_USES_H
#define JS_ENGINE_USES_H

#include <JavaScriptCore/JavaScript.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum js_use {
  JS_USE_VALUES,
  JS_USE_KINDS,
  JS_USE_LAYOUT,
  JS_USE_MARK,
  JS_USE_NATIVES,
  JS_USE_CALLS,
  JS_USE_DRAIN,
  JS_USE_TEXT,
  JS_USE_VIEWS,
  JS_USE_BECOME,
  JS_USE_PROMISES,
  JS_USE_ITERATORS,
  JS_USE_WEAK,
  JS_USE_PROXIES,
  JS_USE_PLACES,
  JS_USE_JOBS,
  JS_USE_ENDING,
  JS_USE_WAKING,
  JS_USE_HEAP,
  JS_USE_ALLOWANCE,
  JS_USE_SHARED,
  JS_USE_IMPORT,
  JS_USE_REJECTIONS,
  JS_USE_AWAIT,
  JS_USE_ERRORS,
  JS_USE_GLOBALS,
  JS_USE_PROTOTYPES,
  JS_USE_TIME_ZONE,
  JS_USE_ADDONS,
  JS_USE_EXTERNAL_TEXT,
  JS_USE_REPAIR,
  JS_USE_FRAMES,
  JS_USE_BYTECODE,
  JS_USE_SCRIPTS,
  JS_USE_FUNCTIONS,
  /* No uses, but facts about the order of the engine's own jobs: on means that it is right. */
  JS_ORDER_FOR_AWAIT,
  JS_ORDER_THENABLES,
  JS_ORDER_DELEGATION,
  JS_ORDER_FINALLY,
  JS_USE_COUNT
};

/* A C++ function or variable of the engine's: `place` is a pointer that gets its address. Two rows with one place, one
 * after the other: it has another name in some releases. Behind JS_SYMBOLS_OR is another way to the same use, for
 * releases that lack one of the names before it. */
struct js_symbol {
  const char *name;
  void *place;
};
#define JS_SYMBOLS_OR                                                                                                  \
  { "or", NULL }

extern uint64_t js_uses_on;

static inline bool js_uses(enum js_use use) {
  return (js_uses_on >> use & 1) != 0;
}

/* Decides what is on; before the first engine is made, while there is one thread. 0, or the program cannot run on this
 * engine, and has said why. */
int js_uses_decide(void);

/* The same, but nothing is believed: each probe runs, and what fails is named. 0: nothing failed. */
int js_uses_check(void);

/* For `rota --engine`. */
void js_uses_print(FILE *file);

/* The engine's version and build id, the names of what is off, and what that means to a program. */
const char *js_engine_version(void);
const char *js_engine_build(void);
const char *js_use_name(enum js_use use);
/* Whether it is worth to be told that it is off: an order that is put right in the engine is not. */
bool js_use_counts(enum js_use use);

#endif
