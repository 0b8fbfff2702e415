#include "loop/base/text.h"

#include <string.h>

#include "uv/errno.h"

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
