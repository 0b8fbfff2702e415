/* Errors that the engine throws by itself, adopted at the first access to one of their properties. */
#ifndef JS_ENGINE_ERROR_H
#define JS_ENGINE_ERROR_H

#include "runtime/engine/engine.h"

/* From now on `adopt` is called, in this thread, with each error, once, before a property of it is looked up, changed
 * or listed. What it does to the error is what the program sees. An error that is accessed while `*busy` is not 0 is
 * never adopted: its maker has already handled it. */
bool js_error_watch(JSContextRef context, JSObjectRef adopt, const double *busy);

#endif
