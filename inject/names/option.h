/* The option that brings rota-names.node into Node: --require="path". librota-graft.so puts it in front of
 * NODE_OPTIONS, and the script takes it away again, so that both must know it to the letter. */
#ifndef GRAFT_NAMES_OPTION_H
#define GRAFT_NAMES_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* False: no room. Node reads a backslash in quotes as an escape. */
static inline bool names_option(char *text, size_t size, const char *path) {
  static const char head[] = "--require=\"";
  size_t length = sizeof head - 1;
  if (size < sizeof head + 2)
    return false;
  memcpy(text, head, length);
  for (; *path != 0; path++) {
    if (length + 4 > size)
      return false;
    if (*path == '"' || *path == '\\')
      text[length++] = '\\';
    text[length++] = *path;
  }
  text[length++] = '"';
  text[length] = 0;
  return true;
}

#endif
