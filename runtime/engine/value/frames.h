/* Whom the functions on the stack were called on. */
#ifndef JS_ENGINE_FRAMES_H
#define JS_ENGINE_FRAMES_H

#include "runtime/engine/engine.h"

/* receivers(count) -> [function, this, ...], the innermost frame first, which is the caller's own native. A native
 * function has null in place of itself; one that compiled code has inlined has undefined. JS_USE_FRAMES. */
JSValueRef js_frames_receivers(JSContextRef context, struct js_frame *frame);

#endif
