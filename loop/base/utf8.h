/* Reading UTF-8 strictly. */
#ifndef ROTA_BASE_UTF8_H
#define ROTA_BASE_UTF8_H

#include <stdint.h>

#define ROTA_UTF8_INVALID UINT32_MAX

/* Returns the code point at *position, which is before end, and moves *position past it. Overlong forms, values above
 * U+10FFFF and sequences that are cut short are ROTA_UTF8_INVALID. Surrogates are returned unchanged: they are valid in
 * WTF-8 and not in UTF-8, so a reader of UTF-8 calls rota__utf8_is_surrogate. */
uint32_t rota__utf8_next(const char **position, const char *end);

static inline int rota__utf8_is_surrogate(uint32_t code_point) {
  return code_point >= 0xD800 && code_point <= 0xDFFF;
}

#endif
