/* Calling a function, as the engine itself does it. */
#ifndef JS_ENGINE_CALL_H
#define JS_ENGINE_CALL_H

#include "runtime/engine/engine.h"

/* JSObjectCallAsFunction for callers that hold the engine's lock, as all callers here do: the API's function would take
 * and release it again. Without a `this_object` it is undefined. */
JSValueRef js_call(JSContextRef context, JSObjectRef function, JSObjectRef this_object, size_t argc,
                   const JSValueRef argv[], JSValueRef *error);

#endif
