/* Parentheses and names, either of which may turn out to be the parameters of an arrow function.
 *
 * The contents of a parenthesis are parsed as an expression. If `=>` follows, the pass goes back and parses them as
 * parameters. It records the position, so that a nested parenthesis is not parsed a third time: the pass goes back to
 * each one at most once. */
#include <stdlib.h>

#include "runtime/modules/internal.h"

/* The lengths of all lists that grow while an expression is parsed. */
struct mark {
  struct js_token token;
  uint32_t at, last_end, uses, edits, declared, awaits, suspects;
  bool has_await;
};

static struct mark mark_here(const struct js_pass *pass) {
  return (struct mark){pass->token,          pass->at,           pass->last_end, pass->uses.count, pass->edits.count,
                       pass->declared.count, pass->awaits.count, pass->suspects, pass->has_await};
}

static void go_back(struct js_pass *pass, const struct mark *mark) {
  pass->token = mark->token;
  pass->at = mark->at;
  pass->last_end = mark->last_end;
  pass->uses.count = mark->uses;
  pass->edits.count = mark->edits;
  pass->declared.count = mark->declared;
  pass->awaits.count = mark->awaits;
  pass->suspects = mark->suspects;
  pass->has_await = mark->has_await;
}

static uint32_t slot_of(uint32_t place, uint32_t mask) {
  return (place * 0x9E3779B1u >> 9) & mask;
}

static bool is_known_arrow(const struct js_pass *pass, uint32_t place) {
  const uint32_t *slots = pass->arrows.items;
  if (pass->arrow_count == 0)
    return false;
  uint32_t mask = pass->arrows.count - 1;
  for (uint32_t at = slot_of(place, mask); slots[at] != 0; at = (at + 1) & mask)
    if (slots[at] == place + 1)
      return true;
  return false;
}

static void put_arrow(struct js_list *table, uint32_t place_plus_1) {
  uint32_t *slots = table->items;
  uint32_t mask = table->count - 1;
  uint32_t at = slot_of(place_plus_1 - 1, mask);
  while (slots[at] != 0)
    at = (at + 1) & mask;
  slots[at] = place_plus_1;
}

static void note_arrow(struct js_pass *pass, uint32_t place) {
  if ((pass->arrow_count + 1) * 2 > pass->arrows.count) {
    struct js_list larger = {.count = pass->arrows.count == 0 ? 64 : pass->arrows.count * 2, .size = sizeof(uint32_t)};
    larger.room = larger.count;
    larger.items = calloc(larger.count, sizeof(uint32_t));
    if (larger.items == NULL)
      js_decline(pass);
    const uint32_t *old = pass->arrows.items;
    for (uint32_t i = 0; i < pass->arrows.count; i++)
      if (old[i] != 0)
        put_arrow(&larger, old[i]);
    free(pass->arrows.items);
    pass->arrows = larger;
  }
  put_arrow(&pass->arrows, place + 1);
  pass->arrow_count++;
}

static bool is_plain_name_byte(unsigned byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_' ||
         byte == '$';
}

/* (a, b) => : names and commas only, the usual case. Anything else takes the slow path. */
static bool looks_like_arrow(const struct js_pass *pass) {
  const unsigned char *text = pass->text;
  uint32_t at = pass->at;
  while (at < pass->length && (is_plain_name_byte(text[at]) || text[at] == ',' || text[at] == ' '))
    at++;
  if (at >= pass->length || text[at] != ')')
    return false;
  for (at++; at < pass->length && text[at] == ' ';)
    at++;
  return pass->length - at >= 2 && text[at] == '=' && text[at + 1] == '>';
}

static struct js_expression arrow_from(struct js_pass *pass, const struct mark *mark, bool is_async) {
  go_back(pass, mark);
  note_arrow(pass, mark->token.start);
  js_parse_arrow(pass, is_async);
  return (struct js_expression){EXPRESSION_ARROW, 0, 0};
}

static bool arrow_follows(const struct js_pass *pass) {
  return js_is(pass, TOKEN_ARROW) && !pass->token.newline;
}

