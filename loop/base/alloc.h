/* Memory, through the allocator that the program chose with uv_replace_allocator. Without memory the functions return a
 * null pointer, and callers return UV_ENOMEM. */
#ifndef ROTA_BASE_ALLOC_H
#define ROTA_BASE_ALLOC_H

#include <stddef.h>

void *rota__malloc(size_t size);
void *rota__calloc(size_t count, size_t size);
void *rota__realloc(void *pointer, size_t size);
/* Like realloc, but frees the old block if there is no memory for the new one, or if size is 0. */
void *rota__realloc_or_free(void *pointer, size_t size);
void rota__free(void *pointer); /* errno is kept */
char *rota__strdup(const char *text);
char *rota__strndup(const char *text, size_t length);

#endif
