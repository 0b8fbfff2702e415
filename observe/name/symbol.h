/* What is at an address: the function's name, the library, the offset in it.
 *
 * The dynamic linker knows exported functions only, and most callbacks are static: their names are read from the file's
 * own table of symbols, which is read once for each file; so are files and lines (line.h). Slow (files are read) and
 * locked: never on a loop's thread while it runs. */
#ifndef ROTA_TRACE_SYMBOL_H
#define ROTA_TRACE_SYMBOL_H

#include <stdint.h>
#include <stdio.h>

struct rota_symbol {
  const void *address;
  const char *function; /* null: unknown */
  const char *library;  /* the file's path; null: in none, such as code made at run time */
  uintptr_t offset;     /* in the function if that is known, else in the library, else the address */
  uintptr_t place;      /* in the library: what addr2line wants */
  const char *file;     /* null: unknown, as without -g */
  int line;
  char text[120]; /* "function", or "library+0x123", or "0x123" */
};

/* Never null but without memory. Lives for ever. */
const struct rota_symbol *rota__symbol_find(const void *address);
const char *rota__symbol_text(const void *address); /* its text; never null */
/* "function (file:12)", or "function+0x12 (library+0x345)" where the file is not known. */
void rota__symbol_print(const void *address, FILE *stream);
void rota__symbol_before_fork(void);
void rota__symbol_after_fork(void);

#endif
