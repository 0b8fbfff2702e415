/* Scopes. Only imported names matter: a use of one is recorded, and the record is cleared if the scope declares the
 * name when it closes. So a declaration may come after its uses. Names at the top level have flags of their own, since
 * a module may neither declare an imported name there, nor declare a function twice (in the function that the engine
 * gets, both are allowed). */
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
