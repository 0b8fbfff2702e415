/* What is at an address: the function's name, the library, the offset in it.
 *
 * The dynamic linker knows exported functions only, and most callbacks are static: their names are read from the file's
 * own table of symbols, which is read once for each file; so are files and lines (line.h). Slow (files are read) and
 * locked: never on a loop's thread while it runs. */
#ifndef ROTA_TRACE_SYMBOL_H
#define ROTA_TRACE_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
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

/* The table of symbols (symbol.h), which is the same everywhere, and what a system adds to it: symbol.c where programs
 * are ELF files, windows/symbol.c on Windows.
 *
 * Invariant: an entry that was given out stays as it is, for ever. So memory is taken and never given back. */

/* Memory of the table's own, with zeros. Null: there is none. The table must be locked. */
void *rota__symbol_take(size_t size);
/* A copy of a text in such memory. */
const char *rota__symbol_keep(const char *text, size_t length);

/* By system: fills in what is known. All is zero or null before, but address and offset, which are the address. The
 * table is locked. */
void rota__symbol_resolve(struct rota_symbol *symbol, const void *address);
/* By system: what stands between the parts of a library's path. */
extern const char rota__symbol_separator;

/* The names of C++ functions in short form, without arguments and template parameters. node::TimerWrap::OnTimeout, not
 * _ZN4node9TimerWrap9OnTimeoutEP10uv_timer_s.
 *
 * A C++ library demangles them: the program's own, or the system's, which is loaded for this. */

/* False: the name is not of C++, or cannot be read, or is longer than the room. Allocates. */
bool rota__demangle(const char *name, char *room, size_t size);

#endif
