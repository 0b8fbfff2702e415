/* Streams, by POSIX's names. */
#ifndef ROTA_WINDOWS_STDIO_H
#define ROTA_WINDOWS_STDIO_H

#include_next <stdio.h>

#define flockfile _lock_file
#define funlockfile _unlock_file

/* The C library has no streams in memory: callers do without what they would have written there. */
static inline FILE *open_memstream(char **text, size_t *length) {
  *text = NULL;
  *length = 0;
  return NULL;
}

#endif
