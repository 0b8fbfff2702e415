/* The table of symbols (symbol.h), which is the same everywhere, and what a system adds to it: symbol.c where programs
 * are ELF files, windows/symbol.c on Windows.
 *
 * Invariant: an entry that was given out stays as it is, for ever. So memory is taken and never given back. */
#ifndef ROTA_SEE_SYMBOL_TABLE_H
#define ROTA_SEE_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "observe/name/symbol.h"

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
