/* Mistakes of the engine in the order of promise jobs, repaired. See engine/jobs/repair.c. */
#ifndef JS_ENGINE_REPAIR_H
#define JS_ENGINE_REPAIR_H

#include "runtime/engine/engine.h"

/* Before the engine has run anything. */
void js_repair(void);

/* In each global, before it has run anything. */
void js_repair_global(JSContextRef global);

/* Whether the engine has to be told the operand of a `yield*`: js_repair_delegated. */
bool js_repair_marks_delegation(void);

/* What an iterator's method has given to a `yield*` of an asynchronous generator, as an object that the repaired engine
 * knows: its value is passed on without being awaited once more. */
JSObjectRef js_repair_delegated(JSContextRef context, JSValueRef promise);

#endif
