/* The engine's bytecode of the runtime's own modules, made when the program is built: such a module is not parsed when
 * it is first used. The engine asks a text's provider for its bytecode before it parses the text; the function that
 * answers is ours (JS_USE_BYTECODE). The text is still there, for stacks and for Function.prototype.toString.
 *
 * Bytecode is good for exactly the build of the engine that has made it. The caller knows that build. */
#ifndef JS_ENGINE_BYTECODE_H
#define JS_ENGINE_BYTECODE_H

#include <JavaScriptCore/JavaScript.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct js_bytecode {
  const void
      *bytes; /* aligned to 16 bytes and not to a page: the engine tries to unmap them at the end, which must fail */
  size_t size;
};
enum { JS_BYTECODE_ALIGNMENT = 64, JS_BYTECODE_OFFSET = 16 };

/* Makes the bytecode of the whole text that `function` stands in, which is `length` characters of ASCII, with that of
 * all functions in it. The bytes are never freed. NULL: there is none. */
struct js_bytecode js_bytecode_make(JSContextRef context, JSValueRef function, size_t length);

/* Where the engine keeps the table of functions of a text's provider, counted from one of its functions: the same in
 * every process with this build of the engine. */
intptr_t js_bytecode_place(JSValueRef function);

/* Takes that place; once for the process. False: bytecode cannot be used. */
bool js_bytecode_begin(intptr_t place);

/* JSEvaluateScript with bytecode. `used` tells whether the engine took it. */
JSValueRef js_bytecode_evaluate(JSContextRef context, JSStringRef text, JSStringRef url, struct js_bytecode bytecode,
                                bool *used, JSValueRef *error);

#endif
