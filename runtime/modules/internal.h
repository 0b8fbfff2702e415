/* The common state of one pass over a text.
 *
 * The pass is a recursive descent without a tree. Its depth is limited, and so is its work: the pass goes back only
 * from `=>` to the parameters before it, once for each of them. All records are in lists that only grow, so going back
 * truncates them. A function that finds unsupported syntax calls js_decline, which does not return. */
#ifndef JS_MODULES_INTERNAL_H
#define JS_MODULES_INTERNAL_H

#include "runtime/modules/rewrite.h"

#include <setjmp.h>
#include <stdint.h>

/* ---- names: each different one has a number ---- */

/* Names with a meaning in the language, in the order of the table in names.c. */
enum js_known_word {
  W_NONE,
  W_BREAK,
  W_CASE,
  W_CATCH,
  W_CLASS,
  W_CONST,
  W_CONTINUE,
  W_DEBUGGER,
  W_DEFAULT,
  W_DELETE,
  W_DO,
  W_ELSE,
  W_ENUM,
  W_EXPORT,
  W_EXTENDS,
  W_FALSE,
  W_FINALLY,
  W_FOR,
  W_FUNCTION,
  W_IF,
  W_IMPORT,
  W_IN,
  W_INSTANCEOF,
  W_NEW,
  W_NULL,
  W_RETURN,
  W_SUPER,
  W_SWITCH,
  W_THIS,
  W_THROW,
  W_TRUE,
  W_TRY,
  W_TYPEOF,
  W_VAR,
  W_VOID,
  W_WHILE,
  W_WITH,
  W_LAST_RESERVED = W_WITH,
  W_AWAIT,
  W_IMPLEMENTS,
  W_INTERFACE,
  W_LET,
  W_PACKAGE,
  W_PRIVATE,
  W_PROTECTED,
  W_PUBLIC,
  W_STATIC,
  W_YIELD,
  W_ARGUMENTS,
  W_EVAL,
  W_LAST_STRICT = W_EVAL, /* up to here: names that no binding of a module may have */
  W_AS,
  W_ASYNC,
  W_FROM,
  W_GET,
  W_META,
  W_OF,
  W_SET,
  W_TARGET,
  W_USING,
  W_COUNT,
};

enum {
  NAME_IMPORTED = 1,  /* by any import of the text; kept for the second pass */
  NAME_USED = 2,      /* before it was known whether it is imported */
  NAME_EXPORTED = 4,  /* something is exported under this name */
  NAME_LEXICAL = 8,   /* declared at the top: let, const, class */
  NAME_FUNCTION = 16, /* declared at the top: function */
  NAME_VAR = 32,      /* declared at the top: var */
  NAME_DECLARED = NAME_LEXICAL | NAME_FUNCTION | NAME_VAR,
};

struct js_name {
  const unsigned char *text;
  uint32_t length;
  uint32_t hash;
  uint32_t flags;
  uint32_t import; /* 1 + its index in `imports`, or 0 */
};

/* ---- tokens ---- */

/* Punctuators of one character are their character; those that the pass need not distinguish share a number. */
enum js_token_kind {
  TOKEN_END = 0,
  TOKEN_NAME = 128,
  TOKEN_PRIVATE, /* #name */
  TOKEN_NUMBER,
  TOKEN_STRING,
  TOKEN_ARROW,         /* => */
  TOKEN_SPREAD,        /* ... */
  TOKEN_OPTIONAL,      /* ?. */
  TOKEN_STEP,          /* ++ -- */
  TOKEN_ASSIGN,        /* += and the like, without /= */
  TOKEN_DIVIDE_ASSIGN, /* or the beginning of a regular expression, as / is */
  TOKEN_BINARY,        /* operators that are only binary */
  TOKEN_NOT,           /* ! ~ */
};

struct js_token {
  int kind;
  uint32_t start, end;
  uint32_t name;   /* of TOKEN_NAME */
  bool newline;    /* a line break precedes it */
  bool is_escaped; /* a string with a backslash */
};

