/* The embedded JavaScript, and its bytecode. */
#ifndef JS_BUILTIN_H
#define JS_BUILTIN_H

#include "runtime/engine/value/bytecode.h"

struct js_embedded {
  const char *id;
  const char *source; /* the wrapped text, ASCII, ending with a zero */
};

/* Sorted by id. Made by runtime/tools/embed. */
extern const struct js_embedded js_embedded[];
extern const unsigned js_embedded_count;

/* The text of a module, NULL if there is none. */
const char *js_builtin_source(const char *id);

/* Before the first engine is made. */
void js_builtin_begin(void);

/* The value of the text of a module, by its bytecode if there is some for this engine. */
JSValueRef js_builtin_evaluate(JSContextRef context, unsigned index, JSStringRef url, JSValueRef *error);

/* For the build: writes the bytecode of all modules to a file, and checks that the engine takes what the program has.
 * 0, or 1 after a message. */
int js_builtin_write_bytecode(const char *path);
int js_builtin_check_bytecode(void);

/* For the build: the program is run, and at its end the bytecode of the constructors that it used is added to the file
 * that it was linked with. */
void js_builtin_complete_begin(const char *path);
int js_builtin_complete_bytecode(JSContextRef context);

#endif
