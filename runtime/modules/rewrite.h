/* The text of an ES module (or of a CommonJS file), rewritten for an engine whose interface knows no modules.
 *
 * runtime/lib/modules/esm/transform.js does the same with a whole parser and says what the result looks like.
 * This one reads the bytes once and keeps no tree. It does not check the syntax: the engine checks the result. It
 * declines a text if it cannot be sure of a parser's result, or if the rewritten text could hide an error from the
 * engine. The caller then uses the parser. */
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
  char *notes; /* JSON: the requests and exports of the module */
  size_t notes_length;
  bool is_changed; /* of a CommonJS file: whether there was anything to rewrite; without, `code` is NULL */
};

/* `text` is valid UTF-8. False: declined, or out of memory; then nothing has to be freed. */
bool js_rewrite(const unsigned char *text, size_t length, const struct js_rewrite_wish *wish,
                struct js_rewritten *result);

/* Whether a script is one expression, which may end with a semicolon; it has no syntax errors. False: also if that is
 * not certain. */
bool js_is_expression(const unsigned char *text, size_t length);

#endif
