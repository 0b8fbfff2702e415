/* The engine's heap: its size, its limit, and when it is collected for the first time. */
#ifndef JS_ENGINE_HEAP_H
#define JS_ENGINE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/engine/engine.h"

/* ---- its size (heap.c) ---- */

/* What the collector's blocks take, in bytes; cheap. */
size_t js_heap_capacity(JSContextGroupRef vm);
/* Whether that is no more than `bytes`; for a look (engine/limit/watch.h). */
bool js_heap_is_within(JSContextGroupRef vm, size_t bytes);
/* What of it is in use; right after a collection that is what lives. */
size_t js_heap_size(JSContextGroupRef vm);

/* The same as programs expect it (process.memoryUsage): in bytes, `total` and `used` without `extra`, which objects
 * keep outside of the collector's blocks (array buffers, long strings). On the engine's own thread. */
struct js_heap_figures {
  size_t total, used, extra;
};
struct js_heap_figures js_heap_figures(JSContextGroupRef vm);

/* ---- the first collection (heap.c) ---- */

/* The engine's option of this name: how much is allocated between two collections of a small heap. */
#define JS_SMALL_HEAP_OPTION "16777216"

/* A new engine: its first collection may wait. */
void js_heap_is_new(JSContextGroupRef vm);

/* The program's script has run, and what it has made so far stays: from here on the heap is one like any other. */
void js_heap_is_filled(JSContextGroupRef vm);

/* ---- its limit (limit.c) ---- */

/* The limit of the engine's heap.
 *
 * A program that fills its heap ends with a message and SIGABRT, as on Node, before the system kills it without a
 * message. The limit is what --max-old-space-size says, or half of the memory that the machine or its control group
 * has, at most 4 GB. Objects count, whatever the program keeps in them; bytes of ArrayBuffers and the characters of
 * strings, which the engine keeps elsewhere, do not. */

/* Before the first engine is made. What the program was started with, as it was written: megabytes, or a part of the
 * memory; null: not given. */
void js_limit_choose(const char *size, const char *percentage);
size_t js_limit_bytes(void);
/* For the engine's own figure of the machine's memory, by which it decides how often to collect; 0: as it is. */
size_t js_limit_memory(void);

/* From now on the limit applies to this engine, that of the main thread. */
void js_limit_watch(JSGlobalContextRef context);

#endif
