/* From bytes to tokens. Only the grammar knows whether `/` begins a regular expression, and where a template continues:
 * it calls separate functions for them. Bytes from 0x80 on are parts of names, except blanks and line breaks; the
 * engine checks whether they are valid. */
#include <string.h>

#include "runtime/modules/internal.h"

enum { BYTE_OTHER, BYTE_NAME, BYTE_DIGIT, BYTE_BLANK, BYTE_BREAK, BYTE_HIGH };

static const unsigned char kinds[256] = {
    ['\t'] = BYTE_BLANK,       ['\v'] = BYTE_BLANK, ['\f'] = BYTE_BLANK,        [' '] = BYTE_BLANK,
    ['\n'] = BYTE_BREAK,       ['\r'] = BYTE_BREAK, ['0' ... '9'] = BYTE_DIGIT, ['a' ... 'z'] = BYTE_NAME,
    ['A' ... 'Z'] = BYTE_NAME, ['_'] = BYTE_NAME,   ['$'] = BYTE_NAME,          [0x80 ... 0xFF] = BYTE_HIGH,
};

static inline unsigned byte_at(const struct js_pass *pass, uint32_t at) {
  return at < pass->length ? pass->text[at] : 0;
}

/* Length of a blank or line break beyond ASCII at this position; 0 if it is something else. */
static uint32_t high_blank(const struct js_pass *pass, uint32_t at, bool *is_break) {
  unsigned first = byte_at(pass, at), second = byte_at(pass, at + 1), third = byte_at(pass, at + 2);
  *is_break = first == 0xE2 && second == 0x80 && (third == 0xA8 || third == 0xA9);
  if (first == 0xC2)
    return second == 0xA0 ? 2 : 0;
  bool is_blank = *is_break || (first == 0xE1 && second == 0x9A && third == 0x80) ||
                  (first == 0xE2 && second == 0x80 && ((third >= 0x80 && third <= 0x8A) || third == 0xAF)) ||
                  (first == 0xE2 && second == 0x81 && third == 0x9F) ||
                  (first == 0xE3 && second == 0x80 && third == 0x80) ||
                  (first == 0xEF && second == 0xBB && third == 0xBF);
  return is_blank ? 3 : 0;
}

uint32_t js_skip_blanks(const struct js_pass *pass, uint32_t at) {
  for (;;) {
    unsigned kind = kinds[byte_at(pass, at)];
    uint32_t length = kind == BYTE_BLANK || kind == BYTE_BREAK ? 1 : 0;
    bool is_break;
    if (kind == BYTE_HIGH)
      length = high_blank(pass, at, &is_break);
    if (length == 0 || at >= pass->length)
      return at;
    at += length;
  }
}

static void skip_line(struct js_pass *pass) {
  const unsigned char *text = pass->text;
  uint32_t at = pass->at, length = pass->length;
  bool is_break = false;
  while (at < length && text[at] != '\n' && text[at] != '\r') {
    if (text[at] == 0xE2 && high_blank(pass, at, &is_break) > 0 && is_break)
      break;
    at++;
  }
  pass->at = at;
}

/* -> whether it contains a line break */
static bool skip_comment(struct js_pass *pass) {
  const unsigned char *text = pass->text;
  uint32_t at = pass->at, end = pass->length;
  bool has_break = false;
  for (;; at++) {
    const unsigned char *star = memchr(text + at, '*', end - at);
    if (star == NULL || star + 1 >= text + end)
      js_decline(pass);
    at = (uint32_t)(star - text);
    if (text[at + 1] == '/')
      break;
  }
  for (uint32_t i = pass->at; i < at && !has_break; i++) {
    bool is_high = false;
    if (text[i] == 0xE2)
      high_blank(pass, i, &is_high);
    has_break = text[i] == '\n' || text[i] == '\r' || is_high;
  }
  pass->at = at + 2;
  return has_break;
}

/* -> whether a line break was passed */
static bool skip(struct js_pass *pass) {
  bool newline = false;
  for (;;) {
    unsigned byte = byte_at(pass, pass->at);
    switch (kinds[byte]) {
    case BYTE_BREAK:
      newline = true;
      pass->at++;
      continue;
    case BYTE_BLANK:
      pass->at++;
      continue;
    case BYTE_HIGH: {
      bool is_break;
      uint32_t length = high_blank(pass, pass->at, &is_break);
      if (length == 0)
        return newline;
      newline = newline || is_break;
      pass->at += length;
      continue;
    }
    default:
      break;
    }
    if (byte != '/')
      return newline;
    unsigned second = byte_at(pass, pass->at + 1);
    if (second != '/' && second != '*')
      return newline;
    pass->at += 2;
    if (second == '/')
      skip_line(pass);
    else if (skip_comment(pass))
      newline = true;
  }
}

