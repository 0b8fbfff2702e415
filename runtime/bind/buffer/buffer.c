/* The binding `buffer`: text to bytes and back in each of Buffer's encodings, comparing and searching bytes.
 *
 * The functions are on hot paths, so they trust JavaScript with the types of their arguments and check ranges only. */
#include <stdlib.h>
#include <string.h>

#include "runtime/bind/binding.h"
#include "runtime/engine/value/text.h"

static bool bytes_at(JSContextRef context, const struct js_frame *frame, int index, unsigned char **bytes,
                     size_t *length) {
  return js_borrow_bytes(context, js_arg(context, frame, index), bytes, length);
}

/* An index argument, limited to 0 to limit; a missing one is `otherwise`. A value that is no number counts as 0: a
 * conversion would run the program's code, which could detach the borrowed bytes. JavaScript has already converted the
 * arguments of the program. */
static size_t index_at(JSContextRef context, const struct js_frame *frame, int index, size_t limit, size_t otherwise) {
  if (js_argc(frame) <= index || JSValueIsUndefined(context, frame->arguments[index]))
    return otherwise;
  double number = js_is_number(frame->arguments[index]) ? js_to_number(context, frame->arguments[index]) : 0;
  if (!(number > 0))
    return 0;
  return number < (double)limit ? (size_t)number : limit;
}

/* (bytes, start, end): the selected part of the bytes */
static const unsigned char *part(JSContextRef context, const struct js_frame *frame, size_t *length) {
  unsigned char *bytes;
  if (!bytes_at(context, frame, 0, &bytes, length))
    return NULL;
  size_t start = index_at(context, frame, 1, *length, 0);
  size_t end = index_at(context, frame, 2, *length, *length);
  *length = end > start ? end - start : 0;
  return bytes + start;
}

static JSValueRef no_bytes(JSContextRef context) {
  return js_throw_text(context, "argument must be a buffer");
}

static JSValueRef utf8_slice(JSContextRef context, struct js_frame *frame) {
  size_t length;
  const unsigned char *bytes = part(context, frame, &length);
  return bytes != NULL ? js_string_utf8(context, bytes, length) : no_bytes(context);
}

static JSValueRef latin1_slice(JSContextRef context, struct js_frame *frame) {
  size_t length;
  const unsigned char *bytes = part(context, frame, &length);
  return bytes != NULL ? js_string_latin1(context, bytes, length) : no_bytes(context);
}

static JSValueRef ascii_slice(JSContextRef context, struct js_frame *frame) {
  size_t length;
  const unsigned char *bytes = part(context, frame, &length);
  if (bytes == NULL)
    return no_bytes(context);
  struct js_string_draft draft = js_string_begin(length);
  for (size_t i = 0; i < length; i++)
    draft.data[i] = bytes[i] & 0x7F;
  return js_string_end(context, draft);
}

static JSValueRef ucs2_slice(JSContextRef context, struct js_frame *frame) {
  size_t length;
  const unsigned char *bytes = part(context, frame, &length);
  return bytes != NULL ? js_string_utf16(context, bytes, length / 2) : no_bytes(context);
}

static JSValueRef hex_slice(JSContextRef context, struct js_frame *frame) {
  static const char digits[] = "0123456789abcdef";
  size_t length;
  const unsigned char *bytes = part(context, frame, &length);
  if (bytes == NULL)
    return no_bytes(context);
  struct js_string_draft draft = js_string_begin(length * 2);
  unsigned char *out = draft.data;
  for (size_t i = 0; i < length; i++) {
    *out++ = (unsigned char)digits[bytes[i] >> 4];
    *out++ = (unsigned char)digits[bytes[i] & 15];
  }
  return js_string_end(context, draft);
}

static const char base64_alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char base64url_alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static JSValueRef encode_base64(JSContextRef context, struct js_frame *frame, const char *alphabet, bool padded) {
  size_t length;
  const unsigned char *bytes = part(context, frame, &length);
  if (bytes == NULL)
    return no_bytes(context);
  size_t rest = length % 3;
  struct js_string_draft draft = js_string_begin(length / 3 * 4 + (rest == 0 ? 0 : padded ? 4 : rest + 1));
  unsigned char *out = draft.data;
  size_t i = 0;
  for (; i + 2 < length; i += 3) {
    uint32_t n = (uint32_t)bytes[i] << 16 | (uint32_t)bytes[i + 1] << 8 | bytes[i + 2];
    *out++ = (unsigned char)alphabet[n >> 18];
    *out++ = (unsigned char)alphabet[n >> 12 & 63];
    *out++ = (unsigned char)alphabet[n >> 6 & 63];
    *out++ = (unsigned char)alphabet[n & 63];
  }
  if (rest > 0) {
    uint32_t n = (uint32_t)bytes[i] << 16 | (rest == 2 ? (uint32_t)bytes[i + 1] << 8 : 0);
    *out++ = (unsigned char)alphabet[n >> 18];
    *out++ = (unsigned char)alphabet[n >> 12 & 63];
    if (rest == 2)
      *out++ = (unsigned char)alphabet[n >> 6 & 63];
    for (size_t pad = rest; padded && pad < 3; pad++)
      *out++ = '=';
  }
  return js_string_end(context, draft);
}

