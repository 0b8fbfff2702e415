/* Expressions, from assignments down to members and calls. Precedence does not matter here: operators and operands
 * alternate, and each operand is parsed alone. Chains (a ? b : c ? d : e, a = b = c, a.b().c) are loops, so that only
 * real nesting adds to the depth. */
#include "runtime/modules/internal.h"

static const struct js_expression other = {EXPRESSION_OTHER, 0, 0};

void js_check_target(struct js_pass *pass, struct js_expression target, uint32_t suspects_before) {
  if (target.kind == EXPRESSION_META || target.kind == EXPRESSION_ARROW)
    js_decline(pass);
  if (target.kind == EXPRESSION_NAME && target.name == W_ARGUMENTS)
    js_decline(pass);
  if (target.kind == EXPRESSION_LITERAL && pass->suspects != suspects_before)
    js_decline(pass);
}

void js_parse_arguments(struct js_pass *pass) {
  js_expect(pass, '(');
  while (!js_is(pass, ')')) {
    js_accept(pass, TOKEN_SPREAD);
    js_parse_assignment(pass, true);
    if (!js_is(pass, ')'))
      js_expect(pass, ',');
  }
  js_next(pass);
}

/* A name after a dot. -> whether it is an ordinary one */
static bool parse_member_name(struct js_pass *pass) {
  bool is_name = js_is(pass, TOKEN_NAME);
  if (!is_name && !js_is(pass, TOKEN_PRIVATE))
    js_decline(pass);
  js_next(pass);
  return is_name;
}

static void parse_index(struct js_pass *pass) {
  js_expect(pass, '[');
  js_parse_expression(pass, true);
  js_expect(pass, ']');
}

static struct js_expression parse_optional(struct js_pass *pass, struct js_expression left) {
  js_next(pass);
  if (js_is(pass, '(')) {
    if (left.kind == EXPRESSION_NAME)
      js_use_more(pass, left.head, USE_CALL);
    js_parse_arguments(pass);
  } else if (js_is(pass, '[')) {
    parse_index(pass);
  } else if (parse_member_name(pass) && left.kind == EXPRESSION_NAME) {
    js_use_more(pass, left.head, USE_MEMBER);
  }
  return other;
}

/* Members, calls and templates after an operand. */
static struct js_expression parse_rest(struct js_pass *pass, struct js_expression left, bool allows_calls) {
  for (;;) {
    uint32_t head = left.head;
    switch (left.kind == EXPRESSION_ARROW ? TOKEN_END : pass->token.kind) {
    case '.':
      js_next(pass);
      if (parse_member_name(pass) && left.kind == EXPRESSION_NAME)
        js_use_more(pass, head, USE_MEMBER);
      break;
    case '[':
      parse_index(pass);
      break;
    case '`':
      if (left.kind == EXPRESSION_NAME)
        js_use_more(pass, head, USE_CALL);
      js_parse_template(pass);
      break;
    case TOKEN_OPTIONAL:
      left = parse_optional(pass, left);
      continue;
    case '(':
      if (!allows_calls)
        return left;
      if (left.kind == EXPRESSION_NAME)
        js_use_more(pass, head, USE_CALL);
      js_parse_arguments(pass);
      head = 0;
      break;
    default:
      return left;
    }
    left = (struct js_expression){EXPRESSION_OTHER, 0, head};
  }
}

/* new.target: an operand. The engine would accept it outside of functions, since it gets a function. */
static void parse_target(struct js_pass *pass) {
  js_next(pass);
  if (pass->inside.arguments == 0 && pass->wish.kind == JS_REWRITE_MODULE)
    js_decline(pass);
  js_expect_word(pass, W_TARGET);
}

static struct js_expression parse_new(struct js_pass *pass) {
  uint32_t count = 0;
  struct js_expression base = other;
  bool has_base = false;
  while (js_is_word(pass, W_NEW)) {
    js_next(pass);
    if (js_is(pass, '.')) {
      parse_target(pass);
      has_base = true;
      break;
    }
    count++;
  }
  if (!has_base) {
    base = js_parse_operand(pass);
    if (base.kind == EXPRESSION_META && base.name == W_IMPORT)
      js_decline(pass); /* import() is not allowed here, but the call that replaces it is */
  }
  while (count > 0) {
    base = parse_rest(pass, base, false);
    js_use_more(pass, base.head, USE_NEW);
    base = other;
    if (!js_is(pass, '('))
      break;
    js_parse_arguments(pass);
    count--;
  }
  return base;
}

struct js_expression js_parse_left_hand(struct js_pass *pass) {
  return parse_rest(pass, js_is_word(pass, W_NEW) ? parse_new(pass) : js_parse_operand(pass), true);
}

/* An await of the module itself notes its number before it waits: if it never ends, a warning names it. */
static void mark_await(struct js_pass *pass) {
  struct js_edit *edit = js_edit_add(pass, pass->token.end, pass->token.end, " __rota_import.at(");
  edit->has_number = true;
  edit->number = pass->awaits.count;
  pass->has_await = true;
  *(uint32_t *)js_list_add(pass, &pass->awaits) = pass->token.start;
}