static void scan_name(struct js_pass *pass) {
  const unsigned char *text = pass->text;
  uint32_t start = pass->at, at = start, length = pass->length, hash = 0;
  while (at < length) {
    unsigned kind = kinds[text[at]];
    bool is_break;
    if (kind != BYTE_NAME && kind != BYTE_DIGIT && (kind != BYTE_HIGH || high_blank(pass, at, &is_break) > 0))
      break;
    hash = (hash ^ text[at++]) * 0x9E3779B1u;
  }
  if (at == start || byte_at(pass, at) == '\\') /* escapes in names are rare */
    js_decline(pass);
  pass->at = at;
  pass->token.name = js_name_of(pass, text + start, at - start, hash);
}

/* Digits, letters, dots and the sign of an exponent. Invalid numbers are left to the engine. */
static void scan_number(struct js_pass *pass) {
  uint32_t at = pass->at;
  bool is_decimal = !(byte_at(pass, at) == '0' && (kinds[byte_at(pass, at + 1)] == BYTE_NAME) &&
                      byte_at(pass, at + 1) != 'e' && byte_at(pass, at + 1) != 'E' && byte_at(pass, at + 1) != 'n');
  bool has_point = false, has_exponent = false;
  for (;; at++) {
    unsigned byte = byte_at(pass, at);
    unsigned kind = kinds[byte];
    if (byte == '.' && is_decimal && !has_point && !has_exponent) {
      has_point = true;
    } else if (is_decimal && (byte == 'e' || byte == 'E')) {
      unsigned sign = byte_at(pass, at + 1);
      has_exponent = true;
      if (sign == '+' || sign == '-')
        at++;
    } else if (kind != BYTE_DIGIT && kind != BYTE_NAME) {
      break;
    }
  }
  pass->at = at;
  pass->token.kind = TOKEN_NUMBER;
}

static void scan_string(struct js_pass *pass, unsigned quote) {
  const unsigned char *text = pass->text;
  uint32_t at = pass->at + 1, length = pass->length;
  bool is_escaped = false;
  for (;; at++) {
    if (at >= length || text[at] == '\n' || text[at] == '\r')
      js_decline(pass);
    if (text[at] == quote)
      break;
    if (text[at] != '\\')
      continue;
    is_escaped = true;
    at++;
    if (at + 1 < length && text[at] == '\r' && text[at + 1] == '\n')
      at++;
  }
  pass->at = at + 1;
  pass->token.kind = TOKEN_STRING;
  pass->token.is_escaped = is_escaped;
}

void js_scan_regexp(struct js_pass *pass) {
  uint32_t at = pass->token.start + 1;
  bool in_class = false;
  for (;; at++) {
    unsigned byte = byte_at(pass, at);
    if (at >= pass->length || byte == '\n' || byte == '\r')
      js_decline(pass);
    if (byte == '\\') {
      at++;
      if (byte_at(pass, at) == '\n' || byte_at(pass, at) == '\r')
        js_decline(pass);
    } else if (byte == '[') {
      in_class = true;
    } else if (byte == ']') {
      in_class = false;
    } else if (byte == '/' && !in_class) {
      break;
    }
  }
  do
    at++;
  while (kinds[byte_at(pass, at)] == BYTE_NAME || kinds[byte_at(pass, at)] == BYTE_DIGIT);
  pass->at = at;
  js_next(pass);
}

bool js_scan_template(struct js_pass *pass) {
  const unsigned char *text = pass->text;
  for (uint32_t at = pass->at; at < pass->length; at++) {
    if (text[at] == '\\') {
      at++;
    } else if (text[at] == '`') {
      pass->at = at + 1;
      return true;
    } else if (text[at] == '$' && byte_at(pass, at + 1) == '{') {
      pass->at = at + 2;
      return false;
    }
  }
  js_decline(pass);
}

static void take(struct js_pass *pass, int kind, uint32_t length) {
  pass->token.kind = kind;
  pass->at += length;
}

/* Operators with a repeated character: + ++ +=, & && &= &&=, < << <= <<=, ... */
static void scan_operator(struct js_pass *pass, unsigned byte) {
  uint32_t count = 1;
  while (count < 3 && byte_at(pass, pass->at + count) == byte)
    count++;
  if (byte == '&' || byte == '|' || byte == '?' || byte == '<' || byte == '*')
    count = count > 2 ? 2 : count;
  bool assigns = byte_at(pass, pass->at + count) == '=';
  bool compares = (byte == '<' || byte == '>') && count == 1;
  if (assigns)
    take(pass, compares ? TOKEN_BINARY : TOKEN_ASSIGN, count + 1);
  else
    take(pass, byte == '*' && count == 1 ? '*' : TOKEN_BINARY, count);
}

