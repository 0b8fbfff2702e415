/* The engine calls its exported functions through a table of its library, which the dynamic linker fills and makes
 * read-only. A function of ours in such a slot is called in the place of the engine's. */
#ifndef JS_ENGINE_SLOT_H
#define JS_ENGINE_SLOT_H

#include <stdbool.h>

/* The slot that has the address of this function; NULL: the engine calls it in another way. */
void **js_slot_find(const void *function);

/* False: the slot has something else, or cannot be written. Other threads may call through it meanwhile. */
bool js_slot_replace(void **slot, const void *from, const void *to);

#endif
