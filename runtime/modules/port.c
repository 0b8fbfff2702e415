/* import and export: the requests and exports of a module. Their texts are removed; line breaks within them stay. */
#include <string.h>

#include "runtime/modules/internal.h"

static void erase(struct js_pass *pass, uint32_t start, uint32_t end, bool needs_semicolon) {
  struct js_edit *edit = js_edit_add(pass, start, end, "");
  edit->keeps_breaks = true;
  edit->needs_semicolon = needs_semicolon;
}

static uint32_t string_name(struct js_pass *pass) {
  if (!js_is(pass, TOKEN_STRING) || pass->token.is_escaped)
    js_decline(pass);
  const unsigned char *text = pass->text + pass->token.start + 1;
  uint32_t length = pass->token.end - pass->token.start - 2;
  for (uint32_t i = 0; i < length; i++)
    if (text[i] < ' ')
      js_decline(pass);
  uint32_t name = js_name_of(pass, text, length, js_name_hash(text, length));
  js_next(pass);
  return name;
}

/* The name of an export of a module: any word, or a string. */
static uint32_t export_name(struct js_pass *pass, bool *is_string) {
  *is_string = js_is(pass, TOKEN_STRING);
  if (*is_string) {
    for (uint32_t i = pass->token.start; i < pass->token.end; i++)
      if (pass->text[i] >= 0x80)
        js_decline(pass); /* whether it is a valid identifier is not known here */
    return string_name(pass);
  }
  if (!js_is(pass, TOKEN_NAME))
    js_decline(pass);
  uint32_t name = pass->token.name;
  js_next(pass);
  return name;
}

static void parse_attributes(struct js_pass *pass, struct js_request *request) {
  request->first_attribute = pass->attributes.count;
  if (!js_accept_word(pass, W_WITH))
    return;
  js_expect(pass, '{');
  while (!js_is(pass, '}')) {
    bool is_string;
    uint32_t key = export_name(pass, &is_string);
    const struct js_attribute *known = pass->attributes.items;
    for (uint32_t i = request->first_attribute; i < pass->attributes.count; i++)
      if (known[i].key == key)
        js_decline(pass);
    js_expect(pass, ':');
    uint32_t value = string_name(pass);
    struct js_attribute *attribute = js_list_add(pass, &pass->attributes);
    *attribute = (struct js_attribute){key, value};
    if (!js_is(pass, '}'))
      js_expect(pass, ',');
  }
  js_next(pass);
  request->attributes = pass->attributes.count - request->first_attribute;
}

static bool is_same(const struct js_pass *pass, const struct js_request *a, const struct js_request *b) {
  const struct js_attribute *attributes = pass->attributes.items;
  if (a->specifier != b->specifier || a->attributes != b->attributes)
    return false;
  return a->attributes == 0 || memcmp(attributes + a->first_attribute, attributes + b->first_attribute,
                                      a->attributes * sizeof *attributes) == 0;
}

/* From the string on. -> the index of the request */
static uint32_t parse_request(struct js_pass *pass) {
  struct js_request wanted = {.specifier = string_name(pass)};
  parse_attributes(pass, &wanted);
  const struct js_request *known = pass->requests.items;
  for (uint32_t i = 0; i < pass->requests.count; i++)
    if (is_same(pass, &known[i], &wanted))
      return i;
  struct js_request *request = js_list_add(pass, &pass->requests);
  *request = wanted;
  return pass->requests.count - 1;
}

/* The request is not known yet. */
static void add_import(struct js_pass *pass, uint32_t local, uint32_t name) {
  if (local <= W_LAST_STRICT)
    js_decline(pass);
  struct js_name *known = js_name_at(pass, local);
  if (known->import != 0)
    js_decline(pass);
  if ((known->flags & NAME_USED) != 0)
    pass->again = true;
  known->flags |= NAME_IMPORTED;
  struct js_import *import = js_list_add(pass, &pass->imports);
  *import = (struct js_import){.local = local, .name = name};
  js_name_at(pass, local)->import = pass->imports.count;
}

static uint32_t take_local(struct js_pass *pass) {
  if (!js_is(pass, TOKEN_NAME))
    js_decline(pass);
  uint32_t local = pass->token.name;
  js_next(pass);
  return local;
}

static void parse_import_list(struct js_pass *pass) {
  js_next(pass);
  while (!js_is(pass, '}')) {
    bool is_string;
    uint32_t name = export_name(pass, &is_string);
    uint32_t local = name;
    if (js_accept_word(pass, W_AS))
      local = take_local(pass);
    else if (is_string)
      js_decline(pass);
    add_import(pass, local, name);
    if (!js_is(pass, '}'))
      js_expect(pass, ',');
  }
  js_next(pass);
}

