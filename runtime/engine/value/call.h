/* Calling a function, by the way that the engine itself takes. */
#ifndef JS_ENGINE_CALL_H
#define JS_ENGINE_CALL_H

#include "runtime/engine/engine.h"

/* JSObjectCallAsFunction for whoever holds the engine's lock, which is everybody here: that one takes it again and
 * gives it back. Without a `this_object` it is undefined. */
JSValueRef js_call(JSContextRef context, JSObjectRef function, JSObjectRef this_object, size_t argc,
                   const JSValueRef argv[], JSValueRef *error);

#endif