/* ---- what is found ---- */

struct js_list {
  void *items;
  uint32_t count, room, size; /* size of an item */
};

enum { USE_CALL = 1, USE_MEMBER = 2, USE_NEW = 4, USE_SHORTHAND = 8, USE_LISTED = 16 };

/* A use of an imported name. name 0: the name turned out to be declared in a scope. */
struct js_use {
  uint32_t start, name, flags;
};

struct js_edit {
  uint32_t start, end;
  const char *text; /* a literal */
  bool keeps_breaks;
  bool needs_semicolon; /* where no line break is kept */
  bool has_number;      /* `number` and a comma follow the text */
  uint32_t number;
};

struct js_scope {
  uint32_t first_use, first_declared;
  bool is_function; /* `var` stays here */
};

struct js_declared {
  uint32_t name, scope;
};

struct js_request {
  uint32_t specifier; /* a name */
  uint32_t first_attribute, attributes;
};

struct js_attribute {
  uint32_t key, value;
};

struct js_import {
  uint32_t local, request, name; /* name 0: the namespace */
};

/* An export of another module, or a name that must exist: the same three numbers. */
struct js_indirect {
  uint32_t exported, request, name;
};

struct js_local {
  uint32_t exported, local; /* local 0: the default that has no name */
};

/* Properties of the function around the current position. */
struct js_inside {
  bool is_async, is_generator;
  bool is_field;      /* an initializer or static block of a class */
  uint32_t depth;     /* functions around */
  uint32_t arguments; /* of those, how many have `arguments` of their own */
};

struct js_pass {
  const unsigned char *text;
  uint32_t length, at;
  struct js_token token;
  uint32_t last_end; /* of the token before */

  struct js_list names;
  uint32_t *name_slots;
  uint32_t name_slot_count;

  struct js_list uses, edits, scopes, declared;
  struct js_list requests, attributes, imports, indirect, checks, stars, locals, pending, awaits;
  struct js_list arrows; /* where parameters of arrow functions begin, in a table by their hash */
  uint32_t arrow_count;

  struct js_inside inside;
  uint32_t statement_start; /* of the last statement of a list */
  uint32_t suspects;        /* uses of what nothing can be assigned to, so far */
  uint32_t depth;
  uint64_t work_left;
  struct js_rewrite_wish wish;
  bool has_await;
  bool names_default;
  bool is_exporting;
  bool again; /* a name was used before its import was seen */
  jmp_buf out;
};

_Noreturn void js_decline(struct js_pass *pass);
/* A new item, all zero. */
void *js_list_add(struct js_pass *pass, struct js_list *list);

/* names.c */
void js_names_begin(struct js_pass *pass);
uint32_t js_name_hash(const unsigned char *text, uint32_t length);
uint32_t js_name_of(struct js_pass *pass, const unsigned char *text, uint32_t length, uint32_t hash);
static inline struct js_name *js_name_at(const struct js_pass *pass, uint32_t name) {
  return (struct js_name *)pass->names.items + name;
}

/* scan.c */
void js_next(struct js_pass *pass);
/* From the `/` that is the current token; afterwards the next token is current. */
void js_scan_regexp(struct js_pass *pass);
/* From `at`. True: it ended with a backtick. Else `${` precedes `at`. */
bool js_scan_template(struct js_pass *pass);
/* The first byte after blanks and line breaks, without comments. */
uint32_t js_skip_blanks(const struct js_pass *pass, uint32_t at);

static inline bool js_is(const struct js_pass *pass, int kind) {
  return pass->token.kind == kind;
}
static inline bool js_is_word(const struct js_pass *pass, enum js_known_word word) {
  return pass->token.kind == TOKEN_NAME && pass->token.name == (uint32_t)word;
}
static inline void js_expect(struct js_pass *pass, int kind) {
  if (pass->token.kind != kind)
    js_decline(pass);
  js_next(pass);
}
static inline bool js_accept(struct js_pass *pass, int kind) {
  if (pass->token.kind != kind)
    return false;
  js_next(pass);
  return true;
}
static inline bool js_accept_word(struct js_pass *pass, enum js_known_word word) {
  if (!js_is_word(pass, word))
    return false;
  js_next(pass);
  return true;
}
static inline void js_expect_word(struct js_pass *pass, enum js_known_word word) {
  if (!js_accept_word(pass, word))
    js_decline(pass);
}