static void parse_import_clause(struct js_pass *pass) {
  bool goes_on = true;
  if (js_is(pass, TOKEN_NAME)) {
    add_import(pass, take_local(pass), W_DEFAULT);
    goes_on = js_accept(pass, ',');
  }
  if (!goes_on)
    return;
  if (js_accept(pass, '*')) {
    js_expect_word(pass, W_AS);
    add_import(pass, take_local(pass), 0);
  } else if (js_is(pass, '{')) {
    parse_import_list(pass);
  } else {
    js_decline(pass);
  }
}

static void add_check(struct js_pass *pass, uint32_t request, uint32_t name, uint32_t local) {
  struct js_indirect *check = js_list_add(pass, &pass->checks);
  *check = (struct js_indirect){.exported = local, .request = request, .name = name};
}

void js_parse_import(struct js_pass *pass) {
  uint32_t start = pass->token.start, first = pass->imports.count;
  js_next(pass);
  if (!js_is(pass, TOKEN_STRING)) {
    parse_import_clause(pass);
    js_expect_word(pass, W_FROM);
  }
  uint32_t request = parse_request(pass);
  for (uint32_t i = first; i < pass->imports.count; i++) {
    struct js_import *import = (struct js_import *)pass->imports.items + i;
    import->request = request;
    if (import->name != 0)
      add_check(pass, request, import->name, import->local);
  }
  js_semicolon(pass);
  erase(pass, start, pass->last_end, true);
}

static void note_export(struct js_pass *pass, uint32_t name) {
  struct js_name *known = js_name_at(pass, name);
  if ((known->flags & NAME_EXPORTED) != 0)
    js_decline(pass);
  known->flags |= NAME_EXPORTED;
}

static void add_local(struct js_pass *pass, struct js_list *list, uint32_t exported, uint32_t name) {
  struct js_local *local = js_list_add(pass, list);
  *local = (struct js_local){exported, name};
}

static void add_indirect(struct js_pass *pass, uint32_t exported, uint32_t request, uint32_t name) {
  struct js_indirect *indirect = js_list_add(pass, &pass->indirect);
  *indirect = (struct js_indirect){exported, request, name};
}

static void parse_export_all(struct js_pass *pass, uint32_t start) {
  uint32_t exported = 0;
  js_next(pass);
  if (js_accept_word(pass, W_AS)) {
    bool is_string;
    exported = export_name(pass, &is_string);
    note_export(pass, exported);
  }
  js_expect_word(pass, W_FROM);
  uint32_t request = parse_request(pass);
  if (exported != 0)
    add_indirect(pass, exported, request, 0);
  else
    *(uint32_t *)js_list_add(pass, &pass->stars) = request;
  js_semicolon(pass);
  erase(pass, start, pass->last_end, true);
}

/* `export { a as b }`, with `from` or without: names of another module, or names that are resolved at the end. */
static void parse_export_list(struct js_pass *pass, uint32_t start) {
  uint32_t first = pass->pending.count;
  bool has_strings = false;
  js_next(pass);
  while (!js_is(pass, '}')) {
    bool is_string, is_string_too;
    uint32_t local = export_name(pass, &is_string);
    uint32_t exported = js_accept_word(pass, W_AS) ? export_name(pass, &is_string_too) : local;
    has_strings = has_strings || is_string;
    note_export(pass, exported);
    add_local(pass, &pass->pending, exported, local);
    if (!js_is(pass, '}'))
      js_expect(pass, ',');
  }
  js_next(pass);
  if (js_accept_word(pass, W_FROM)) {
    uint32_t request = parse_request(pass);
    const struct js_local *listed = pass->pending.items;
    for (uint32_t i = first; i < pass->pending.count; i++) {
      add_indirect(pass, listed[i].exported, request, listed[i].local);
      add_check(pass, request, listed[i].local, listed[i].local);
    }
    pass->pending.count = first;
  } else if (has_strings) {
    js_decline(pass);
  }
  js_semicolon(pass);
  erase(pass, start, pass->last_end, true);
}

/* A function without a name gets one, so that it is hoisted. `start` is that of `export`, `from` that of the function.
 */
static void parse_default_function(struct js_pass *pass, uint32_t start, uint32_t from, bool is_async) {
  uint32_t behind = js_skip_blanks(pass, pass->token.end);
  js_next(pass);
  bool is_generator = js_is(pass, '*');
  if (is_generator && pass->token.start != behind)
    js_decline(pass);
  erase(pass, start, from, false);
  if (is_generator) {
    behind = pass->token.end;
    js_next(pass);
  }
  if (!js_is(pass, '(')) {
    if (!js_is(pass, TOKEN_NAME))
      js_decline(pass);
    add_local(pass, &pass->locals, W_DEFAULT, pass->token.name);
    js_check_binding(pass, pass->token.name);
    js_declare(pass, pass->token.name, DECLARE_FUNCTION);
    js_next(pass);
  } else {
    js_edit_add(pass, behind, behind, " __rota_default");
    add_local(pass, &pass->locals, W_DEFAULT, 0);
    pass->names_default = true;
  }
  js_parse_function(pass, is_async, is_generator, 0);
}

