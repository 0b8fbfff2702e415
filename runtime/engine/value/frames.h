/* Whom the functions on the stack were called on, and which functions wait for them. */
#ifndef JS_ENGINE_FRAMES_H
#define JS_ENGINE_FRAMES_H

#include "runtime/engine/engine.h"

/* receivers(count) -> [waiting, function, this, is it a generator's code, ...], the innermost frame first, which is the
 * caller's own native. A native function has null in place of itself; one that compiled code has inlined has undefined.
 * `waiting` is an array of what js_waiting_list finds, or undefined. JS_USE_FRAMES. */
JSValueRef js_frames_receivers(JSContextRef context, struct js_frame *frame);

#endif
