/* What the engine knows of the functions on its stack, of those that wait for them, and of where a function was
 * written. */
#ifndef JS_ENGINE_STACK_H
#define JS_ENGINE_STACK_H

#include "runtime/engine/engine.h"
#include "runtime/engine/value/text.h"

/* receivers(count) -> [waiting, function, this, is it a generator's code, ...], the innermost frame first, which is the
 * caller's own native. A native function has null in place of itself; one that compiled code has inlined has undefined.
 * `waiting` is an array of what list_waiting finds (stack.c), or undefined. JS_USE_FRAMES. */
JSValueRef js_frames_receivers(JSContextRef context, struct js_frame *frame);

/* ---- places ---- */

/* The place of a JavaScript function: its file and line, for trace and watchdog. */

struct js_place {
  const void *source; /* the text that the function is a part of; with `start`, what tells one function from another */
  int start;
  int line, column; /* from 1 */
};

/* False for functions that are not written in JavaScript (bound ones, natives, proxies). */
bool js_place_of(JSValueRef function, struct js_place *place);
/* The file, as it was named to the engine; borrowed. */
struct js_characters js_place_file(const struct js_place *place);

#endif
