/* The library's memory: counted, overwritten when it is given back, and refused by chance. */
#include <stdlib.h>
#include <string.h>

#include "simulator.h"

struct block {
  size_t size, mark;
};

static const size_t MARK = 0x5eed;
static size_t used;

static bool refuses(void) {
  return sim.no_memory > 0 && rota__model_chance(sim.no_memory);
}

static void *take(size_t size) {
  struct block *block = refuses() ? NULL : malloc(sizeof *block + size);
  if (block == NULL)
    return NULL;
  *block = (struct block){size, MARK};
  used++;
  memset(block + 1, 0xa5, size);
  return block + 1;
}

static void give_back(void *memory) {
  if (memory == NULL)
    return;
  struct block *block = (struct block *)memory - 1;
  sim_check(block->mark == MARK, "memory is freed twice, or was never given");
  block->mark = 0;
  memset(memory, 0xdb, block->size);
  used--;
  free(block);
}

static void *take_zeroed(size_t count, size_t size) {
  void *memory = take(count * size);
  return memory == NULL ? NULL : memset(memory, 0, count * size);
}

static void *resize(void *memory, size_t size) {
  if (memory == NULL)
    return take(size);
  struct block *block = (struct block *)memory - 1;
  sim_check(block->mark == MARK, "memory is resized that was freed, or was never given");
  void *larger = take(size);
  if (larger == NULL)
    return NULL;
  memcpy(larger, memory, block->size < size ? block->size : size);
  give_back(memory);
  return larger;
}

void sim_memory_start(void) {
  used = 0;
  if (uv_replace_allocator(take, resize, take_zeroed, give_back) != 0)
    abort();
}

size_t sim_memory_used(void) {
  return used;
}
