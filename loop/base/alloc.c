#include "loop/base/alloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "uv.h"

static struct {
  uv_malloc_func malloc;
  uv_realloc_func realloc;
  uv_calloc_func calloc;
  uv_free_func free;
} allocator = {malloc, realloc, calloc, free};

int uv_replace_allocator(uv_malloc_func malloc_func, uv_realloc_func realloc_func, uv_calloc_func calloc_func,
                         uv_free_func free_func) {
  if (malloc_func == NULL || realloc_func == NULL || calloc_func == NULL || free_func == NULL)
    return UV_EINVAL;
  allocator.malloc = malloc_func;
  allocator.realloc = realloc_func;
  allocator.calloc = calloc_func;
  allocator.free = free_func;
  return 0;
}

void *rota__malloc(size_t size) {
  return size == 0 ? NULL : allocator.malloc(size);
}

void *rota__calloc(size_t count, size_t size) {
  return allocator.calloc(count, size);
}

void *rota__realloc(void *pointer, size_t size) {
  if (size > 0)
    return allocator.realloc(pointer, size);
  rota__free(pointer);
  return NULL;
}

void *rota__realloc_or_free(void *pointer, size_t size) {
  void *moved = rota__realloc(pointer, size);
  if (moved == NULL && size > 0)
    rota__free(pointer);
  return moved;
}

void rota__free(void *pointer) {
  int saved = errno; /* callers often return an error of their own right after this */
  allocator.free(pointer);
  errno = saved;
}

char *rota__strdup(const char *text) {
  return rota__strndup(text, strlen(text));
}

char *rota__strndup(const char *text, size_t length) {
  size_t size = strnlen(text, length);
  char *copy = rota__malloc(size + 1);
  if (copy == NULL)
    return NULL;
  memcpy(copy, text, size);
  copy[size] = '\0';
  return copy;
}
