#include "loop/os/memory.h"

#include "loop/os/windows/convert.h"
#include "uv.h"

/* Pages that nobody has touched take no memory, but the system promises room for all of them. */
int rota__os_map(void **memory, size_t size) {
  *memory = VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  return *memory == NULL ? rota__os_last_error() : 0;
}

void rota__os_unmap(void *memory, size_t size) {
  (void)size;
  VirtualFree(memory, 0, MEM_RELEASE);
}
