/* The contexts of node:vm, as seen through their `globalThis`: what the C API's hooks leave out (symbols, descriptors,
 * definitions) is the sandbox's, too. */
#ifndef JS_ENGINE_CONTEXT_H
#define JS_ENGINE_CONTEXT_H

#include "runtime/engine/engine.h"
#include "runtime/engine/uses/private.h"

/* The object that stands behind a context's global now, or NULL. */
typedef JSObjectRef (*js_sandbox_of)(JSObjectRef global);

/* From now on, for all globals of the process. False: the engine's class does not look as expected, and nothing is
 * done. */
bool js_global_watch(js_sandbox_of sandbox_of);

/* Whether the C API's hooks are being asked for what is the global's own: what the sandbox has been asked for already.
 */
extern _Thread_local bool js_global_asked_for_own;

/* ---- the time zone of dates (time_zone.c) ---- */

/* The time zone of dates. */

/* From now on; null or "": the system's. An unknown name means UTC, as in Node. */
void js_time_zone_set(JSContextRef context, const char *name);

int js_time_zone_check(JSContextRef context);

#endif
