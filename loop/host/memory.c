/* How much memory there is, how much is free, how much this process may have. */
#include "loop/os/host.h"
#include "uv.h"

uint64_t uv_get_free_memory(void) {
  return rota__os_memory_free();
}

uint64_t uv_get_total_memory(void) {
  return rota__os_memory_total();
}

uint64_t uv_get_constrained_memory(void) {
  return rota__os_memory_limit();
}

uint64_t uv_get_available_memory(void) {
  uint64_t left;
  if (rota__os_memory_left(uv_get_total_memory(), &left))
    return left;
  return uv_get_free_memory();
}

int uv_resident_set_memory(size_t *rss) {
  return rota__os_memory_resident(rss);
}
