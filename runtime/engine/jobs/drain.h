/* Running the promise jobs that wait.
 *
 * The engine does so by itself when the outermost holder releases its lock. It also has an internal function for it.
 * With that function, jobs can be run at any time. Without it, JavaScript has to return first: see js_drains_anywhere.
 */
#ifndef JS_ENGINE_DRAIN_H
#define JS_ENGINE_DRAIN_H

#include "runtime/engine/uses/private.h"
#include "runtime/engine/uses/uses.h"

/* Whether jobs can be run while JavaScript runs. If not, a function that runs several callbacks of the program returns
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