static JSValueRef base64_slice(JSContextRef context, struct js_frame *frame) {
  return encode_base64(context, frame, base64_alphabet, true);
}

static JSValueRef base64url_slice(JSContextRef context, struct js_frame *frame) {
  return encode_base64(context, frame, base64url_alphabet, false);
}

/* (bytes, text, offset, length): where to write, how much room there is, and what */
static unsigned char *target(JSContextRef context, const struct js_frame *frame, size_t *room,
                             struct js_characters *text) {
  unsigned char *bytes;
  size_t length;
  if (!bytes_at(context, frame, 0, &bytes, &length) || !js_borrow_text(context, js_arg(context, frame, 1), text))
    return NULL;
  size_t offset = index_at(context, frame, 2, length, 0);
  *room = index_at(context, frame, 3, length - offset, length - offset);
  return bytes + offset;
}

static JSValueRef no_text(JSContextRef context) {
  return js_throw_text(context, "argument must be a string");
}

static unsigned unit_at(const struct js_characters *text, size_t i) {
  return text->wide ? ((const uint16_t *)text->data)[i] : ((const unsigned char *)text->data)[i];
}

static JSValueRef utf8_write(JSContextRef context, struct js_frame *frame) {
  struct js_characters text;
  size_t room;
  unsigned char *out = target(context, frame, &room, &text);
  return out != NULL ? js_number(context, (double)js_utf8_write(&text, out, room)) : no_text(context);
}

static JSValueRef latin1_write(JSContextRef context, struct js_frame *frame) {
  struct js_characters text;
  size_t room;
  unsigned char *out = target(context, frame, &room, &text);
  if (out == NULL)
    return no_text(context);
  size_t count = text.length < room ? text.length : room;
  if (!text.wide)
    memcpy(out, text.data, count);
  else
    for (size_t i = 0; i < count; i++)
      out[i] = (unsigned char)((const uint16_t *)text.data)[i];
  return js_number(context, (double)count);
}

static JSValueRef ucs2_write(JSContextRef context, struct js_frame *frame) {
  struct js_characters text;
  size_t room;
  unsigned char *out = target(context, frame, &room, &text);
  if (out == NULL)
    return no_text(context);
  size_t count = text.length < room / 2 ? text.length : room / 2;
  for (size_t i = 0; i < count; i++) {
    unsigned unit = unit_at(&text, i);
    out[i * 2] = (unsigned char)unit;
    out[i * 2 + 1] = (unsigned char)(unit >> 8);
  }
  return js_number(context, (double)(count * 2));
}

static int hex_value(unsigned unit) {
  if (unit >= '0' && unit <= '9')
    return (int)unit - '0';
  unsigned letter = unit | 0x20;
  return letter >= 'a' && letter <= 'f' && unit < 0x80 ? (int)letter - 'a' + 10 : -1;
}

static JSValueRef hex_write(JSContextRef context, struct js_frame *frame) {
  struct js_characters text;
  size_t room;
  unsigned char *out = target(context, frame, &room, &text);
  if (out == NULL)
    return no_text(context);
  size_t count = text.length / 2 < room ? text.length / 2 : room, i = 0;
  for (; i < count; i++) {
    int high = hex_value(unit_at(&text, i * 2)), low = hex_value(unit_at(&text, i * 2 + 1));
    if (high < 0 || low < 0)
      break;
    out[i] = (unsigned char)(high << 4 | low);
  }
  return js_number(context, (double)i);
}

