/* A fuzzer for the pass that rewrites modules (runtime/modules): texts of a corpus, changed at random, are rewritten as
 * modules and as CommonJS. Each lies in a block of exactly its size, so that a sanitizer sees a byte too far. The pass
 * must come to an end, give the same twice, and give a code that holds nothing but the text and its own edits.
 * Deterministic: fuzz-modules SEED ROUNDS FILE... Run under sanitizers by `tools/test fuzz`. */
#include "runtime/modules/rewrite.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 16384 };

static uint64_t state;
static uint32_t below(uint32_t limit) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return limit == 0 ? 0 : (uint32_t)(state >> 33) % limit;
}

static const char *const pieces[] = {
    "import a from 'x';",
    "import { a as b } from 'x';",
    "import * as n from 'x';",
    "export { a };",
    "export default ",
    "export * from 'y';",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "=>",
    "...",
    "?.",
    "`",
    "${",
    "/",
    "/=",
    "*/",
    "/*",
    "//",
    "'",
    "\"",
    "\\",
    "\n",
    "\r",
    "\xE2\x80\xA8",
    "\xC3\xA9",
    "\xF0\x9F\x98\x80",
    "async ",
    "await ",
    "yield*",
    "yield ",
    "function ",
    "function* ",
    "class ",
    "extends ",
    "static ",
    "get ",
    "set ",
    "new ",
    "new.target",
    "import.meta",
    "import(",
    "delete ",
    "typeof ",
    "in ",
    "of ",
    "for (",
    "if (x) ",
    "else ",
    "let ",
    "const ",
    "var ",
    "return ",
    "arguments",
    "#x",
    "<!--",
    "-->",
    "1.",
    ".5e+",
    "0x",
    "=",
    "==",
    "=== ",
    "&&=",
    "??",
    "? ",
    ": ",
    ", ",
    ";",
    "a",
    "b",
    "n.a",
    "n",
    "case ",
    "default:",
    "switch (a) {",
    "try {",
    "catch (a) {",
    "label: ",
    "with { type: 'json' }",
    "using x = ",
    "\t",
    "#!",
    "x = ({a}) => a",
};

struct text {
  unsigned char *bytes;
  size_t length;
};

static struct text read_file(const char *name) {
  struct text text = {malloc(LONGEST), 0};
  FILE *file = fopen(name, "rb");
  if (file != NULL) {
    text.length = fread(text.bytes, 1, LONGEST, file);
    fclose(file);
  }
  return text;
}

static void replace(struct text *text, size_t at, size_t gone, const void *with, size_t length) {
  if (at + gone > text->length)
    gone = text->length - at;
  if (text->length - gone + length > LONGEST)
    return;
  memmove(text->bytes + at + length, text->bytes + at + gone, text->length - at - gone);
  memcpy(text->bytes + at, with, length);
  text->length += length - gone;
}

static void change(struct text *text) {
  unsigned char copy[256];
  size_t at = below((uint32_t)text->length + 1), length = below(sizeof copy);
  const char *piece = pieces[below(sizeof pieces / sizeof *pieces)];
  switch (below(5)) {
  case 0:
    replace(text, at, below(40), "", 0);
    break;
  case 1: /* a part of it again, somewhere else */
    if (length > text->length - at)
      length = text->length - at;
    memcpy(copy, text->bytes + at, length);
    replace(text, below((uint32_t)text->length + 1), 0, copy, length);
    break;
  case 2:
    text->length = at;
    break;
  default:
    replace(text, at, below(3), piece, strlen(piece));
  }
}

static void fail(const struct text *text, const char *what, long round) {
  printf("round %ld: %s\n", round, what);
  fwrite(text->bytes, 1, text->length, stdout);
  exit(1);
}

static bool run_once(const struct text *text, enum js_rewrite_kind kind, long round) {
  struct js_rewrite_wish wish = {.kind = kind, .marks_delegation = true, .wants_edits = true};
  struct js_rewritten first, second;
  unsigned char *exact = malloc(text->length > 0 ? text->length : 1);
  memcpy(exact, text->bytes, text->length);
  bool done = js_rewrite(exact, text->length, &wish, &first);
  bool again = js_rewrite(exact, text->length, &wish, &second);
  if (done != again || first.code_length != second.code_length ||
      (done && memcmp(first.code, second.code, first.code_length) != 0))
    fail(text, "twice is not the same", round);
  if (done && first.code_length > text->length * 40 + 4096)
    fail(text, "the code is too long", round);
  if (js_is_expression(exact, text->length) != js_is_expression(exact, text->length))
    fail(text, "twice is not the same expression", round);
  free(first.code);
  free(first.notes);
  free(second.code);
  free(second.notes);
  free(exact);
  return done;
}

int main(int argc, char **argv) {
  long rounds = argc > 2 ? atol(argv[2]) : 1000, done = 0;
  state = argc > 1 ? (uint64_t)atol(argv[1]) : 1;
  for (long round = 0; round < rounds && argc > 3; round++) {
    struct text text = read_file(argv[3 + below((uint32_t)argc - 3)]);
    for (uint32_t changes = below(8); changes > 0; changes--)
      change(&text);
    done += run_once(&text, JS_REWRITE_MODULE, round);
    done += run_once(&text, JS_REWRITE_COMMONJS, round);
    free(text.bytes);
  }
  printf("%ld texts, %ld rewritten\n", rounds * 2, done);
  return 0;
}
