/* Statements, and where they end without a semicolon. */
#include "runtime/modules/internal.h"

static void parse_statement(struct js_pass *pass);

void js_semicolon(struct js_pass *pass) {
  if (js_accept(pass, ';') || js_is(pass, '}') || js_is(pass, TOKEN_END) || pass->token.newline)
    return;
  js_decline(pass);
}

static void js_parse_block(struct js_pass *pass) {
  js_deeper(pass);
  js_scope_open(pass, false);
  js_expect(pass, '{');
  js_parse_list(pass);
  js_scope_close(pass);
  js_expect(pass, '}');
  js_higher(pass);
}

static void parse_condition(struct js_pass *pass) {
  js_expect(pass, '(');
  js_parse_expression(pass, true);
  js_expect(pass, ')');
}

/* The token is var, let or const. */
void js_parse_variables(struct js_pass *pass, bool allows_in) {
  enum js_declaration how = js_is_word(pass, W_VAR) ? DECLARE_VAR : DECLARE_LEXICAL;
  do {
    js_next(pass);
    js_parse_pattern(pass, how);
    if (js_accept(pass, '='))
      js_parse_assignment(pass, allows_in);
  } while (js_is(pass, ','));
}

void js_parse_function_declaration(struct js_pass *pass, bool is_async) {
  bool is_generator = js_accept(pass, '*');
  if (!js_is(pass, TOKEN_NAME))
    js_decline(pass);
  js_check_binding(pass, pass->token.name);
  js_declare(pass, pass->token.name, DECLARE_FUNCTION);
  js_next(pass);
  js_parse_function(pass, is_async, is_generator, 0);
}

static void parse_if(struct js_pass *pass) {
  for (;;) {
    parse_condition(pass);
    parse_statement(pass);
    if (!js_accept_word(pass, W_ELSE))
      return;
    if (!js_accept_word(pass, W_IF))
      break;
  }
  parse_statement(pass);
}

static void parse_three_parts(struct js_pass *pass) {
  js_expect(pass, ';');
  if (!js_is(pass, ';'))
    js_parse_expression(pass, true);
  js_expect(pass, ';');
  if (!js_is(pass, ')'))
    js_parse_expression(pass, true);
}

/* The part before `;`, `of` or `in`. */
static void parse_for_left(struct js_pass *pass) {
  if (js_is(pass, ';'))
    return;
  if (js_is_word(pass, W_USING))
    js_decline(pass);
  if (js_is_word(pass, W_VAR) || js_is_word(pass, W_LET) || js_is_word(pass, W_CONST)) {
    js_parse_variables(pass, false);
    return;
  }
  uint32_t suspects = pass->suspects;
  struct js_expression left = js_parse_expression(pass, false);
  if (!js_is(pass, ';'))
    js_check_target(pass, left, suspects);
}

static void parse_for(struct js_pass *pass) {
  if (js_is_word(pass, W_AWAIT)) {
    if (pass->inside.depth == 0 && pass->wish.kind == JS_REWRITE_MODULE)
      pass->has_await = true;
    else if (!pass->inside.is_async)
      js_decline(pass);
    js_next(pass);
  }
  js_scope_open(pass, false);
  js_expect(pass, '(');
  parse_for_left(pass);
  if (js_accept_word(pass, W_OF))
    js_parse_assignment(pass, true);
  else if (js_accept_word(pass, W_IN))
    js_parse_expression(pass, true);
  else
    parse_three_parts(pass);
  js_expect(pass, ')');
  parse_statement(pass);
  js_scope_close(pass);
}

static void parse_do(struct js_pass *pass) {
  parse_statement(pass);
  js_expect_word(pass, W_WHILE);
  parse_condition(pass);
  js_accept(pass, ';');
}

static void parse_switch(struct js_pass *pass) {
  parse_condition(pass);
  js_scope_open(pass, false);
  js_expect(pass, '{');
  while (!js_is(pass, '}')) {
    if (js_accept_word(pass, W_CASE))
      js_parse_expression(pass, true);
    else
      js_expect_word(pass, W_DEFAULT);
    js_expect(pass, ':');
    js_parse_list(pass);
  }
  js_scope_close(pass);
  js_next(pass);
}

static void parse_try(struct js_pass *pass) {
  js_parse_block(pass);
  if (js_accept_word(pass, W_CATCH)) {
    js_scope_open(pass, false);
    if (js_accept(pass, '(')) {
      js_parse_pattern(pass, DECLARE_LEXICAL);
      js_expect(pass, ')');
    }
    js_parse_block(pass);
    js_scope_close(pass);
  }
  if (js_accept_word(pass, W_FINALLY))
    js_parse_block(pass);
}

static void parse_return(struct js_pass *pass) {
  const bool may_return = pass->inside.depth > 0 || pass->wish.kind == JS_REWRITE_COMMONJS;
  if (!may_return) /* the engine gets a function, in which it is allowed */
    js_decline(pass);
  if (!pass->token.newline && !js_is(pass, ';') && !js_is(pass, '}') && !js_is(pass, TOKEN_END))
    js_parse_expression(pass, true);
  js_semicolon(pass);
}

static void parse_jump(struct js_pass *pass) {
  if (js_is(pass, TOKEN_NAME) && !pass->token.newline)
    js_next(pass);
  js_semicolon(pass);
}

