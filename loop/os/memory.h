/* Pages of memory. */
#ifndef ROTA_OS_MEMORY_H
#define ROTA_OS_MEMORY_H

#include <stddef.h>

int rota__os_map(void **memory, size_t size); /* zeroed; takes room as it is touched */
void rota__os_unmap(void *memory, size_t size);

#endif
