#include "loop/base/text.h"

#include <string.h>

#include "uv/errno.h"

/* ---- copying ---- */

int rota__text_give(const char *text, size_t length, char *buffer, size_t *size) {
  if (buffer == NULL || size == NULL || *size == 0)
    return UV__EINVAL;
  if (length >= *size) {
    *size = length + 1;
    return UV__ENOBUFS;
  }
  memmove(buffer, text, length);
  buffer[length] = '\0';
  *size = length;
  return 0;
}

size_t rota__text_copy(char *buffer, size_t size, const char *text) {
  if (size == 0)
    return 0;
  size_t length = strnlen(text, size - 1);
  memcpy(buffer, text, length);
  buffer[length] = '\0';
  return length;
}

/* ---- UTF-8 ---- */

uint32_t rota__utf8_next(const char **position, const char *end) {
  /* By number of bytes, the smallest value that needs them. A smaller value is an overlong form. */
  static const uint32_t smallest[] = {0, 0x80, 0x800, 0x10000};

  const unsigned char *at = (const unsigned char *)*position;
  const unsigned char *stop = (const unsigned char *)end;
  uint32_t code_point = *at++;
  *position = (const char *)at;
  if (code_point < 0x80)
    return code_point;

  int more;
  if (code_point >= 0xC2 && code_point <= 0xDF) {
    more = 1;
    code_point &= 0x1F;
  } else if (code_point >= 0xE0 && code_point <= 0xEF) {
    more = 2;
    code_point &= 0x0F;
  } else if (code_point >= 0xF0 && code_point <= 0xF4) {
    more = 3;
    code_point &= 0x07;
  } else {
    return ROTA_UTF8_INVALID;
  }

  for (int i = 0; i < more; i++) {
    /* A terminating NUL is not a continuation byte, so this never reads beyond it. */
    if (at == stop || (*at & 0xC0) != 0x80)
      return ROTA_UTF8_INVALID;
    code_point = code_point << 6 | (*at++ & 0x3F);
    *position = (const char *)at;
  }
  if (code_point < smallest[more] || code_point > 0x10FFFF)
    return ROTA_UTF8_INVALID;
  return code_point;
}
