/* When the engine collects for the first time. */
#ifndef JS_ENGINE_HEAP_H
#define JS_ENGINE_HEAP_H

#include "runtime/engine/engine.h"

/* The engine's option of this name: how much is allocated between two collections of a small heap. */
#define JS_SMALL_HEAP_OPTION "16777216"

/* A new engine: its first collection may wait. */
void js_heap_is_new(JSContextGroupRef vm);

/* The program's script has run, and what it has made so far stays: from here on the heap is one like any other. */
void js_heap_is_filled(JSContextGroupRef vm);

#endif
