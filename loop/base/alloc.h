/* Memory, through the allocator that the program chose with uv_replace_allocator.
 * A null pointer comes back when there is none: callers return UV_ENOMEM. */
#ifndef ROTA_BASE_ALLOC_H
#define ROTA_BASE_ALLOC_H

#include <stddef.h>

void *rota__malloc(size_t size);
void *rota__calloc(size_t count, size_t size);
void *rota__realloc(void *pointer, size_t size);
/* realloc, but the old block is freed when there is no room for the new one, or when size is 0. */
void *rota__realloc_or_free(void *pointer, size_t size);
void rota__free(void *pointer); /* errno is kept */
char *rota__strdup(const char *text);
char *rota__strndup(const char *text, size_t length);

#endif
