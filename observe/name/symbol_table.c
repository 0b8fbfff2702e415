#include "observe/name/symbol.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "loop/os/memory.h"

enum { SLOTS = 4096 };

struct entry {
  struct entry *next;
  struct rota_symbol symbol;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *slots[SLOTS];

void *rota__symbol_take(size_t size) {
  static char *chunk;
  static size_t left;
  void *memory;
  size = (size + 15) & ~(size_t)15;
  if (size > 65536)
    return rota__os_map(&memory, size) < 0 ? NULL : memory;
  if (size > left) {
    if (rota__os_map(&memory, 65536) < 0)
      return NULL;
    chunk = memory;
    left = 65536;
  }
  memory = chunk;
  chunk += size;
  left -= size;
  return memory;
}

const char *rota__symbol_keep(const char *text, size_t length) {
  char *copy = rota__symbol_take(length + 1);
  if (copy == NULL)
    return NULL;
  copy[length] = '\0';
  return memcpy(copy, text, length);
}

static void say(struct rota_symbol *symbol) {
  const char *library = symbol->library;
  if (library != NULL && strrchr(library, rota__symbol_separator) != NULL)
    library = strrchr(library, rota__symbol_separator) + 1;
  if (symbol->function != NULL)
    snprintf(symbol->text, sizeof(symbol->text), "%s", symbol->function);
  else if (library != NULL)
    snprintf(symbol->text, sizeof(symbol->text), "%s+0x%" PRIxPTR, library, symbol->offset);
  else
    snprintf(symbol->text, sizeof(symbol->text), "0x%" PRIxPTR, symbol->offset);
}

const struct rota_symbol *rota__symbol_find(const void *address) {
  size_t slot = ((uintptr_t)address >> 2) % SLOTS;
  pthread_mutex_lock(&lock);
  struct entry *entry = slots[slot];
  while (entry != NULL && entry->symbol.address != address)
    entry = entry->next;
  if (entry == NULL && (entry = rota__symbol_take(sizeof(*entry))) != NULL) {
    entry->symbol = (struct rota_symbol){.address = address, .offset = (uintptr_t)address};
    rota__symbol_resolve(&entry->symbol, address);
    say(&entry->symbol);
    entry->next = slots[slot];
    slots[slot] = entry;
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
  else if (symbol->function == NULL)
    fprintf(stream, "%s+0x%" PRIxPTR, symbol->library, symbol->place);
  else if (symbol->file != NULL)
    fprintf(stream, "%s (%s:%d)", symbol->function, symbol->file, symbol->line);
  else
    fprintf(stream, "%s+0x%" PRIxPTR " (%s+0x%" PRIxPTR ")", symbol->function, symbol->offset, symbol->library,
            symbol->place);
}

void rota__symbol_before_fork(void) {
  pthread_mutex_lock(&lock);
}

void rota__symbol_after_fork(void) {
  pthread_mutex_unlock(&lock);
}
