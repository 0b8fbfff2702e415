#include "observe/name/queue.h"

#include "observe/name/name.h"

#include <stdatomic.h>
#include <stddef.h>

/* Filled from the front; an entry is written once. */
static _Atomic uint32_t names[ROTA_QUEUE_MAX];

uint8_t rota__queue_number(uint32_t name) {
  for (unsigned int i = 0; name != 0 && i < ROTA_QUEUE_MAX; i++) {
    uint32_t found = 0;
    if (atomic_compare_exchange_strong(&names[i], &found, name) || found == name)
      return (uint8_t)(ROTA_QUEUE_FIRST + i);
  }
  return 0;
}

const char *rota__queue_describe(unsigned int number) {
  unsigned int i = number - ROTA_QUEUE_FIRST;
  const struct rota_name_entry *entry = i < ROTA_QUEUE_MAX ? rota__name_find(atomic_load(&names[i])) : NULL;
  return entry != NULL ? entry->function : "unknown";
}