static void parse_expression_statement(struct js_pass *pass) {
  js_parse_expression(pass, true);
  js_semicolon(pass);
}

/* import and export that are not expressions. */
static void parse_port(struct js_pass *pass) {
  bool is_top = pass->scopes.count == 1 && pass->depth == 1 && pass->statement_start == pass->token.start;
  uint32_t behind = js_skip_blanks(pass, pass->token.end);
  bool is_call = js_is_word(pass, W_IMPORT) && behind < pass->length &&
                 (pass->text[behind] == '(' || pass->text[behind] == '.' || pass->text[behind] == '/');
  if (is_call)
    parse_expression_statement(pass);
  else if (!is_top || pass->wish.kind != JS_REWRITE_MODULE)
    js_decline(pass);
  else if (js_is_word(pass, W_IMPORT))
    js_parse_import(pass);
  else
    js_parse_export(pass);
}

/* A name at the beginning: of a label, an `async function`, or of an expression. */
static void parse_named(struct js_pass *pass) {
  struct js_token token = pass->token;
  uint32_t at = pass->at, last_end = pass->last_end;
  bool is_async = token.name == W_ASYNC, is_using = token.name == W_USING;
  uint32_t behind = js_skip_blanks(pass, token.end);
  unsigned byte = behind < pass->length ? pass->text[behind] : 0;
  if (!is_async && !is_using && token.name != W_LET && byte != ':' && byte != '/') {
    parse_expression_statement(pass);
    return;
  }
  js_next(pass);
  bool is_label = js_is(pass, ':');
  bool continues = js_is(pass, TOKEN_NAME) && !pass->token.newline;
  if (is_label) {
    if (pass->wish.kind == JS_REWRITE_MODULE && token.name <= W_LAST_STRICT)
      js_decline(pass);
    js_next(pass);
    parse_statement(pass);
    return;
  }
  if (is_using && continues && !js_is_word(pass, W_IN) && !js_is_word(pass, W_INSTANCEOF))
    js_decline(pass);
  if (is_async && continues && js_is_word(pass, W_FUNCTION)) {
    js_next(pass);
    js_parse_function_declaration(pass, true);
    return;
  }
  bool declares = js_is(pass, TOKEN_NAME) || js_is(pass, '[') || js_is(pass, '{');
  pass->token = token;
  pass->at = at;
  pass->last_end = last_end;
  if (token.name == W_LET && (declares || pass->wish.kind == JS_REWRITE_MODULE)) {
    js_parse_variables(pass, true);
    js_semicolon(pass);
    return;
  }
  parse_expression_statement(pass);
}

/* -> false: a word that begins no statement */
/* The statement of this keyword, which was just read. */
static void parse_after_keyword(struct js_pass *pass, uint32_t word) {
  switch (word) {
  case W_FUNCTION:
    js_parse_function_declaration(pass, false);
    break;
  case W_CLASS:
    if (!js_is(pass, TOKEN_NAME) || js_is_word(pass, W_EXTENDS))
      js_decline(pass);
    js_parse_class(pass, true);
    break;
  case W_IF:
    parse_if(pass);
    break;
  case W_FOR:
    parse_for(pass);
    break;
  case W_WHILE:
    parse_condition(pass);
    parse_statement(pass);
    break;
  case W_DO:
    parse_do(pass);
    break;
  case W_SWITCH:
    parse_switch(pass);
    break;
  case W_TRY:
    parse_try(pass);
    break;
  case W_RETURN:
    parse_return(pass);
    break;
  case W_BREAK:
  case W_CONTINUE:
    parse_jump(pass);
    break;
  case W_THROW:
    parse_expression_statement(pass);
    break;
  case W_DEBUGGER:
    js_semicolon(pass);
    break;
  default: /* with: not in modules */
    if (pass->wish.kind == JS_REWRITE_MODULE)
      js_decline(pass);
    parse_condition(pass);
    parse_statement(pass);
  }
}

static bool parse_keyword(struct js_pass *pass, uint32_t word) {
  switch (word) {
  case W_VAR:
  case W_CONST:
    js_parse_variables(pass, true);
    js_semicolon(pass);
    return true;
  case W_IMPORT:
  case W_EXPORT:
    parse_port(pass);
    return true;
  case W_FUNCTION:
  case W_CLASS:
  case W_IF:
  case W_FOR:
  case W_WHILE:
  case W_DO:
  case W_SWITCH:
  case W_TRY:
  case W_RETURN:
  case W_BREAK:
  case W_CONTINUE:
  case W_THROW:
  case W_DEBUGGER:
  case W_WITH:
    break;
  default:
    return false;
  }
  js_next(pass);
  parse_after_keyword(pass, word);
  return true;
}

static void parse_statement(struct js_pass *pass) {
  js_deeper(pass);
  if (js_is(pass, '{'))
    js_parse_block(pass);
  else if (js_is(pass, ';'))
    js_next(pass);
  else if (!js_is(pass, TOKEN_NAME))
    parse_expression_statement(pass);
  else if (!parse_keyword(pass, pass->token.name))
    parse_named(pass);
  js_higher(pass);
}

void js_parse_list(struct js_pass *pass) {
  while (!js_is(pass, '}') && !js_is(pass, TOKEN_END) && !js_is_word(pass, W_CASE) && !js_is_word(pass, W_DEFAULT)) {
    pass->statement_start = pass->token.start;
    parse_statement(pass);
  }
}