struct js_expression js_parse_parenthesis(struct js_pass *pass) {
  if (looks_like_arrow(pass) || is_known_arrow(pass, pass->token.start)) {
    js_parse_arrow(pass, false);
    return (struct js_expression){EXPRESSION_ARROW, 0, 0};
  }
  struct mark mark = mark_here(pass);
  struct js_expression inner = {EXPRESSION_OTHER, 0, 0};
  uint32_t count = 0;
  bool is_arrow = false;
  js_next(pass);
  for (;; count++) {
    if (js_is(pass, ')') || js_is(pass, TOKEN_SPREAD)) {
      is_arrow = true; /* (), (a, ), (...a): only parameters have this form */
      break;
    }
    inner = js_parse_assignment(pass, true);
    if (!js_accept(pass, ','))
      break;
  }
  if (!is_arrow) {
    js_expect(pass, ')');
    is_arrow = arrow_follows(pass);
  }
  if (is_arrow)
    return arrow_from(pass, &mark, false);
  if (count > 0 || inner.kind == EXPRESSION_ARROW)
    return (struct js_expression){EXPRESSION_OTHER, 0, 0};
  return inner;
}

struct js_expression js_parse_name(struct js_pass *pass) {
  uint32_t name = pass->token.name, start = pass->token.start, end = pass->token.end;
  const bool is_module = pass->wish.kind == JS_REWRITE_MODULE;
  if (is_module && (name == W_AWAIT || name == W_YIELD))
    js_decline(pass);
  struct mark mark = mark_here(pass);
  uint32_t use = is_module ? js_note_use(pass, name, 0) : 0;
  js_next(pass);
  if (arrow_follows(pass)) {
    pass->uses.count = mark.uses;
    js_check_binding(pass, name);
    js_parse_arrow_body(pass, false, name);
    return (struct js_expression){EXPRESSION_ARROW, 0, 0};
  }
  if (is_module && name == W_ARGUMENTS && pass->inside.arguments == 0) {
    if (pass->inside.is_field)
      js_decline(pass);
    js_edit_add(pass, start, end, "__rota_arguments");
    pass->suspects++;
  }
  return (struct js_expression){EXPRESSION_NAME, name, use};
}

struct js_expression js_parse_async(struct js_pass *pass) {
  uint32_t use = js_note_use(pass, W_ASYNC, 0);
  struct mark before = mark_here(pass);
  js_next(pass);
  if (js_is_word(pass, W_FUNCTION) && !pass->token.newline) {
    pass->uses.count = before.uses - (use != 0);
    js_next(pass);
    js_parse_function_expression(pass, true);
    return (struct js_expression){EXPRESSION_OTHER, 0, 0};
  }
  if (js_is(pass, TOKEN_NAME) && !pass->token.newline && pass->token.name > W_LAST_RESERVED) {
    uint32_t name = pass->token.name;
    struct js_token token = pass->token;
    uint32_t at = pass->at, last_end = pass->last_end;
    js_next(pass);
    if (arrow_follows(pass)) {
      pass->uses.count = before.uses - (use != 0);
      js_check_binding(pass, name);
      js_parse_arrow_body(pass, true, name);
      return (struct js_expression){EXPRESSION_ARROW, 0, 0};
    }
    pass->token = token; /* async of, async in: a name */
    pass->at = at;
    pass->last_end = last_end;
  }
  if (arrow_follows(pass)) { /* async => */
    pass->uses.count = before.uses - (use != 0);
    js_parse_arrow_body(pass, false, W_ASYNC);
    return (struct js_expression){EXPRESSION_ARROW, 0, 0};
  }
  if (!js_is(pass, '(') || pass->token.newline)
    return (struct js_expression){EXPRESSION_NAME, W_ASYNC, use};
  struct mark mark = mark_here(pass);
  if (!is_known_arrow(pass, pass->token.start) && !looks_like_arrow(pass)) {
    js_use_more(pass, use, USE_CALL);
    js_parse_arguments(pass);
    if (!arrow_follows(pass))
      return (struct js_expression){EXPRESSION_OTHER, 0, 0};
    mark.uses -= use != 0;
    return arrow_from(pass, &mark, true);
  }
  pass->uses.count -= use != 0;
  js_parse_arrow(pass, true);
  return (struct js_expression){EXPRESSION_ARROW, 0, 0};
}
