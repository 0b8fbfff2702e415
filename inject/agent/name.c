/* Numbers for names of functions, which a trace has many times. They are of a session: nothing of it stays. */
#include <stdlib.h>
#include <string.h>

#include "inject/agent/agent.h"
#include "rota.h"

enum { SLOTS = 1024, TEXT_MAX = 300 };

struct entry {
  struct entry *next;
  uint32_t number;
  int line;
  const char *file; /* behind the function */
  char function[];
};

/* The loop's thread adds; the session's thread reads those up to `count`. */
struct agent_names {
  _Atomic uint32_t count;
  struct entry *slots[SLOTS];
  struct entry *entries[AGENT_NAMES_MAX + 1];
};

static uint32_t hash_text(uint32_t hash, const char *text) {
  for (size_t i = 0; i < TEXT_MAX && text[i] != 0; i++)
    hash = (hash ^ (unsigned char)text[i]) * 16777619u;
  return hash;
}

/* Long texts are cut between two characters. */
static size_t length_of(const char *text) {
  size_t length = strnlen(text, TEXT_MAX);
  while (text[length] != 0 && length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
    length--;
  return length;
}

static struct entry *make_entry(const char *function, const char *file, int line) {
  size_t first = length_of(function), second = length_of(file);
  struct entry *entry = calloc(1, sizeof *entry + first + second + 2);
  if (entry == NULL)
    return NULL;
  memcpy(entry->function, function, first);
  entry->file = entry->function + first + 1;
  memcpy(entry->function + first + 1, file, second);
  entry->line = line;
  return entry;
}

/* What inject/names asks of librota, which is not here. 0: nothing is recorded, or there are too many. */
uint32_t rota_name(const char *function, const char *file, int line) {
  struct agent *agent = agent_current();
  struct agent_names *names = agent != NULL ? agent->names : NULL;
  if (names == NULL)
    return 0;
  function = function != NULL ? function : "";
  file = file != NULL ? file : "";
  uint32_t slot = hash_text(hash_text(2166136261u ^ (uint32_t)line, function), file) % SLOTS;
  for (struct entry *entry = names->slots[slot]; entry != NULL; entry = entry->next)
    if (entry->line == line && strncmp(entry->function, function, length_of(function)) == 0 &&
        entry->function[length_of(function)] == 0 && strncmp(entry->file, file, length_of(file)) == 0 &&
        entry->file[length_of(file)] == 0)
      return entry->number;
  uint32_t count = atomic_load_explicit(&names->count, memory_order_relaxed);
  struct entry *entry = count < AGENT_NAMES_MAX ? make_entry(function, file, line) : NULL;
  if (entry == NULL)
    return 0;
  entry->number = count + 1;
  entry->next = names->slots[slot];
  names->slots[slot] = names->entries[entry->number] = entry;
  atomic_store_explicit(&names->count, entry->number, memory_order_release);
  return entry->number;
}

const char *agent_name_get(const struct agent_names *names, uint32_t number, int *line, const char **file) {
  if (names == NULL || number == 0 || number > atomic_load_explicit(&names->count, memory_order_acquire))
    return NULL;
  *line = names->entries[number]->line;
  *file = names->entries[number]->file;
  return names->entries[number]->function;
}

struct agent_names *agent_names_make(void) {
  return calloc(1, sizeof(struct agent_names));
}

void agent_names_free(struct agent_names *names) {
  for (uint32_t i = 1; names != NULL && i <= atomic_load(&names->count); i++)
    free(names->entries[i]);
  free(names);
}
