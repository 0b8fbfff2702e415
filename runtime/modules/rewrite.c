#include "runtime/modules/rewrite.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/modules/internal.h"

enum { DEEPEST = 1200, LONGEST = 1 << 30 };

void js_decline(struct js_pass *pass) {
  longjmp(pass->out, 1);
}

void js_deeper(struct js_pass *pass) {
  if (++pass->depth > DEEPEST)
    js_decline(pass);
}

void *js_list_add(struct js_pass *pass, struct js_list *list) {
  if (list->count == list->room) {
    uint32_t room = list->room == 0 ? 32 : list->room * 2;
    void *more = room < list->room ? NULL : realloc(list->items, (size_t)room * list->size);
    if (more == NULL)
      js_decline(pass);
    list->items = more;
    list->room = room;
  }
  void *item = (char *)list->items + (size_t)list->count++ * list->size;
  memset(item, 0, list->size);
  return item;
}

struct row {
  struct js_list *list;
  size_t size;
};

enum { LISTS = 14 };

static void list_all(struct js_pass *pass, struct row rows[LISTS]) {
  const struct row all[LISTS] = {
      {&pass->uses, sizeof(struct js_use)},
      {&pass->edits, sizeof(struct js_edit)},
      {&pass->scopes, sizeof(struct js_scope)},
      {&pass->declared, sizeof(struct js_declared)},
      {&pass->requests, sizeof(struct js_request)},
      {&pass->attributes, sizeof(struct js_attribute)},
      {&pass->imports, sizeof(struct js_import)},
      {&pass->indirect, sizeof(struct js_indirect)},
      {&pass->checks, sizeof(struct js_indirect)},
      {&pass->stars, sizeof(uint32_t)},
      {&pass->locals, sizeof(struct js_local)},
      {&pass->pending, sizeof(struct js_local)},
      {&pass->awaits, sizeof(uint32_t)},
      {&pass->names, sizeof(struct js_name)},
  };
  memcpy(rows, all, sizeof all);
}

/* Resets everything except the names and the flags that a second pass needs. */
static void begin(struct js_pass *pass) {
  struct row rows[LISTS];
  list_all(pass, rows);
  for (int i = 0; i < LISTS; i++) {
    rows[i].list->size = (uint32_t)rows[i].size;
    if (rows[i].list != &pass->names)
      rows[i].list->count = 0;
  }
  for (uint32_t i = 0; i < pass->names.count; i++) {
    js_name_at(pass, i)->flags &= NAME_IMPORTED;
    js_name_at(pass, i)->import = 0;
  }
  pass->at = 0;
  pass->token = (struct js_token){0};
  pass->last_end = 0;
  pass->inside = (struct js_inside){0};
  pass->statement_start = 0;
  pass->suspects = 0;
  pass->depth = 0;
  pass->work_left = (uint64_t)pass->length * 8 + 65536;
  pass->has_await = pass->names_default = pass->is_exporting = pass->again = false;
}

static void run(struct js_pass *pass) {
  begin(pass);
  js_scope_open(pass, true);
  if (pass->length >= 2 && pass->text[0] == '#' && pass->text[1] == '!') {
    const unsigned char *end = memchr(pass->text, '\n', pass->length);
    if (memchr(pass->text, '\r', end == NULL ? pass->length : (size_t)(end - pass->text)) != NULL)
      js_decline(pass); /* a line break for the engine, which could shift its lines */
    pass->at = end == NULL ? pass->length : (uint32_t)(end - pass->text);
  }
  js_next(pass);
  js_parse_list(pass);
  if (!js_is(pass, TOKEN_END))
    js_decline(pass);
}

static void release(struct js_pass *pass) {
  struct row rows[LISTS];
  list_all(pass, rows);
  for (int i = 0; i < LISTS; i++)
    free(rows[i].list->items);
  free(pass->arrows.items);
  free(pass->name_slots);
}

static bool rewrite(struct js_pass *pass, struct js_rewritten *result) {
  if (setjmp(pass->out) != 0)
    return false;
  pass->names.size = sizeof(struct js_name);
  js_names_begin(pass);
  run(pass);
  if (pass->again)
    run(pass); /* all imports are known now */
  js_ports_end(pass);
  return js_write(pass, result);
}

bool js_rewrite(const unsigned char *text, size_t length, const struct js_rewrite_wish *wish,
                struct js_rewritten *result) {
  struct js_pass pass = {.text = text, .length = (uint32_t)length, .wish = *wish};
  *result = (struct js_rewritten){0};
  bool done = length < LONGEST && rewrite(&pass, result);
  release(&pass);
  if (!done) {
    free(result->code);
    free(result->notes);
    *result = (struct js_rewritten){0};
  }
  return done;
}

/* A text that begins with another token than a parenthesis may be a statement: a function, a block, a label. */
static bool is_expression(struct js_pass *pass) {
  if (setjmp(pass->out) != 0)
    return false;
  pass->names.size = sizeof(struct js_name);
  js_names_begin(pass);
  begin(pass);
  js_scope_open(pass, true);
  js_next(pass);
  if (!js_is(pass, '('))
    return false;
  js_parse_expression(pass, true);
  js_accept(pass, ';');
  return js_is(pass, TOKEN_END);
}

bool js_is_expression(const unsigned char *text, size_t length) {
  struct js_pass pass = {.text = text, .length = (uint32_t)length, .wish = {.kind = JS_REWRITE_COMMONJS}};
  bool answer = length < LONGEST && is_expression(&pass);
  release(&pass);
  return answer;
}