static void scan_sign(struct js_pass *pass, unsigned byte) {
  unsigned second = byte_at(pass, pass->at + 1);
  if (second == byte) {
    /* `-->` at the beginning of a line is a comment for scripts, and so for the engine. */
    if (byte == '-' && byte_at(pass, pass->at + 2) == '>' && (pass->token.newline || pass->last_end == 0))
      js_decline(pass);
    take(pass, TOKEN_STEP, 2);
  } else if (second == '=') {
    take(pass, TOKEN_ASSIGN, 2);
  } else {
    take(pass, (int)byte, 1);
  }
}

static void scan_equals(struct js_pass *pass) {
  unsigned second = byte_at(pass, pass->at + 1);
  if (second == '>')
    take(pass, TOKEN_ARROW, 2);
  else if (second == '=')
    take(pass, TOKEN_BINARY, byte_at(pass, pass->at + 2) == '=' ? 3 : 2);
  else
    take(pass, '=', 1);
}

static void scan_point(struct js_pass *pass) {
  if (kinds[byte_at(pass, pass->at + 1)] == BYTE_DIGIT)
    scan_number(pass);
  else if (byte_at(pass, pass->at + 1) == '.' && byte_at(pass, pass->at + 2) == '.')
    take(pass, TOKEN_SPREAD, 3);
  else
    take(pass, '.', 1);
}

static void scan_question(struct js_pass *pass) {
  unsigned second = byte_at(pass, pass->at + 1);
  if (second == '.' && kinds[byte_at(pass, pass->at + 2)] != BYTE_DIGIT)
    take(pass, TOKEN_OPTIONAL, 2);
  else if (second == '?')
    scan_operator(pass, '?');
  else
    take(pass, '?', 1);
}

/* What begins with a byte of an operator; any other byte is none of the language. */
static void scan_operator_byte(struct js_pass *pass, unsigned byte) {
  bool assigns = byte_at(pass, pass->at + 1) == '=';
  switch (byte) {
  case '/':
    take(pass, assigns ? TOKEN_DIVIDE_ASSIGN : '/', assigns ? 2 : 1);
    return;
  case '!':
    if (assigns)
      take(pass, TOKEN_BINARY, byte_at(pass, pass->at + 2) == '=' ? 3 : 2);
    else
      take(pass, TOKEN_NOT, 1);
    return;
  case '~':
    take(pass, TOKEN_NOT, 1);
    return;
  case '<':
    if (pass->length - pass->at >= 4 && memcmp(pass->text + pass->at, "<!--", 4) == 0)
      js_decline(pass); /* a comment for the engine, but not in a module */
    scan_operator(pass, byte);
    return;
  case '%':
  case '^':
    take(pass, assigns ? TOKEN_ASSIGN : TOKEN_BINARY, assigns ? 2 : 1);
    return;
  case '*':
  case '&':
  case '|':
  case '>':
    scan_operator(pass, byte);
    return;
  default:
    js_decline(pass);
  }
}

static void scan_punctuator(struct js_pass *pass, unsigned byte) {
  switch (byte) {
  case '(':
  case ')':
  case '[':
  case ']':
  case '{':
  case '}':
  case ';':
  case ',':
  case ':':
  case '`':
    take(pass, (int)byte, 1);
    return;
  case '"':
  case '\'':
    scan_string(pass, byte);
    return;
  case '.':
    scan_point(pass);
    return;
  case '=':
    scan_equals(pass);
    return;
  case '?':
    scan_question(pass);
    return;
  case '+':
  case '-':
    scan_sign(pass, byte);
    return;
  case '#':
    pass->at++;
    scan_name(pass);
    pass->token.kind = TOKEN_PRIVATE;
    return;
  default:
    scan_operator_byte(pass, byte);
  }
}

void js_next(struct js_pass *pass) {
  pass->last_end = pass->token.end;
  uint32_t before = pass->at;
  pass->token.newline = skip(pass);
  pass->token.start = pass->at;
  unsigned byte = byte_at(pass, pass->at);
  if (pass->at >= pass->length) {
    pass->token.kind = TOKEN_END;
  } else if (kinds[byte] == BYTE_NAME || kinds[byte] == BYTE_HIGH) {
    scan_name(pass);
    pass->token.kind = TOKEN_NAME;
  } else if (kinds[byte] == BYTE_DIGIT) {
    scan_number(pass);
  } else {
    scan_punctuator(pass, byte);
  }
  pass->token.end = pass->at;
  if (pass->work_left < pass->at - before)
    js_decline(pass);
  pass->work_left -= pass->at - before;
}
