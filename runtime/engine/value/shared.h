/* The memory of a SharedArrayBuffer on its way to the engine of another thread. */
#ifndef JS_ENGINE_SHARED_H
#define JS_ENGINE_SHARED_H

#include "runtime/engine/engine.h"

/* NULL when memory is short, or this engine's buffers are not known (JS_USE_SHARED). */
void *js_shared_hold(JSValueRef buffer);
void js_shared_give(void *held, JSValueRef buffer);
void js_shared_drop(void *held);

#endif
