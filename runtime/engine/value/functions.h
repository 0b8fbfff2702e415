/* The bytecode of the functions that the engine itself has in JavaScript (those of promises and asynchronous
 * generators, forEach, replace), made when the program is built. Otherwise the engine parses each when it is first
 * called: a first promise with a reaction is 18 of them.
 *
 * The engine makes such a function from a part of one text of its own, and knows then how to decode one whose bytecode
 * is at some place in memory. So the function that it calls to link a function is ours (JS_USE_FUNCTIONS): before it
 * links one of its own that is not compiled yet, it tells the engine where the bytecode is. */
#ifndef JS_ENGINE_FUNCTIONS_H
#define JS_ENGINE_FUNCTIONS_H

#include "runtime/engine/value/bytecode.h"

/* For the build: functions that are linked from now on are noted; before the first engine is made. False: it cannot be
 * done with this engine. */
bool js_functions_note(void);

/* The bytecode of those that have been noted and were called since; of all of them together. The bytes are never freed.
 * NULL: there is none. The places are those that js_bytecode_make has found. `slot` gets where the engine has the
 * address of the function that links. */
struct js_bytecode js_functions_make(JSContextRef context, const struct js_bytecode_places *places, int64_t *slot);

/* Takes what was made, which must stay; before the first engine is made. False: it cannot be used. */
bool js_functions_begin(struct js_bytecode made, int64_t slot);

/* How many functions this thread's engine was told of. */
unsigned js_functions_told(void);

/* For the build, too. The engine makes no bytecode for `new`: constructors would be parsed when they are first used.
 * Functions of modules that are linked from now on are noted; after js_functions_begin. */
bool js_functions_note_modules(void);

/* Those of them that `new` was used with since then, one after the other. `place` is in the bytecode of the function's
 * module: the word there is for the distance to the bytecode for `new`, from that word on. */
struct js_constructor {
  const char *place;
  struct js_bytecode made; /* never freed */
};
bool js_functions_next_constructor(JSContextRef context, struct js_constructor *constructor);

/* This thread's engine ends. */
void js_functions_end(void);

#endif
