/* Scopes. Only imported names matter: a use of one is recorded, and the record is cleared if the scope declares the
 * name when it closes. So a declaration may come after its uses. Names at the top level have flags of their own, since
 * a module may neither declare an imported name there, nor declare a function twice (in the function that the engine
 * gets, both are allowed). */
#include <stdlib.h>
#include <string.h>

#include "runtime/modules/internal.h"

void js_scope_open(struct js_pass *pass, bool is_function) {
  struct js_scope *scope = js_list_add(pass, &pass->scopes);
  *scope = (struct js_scope){
      .first_use = pass->uses.count, .first_declared = pass->declared.count, .is_function = is_function};
}

static void hide(struct js_pass *pass, uint32_t first_use, uint32_t name) {
  struct js_use *uses = pass->uses.items;
  for (uint32_t i = first_use; i < pass->uses.count; i++)
    if (uses[i].name == name)
      uses[i].name = 0;
}

void js_scope_close(struct js_pass *pass) {
  uint32_t here = --pass->scopes.count;
  const struct js_scope *scope = (const struct js_scope *)pass->scopes.items + here;
  struct js_declared *declared = pass->declared.items;
  uint32_t kept = scope->first_declared;
  for (uint32_t i = scope->first_declared; i < pass->declared.count; i++) {
    if (declared[i].scope == here)
      hide(pass, scope->first_use, declared[i].name);
    else
      declared[kept++] = declared[i]; /* a `var` of an outer function */
  }
  pass->declared.count = kept;
}

static void declare_at_top(struct js_pass *pass, uint32_t number, enum js_declaration how) {
  static const uint32_t flags[] = {
      [DECLARE_LEXICAL] = NAME_LEXICAL, [DECLARE_FUNCTION] = NAME_FUNCTION, [DECLARE_VAR] = NAME_VAR};
  struct js_name *name = js_name_at(pass, number);
  if ((name->flags & NAME_FUNCTION) != 0 || (how == DECLARE_FUNCTION && (name->flags & NAME_DECLARED) != 0))
    js_decline(pass);
  name->flags |= flags[how];
  if (!pass->is_exporting)
    return;
  struct js_local *local = js_list_add(pass, &pass->locals);
  *local = (struct js_local){number, number};
}

void js_declare(struct js_pass *pass, uint32_t name, enum js_declaration how) {
  uint32_t scope = pass->scopes.count - 1;
  const struct js_scope *scopes = pass->scopes.items;
  if (pass->wish.kind != JS_REWRITE_MODULE)
    return;
  if (how == DECLARE_VAR)
    while (!scopes[scope].is_function)
      scope--;
  if (scope == 0) {
    declare_at_top(pass, name, how);
  } else if ((js_name_at(pass, name)->flags & NAME_IMPORTED) != 0) {
    struct js_declared *declared = js_list_add(pass, &pass->declared);
    *declared = (struct js_declared){name, scope};
  }
}

uint32_t js_note_use(struct js_pass *pass, uint32_t name, uint32_t flags) {
  struct js_name *known = js_name_at(pass, name);
  if ((known->flags & NAME_IMPORTED) == 0) {
    known->flags |= NAME_USED;
    return 0;
  }
  struct js_use *use = js_list_add(pass, &pass->uses);
  if (pass->token.start == pass->statement_start)
    flags |= USE_LISTED;
  *use = (struct js_use){pass->token.start, name, flags};
  return pass->uses.count;
}

void js_use_more(struct js_pass *pass, uint32_t use, uint32_t flags) {
  if (use != 0)
    ((struct js_use *)pass->uses.items)[use - 1].flags |= flags;
}

struct js_edit *js_edit_add(struct js_pass *pass, uint32_t start, uint32_t end, const char *text) {
  struct js_edit *edit = js_list_add(pass, &pass->edits);
  edit->start = start;
  edit->end = end;
  edit->text = text;
  return edit;
}

/* ---- names ---- */

/* Names as numbers: an open table by their hash. A name is a part of the text; nothing is copied.
 * Invariant: the words of the language have the numbers of enum js_known_word. */

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
