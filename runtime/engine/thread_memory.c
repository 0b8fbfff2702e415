/* Large memory of a thread that most threads never use (engine.h). */
#include <pthread.h>
#include <stdlib.h>

#include "runtime/engine/engine.h"

struct block {
  struct block *next;
  void *bytes;
};

static pthread_key_t blocks;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void free_blocks(void *first) {
  for (struct block *block = first, *next; block != NULL; block = next) {
    next = block->next;
    free(block->bytes);
    free(block);
  }
}

static void make_key(void) {
  if (pthread_key_create(&blocks, free_blocks) != 0)
    abort();
}

void *js_thread_memory(void **place, size_t size) {
  if (*place != NULL)
    return *place;
  pthread_once(&once, make_key);
  struct block *block = malloc(sizeof *block);
  void *bytes = calloc(1, size);
  if (block == NULL || bytes == NULL)
    goto fail;
  *block = (struct block){pthread_getspecific(blocks), bytes};
  if (pthread_setspecific(blocks, block) != 0)
    goto fail;
  return *place = bytes;
fail:
  free(bytes);
  free(block);
  return NULL;
}
