/* The binding `charset`: what the bytes of old encodings mean, asked of the system's tables (iconv).
 *
 *   highHalf(name)   the characters of the bytes 128 to 255, U+FFFD for those without; undefined if there is no such
 *                    encoding here
 *   decode(name, bytes, fatal, last)   [text, how many bytes at the end are the beginning of a character], or null if
 *                    something is no character and that is fatal; undefined if there is no such encoding here */
#include <errno.h>
#include <iconv.h>
#include <stdlib.h>

#include "runtime/bind/binding.h"
#include "runtime/engine/value/text.h"

enum { HALF = 128, NONE = 0xFFFD };

/* Some tables hold a character back, for an accent that may follow: it is flushed. */
static uint16_t character_of(iconv_t tables, unsigned char byte) {
  char in_byte = (char)byte;
  uint16_t out[4] = {0};
  char *in = &in_byte, *at = (char *)out;
  size_t in_left = 1, left = sizeof out;
  iconv(tables, NULL, NULL, NULL, NULL);
  if (iconv(tables, &in, &in_left, &at, &left) == (size_t)-1 || iconv(tables, NULL, NULL, &at, &left) == (size_t)-1)
    return NONE;
  return left == sizeof out - sizeof *out ? out[0] : NONE;
}

static JSValueRef high_half(JSContextRef context, struct js_frame *frame) {
  char *name = js_to_text(context, js_arg(context, frame, 0), NULL);
  iconv_t tables = name != NULL ? iconv_open("UTF-16LE", name) : (iconv_t)-1;
  free(name);
  if (tables == (iconv_t)-1) // NOLINT(performance-no-int-to-ptr): iconv's error value
    return js_undefined(context);
  uint16_t characters[HALF];
  for (int i = 0; i < HALF; i++)
    characters[i] = character_of(tables, (unsigned char)(HALF + i));
  iconv_close(tables);
  return js_string_utf16(context, (unsigned char *)characters, HALF);
}

/* An invalid sequence takes one byte, or two if the second can only belong to the same error. */
static size_t length_of_mistake(const unsigned char *at, size_t left) {
  return left > 1 && at[0] > HALF && at[0] < 0xFF && at[1] >= HALF ? 2 : 1;
}

static JSValueRef decode(JSContextRef context, struct js_frame *frame) {
  unsigned char *bytes;
  size_t left;
  bool fatal = js_to_boolean(context, js_arg(context, frame, 2)),
       last = js_to_boolean(context, js_arg(context, frame, 3));
  char *name = js_to_text(context, js_arg(context, frame, 0), NULL);
  iconv_t tables = name != NULL ? iconv_open("UTF-16LE", name) : (iconv_t)-1;
  free(name);
  if (tables == (iconv_t)-1) // NOLINT(performance-no-int-to-ptr): iconv's error value
    return js_undefined(context);
  uint16_t *units = NULL;
  if (js_borrow_bytes(context, js_arg(context, frame, 1), &bytes, &left))
    units = malloc((2 * left + 8) * sizeof *units); /* no byte gives more than two */
  if (units == NULL) {
    iconv_close(tables);
    return js_throw_text(context, "out of memory");
  }
  char *in = (char *)bytes, *out = (char *)units;
  size_t room = (2 * left + 8) * sizeof *units;
  bool good = true;
  while (left > 0 && good && iconv(tables, &in, &left, &out, &room) == (size_t)-1) {
    bool cut_off = errno == EINVAL;
    if (cut_off && !last)
      break;
    good = !fatal;
    size_t skipped = cut_off ? left : length_of_mistake((unsigned char *)in, left);
    uint16_t mark = NONE;
    memcpy(out, &mark, sizeof mark);
    out += sizeof mark;
    room -= sizeof mark;
    in += skipped;
    left -= skipped;
  }
  iconv_close(tables);
  JSValueRef row[] = {js_string_utf16(context, (unsigned char *)units, (size_t)((uint16_t *)out - units)),
                      js_number(context, (double)left)};
  free(units);
  return good ? (JSValueRef)js_array(context, 2, row) : js_null(context);
}

static const struct js_method methods[] = {{"highHalf", high_half, 1}, {"decode", decode, 4}, {NULL, NULL, 0}};

JSObjectRef js_binding_charset(struct js_env *env) {
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  return binding;
}
