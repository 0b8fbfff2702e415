/* The text of an ES module (or of a CommonJS file), rewritten for an engine whose interface knows no modules.
 *
 * runtime/lib/modules/modules/esm/transform.js does the same with a whole parser and says what the result looks like.
 * This one reads the bytes once and keeps no tree. It is not a judge of the language: the engine checks the result. It
 * declines a text whenever it is not sure what a parser would say of it, and whenever the result could hide an error
 * from the engine. Whoever calls it then asks the parser. */
#ifndef JS_MODULES_REWRITE_H
#define JS_MODULES_REWRITE_H

#include <stdbool.h>
#include <stddef.h>

enum js_rewrite_kind { JS_REWRITE_MODULE, JS_REWRITE_COMMONJS };

struct js_rewrite_wish {
  enum js_rewrite_kind kind;
  bool marks_delegation; /* `yield*` in asynchronous generators is told to the engine (see there) */
  bool wants_edits;      /* the notes list each edit */
};

struct js_rewritten {
  char *code; /* UTF-8, not ended by a zero; the caller frees both */
  size_t code_length;
  char *notes; /* JSON: what the module asks for and offers */
  size_t notes_length;
  bool is_changed; /* of a CommonJS file: whether there was anything to rewrite; without, `code` is NULL */
};

/* `text` is valid UTF-8. False: declined, or no memory; then nothing is left to free. */
bool js_rewrite(const unsigned char *text, size_t length, const struct js_rewrite_wish *wish,
                struct js_rewritten *result);

#endif
