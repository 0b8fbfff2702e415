/* Errors that the engine throws by itself, adopted at the first access to one of their properties. */
#ifndef JS_ENGINE_ERROR_H
#define JS_ENGINE_ERROR_H

#include "runtime/engine/engine.h"

/* From now on `adopt` is called, in this thread, with each error, once, before a property of it is looked up, changed
 * or listed. What it does to the error is what the program sees. An error that is accessed while `*busy` is not 0 is
 * never adopted: its maker has already handled it. */
bool js_error_watch(JSContextRef context, JSObjectRef adopt, const double *busy);

/* An error that a constructor has made, and that has its message: `adopt` is called with it when its properties are
 * listed, or when one is asked for that the engine makes itself: `stack` and what belongs to it. False: errors are not
 * watched. */
bool js_error_postpone(JSContextRef context, JSValueRef error);

#endif
