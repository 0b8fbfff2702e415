/* Converts between the engine's strings and runtime/modules, which rewrites modules. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/bind/binding.h"
#include "runtime/engine/value/text.h"
#include "runtime/modules/rewrite.h"

static bool is_ascii(const struct js_characters *text) {
  const unsigned char *bytes = text->data;
  unsigned char all = 0;
  for (size_t i = 0; i < text->length; i++)
    all |= bytes[i];
  return all < 0x80;
}

/* A lone surrogate has no UTF-8. */
static bool is_whole(const struct js_characters *text) {
  const uint16_t *units = text->data;
  for (size_t i = 0; text->wide && i < text->length; i++) {
    if ((units[i] & 0xF800) != 0xD800)
      continue;
    if ((units[i] & 0x0400) != 0 || i + 1 == text->length || (units[i + 1] & 0xFC00) != 0xDC00)
      return false;
    i++;
  }
  return true;
}

static JSValueRef give(JSContextRef context, struct js_rewritten *result) {
  JSValueRef both[2];
  both[0] = js_string_utf8(context, (const unsigned char *)result->code, result->code_length);
  both[1] = js_string_utf8(context, (const unsigned char *)result->notes, result->notes_length);
  return js_array(context, 2, both);
}

/* digest(text) -> 16 digits, for names and to detect damage; it does not resist deliberate collisions */
JSValueRef js_digest_text(JSContextRef context, struct js_frame *frame) {
  struct js_characters text;
  uint64_t hash = UINT64_C(0xCBF29CE484222325);
  char digits[17];
  if (!js_borrow_text(context, js_arg(context, frame, 0), &text))
    return js_undefined(context);
  for (size_t i = 0; i < text.length; i++) {
    unsigned unit = text.wide ? ((const uint16_t *)text.data)[i] : ((const unsigned char *)text.data)[i];
    hash = (hash ^ unit) * UINT64_C(0x100000001B3);
  }
  snprintf(digits, sizeof digits, "%016llx", (unsigned long long)(hash ^ hash >> 29));
  return js_string(context, digits);
}

/* The text in UTF-8; the caller frees `*owned` after use. NULL: it has lone surrogates, or memory is short. */
static const unsigned char *as_utf8(struct js_characters *text, size_t *length, unsigned char **owned) {
  *owned = NULL;
  *length = text->length;
  if (!is_whole(text))
    return NULL;
  if (!text->wide && is_ascii(text))
    return text->data;
  *length = js_utf8_length(text);
  *owned = malloc(*length + 1);
  if (*owned != NULL)
    js_utf8_write(text, *owned, *length);
  return *owned;
}

/* isExpression(text of a script without syntax errors) -> whether it is one expression, as far as that is certain */
JSValueRef js_is_expression_text(JSContextRef context, struct js_frame *frame) {
  struct js_characters text;
  unsigned char *owned = NULL;
  size_t length;
  if (!js_borrow_text(context, js_arg(context, frame, 0), &text))
    return js_boolean(context, false);
  const unsigned char *bytes = as_utf8(&text, &length, &owned);
  bool answer = bytes != NULL && js_is_expression(bytes, length);
  free(owned);
  return js_boolean(context, answer);
}

/* rewrite(text, is CommonJS, marks delegation, wants edits) -> [code, notes as JSON]; null: nothing to change in a
 * CommonJS file; undefined: declined, the parser must do it */
JSValueRef js_rewrite_text(JSContextRef context, struct js_frame *frame) {
  struct js_characters text;
  struct js_rewrite_wish wish = {
      .kind = js_to_boolean(context, js_arg(context, frame, 1)) ? JS_REWRITE_COMMONJS : JS_REWRITE_MODULE,
      .marks_delegation = js_to_boolean(context, js_arg(context, frame, 2)),
      .wants_edits = js_to_boolean(context, js_arg(context, frame, 3)),
  };
  struct js_rewritten result = {0};
  unsigned char *owned = NULL;
  size_t length;
  if (!js_borrow_text(context, js_arg(context, frame, 0), &text))
    return js_undefined(context);
  const unsigned char *bytes = as_utf8(&text, &length, &owned);
  bool done = bytes != NULL && js_rewrite(bytes, length, &wish, &result);
  free(owned);
  if (!done)
    return js_undefined(context);
  JSValueRef answer = result.is_changed ? give(context, &result) : js_null(context);
  free(result.code);
  free(result.notes);
  return answer;
}
