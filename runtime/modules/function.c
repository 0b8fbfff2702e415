/* Functions and the patterns that declare names. Parameters have a scope of their own around that of the body: a
 * default value does not see declarations of the body. */
#include "runtime/modules/internal.h"

void js_check_binding(struct js_pass *pass, uint32_t name) {
  if (name <= W_LAST_RESERVED || (pass->wish.kind == JS_REWRITE_MODULE && name <= W_LAST_STRICT))
    js_decline(pass);
}

static void parse_binding_name(struct js_pass *pass, enum js_declaration how) {
  if (!js_is(pass, TOKEN_NAME))
    js_decline(pass);
  js_check_binding(pass, pass->token.name);
  js_declare(pass, pass->token.name, how);
  js_next(pass);
}

static void parse_default(struct js_pass *pass) {
  if (js_accept(pass, '='))
    js_parse_assignment(pass, true);
}

static void parse_property_pattern(struct js_pass *pass, enum js_declaration how) {
  if (js_accept(pass, TOKEN_SPREAD)) {
    parse_binding_name(pass, how);
    return;
  }
  bool is_name = js_is(pass, TOKEN_NAME);
  uint32_t name = pass->token.name;
  if (js_accept(pass, '[')) {
    js_parse_assignment(pass, true);
    js_expect(pass, ']');
  } else if (is_name || js_is(pass, TOKEN_STRING) || js_is(pass, TOKEN_NUMBER)) {
    js_next(pass);
  } else {
    js_decline(pass);
  }
  if (js_accept(pass, ':')) {
    js_parse_pattern(pass, how);
  } else if (is_name) {
    js_check_binding(pass, name);
    js_declare(pass, name, how);
  } else {
    js_decline(pass);
  }
  parse_default(pass);
}

static void parse_object_pattern(struct js_pass *pass, enum js_declaration how) {
  js_next(pass);
  while (!js_is(pass, '}')) {
    parse_property_pattern(pass, how);
    if (!js_is(pass, '}'))
      js_expect(pass, ',');
  }
  js_next(pass);
}

static void parse_array_pattern(struct js_pass *pass, enum js_declaration how) {
  js_next(pass);
  while (!js_is(pass, ']')) {
    if (js_accept(pass, ','))
      continue;
    js_accept(pass, TOKEN_SPREAD);
    js_parse_pattern(pass, how);
    parse_default(pass);
    if (!js_is(pass, ']'))
      js_expect(pass, ',');
  }
  js_next(pass);
}

void js_parse_pattern(struct js_pass *pass, enum js_declaration how) {
  js_deeper(pass);
  if (js_is(pass, '{'))
    parse_object_pattern(pass, how);
  else if (js_is(pass, '['))
    parse_array_pattern(pass, how);
  else
    parse_binding_name(pass, how);
  js_higher(pass);
}

static void parse_parameters(struct js_pass *pass) {
  js_expect(pass, '(');
  while (!js_is(pass, ')')) {
    js_accept(pass, TOKEN_SPREAD);
    js_parse_pattern(pass, DECLARE_LEXICAL);
    parse_default(pass);
    if (!js_is(pass, ')'))
      js_expect(pass, ',');
  }
  js_next(pass);
}

static void parse_body(struct js_pass *pass) {
  js_scope_open(pass, true);
  js_expect(pass, '{');
  js_parse_list(pass);
  js_scope_close(pass);
}

void js_parse_function(struct js_pass *pass, bool is_async, bool is_generator, uint32_t own_name) {
  struct js_inside outside = pass->inside;
  js_deeper(pass);
  pass->inside = (struct js_inside){.is_async = is_async,
                                    .is_generator = is_generator,
                                    .depth = outside.depth + 1,
                                    .arguments = outside.arguments + 1};
  js_scope_open(pass, true);
  if (own_name != 0)
    js_declare(pass, own_name, DECLARE_LEXICAL);
  parse_parameters(pass);
  parse_body(pass);
  if (!js_is(pass, '}'))
    js_decline(pass);
  js_scope_close(pass);
  pass->inside = outside;
  js_next(pass);
  js_higher(pass);
}

static struct js_inside enter_arrow(struct js_pass *pass, bool is_async) {
  struct js_inside outside = pass->inside;
  js_deeper(pass);
  pass->inside.is_async = is_async;
  pass->inside.is_generator = false;
  pass->inside.depth++;
  js_scope_open(pass, true);
  return outside;
}

static void leave_arrow(struct js_pass *pass, struct js_inside outside) {
  if (!js_is(pass, TOKEN_ARROW) || pass->token.newline)
    js_decline(pass);
  js_next(pass);
  if (js_is(pass, '{')) {
    parse_body(pass);
    if (!js_is(pass, '}'))
      js_decline(pass);
    js_next(pass);
  } else {
    js_parse_assignment(pass, true);
  }
  js_scope_close(pass);
  pass->inside = outside;
  js_higher(pass);
}

void js_parse_arrow(struct js_pass *pass, bool is_async) {
  struct js_inside outside = enter_arrow(pass, is_async);
  parse_parameters(pass);
  leave_arrow(pass, outside);
}

void js_parse_arrow_body(struct js_pass *pass, bool is_async, uint32_t name) {
  struct js_inside outside = enter_arrow(pass, is_async);
  js_declare(pass, name, DECLARE_LEXICAL);
  leave_arrow(pass, outside);
}

void js_parse_function_expression(struct js_pass *pass, bool is_async) {
  bool is_generator = js_accept(pass, '*');
  uint32_t name = 0;
  if (js_is(pass, TOKEN_NAME)) {
    name = pass->token.name;
    js_check_binding(pass, name);
    js_next(pass);
  }
  js_parse_function(pass, is_async, is_generator, name);
}
