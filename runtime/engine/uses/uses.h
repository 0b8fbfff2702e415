/* What this program uses of the engine beyond its documented C API, one row for each use: how it is probed, and what
 * is done in its place. The table is in engine/uses/uses.c.
 *
 * A use is on when its symbols are there and its probe has passed on exactly this build of the engine, known by its
 * build id. Whoever relies on one asks js_uses() first and has another way, by the documented API, when it is off. */
#ifndef ROTA_ENGINE_USES_H
#define ROTA_ENGINE_USES_H

#include <JavaScriptCore/JavaScript.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum js_use {
  ROTA_USE_VALUES,
  ROTA_USE_KINDS,
  ROTA_USE_LAYOUT,
  ROTA_USE_NATIVES,
  ROTA_USE_CALLS,
  ROTA_USE_DRAIN,
  ROTA_USE_TEXT,
  ROTA_USE_VIEWS,
  ROTA_USE_BECOME,
  ROTA_USE_PROMISES,
  ROTA_USE_ITERATORS,
  ROTA_USE_WEAK,
  ROTA_USE_PROXIES,
  ROTA_USE_PLACES,
  ROTA_USE_JOBS,
  ROTA_USE_ENDING,
  ROTA_USE_WAKING,
  ROTA_USE_HEAP,
  ROTA_USE_ALLOWANCE,
  ROTA_USE_SHARED,
  ROTA_USE_IMPORT,
  ROTA_USE_AWAIT,
  ROTA_USE_ERRORS,
  ROTA_USE_GLOBALS,
  ROTA_USE_PROTOTYPES,
  ROTA_USE_TIME_ZONE,
  ROTA_USE_ADDONS,
  ROTA_USE_EXTERNAL_TEXT,
  ROTA_USE_REPAIR,
  /* No uses, but facts about the order of the engine's own jobs: on means that it is right. */
  ROTA_ORDER_FOR_AWAIT,
  ROTA_ORDER_THENABLES,
  ROTA_ORDER_DELEGATION,
  ROTA_ORDER_FINALLY,
  ROTA_USE_COUNT
};

/* A C++ function or variable of the engine's: `place` is a pointer that gets its address. */
struct js_symbol {
  const char *name;
  void *place;
};

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
const char *js_use_without(enum js_use use);

#endif