/* `await` as an operator. In a module it is never a name. `marks` counts brackets that are to be closed. */
static bool accept_await(struct js_pass *pass, unsigned *marks) {
  if (!js_is_word(pass, W_AWAIT))
    return false;
  bool is_module = pass->wish.kind == JS_REWRITE_MODULE;
  bool at_top = is_module && pass->inside.depth == 0 && !pass->inside.is_field;
  if (!pass->inside.is_async && !at_top) {
    if (is_module)
      js_decline(pass);
    return false;
  }
  if (at_top) {
    mark_await(pass);
    (*marks)++;
  }
  js_next(pass);
  if (js_is_word(pass, W_USING))
    js_decline(pass);
  return true;
}

static struct js_expression parse_unary(struct js_pass *pass) {
  bool is_prefixed = false, deletes = false, steps = false;
  unsigned marks = 0;
  for (;;) {
    bool is_delete = js_is_word(pass, W_DELETE);
    bool is_step = js_is(pass, TOKEN_STEP);
    bool is_sign = js_is(pass, TOKEN_NOT) || js_is(pass, '+') || js_is(pass, '-');
    bool is_word = is_delete || js_is_word(pass, W_TYPEOF) || js_is_word(pass, W_VOID);
    if (is_step || is_sign || is_word)
      js_next(pass);
    else if (!accept_await(pass, &marks))
      break;
    is_prefixed = true;
    deletes = is_delete;
    steps = is_step;
  }
  uint32_t suspects = pass->suspects;
  struct js_expression operand = js_parse_left_hand(pass);
  if (deletes && operand.kind == EXPRESSION_NAME)
    js_decline(pass); /* an error of strict code, which the replacement of a name would hide */
  bool is_postfixed = js_is(pass, TOKEN_STEP) && !pass->token.newline && operand.kind != EXPRESSION_ARROW;
  if (steps || is_postfixed)
    js_check_target(pass, operand, suspects);
  if (is_postfixed)
    js_next(pass);
  for (; marks > 0; marks--)
    js_edit_add(pass, pass->last_end, pass->last_end, ")");
  if (operand.kind == EXPRESSION_ARROW)
    return operand;
  return is_prefixed || is_postfixed ? other : operand;
}

static bool is_binary(const struct js_pass *pass, bool allows_in) {
  switch (pass->token.kind) {
  case TOKEN_BINARY:
  case '+':
  case '-':
  case '*':
  case '/':
    return true;
  case TOKEN_NAME:
    return pass->token.name == W_INSTANCEOF || (pass->token.name == W_IN && allows_in);
  default:
    return false;
  }
}

static struct js_expression parse_binary(struct js_pass *pass, bool allows_in) {
  struct js_expression first = parse_unary(pass);
  bool is_alone = true;
  while (first.kind != EXPRESSION_ARROW && is_binary(pass, allows_in)) {
    is_alone = false;
    js_next(pass);
    first = parse_unary(pass);
  }
  return is_alone || first.kind == EXPRESSION_ARROW ? first : other;
}

static bool ends_expression(const struct js_pass *pass) {
  switch (pass->token.kind) {
  case ')':
  case ']':
  case '}':
  case ',':
  case ';':
  case ':':
  case TOKEN_END:
    return true;
  default:
    return js_is_word(pass, W_IN);
  }
}

/* The engine must be told the operand of `yield*` in an asynchronous generator, if it is alone after the keyword: see
 * editDelegation in esm/delegation.js. */
static void parse_yield(struct js_pass *pass, bool allows_in) {
  uint32_t star = js_skip_blanks(pass, pass->token.end);
  js_next(pass);
  if (pass->token.newline || ends_expression(pass))
    return;
  if (!js_is(pass, '*')) {
    js_parse_assignment(pass, allows_in);
    return;
  }
  bool marks = pass->wish.marks_delegation && pass->inside.is_async && pass->token.start == star;
  const bool is_module = pass->wish.kind == JS_REWRITE_MODULE;
  if (marks)
    js_edit_add(pass, star + 1, star + 1, is_module ? " __rota_import.delegate(" : " __rota_import__.delegate(");
  js_next(pass);
  js_parse_assignment(pass, allows_in);
  if (marks)
    js_edit_add(pass, pass->last_end, pass->last_end, ")");
}

struct js_expression js_parse_assignment(struct js_pass *pass, bool allows_in) {
  bool is_alone = true;
  struct js_expression left;
  js_deeper(pass);
  for (;;) {
    if (js_is_word(pass, W_YIELD)) {
      if (pass->inside.is_generator) {
        parse_yield(pass, allows_in);
        left = other;
        break;
      }
      if (pass->wish.kind == JS_REWRITE_MODULE)
        js_decline(pass);
    }
    uint32_t suspects = pass->suspects;
    left = parse_binary(pass, allows_in);
    if (left.kind == EXPRESSION_ARROW)
      break;
    if (js_is(pass, '?')) {
      js_next(pass);
      js_parse_assignment(pass, true);
      js_expect(pass, ':');
    } else if (js_is(pass, '=') || js_is(pass, TOKEN_ASSIGN) || js_is(pass, TOKEN_DIVIDE_ASSIGN)) {
      js_check_target(pass, left, suspects);
      js_next(pass);
    } else {
      break;
    }
    is_alone = false;
  }
  js_higher(pass);
  return is_alone ? left : other;
}

struct js_expression js_parse_expression(struct js_pass *pass, bool allows_in) {
  struct js_expression first = js_parse_assignment(pass, allows_in);
  if (!js_is(pass, ','))
    return first;
  while (js_accept(pass, ','))
    js_parse_assignment(pass, allows_in);
  return other;
}
