/* A global object's table of functions: what the engine asks its host. Each global points at a table in the engine's
 * library; a copy with functions of ours takes its place. */
#ifndef JS_ENGINE_TABLE_H
#define JS_ENGINE_TABLE_H

#include "runtime/engine/uses/private.h"

/* How much of it is copied. */
enum { JS_TABLE_LENGTH = 40 };

static inline void ***js_table_of(JSContextRef global) {
  return (void ***)(uintptr_t)((const char *)global + js_layout.table_at);
}

/* Whether the table, and what should not be there yet, are as expected. */
bool js_table_is_expected(JSContextRef global);

/* The function for rejections, once the table is a copy of ours (js_import_follow): false if it is not. NULL: the
 * engine's own one. */
bool js_table_set_rejected(JSContextRef global, void *function);

/* The function that queues a job, for engines that have one there; what it was is told. */
bool js_table_set_queue(JSContextRef global, void *function, void **original);

/* ---- import() ---- */

/* import() in code that no loader of ours has seen: that of `new Function`, of eval, and of node:vm. Modules and
 * CommonJS files get by without, their text is rewritten. */

/* From now on import(specifier) in this global's code is importer(specifier), which returns a promise. One importer for
 * all globals of a thread: the one given last; NULL leaves it. False: this engine's global does not look as expected.
 */
bool js_import_follow(JSContextRef global, JSObjectRef importer);

#endif
