/* The limit of the engine's heap.
 *
 * A program that fills its heap ends with a message and SIGABRT, as on Node, before the system kills it without a
 * message. The limit is what --max-old-space-size says, or half of the memory that the machine or its control group
 * has, at most 4 GB. Objects count, whatever the program keeps in them; bytes of ArrayBuffers and the characters of
 * strings, which the engine keeps elsewhere, do not. */
#ifndef JS_ENGINE_LIMIT_H
#define JS_ENGINE_LIMIT_H

#include "runtime/engine/engine.h"

#include <stdbool.h>
#include <stddef.h>

/* Before the first engine is made. What the program was started with, as it was written: megabytes, or a part of the
 * memory; null: not given. */
void js_limit_choose(const char *size, const char *percentage);
size_t js_limit_bytes(void);
/* For the engine's own figure of the machine's memory, by which it decides how often to collect; 0: as it is. */
size_t js_limit_memory(void);

/* From now on the limit applies to this engine, that of the main thread. */
void js_limit_watch(JSGlobalContextRef context);

#endif
