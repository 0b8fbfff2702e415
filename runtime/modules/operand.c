/* Operands: names, literals, functions, classes, import. */
#include "runtime/modules/internal.h"

void js_parse_template(struct js_pass *pass) {
  pass->at = pass->token.start + 1;
  while (!js_scan_template(pass)) {
    js_next(pass);
    js_parse_expression(pass, true);
    if (!js_is(pass, '}'))
      js_decline(pass);
    pass->at = pass->token.start + 1;
  }
  pass->token.end = pass->at;
  js_next(pass);
}

static void parse_array(struct js_pass *pass) {
  js_next(pass);
  while (!js_is(pass, ']')) {
    if (js_accept(pass, ','))
      continue;
    js_accept(pass, TOKEN_SPREAD);
    js_parse_assignment(pass, true);
    if (!js_is(pass, ']'))
      js_expect(pass, ',');
  }
  js_next(pass);
}

/* One or two arguments, as the language demands: the replacement would accept any number. */
static void parse_import_arguments(struct js_pass *pass) {
  js_expect(pass, '(');
  js_parse_assignment(pass, true);
  if (js_accept(pass, ',') && !js_is(pass, ')')) {
    js_parse_assignment(pass, true);
    js_accept(pass, ',');
  }
  js_expect(pass, ')');
}

static struct js_expression parse_import(struct js_pass *pass) {
  const bool is_module = pass->wish.kind == JS_REWRITE_MODULE;
  uint32_t start = pass->token.start;
  js_next(pass);
  if (js_is(pass, '(')) {
    js_edit_add(pass, start, start + 6, is_module ? "__rota_import" : "__rota_import__");
    parse_import_arguments(pass);
    pass->suspects++;
    return (struct js_expression){EXPRESSION_META, W_IMPORT, 0};
  }
  js_expect(pass, '.');
  if (!is_module || !js_is_word(pass, W_META))
    js_decline(pass);
  js_edit_add(pass, start, pass->token.end, "__rota_meta");
  js_next(pass);
  pass->suspects++;
  return (struct js_expression){EXPRESSION_META, W_META, 0};
}

static struct js_expression parse_word(struct js_pass *pass) {
  switch (pass->token.name) {
  case W_FUNCTION:
    js_next(pass);
    js_parse_function_expression(pass, false);
    break;
  case W_CLASS:
    js_next(pass);
    js_parse_class(pass, false);
    break;
  case W_THIS:
  case W_SUPER:
  case W_NULL:
  case W_TRUE:
  case W_FALSE:
    js_next(pass);
    break;
  case W_IMPORT:
    return parse_import(pass);
  case W_ASYNC:
    return js_parse_async(pass);
  default:
    if (pass->token.name <= W_LAST_RESERVED)
      js_decline(pass);
    return js_parse_name(pass);
  }
  return (struct js_expression){EXPRESSION_OTHER, 0, 0};
}

struct js_expression js_parse_operand(struct js_pass *pass) {
  struct js_expression result = {EXPRESSION_OTHER, 0, 0};
  switch (pass->token.kind) {
  case TOKEN_NAME:
    return parse_word(pass);
  case TOKEN_NUMBER:
  case TOKEN_STRING:
    js_next(pass);
    break;
  case TOKEN_PRIVATE: /* #x in object */
    js_next(pass);
    if (!js_is_word(pass, W_IN))
      js_decline(pass);
    break;
  case '`':
    js_parse_template(pass);
    break;
  case '/':
  case TOKEN_DIVIDE_ASSIGN:
    js_scan_regexp(pass);
    break;
  case '(':
    return js_parse_parenthesis(pass);
  case '[':
    js_deeper(pass);
    parse_array(pass);
    js_higher(pass);
    result.kind = EXPRESSION_LITERAL;
    break;
  case '{':
    js_deeper(pass);
    js_parse_object(pass);
    js_higher(pass);
    result.kind = EXPRESSION_LITERAL;
    break;
  default:
    js_decline(pass);
  }
  return result;
}
