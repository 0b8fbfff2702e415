/* The place of a JavaScript function: its file and line, for trace and watchdog. */
#ifndef JS_ENGINE_PLACE_H
#define JS_ENGINE_PLACE_H

#include "runtime/engine/value/text.h"

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
