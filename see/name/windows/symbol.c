/* What is at an address, on Windows: the library and the offset in it. The names of functions are not there: compilers
 * write them in formats of their own, which nothing reads here.
 *
 * Invariant: an entry that was given out stays as it is, for ever. */
#include "see/name/symbol.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/os/windows/wide.h"

enum { SLOTS = 1024, PATH_UNITS = 1024 };

struct entry {
  struct entry *next;
  struct rota_symbol symbol;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *slots[SLOTS];

/* The path of the library is a new block, which the entry keeps. */
static void resolve(struct rota_symbol *symbol, const void *address) {
  const DWORD how = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  WCHAR path[PATH_UNITS];
  HMODULE module;
  char *library;
  symbol->address = address;
  symbol->offset = (uintptr_t)address;
  if (address == NULL || !GetModuleHandleExW(how, (const WCHAR *)address, &module))
    return;
  DWORD length = GetModuleFileNameW(module, path, PATH_UNITS);
  if (length == 0 || length >= PATH_UNITS || rota__os_narrow(path, (ssize_t)length, &library) < 0)
    return;
  symbol->library = library;
  symbol->place = (uintptr_t)address - (uintptr_t)module;
  symbol->offset = symbol->place;
}

static void say(struct rota_symbol *symbol) {
  const char *name = symbol->library == NULL ? NULL : strrchr(symbol->library, '\\');
  if (symbol->library == NULL)
    snprintf(symbol->text, sizeof(symbol->text), "0x%" PRIxPTR, symbol->offset);
  else
    snprintf(symbol->text, sizeof(symbol->text), "%s+0x%" PRIxPTR, name == NULL ? symbol->library : name + 1,
             symbol->offset);
}

const struct rota_symbol *rota__symbol_find(const void *address) {
  struct entry **slot = &slots[((uintptr_t)address >> 2) % SLOTS];
  pthread_mutex_lock(&lock);
  struct entry *entry = *slot;
  while (entry != NULL && entry->symbol.address != address)
    entry = entry->next;
  if (entry == NULL && (entry = rota__calloc(1, sizeof(*entry))) != NULL) {
    resolve(&entry->symbol, address);
    say(&entry->symbol);
    entry->next = *slot;
    *slot = entry;
  }
  pthread_mutex_unlock(&lock);
  return entry == NULL ? NULL : &entry->symbol;
}

const char *rota__symbol_text(const void *address) {
  const struct rota_symbol *symbol = rota__symbol_find(address);
  return symbol == NULL ? "?" : symbol->text;
}

void rota__symbol_print(const void *address, FILE *stream) {
  const struct rota_symbol *symbol = rota__symbol_find(address);
  if (symbol == NULL || symbol->library == NULL)
    fprintf(stream, "%p", address);
  else
    fprintf(stream, "%s+0x%" PRIxPTR, symbol->library, symbol->place);
}

/* Windows has no fork. */
void rota__symbol_before_fork(void) {
}

void rota__symbol_after_fork(void) {
}
