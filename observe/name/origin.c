#include "observe/name/origin.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/os/memory.h"
#include "rota.h"

enum { SLOTS = 1024, ORIGINS_MAX = 8192, TABLE_FIRST = 64, OWN_FRAMES = 2, CHUNK_SIZE = 65536, CHUNKS_MAX = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct rota_origin *slots[SLOTS];
static struct rota_origin *origins;
static size_t origin_count;
static _Atomic(rota_stack_hook) stack_hook;
static _Atomic(void *) stack_hook_data;

static uint64_t hash_of(void *const *frames, int count) {
  uint64_t hash = 14695981039346656037u;
  for (int i = 0; i < count; i++)
    hash = (hash ^ (uintptr_t)frames[i]) * 1099511628211u;
  return hash;
}

/* The embedder's stack is part of the key: its C frames alone are always the same. */
static char *embedders_text(void) {
  rota_stack_hook ask = atomic_load_explicit(&stack_hook, memory_order_acquire);
  return ask == NULL ? NULL : ask(atomic_load_explicit(&stack_hook_data, memory_order_relaxed));
}

/* A copy that is never freed, like origins. With the lock held. Null: there are too many, or no memory. */
static const char *keep_text(const char *text) {
  static char *chunk;
  static size_t left, chunks;
  size_t size = text == NULL ? 0 : strlen(text) + 1;
  if (size == 0 || size > CHUNK_SIZE)
    return NULL;
  if (size > left) {
    void *memory;
    if (chunks >= CHUNKS_MAX || rota__os_map(&memory, CHUNK_SIZE) < 0)
      return NULL;
    chunks++;
    chunk = memory;
    left = CHUNK_SIZE;
  }
  char *copy = memcpy(chunk, text, size);
  chunk += size;
  left -= size;
  return copy;
}

static bool same_text(const char *a, const char *b) {
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

void rota_set_stack_hook(rota_stack_hook hook, void *data) {
  atomic_store_explicit(&stack_hook_data, data, memory_order_relaxed);
  atomic_store_explicit(&stack_hook, hook, memory_order_release);
}

const struct rota_origin *rota__origin_here(void) {
  void *frames[ROTA_ORIGIN_FRAMES + OWN_FRAMES];
  void **callers = frames + OWN_FRAMES; /* without this function and the observer's */
  int count = rota__os_backtrace(frames, ROTA_ORIGIN_FRAMES + OWN_FRAMES) - OWN_FRAMES;
  if (count <= 0)
    return NULL;
  char *text = embedders_text();
  size_t slot = hash_of(callers, count) % SLOTS;
  size_t size = (size_t)count * sizeof(*callers);
  pthread_mutex_lock(&lock);
  struct rota_origin *origin = slots[slot];
  while (origin != NULL &&
         !(origin->count == count && memcmp(origin->frames, callers, size) == 0 && same_text(origin->text, text)))
    origin = origin->next;
  void *memory;
  if (origins == NULL && rota__os_map(&memory, ORIGINS_MAX * sizeof(*origins)) == 0)
    origins = memory;
  if (origin == NULL && origins != NULL && origin_count < ORIGINS_MAX) {
    origin = &origins[origin_count++];
    origin->count = count;
    origin->text = keep_text(text);
    memcpy(origin->frames, callers, size);
    origin->next = slots[slot];
    slots[slot] = origin;
  }
  pthread_mutex_unlock(&lock);
  free(text);
  return origin;
}

uint32_t rota__origin_number(const struct rota_origin *origin) {
  return origin == NULL ? 0 : (uint32_t)(origin - origins) + 1;
}

const struct rota_origin *rota__origin_of(uint32_t number) {
  return number == 0 ? NULL : &origins[number - 1];
}

void rota__origin_before_fork(void) {
  pthread_mutex_lock(&lock);
}

void rota__origin_after_fork(void) {
  pthread_mutex_unlock(&lock);
}

/* ---- requests ---- */

static size_t place_of(const struct rota_request_table *table, const uv_req_t *req) {
  return ((uintptr_t)req >> 4) * 11400714819323198485u >> 20 & (table->capacity - 1);
}

static struct rota_request_entry *look_up(const struct rota_request_table *table, const uv_req_t *req) {
  size_t i = place_of(table, req);
  while (table->entries[i].req != NULL && table->entries[i].req != req)
    i = (i + 1) & (table->capacity - 1);
  return &table->entries[i];
}

static int grow(struct rota_request_table *table) {
  size_t capacity = table->capacity == 0 ? TABLE_FIRST : table->capacity * 2;
  struct rota_request_entry *entries = rota__calloc(capacity, sizeof(*entries));
  if (entries == NULL)
    return UV_ENOMEM;
  struct rota_request_table larger = {.capacity = capacity, .count = table->count, .entries = entries};
  for (size_t i = 0; i < table->capacity; i++)
    if (table->entries[i].req != NULL)
      *look_up(&larger, table->entries[i].req) = table->entries[i];
  rota__free(table->entries);
  *table = larger;
  return 0;
}

/* Without memory the request is only counted. */
void rota__origin_begin(struct rota_request_table **table, const uv_req_t *req, uint64_t begin_ns, bool with_origin) {
  if (*table == NULL)
    *table = rota__calloc(1, sizeof(**table));
  if (*table == NULL || ((*table)->count * 2 >= (*table)->capacity && grow(*table) < 0))
    return;
  struct rota_request_entry *entry = look_up(*table, req);
  if (entry->req == NULL)
    (*table)->count++;
  entry->req = req;
  entry->begin_ns = begin_ns;
  entry->origin = with_origin ? rota__origin_here() : NULL;
}

uint64_t rota__origin_end(struct rota_request_table *table, const uv_req_t *req) {
  if (table->capacity == 0)
    return 0;
  struct rota_request_entry *entry = look_up(table, req);
  if (entry->req == NULL)
    return 0;
  uint64_t begin_ns = entry->begin_ns;
  entry->req = NULL;
  table->count--;
  /* The entries behind it may have been put there because this slot was taken: they are inserted again. */
  size_t mask = table->capacity - 1;
  for (size_t i = ((size_t)(entry - table->entries) + 1) & mask; table->entries[i].req != NULL; i = (i + 1) & mask) {
    struct rota_request_entry moved = table->entries[i];
    table->entries[i].req = NULL;
    *look_up(table, moved.req) = moved;
  }
  return begin_ns;
}

void rota__origin_table_free(struct rota_request_table *table) {
  if (table == NULL)
    return;
  rota__free(table->entries);
  rota__free(table);
}