/* scope.c */
enum js_declaration { DECLARE_LEXICAL, DECLARE_FUNCTION, DECLARE_VAR };
void js_scope_open(struct js_pass *pass, bool is_function);
void js_scope_close(struct js_pass *pass);
void js_declare(struct js_pass *pass, uint32_t name, enum js_declaration how);
/* A use of a name at the current token. -> 1 + its index in `uses`, or 0 */
uint32_t js_note_use(struct js_pass *pass, uint32_t name, uint32_t flags);
void js_use_more(struct js_pass *pass, uint32_t use, uint32_t flags);
struct js_edit *js_edit_add(struct js_pass *pass, uint32_t start, uint32_t end, const char *text);

/* Limits recursion: every recursive function calls these around its body. */
void js_deeper(struct js_pass *pass);
static inline void js_higher(struct js_pass *pass) {
  pass->depth--;
}

/* expression.c */
enum js_expression_kind {
  EXPRESSION_OTHER,
  EXPRESSION_NAME,
  EXPRESSION_LITERAL, /* an array or object: perhaps a pattern */
  EXPRESSION_META,    /* import.meta, import(): nothing can be assigned to it */
  EXPRESSION_ARROW,   /* nothing can follow it */
};
struct js_expression {
  enum js_expression_kind kind;
  uint32_t name;
  uint32_t head; /* the use that it begins with, if members are all that follows it; as js_note_use gives it */
};
struct js_expression js_parse_assignment(struct js_pass *pass, bool allows_in);
/* With commas. */
struct js_expression js_parse_expression(struct js_pass *pass, bool allows_in);
struct js_expression js_parse_left_hand(struct js_pass *pass);
void js_parse_arguments(struct js_pass *pass);
/* Declines if the language forbids the assignment, but would allow it to the replacement. */
void js_check_target(struct js_pass *pass, struct js_expression target, uint32_t suspects_before);

/* operand.c */
struct js_expression js_parse_operand(struct js_pass *pass);
void js_parse_template(struct js_pass *pass);

/* arrow.c */
struct js_expression js_parse_parenthesis(struct js_pass *pass);
/* `async`: of a function, of an arrow function, or a name. */
struct js_expression js_parse_async(struct js_pass *pass);
struct js_expression js_parse_name(struct js_pass *pass);

/* function.c */
/* From its parameters to the end of its body. `own_name`: of an expression, or 0. */
void js_parse_function(struct js_pass *pass, bool is_async, bool is_generator, uint32_t own_name);
void js_parse_arrow(struct js_pass *pass, bool is_async);
/* `name =>`: the token is the arrow. */
void js_parse_arrow_body(struct js_pass *pass, bool is_async, uint32_t name);
void js_parse_function_expression(struct js_pass *pass, bool is_async);
void js_parse_pattern(struct js_pass *pass, enum js_declaration how);
void js_check_binding(struct js_pass *pass, uint32_t name);

/* member.c */
void js_parse_object(struct js_pass *pass);
/* `class` was read. */
void js_parse_class(struct js_pass *pass, bool is_declaration);

/* statement.c */
void js_parse_list(struct js_pass *pass); /* up to `}`, `case`, `default` or the end */
void js_parse_variables(struct js_pass *pass, bool allows_in);
void js_parse_function_declaration(struct js_pass *pass, bool is_async);
void js_semicolon(struct js_pass *pass);

/* port.c */
void js_parse_import(struct js_pass *pass);
void js_parse_export(struct js_pass *pass);
void js_ports_end(struct js_pass *pass);

/* write.c */
bool js_write(const struct js_pass *pass, struct js_rewritten *result);

#endif
