/* The engine's bytecode of the runtime's own modules, made when the program is built: such a module is not parsed when
 * it is first used. The engine asks a text's provider for its bytecode before it parses the text; the function that
 * answers is ours (JS_USE_BYTECODE). The text is still there, for stacks and for Function.prototype.toString.
 *
 * The engine knows bytecode by its text: it copies the text three times, hashes it, and compares it, which took half of
 * the time of loading a module. So bytecode is kept for a short text, the key. The provider is given the real text, in
 * the program's own memory, as soon as the engine has taken the bytecode.
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

/* A text that bytecode is asked for by: a comment, another one for each module, all of the same length. */
enum { JS_BYTECODE_KEY_LENGTH = 8 };

/* Where the engine keeps what is changed: the same in every process with one build of the engine. */
struct js_bytecode_places {
  int64_t table; /* of functions of a text's provider, counted from one of the engine's functions */
  int64_t text;  /* of a provider, in words; 0: not looked for; -1: not found, and bytecode goes by the whole text */
};

/* Makes the bytecode of a text of ASCII that gives a function, with that of all functions in it; it goes by the key of
 * `index` if the places say so. The bytes are never freed. NULL: there is none. */
struct js_bytecode js_bytecode_make(JSContextRef context, const char *text, unsigned index,
                                    struct js_bytecode_places *places);

/* The text that a provider has, if it is one of bytes; NULL: not found. */
const char *js_bytecode_text(void *const *provider, int64_t place);

/* Takes the places; once for the process. False: bytecode cannot be used. */
bool js_bytecode_begin(struct js_bytecode_places places);

/* JSEvaluateScript with bytecode of `text`, which must stay. `used` tells whether the engine took the bytecode; if not,
 * there is no value. */
JSValueRef js_bytecode_evaluate(JSContextRef context, const char *text, unsigned index, JSStringRef url,
                                struct js_bytecode bytecode, bool *used, JSValueRef *error);

/* What the engine itself keeps bytecode in; it counts references to it. The first is the caller's. */
struct js_bytecode_kept;
struct js_bytecode_kept *js_bytecode_keep(struct js_bytecode bytecode);
struct js_bytecode js_bytecode_of(const struct js_bytecode_kept *made); /* NULL of NULL */

#endif
