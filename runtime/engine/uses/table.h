/* A global object's table of functions: what the engine asks its host. Each global points at a table in the engine's
 * library; a copy with functions of ours takes its place. */
#ifndef JS_ENGINE_TABLE_H
#define JS_ENGINE_TABLE_H

#include "runtime/engine/uses/private.h"

/* JSC::JSGlobalObject: where the pointer to its table stands, and which of its functions is which. */
enum js_table {
  JS_TABLE_AT = 0xd48 / sizeof(void *),
  JS_TABLE_QUEUE = 3,  /* asked to queue a microtask, if it is there */
  JS_TABLE_IMPORT = 5, /* import(), where no module loader of the engine's is at work */
  JS_TABLE_REJECTED = 10,
  JS_TABLE_LENGTH = 40,
};

static inline void ***js_table_of(JSContextRef global) {
  return (void ***)((void **)global + JS_TABLE_AT);
}

/* Whether the table, and what should not be there yet, are as expected. */
bool js_table_is_expected(JSContextRef global);

/* One function, once the table is a copy of ours (js_import_follow): false if it is not. */
bool js_table_set(JSContextRef global, enum js_table which, void *function);

#endif
