/* UTF-16 to WTF-8 and back.
 *
 * WTF-8 is UTF-8 that also encodes a surrogate without its partner, so any sequence of 16-bit units, valid or not,
 * survives the conversion there and back. Invariant: a pair of surrogates is always one sequence of four bytes, never
 * two of three. */
#include <stdbool.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/check.h"
#include "loop/base/text.h"
#include "uv.h"

/* Units that are left to read: a count, or -1 for up to a NUL. */
struct utf16_reader {
  const uint16_t *at;
  ssize_t left;
};

/* False at the end. */
static bool next_code_point(struct utf16_reader *reader, uint32_t *code_point) {
  if (reader->left == 0 || (reader->left < 0 && *reader->at == 0))
    return false;
  uint32_t unit = *reader->at++;
  if (reader->left > 0)
    reader->left--;
  *code_point = unit;
  bool is_high = unit >= 0xD800 && unit <= 0xDBFF;
  if (!is_high || reader->left == 0)
    return true;
  /* Without a count, this may be the NUL, which is not a low surrogate. */
  uint32_t low = *reader->at;
  if (low < 0xDC00 || low > 0xDFFF)
    return true;
  reader->at++;
  if (reader->left > 0)
    reader->left--;
  *code_point = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
  return true;
}

static size_t encoded_length(uint32_t code_point) {
  if (code_point < 0x80)
    return 1;
  if (code_point < 0x800)
    return 2;
  return code_point < 0x10000 ? 3 : 4;
}

static void encode(uint32_t code_point, size_t length, char *target) {
  static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
  for (size_t i = length - 1; i > 0; i--) {
    target[i] = (char)(0x80 | (code_point & 0x3F));
    code_point >>= 6;
  }
  target[0] = (char)(lead[length] | code_point);
}

size_t uv_utf16_length_as_wtf8(const uint16_t *utf16, ssize_t utf16_len) {
  struct utf16_reader reader = {utf16, utf16_len};
  size_t length = 0;
  uint32_t code_point;
  while (next_code_point(&reader, &code_point))
    length += encoded_length(code_point);
  return length;
}

int uv_utf16_to_wtf8(const uint16_t *utf16, ssize_t utf16_len, char **wtf8_ptr, size_t *wtf8_len_ptr) {
  size_t unasked; /* the length; null if the caller of an allocating call does not want it */
  if (wtf8_ptr == NULL || *wtf8_ptr == NULL) {
    if (wtf8_len_ptr == NULL)
      wtf8_len_ptr = &unasked;
    *wtf8_len_ptr = uv_utf16_length_as_wtf8(utf16, utf16_len);
    if (wtf8_ptr == NULL)
      return 0;
    *wtf8_ptr = rota__malloc(*wtf8_len_ptr + 1);
    if (*wtf8_ptr == NULL)
      return UV_ENOMEM;
  }
  rota__check(wtf8_len_ptr != NULL);

  /* The caller's length does not count the NUL; the buffer has one more byte for it. */
  struct utf16_reader reader = {utf16, utf16_len};
  char *target = *wtf8_ptr;
  size_t room = *wtf8_len_ptr;
  size_t written = 0;
  uint32_t code_point;
  while (next_code_point(&reader, &code_point)) {
    size_t length = encoded_length(code_point);
    if (length > room - written) {
      target[written] = '\0';
      *wtf8_len_ptr = written + length + uv_utf16_length_as_wtf8(reader.at, reader.left);
      return UV_ENOBUFS;
    }
    encode(code_point, length, target + written);
    written += length;
  }
  target[written] = '\0';
  *wtf8_len_ptr = written;
  return 0;
}

ssize_t uv_wtf8_length_as_utf16(const char *wtf8) {
  const char *end = wtf8 + strlen(wtf8);
  ssize_t length = 1; /* the NUL */
  while (wtf8 < end) {
    uint32_t code_point = rota__utf8_next(&wtf8, end);
    if (code_point == ROTA_UTF8_INVALID)
      return UV_EINVAL;
    length += code_point < 0x10000 ? 1 : 2;
  }
  return length;
}

/* The caller has called uv_wtf8_length_as_utf16 first: bad input or a small buffer is the caller's bug. */
void uv_wtf8_to_utf16(const char *wtf8, uint16_t *utf16, size_t utf16_len) {
  const char *end = wtf8 + strlen(wtf8);
  while (wtf8 < end) {
    uint32_t code_point = rota__utf8_next(&wtf8, end);
    rota__check(code_point != ROTA_UTF8_INVALID);
    size_t units = code_point < 0x10000 ? 1 : 2;
    rota__check(utf16_len > units); /* room for the NUL, too */
    utf16_len -= units;
    if (units == 1) {
      *utf16++ = (uint16_t)code_point;
    } else {
      *utf16++ = (uint16_t)(0xD800 + ((code_point - 0x10000) >> 10));
      *utf16++ = (uint16_t)(0xDC00 + ((code_point - 0x10000) & 0x3FF));
    }
  }
  rota__check(utf16_len > 0);
  *utf16 = 0;
}
