/* The contents of object literals and classes: keys, methods, fields. */
#include "runtime/modules/internal.h"

struct key {
  bool is_name, is_async, is_generator, is_accessor;
  uint32_t name;
  struct js_token token; /* of a plain name */
};

/* A word that may be a modifier is itself a key if this follows. */
static bool ends_key(const struct js_pass *pass) {
  switch (pass->token.kind) {
  case '(':
  case '=':
  case ';':
  case ',':
  case ':':
  case '}':
  case TOKEN_END:
    return true;
  default:
    return false;
  }
}

static void parse_key_itself(struct js_pass *pass, struct key *key) {
  key->is_name = js_is(pass, TOKEN_NAME);
  key->name = pass->token.name;
  key->token = pass->token;
  if (js_accept(pass, '[')) {
    js_parse_assignment(pass, true);
    js_expect(pass, ']');
  } else if (key->is_name || js_is(pass, TOKEN_STRING) || js_is(pass, TOKEN_NUMBER) || js_is(pass, TOKEN_PRIVATE)) {
    js_next(pass);
  } else {
    js_decline(pass);
  }
}

/* With `async`, `get`, `set` and `*` before it. */
static struct key parse_key(struct js_pass *pass, bool is_class) {
  struct key key = {0};
  for (;;) {
    bool is_async = js_is_word(pass, W_ASYNC);
    bool is_accessor = js_is_word(pass, W_GET) || js_is_word(pass, W_SET);
    if ((!is_async && !is_accessor) || key.is_async || key.is_accessor)
      break;
    struct js_token token = pass->token;
    js_next(pass);
    /* A field called `async` or `get` may end with its line. */
    bool is_field = is_class && pass->token.newline && (is_async || js_is(pass, '*'));
    if (ends_key(pass) || is_field) {
      key.is_name = true;
      key.name = token.name;
      key.token = token;
      return key;
    }
    key.is_async = is_async;
    key.is_accessor = is_accessor;
  }
  key.is_generator = js_accept(pass, '*');
  parse_key_itself(pass, &key);
  key.is_name = key.is_name && !key.is_async && !key.is_generator && !key.is_accessor;
  return key;
}

static void parse_shorthand(struct js_pass *pass, const struct key *key) {
  const bool is_module = pass->wish.kind == JS_REWRITE_MODULE;
  if (key->name <= W_LAST_RESERVED || (is_module && (key->name == W_AWAIT || key->name == W_YIELD)))
    js_decline(pass);
  if (is_module) {
    struct js_token here = pass->token;
    pass->token = key->token;
    js_note_use(pass, key->name, USE_SHORTHAND);
    pass->token = here;
  }
  if (js_accept(pass, '=')) /* only in what becomes a pattern */
    js_parse_assignment(pass, true);
}

static void parse_property(struct js_pass *pass) {
  if (js_accept(pass, TOKEN_SPREAD)) {
    js_parse_assignment(pass, true);
    return;
  }
  struct key key = parse_key(pass, false);
  if (js_is(pass, '('))
    js_parse_function(pass, key.is_async, key.is_generator, 0);
  else if (key.is_async || key.is_generator || key.is_accessor)
    js_decline(pass);
  else if (js_accept(pass, ':'))
    js_parse_assignment(pass, true);
  else if (key.is_name)
    parse_shorthand(pass, &key);
  else
    js_decline(pass);
}

void js_parse_object(struct js_pass *pass) {
  js_next(pass);
  while (!js_is(pass, '}')) {
    parse_property(pass);
    if (!js_is(pass, '}'))
      js_expect(pass, ',');
  }
  js_next(pass);
}

/* The inside of an initializer or a static block: a function without arguments. */
static struct js_inside enter_field(struct js_pass *pass) {
  struct js_inside outside = pass->inside;
  pass->inside = (struct js_inside){.is_field = true, .depth = outside.depth + 1};
  return outside;
}

static void parse_static_block(struct js_pass *pass) {
  struct js_inside outside = enter_field(pass);
  js_deeper(pass);
  js_scope_open(pass, true);
  js_next(pass);
  js_parse_list(pass);
  js_scope_close(pass);
  js_higher(pass);
  pass->inside = outside;
  js_expect(pass, '}');
}

static void parse_field(struct js_pass *pass) {
  if (js_is(pass, '=')) {
    struct js_inside outside = enter_field(pass);
    js_next(pass);
    js_parse_assignment(pass, true);
    pass->inside = outside;
  }
  if (!js_accept(pass, ';') && !js_is(pass, '}') && !pass->token.newline)
    js_decline(pass);
}

static void parse_member(struct js_pass *pass) {
  struct key key = {0};
  bool is_static_itself = false;
  if (js_is_word(pass, W_STATIC)) {
    js_next(pass);
    if (js_is(pass, '{')) {
      parse_static_block(pass);
      return;
    }
    is_static_itself = ends_key(pass);
  }
  if (!is_static_itself)
    key = parse_key(pass, true);
  if (js_is(pass, '('))
    js_parse_function(pass, key.is_async, key.is_generator, 0);
  else if (key.is_async || key.is_generator || key.is_accessor)
    js_decline(pass);
  else
    parse_field(pass);
}

void js_parse_class(struct js_pass *pass, bool is_declaration) {
  uint32_t name = 0;
  js_deeper(pass);
  if (js_is(pass, TOKEN_NAME) && !js_is_word(pass, W_EXTENDS)) {
    name = pass->token.name;
    js_check_binding(pass, name);
    if (is_declaration)
      js_declare(pass, name, DECLARE_LEXICAL);
    js_next(pass);
  }
  js_scope_open(pass, false);
  if (name != 0)
    js_declare(pass, name, DECLARE_LEXICAL);
  if (js_accept_word(pass, W_EXTENDS))
    js_parse_left_hand(pass);
  js_expect(pass, '{');
  while (!js_is(pass, '}'))
    if (!js_accept(pass, ';'))
      parse_member(pass);
  js_scope_close(pass);
  js_next(pass);
  js_higher(pass);
}
