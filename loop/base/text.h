/* Text: copying it into a caller's buffer, reading UTF-8, host names in ASCII. */
#ifndef ROTA_BASE_TEXT_H
#define ROTA_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- copying ---- */

/* The convention of the public interface. Before the call *size is the size of the buffer, after it the length of the
 * text without its NUL. If the buffer is too small, the result is UV_ENOBUFS and *size is the size needed, with the
 * NUL. A null pointer or a size of 0 is UV_EINVAL. The text may lie in the buffer itself. */
int rota__text_give(const char *text, size_t length, char *buffer, size_t *size);

/* Copies what fits, always with a NUL unless size is 0. Returns the number of bytes copied, without the NUL. */
size_t rota__text_copy(char *buffer, size_t size, const char *text);

/* ---- UTF-8, read strictly ---- */

#define ROTA_UTF8_INVALID UINT32_MAX

/* Returns the code point at *position, which is before end, and moves *position past it. Overlong forms, values above
 * U+10FFFF and sequences that are cut short are ROTA_UTF8_INVALID. Surrogates are returned unchanged: they are valid in
 * WTF-8 and not in UTF-8, so a reader of UTF-8 calls rota__utf8_is_surrogate. */
uint32_t rota__utf8_next(const char **position, const char *end);

static inline int rota__utf8_is_surrogate(uint32_t code_point) {
  return code_point >= 0xD800 && code_point <= 0xDFFF;
}

/* ---- host names in ASCII ---- */

/* Turns the UTF-8 host name into ASCII: labels with other characters become punycode (RFC 3492) after "xn--", the
 * ideographic full stops become dots, ASCII labels stay as they are. Returns the number of bytes written, with the
 * NUL. An empty name, anything that is not UTF-8, and a result that does not fit are UV_EINVAL: half a host name would
 * be another host. */
ssize_t rota__idna_to_ascii(const char *source, const char *source_end, char *destination, char *destination_end);

#endif
