/* Running the promise jobs that wait.
 *
 * The engine does so by itself when its lock is let go by who holds it from outside of any JavaScript; between, it has
 * a function for it. With the function, jobs can be run anywhere. Without it, JavaScript has to return first: see
 * js_drains_anywhere. */
#ifndef JS_ENGINE_DRAIN_H
#define JS_ENGINE_DRAIN_H

#include "runtime/engine/uses/private.h"
#include "runtime/engine/uses/uses.h"

/* Whether jobs can be run while JavaScript is under way. If not, what runs several callbacks of the program returns
 * after each of them, and is called again. */
static inline bool js_drains_anywhere(void) {
  return js_uses(JS_USE_DRAIN);
}

static inline void js_drain(JSContextRef context, JSContextGroupRef vm) {
  if (js_uses(JS_USE_DRAIN)) {
    js_vm_drain_microtasks(vm);
  } else {
    JSUnlock(context);
    JSLock(context);
  }
}

#endif