static void parse_default_value(struct js_pass *pass, uint32_t start, uint32_t word_end, bool is_class) {
  struct js_edit *edit = js_edit_add(pass, start, word_end, "const __rota_default = {default: ");
  edit->keeps_breaks = true;
  add_local(pass, &pass->locals, W_DEFAULT, 0);
  if (is_class)
    js_parse_class(pass, false);
  else
    js_parse_assignment(pass, true);
  uint32_t end = pass->last_end;
  if (!is_class)
    js_semicolon(pass);
  uint32_t from = pass->text[pass->last_end - 1] == ';' && pass->last_end > end ? pass->last_end - 1 : pass->last_end;
  js_edit_add(pass, from, pass->last_end, "}.default;");
}

static void parse_default_class(struct js_pass *pass, uint32_t start, uint32_t word_end) {
  uint32_t from = pass->token.start;
  js_next(pass);
  bool is_named = js_is(pass, TOKEN_NAME) && !js_is_word(pass, W_EXTENDS);
  if (!is_named) {
    parse_default_value(pass, start, word_end, true);
    return;
  }
  erase(pass, start, from, false);
  add_local(pass, &pass->locals, W_DEFAULT, pass->token.name);
  js_parse_class(pass, true);
}

static void parse_default(struct js_pass *pass, uint32_t start) {
  uint32_t word_end = pass->token.end;
  note_export(pass, W_DEFAULT);
  js_next(pass);
  if (js_is_word(pass, W_FUNCTION)) {
    parse_default_function(pass, start, pass->token.start, false);
    return;
  }
  if (js_is_word(pass, W_CLASS)) {
    parse_default_class(pass, start, word_end);
    return;
  }
  if (js_is_word(pass, W_ASYNC)) {
    struct js_token token = pass->token;
    uint32_t at = pass->at, last_end = pass->last_end;
    js_next(pass);
    if (js_is_word(pass, W_FUNCTION) && !pass->token.newline) {
      parse_default_function(pass, start, token.start, true);
      return;
    }
    pass->token = token;
    pass->at = at;
    pass->last_end = last_end;
  }
  parse_default_value(pass, start, word_end, false);
}

static void parse_export_declaration(struct js_pass *pass, uint32_t start) {
  uint32_t first = pass->locals.count;
  erase(pass, start, pass->token.start, false);
  pass->is_exporting = true;
  if (js_is_word(pass, W_VAR) || js_is_word(pass, W_LET) || js_is_word(pass, W_CONST)) {
    js_parse_variables(pass, true);
    js_semicolon(pass);
  } else if (js_accept_word(pass, W_FUNCTION)) {
    js_parse_function_declaration(pass, false);
  } else if (js_accept_word(pass, W_CLASS)) {
    if (!js_is(pass, TOKEN_NAME) || js_is_word(pass, W_EXTENDS))
      js_decline(pass);
    js_parse_class(pass, true);
  } else {
    js_expect_word(pass, W_ASYNC);
    if (pass->token.newline)
      js_decline(pass);
    js_expect_word(pass, W_FUNCTION);
    js_parse_function_declaration(pass, true);
  }
  pass->is_exporting = false;
  const struct js_local *locals = pass->locals.items;
  for (uint32_t i = first; i < pass->locals.count; i++)
    note_export(pass, locals[i].exported);
}

void js_parse_export(struct js_pass *pass) {
  uint32_t start = pass->token.start;
  js_next(pass);
  if (js_is(pass, '*'))
    parse_export_all(pass, start);
  else if (js_is(pass, '{'))
    parse_export_list(pass, start);
  else if (js_is_word(pass, W_DEFAULT))
    parse_default(pass, start);
  else
    parse_export_declaration(pass, start);
}

void js_ports_end(struct js_pass *pass) {
  const struct js_import *imports = pass->imports.items;
  for (uint32_t i = 0; i < pass->imports.count; i++)
    if ((js_name_at(pass, imports[i].local)->flags & NAME_DECLARED) != 0)
      js_decline(pass);
  const struct js_local *pending = pass->pending.items;
  for (uint32_t i = 0; i < pass->pending.count; i++) {
    const struct js_name *local = js_name_at(pass, pending[i].local);
    if (local->import != 0)
      add_indirect(pass, pending[i].exported, imports[local->import - 1].request, imports[local->import - 1].name);
    else if ((local->flags & NAME_DECLARED) != 0)
      add_local(pass, &pass->locals, pending[i].exported, pending[i].local);
    else
      js_decline(pass);
  }
}
