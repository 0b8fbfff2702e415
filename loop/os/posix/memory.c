#include "loop/os/memory.h"

#include <errno.h>
#include <sys/mman.h>

int rota__os_map(void **memory, size_t size) {
  void *mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED)
    return -errno;
  *memory = mapped;
  return 0;
}

void rota__os_unmap(void *memory, size_t size) {
  munmap(memory, size);
}