/* Both alphabets; characters of neither are skipped; the first '=' ends the text. */
static JSValueRef base64_write(JSContextRef context, struct js_frame *frame) {
  static signed char values[256];
  static bool ready;
  if (!ready) {
    memset(values, -1, sizeof values);
    for (int i = 0; i < 64; i++)
      values[(unsigned char)base64_alphabet[i]] = values[(unsigned char)base64url_alphabet[i]] = (signed char)i;
    ready = true;
  }
  struct js_characters text;
  size_t room;
  unsigned char *out = target(context, frame, &room, &text);
  if (out == NULL)
    return no_text(context);
  uint32_t bits = 0;
  unsigned count = 0;
  size_t n = 0, i = 0;
  if (!text.wide) {
    const unsigned char *bytes = text.data;
    for (; i + 4 <= text.length && n + 3 <= room; i += 4, n += 3) {
      int a = values[bytes[i]], b = values[bytes[i + 1]], c = values[bytes[i + 2]], d = values[bytes[i + 3]];
      if ((a | b | c | d) < 0)
        break;
      bits = (uint32_t)a << 18 | (uint32_t)b << 12 | (uint32_t)c << 6 | (uint32_t)d;
      out[n] = (unsigned char)(bits >> 16);
      out[n + 1] = (unsigned char)(bits >> 8);
      out[n + 2] = (unsigned char)bits;
    }
    bits = 0;
  }
  for (; i < text.length && n < room; i++) {
    unsigned unit = unit_at(&text, i);
    if (unit == '=')
      break;
    int value = unit < 128 ? values[unit] : -1;
    if (value < 0)
      continue;
    bits = bits << 6 | (uint32_t)value;
    if (++count == 4) {
      out[n++] = (unsigned char)(bits >> 16);
      if (n < room)
        out[n++] = (unsigned char)(bits >> 8);
      if (n < room)
        out[n++] = (unsigned char)bits;
      bits = 0;
      count = 0;
    }
  }
  if (count == 2 && n < room)
    out[n++] = (unsigned char)(bits >> 4);
  if (count == 3 && n < room) {
    out[n++] = (unsigned char)(bits >> 10);
    if (n < room)
      out[n++] = (unsigned char)(bits >> 2);
  }
  return js_number(context, (double)n);
}

static JSValueRef byte_length_utf8(JSContextRef context, struct js_frame *frame) {
  struct js_characters text;
  if (!js_borrow_text(context, js_arg(context, frame, 0), &text))
    return no_text(context);
  return js_number(context, (double)js_utf8_length(&text));
}

static int order_of(const unsigned char *a, size_t a_length, const unsigned char *b, size_t b_length) {
  size_t common = a_length < b_length ? a_length : b_length;
  int order = common > 0 ? memcmp(a, b, common) : 0;
  if (order == 0)
    order = a_length < b_length ? -1 : a_length > b_length;
  return order < 0 ? -1 : order > 0;
}

/* compare(a, b[, a's start, a's end, b's start, b's end]) -> -1, 0 or 1 */
static JSValueRef compare(JSContextRef context, struct js_frame *frame) {
  unsigned char *a, *b;
  size_t a_length, b_length;
  if (!bytes_at(context, frame, 0, &a, &a_length) || !bytes_at(context, frame, 1, &b, &b_length))
    return no_bytes(context);
  size_t a_start = index_at(context, frame, 2, a_length, 0), a_end = index_at(context, frame, 3, a_length, a_length);
  size_t b_start = index_at(context, frame, 4, b_length, 0), b_end = index_at(context, frame, 5, b_length, b_length);
  int order =
      order_of(a + a_start, a_end > a_start ? a_end - a_start : 0, b + b_start, b_end > b_start ? b_end - b_start : 0);
  return js_number(context, order);
}

/* Objects whose headers begin with the same word have the same properties of their own: the engine keeps there the
 * number of the object's shape. */
static JSValueRef same_shape(JSContextRef context, struct js_frame *frame) {
  JSValueRef a = js_arg(context, frame, 0), b = js_arg(context, frame, 1);
  if (!JSValueIsObject(context, a) || !JSValueIsObject(context, b))
    return js_boolean(context, false);
  uint32_t shapes[2];
  memcpy(&shapes[0], a, sizeof shapes[0]);
  memcpy(&shapes[1], b, sizeof shapes[1]);
  return js_boolean(context, shapes[0] == shapes[1]);
}

/* indexOf(bytes, pattern, from, step) -> where the pattern begins, or -1. With a step of 2, the bytes are units of 16
 * bits: a match that begins inside of one does not count. */
