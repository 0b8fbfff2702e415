/* Names as numbers: an open table by their hash. A name is a part of the text; nothing is copied.
 * Invariant: the words of the language have the numbers of enum js_known_word. */
#include "runtime/modules/internal.h"

#include <stdlib.h>
#include <string.h>

static const char *const words[W_COUNT] = {
    "",         "break", "case",       "catch",     "class",      "const",   "continue", "debugger",  "default",
    "delete",   "do",    "else",       "enum",      "export",     "extends", "false",    "finally",   "for",
    "function", "if",    "import",     "in",        "instanceof", "new",     "null",     "return",    "super",
    "switch",   "this",  "throw",      "true",      "try",        "typeof",  "var",      "void",      "while",
    "with",     "await", "implements", "interface", "let",        "package", "private",  "protected", "public",
    "static",   "yield", "arguments",  "eval",      "as",         "async",   "from",     "get",       "meta",
    "of",       "set",   "target",     "using",
};

uint32_t js_name_hash(const unsigned char *text, uint32_t length) {
  uint32_t hash = 0;
  for (uint32_t i = 0; i < length; i++)
    hash = (hash ^ text[i]) * 0x9E3779B1u;
  return hash;
}

static void place(struct js_pass *pass, uint32_t name) {
  uint32_t mask = pass->name_slot_count - 1;
  uint32_t at = (js_name_at(pass, name)->hash >> 7) & mask;
  while (pass->name_slots[at] != 0)
    at = (at + 1) & mask;
  pass->name_slots[at] = name;
}

static void make_room(struct js_pass *pass) {
  uint32_t count = pass->name_slot_count == 0 ? 512 : pass->name_slot_count * 2;
  uint32_t *slots = calloc(count, sizeof *slots);
  if (slots == NULL)
    js_decline(pass);
  free(pass->name_slots);
  pass->name_slots = slots;
  pass->name_slot_count = count;
  for (uint32_t name = 1; name < pass->names.count; name++)
    place(pass, name);
}

void js_names_begin(struct js_pass *pass) {
  make_room(pass);
  for (uint32_t i = 0; i < W_COUNT; i++) {
    struct js_name *name = js_list_add(pass, &pass->names);
    name->text = (const unsigned char *)words[i];
    name->length = (uint32_t)strlen(words[i]);
    name->hash = js_name_hash(name->text, name->length);
    if (i > 0)
      place(pass, i);
  }
}

uint32_t js_name_of(struct js_pass *pass, const unsigned char *text, uint32_t length, uint32_t hash) {
  uint32_t mask = pass->name_slot_count - 1;
  for (uint32_t at = (hash >> 7) & mask; pass->name_slots[at] != 0; at = (at + 1) & mask) {
    const struct js_name *known = js_name_at(pass, pass->name_slots[at]);
    if (known->hash == hash && known->length == length && memcmp(known->text, text, length) == 0)
      return pass->name_slots[at];
  }
  if ((pass->names.count + 1) * 2 > pass->name_slot_count)
    make_room(pass);
  struct js_name *name = js_list_add(pass, &pass->names);
  name->text = text;
  name->length = length;
  name->hash = hash;
  place(pass, pass->names.count - 1);
  return pass->names.count - 1;
}
