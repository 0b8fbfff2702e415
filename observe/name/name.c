#include "observe/name/describe.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "loop/os/memory.h"

enum { SLOTS = 4096, NAMES_MAX = 65536, CHUNK_SIZE = 65536, TEXT_MAX = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct rota_name_entry *slots[SLOTS];
static _Atomic(struct rota_name_entry *) *entries; /* by number */
static _Atomic uint32_t count;
static char *chunk;
static size_t chunk_left;

static void *take(size_t size) {
  size = (size + 7) & ~(size_t)7;
  if (size > chunk_left) {
    void *memory;
    if (rota__os_map(&memory, CHUNK_SIZE) < 0)
      return NULL;
    chunk = memory;
    chunk_left = CHUNK_SIZE;
  }
  void *taken = chunk;
  chunk += size;
  chunk_left -= size;
  return taken;
}

static const char *keep(const char *text) {
  size_t length = strnlen(text, TEXT_MAX);
  char *copy = take(length + 1);
  if (copy != NULL) {
    memcpy(copy, text, length);
    copy[length] = '\0';
  }
  return copy;
}

static uint32_t hash_of(const char *function, const char *file, int line) {
  uint32_t hash = 2166136261u ^ (uint32_t)line;
  for (size_t i = 0; i < TEXT_MAX && function[i] != '\0'; i++)
    hash = (hash ^ (unsigned char)function[i]) * 16777619u;
  for (size_t i = 0; i < TEXT_MAX && file[i] != '\0'; i++)
    hash = (hash ^ (unsigned char)file[i]) * 16777619u;
  return hash;
}

/* With the lock held. */
static struct rota_name_entry *add(const char *function, const char *file, int line) {
  void *memory;
  if (entries == NULL) {
    if (rota__os_map(&memory, NAMES_MAX * sizeof(*entries)) < 0)
      return NULL;
    entries = memory;
  }
  if (atomic_load(&count) + 1 >= NAMES_MAX)
    return NULL;
  struct rota_name_entry *entry = take(sizeof(*entry));
  if (entry == NULL)
    return NULL;
  entry->function = keep(function);
  entry->file = keep(file);
  if (entry->function == NULL || entry->file == NULL)
    return NULL;
  entry->line = line;
  entry->number = atomic_load(&count) + 1;
  atomic_store_explicit(&entries[entry->number], entry, memory_order_release);
  atomic_store_explicit(&count, entry->number, memory_order_release);
  return entry;
}

uint32_t rota__name_intern(const char *function, const char *file, int line) {
  if (function == NULL)
    function = "";
  if (file == NULL)
    file = "";
  uint32_t slot = hash_of(function, file, line) % SLOTS;
  pthread_mutex_lock(&lock);
  struct rota_name_entry *entry = slots[slot];
  while (entry != NULL && !(entry->line == line && strncmp(entry->function, function, TEXT_MAX) == 0 &&
                            strncmp(entry->file, file, TEXT_MAX) == 0))
    entry = entry->next;
  if (entry == NULL && (entry = add(function, file, line)) != NULL) {
    entry->next = slots[slot];
    slots[slot] = entry;
  }
  uint32_t number = entry == NULL ? 0 : entry->number;
  pthread_mutex_unlock(&lock);
  return number;
}

const struct rota_name_entry *rota__name_find(uint32_t number) {
  if (number == 0 || number > atomic_load_explicit(&count, memory_order_acquire))
    return NULL;
  return atomic_load_explicit(&entries[number], memory_order_acquire);
}

void rota__name_before_fork(void) {
  pthread_mutex_lock(&lock);
}

void rota__name_after_fork(void) {
  pthread_mutex_unlock(&lock);
}