static JSValueRef index_of(JSContextRef context, struct js_frame *frame) {
  unsigned char *bytes, *pattern;
  size_t length, wanted;
  if (!bytes_at(context, frame, 0, &bytes, &length) || !bytes_at(context, frame, 1, &pattern, &wanted))
    return no_bytes(context);
  size_t from = index_at(context, frame, 2, length, 0), step = index_at(context, frame, 3, 2, 1);
  for (;;) {
    const unsigned char *found = memmem(bytes + from, length - from, pattern, wanted);
    if (found == NULL)
      return js_number(context, -1);
    size_t at = (size_t)(found - bytes);
    if (step < 2 || at % 2 == 0)
      return js_number(context, (double)at);
    from = at + 1;
  }
}

/* lastIndexOf(bytes, pattern, from, step): the last that begins at `from` or before */
static JSValueRef last_index_of(JSContextRef context, struct js_frame *frame) {
  unsigned char *bytes, *pattern;
  size_t length, wanted;
  if (!bytes_at(context, frame, 0, &bytes, &length) || !bytes_at(context, frame, 1, &pattern, &wanted))
    return no_bytes(context);
  if (wanted > length)
    return js_number(context, -1);
  size_t from = index_at(context, frame, 2, length - wanted, length - wanted), step = index_at(context, frame, 3, 2, 1);
  for (size_t at = from + 1; at-- > 0;)
    if ((step < 2 || at % 2 == 0) && memcmp(bytes + at, pattern, wanted) == 0)
      return js_number(context, (double)at);
  return js_number(context, -1);
}

/* swap(bytes, width): the bytes of each unit change places */
static JSValueRef swap(JSContextRef context, struct js_frame *frame) {
  unsigned char *bytes;
  size_t length;
  if (!bytes_at(context, frame, 0, &bytes, &length))
    return no_bytes(context);
  size_t width = index_at(context, frame, 1, 8, 2);
  for (size_t i = 0; width > 1 && i + width <= length; i += width)
    for (size_t low = i, high = i + width - 1; low < high; low++, high--) {
      unsigned char kept = bytes[low];
      bytes[low] = bytes[high];
      bytes[high] = kept;
    }
  return js_undefined(context);
}

static JSValueRef is_utf8(JSContextRef context, struct js_frame *frame) {
  unsigned char *bytes;
  size_t length;
  if (!bytes_at(context, frame, 0, &bytes, &length))
    return no_bytes(context);
  return js_boolean(context, js_utf8_valid(bytes, length));
}

static JSValueRef is_ascii(JSContextRef context, struct js_frame *frame) {
  unsigned char *bytes;
  size_t length;
  if (!bytes_at(context, frame, 0, &bytes, &length))
    return no_bytes(context);
  unsigned char all = 0;
  for (size_t i = 0; i < length; i++)
    all |= bytes[i];
  return js_boolean(context, all < 0x80);
}

/* createUninitialized(size) -> an array buffer with uninitialized contents */
static JSValueRef create_uninitialized(JSContextRef context, struct js_frame *frame) {
  double size = js_to_number(context, js_arg(context, frame, 0));
  void *bytes = size >= 0 && size <= JS_BUFFER_MOST ? malloc((size_t)size + (size == 0)) : NULL;
  if (bytes == NULL) {
    JSValueRef message = js_string(context, "Array buffer allocation failed");
    JSObjectRef range_error = (JSObjectRef)js_get(context, JSContextGetGlobalObject(context), "RangeError");
    return js_throw(context, JSObjectCallAsConstructor(context, range_error, 1, &message, NULL));
  }
  return js_buffer_adopt(context, bytes, (size_t)size);
}

JSObjectRef js_binding_buffer(struct js_env *env) {
  static const struct js_method methods[] = {
      {"utf8Slice", utf8_slice, 3},
      {"latin1Slice", latin1_slice, 3},
      {"asciiSlice", ascii_slice, 3},
      {"ucs2Slice", ucs2_slice, 3},
      {"hexSlice", hex_slice, 3},
      {"base64Slice", base64_slice, 3},
      {"base64urlSlice", base64url_slice, 3},
      {"utf8Write", utf8_write, 4},
      {"latin1Write", latin1_write, 4},
      {"ucs2Write", ucs2_write, 4},
      {"hexWrite", hex_write, 4},
      {"base64Write", base64_write, 4},
      {"byteLengthUtf8", byte_length_utf8, 1},
      {"compare", compare, 6},
      {"sameShape", same_shape, 2},
      {"indexOf", index_of, 4},
      {"lastIndexOf", last_index_of, 4},
      {"swap", swap, 2},
      {"isUtf8", is_utf8, 1},
      {"isAscii", is_ascii, 1},
      {"createUninitialized", create_uninitialized, 1},
      {NULL, NULL, 0},
  };
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  return binding;
}
