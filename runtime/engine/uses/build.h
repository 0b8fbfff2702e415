/* Which build of the engine runs, and what is remembered of it. */
#ifndef JS_ENGINE_BUILD_H
#define JS_ENGINE_BUILD_H

#include <stdbool.h>
#include <stdint.h>

/* In hexadecimal digits; empty when the library has none. */
const char *js_engine_build(void);

/* What the probes said of this build of the engine to this build of the program, when they last ran. */
bool js_answers_recall(uint64_t *answers);
void js_answers_remember(uint64_t answers);

/* The engine's library, for dlsym. It is loaded with the first call (load.c). */
void *js_engine_library(void);

/* A pointer into that library? This is asked at each start, so it compares no names. */
bool js_engine_has(const void *address);

/* ---- slots of the library ---- */

/* The engine calls its exported functions through a table of its library, which the dynamic linker fills and makes
 * read-only. A function of ours in such a slot is called in the place of the engine's. */

/* The slot that has the address of this function; NULL: the engine calls it in another way. */
void **js_slot_find(const void *function);

/* False: the slot has something else, or cannot be written. Other threads may call through it meanwhile. */
bool js_slot_replace(void **slot, const void *from, const void *to);

#endif
