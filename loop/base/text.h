/* Copying text into a caller's buffer. */
#ifndef ROTA_BASE_TEXT_H
#define ROTA_BASE_TEXT_H

#include <stddef.h>

/* The convention of the public interface. Before the call *size is the size of the buffer, after it the length of the
 * text without its NUL. If the buffer is too small, the result is UV_ENOBUFS and *size is the size needed, with the
 * NUL. A null pointer or a size of 0 is UV_EINVAL. The text may lie in the buffer itself. */
int rota__text_give(const char *text, size_t length, char *buffer, size_t *size);

/* Copies what fits, always with a NUL unless size is 0. Returns the number of bytes copied, without the NUL. */
size_t rota__text_copy(char *buffer, size_t size, const char *text);

#endif
