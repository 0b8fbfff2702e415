/* What is at an address, on Windows (image.h). Names of C++ stay as the compiler has written them.
 *
 * Invariant: an entry that was given out stays as it is, for ever. */
#include "see/name/symbol.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "see/name/windows/image.h"

enum { SLOTS = 1024 };

struct entry {
  struct entry *next;
  struct rota_symbol symbol;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *slots[SLOTS];

static char *keep(const char *text, size_t length) {
  char *copy = rota__malloc(length + 1);
  if (copy == NULL)
    return NULL;
  copy[length] = '\0';
  return memcpy(copy, text, length);
}

static void resolve(struct rota_symbol *symbol, const void *address) {
  struct rota_image_function function;
  struct rota_line_place line;
  symbol->address = address;
  symbol->offset = (uintptr_t)address;
  const struct rota_image *image = address == NULL ? NULL : rota__image_of(address);
  if (image == NULL)
    return;
  symbol->library = image->path;
  symbol->place = (uintptr_t)address - (uintptr_t)image->module;
  symbol->offset = symbol->place;
  if (rota__image_line(image, address, &line) && (symbol->file = keep(line.file, strlen(line.file))) != NULL)
    symbol->line = line.line;
  if (!rota__image_function(image, address, &function))
    return;
  /* Compilers add a suffix to the names of parts that they have split off: "main.cold". */
  size_t length = function.name[0] == '.' ? strlen(function.name) : strcspn(function.name, ".");
  symbol->function = keep(function.name, length);
  if (symbol->function != NULL)
    symbol->offset = symbol->place - function.start;
}

static void say(struct rota_symbol *symbol) {
  const char *name = symbol->library == NULL ? NULL : strrchr(symbol->library, '\\');
  if (symbol->function != NULL)
    snprintf(symbol->text, sizeof(symbol->text), "%s", symbol->function);
  else if (symbol->library == NULL)
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
  else if (symbol->function == NULL)
    fprintf(stream, "%s+0x%" PRIxPTR, symbol->library, symbol->place);
  else if (symbol->file != NULL)
    fprintf(stream, "%s (%s:%d)", symbol->function, symbol->file, symbol->line);
  else
    fprintf(stream, "%s+0x%" PRIxPTR " (%s+0x%" PRIxPTR ")", symbol->function, symbol->offset, symbol->library,
            symbol->place);
}

/* Windows has no fork. */
void rota__symbol_before_fork(void) {
}

void rota__symbol_after_fork(void) {
}
