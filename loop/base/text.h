/* Giving text to a caller who brought a buffer. */
#ifndef ROTA_BASE_TEXT_H
#define ROTA_BASE_TEXT_H

#include <stddef.h>

/* The convention of the public interface: *size is the room in buffer before, and the length of the text, without its
 * NUL, after. Where there is too little room, UV_ENOBUFS, and *size is the room needed, with the NUL.
 * A null pointer or no room at all is UV_EINVAL. text may lie in the buffer itself. */
int rota__text_give(const char *text, size_t length, char *buffer, size_t *size);

/* Copies what fits, always with a NUL unless size is 0. Returns the number of bytes copied, without the NUL. */
size_t rota__text_copy(char *buffer, size_t size, const char *text);

#endif
