/* The asynchronous functions that wait for the promise of a job, one for the other. A part of JS_USE_FRAMES. */
#ifndef JS_ENGINE_WAITING_H
#define JS_ENGINE_WAITING_H

#include "runtime/engine/engine.h"

/* Each one that waits has four values: its code, its `this`, which of its awaits it waits at, counted in the order of
 * the engine's code, and whether it is a generator. Promise.all has null, undefined, the index of the promise, and
 * false. */
enum { JS_WAITING_VALUES = 4, JS_BODY_ARGUMENTS = 5 };

/* Whether this release of the engine is known well enough for all of this. Later ones tell in their own stacks who
 * waits. */
bool js_waiting_is_known(void);

/* From the arguments of the engine's function that runs a job. -> how many were found. */
size_t js_waiting_list(JSContextRef context, const JSValueRef *arguments, int given, JSValueRef *found, size_t most);
/* Is it one of the engine's functions that run the job of a reaction? */
bool js_waiting_is_job(JSContextRef context, JSValueRef function);
/* Is the function the code of this generator, or asynchronous function? */
bool js_waiting_is_body(JSValueRef generator, JSValueRef function);

int js_probe_waiting(JSGlobalContextRef context);

#endif
