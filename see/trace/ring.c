#include "see/trace/ring.h"

#include <pthread.h>

#include "loop/base/check.h"
#include "loop/os/memory.h"
#include "loop/os/thread.h"

enum { RINGS_MAX = 1100 }; /* the largest pool, and some more */

static _Atomic(struct rota_event_ring *) rings;
static _Atomic unsigned int ring_count;
static _Atomic uint64_t homeless;
static _Atomic uint32_t capacity_of_loops = 65536;
static _Atomic uint32_t capacity_of_others = 8192;
static _Atomic uint32_t capacity_max = 65536;
static pthread_key_t end_key;
static pthread_once_t end_once = PTHREAD_ONCE_INIT;
static _Thread_local struct rota_event_ring *own;

void rota__ring_set_capacity(uint32_t loops, uint32_t others, uint32_t most) {
  atomic_store(&capacity_of_loops, loops);
  atomic_store(&capacity_of_others, others);
  atomic_store(&capacity_max, most);
}

/* The thread ends: the ring, and what is in it, waits for another. */
static void on_thread_end(void *ring) {
  own = NULL;
  atomic_store_explicit(&((struct rota_event_ring *)ring)->in_use, false, memory_order_release);
}

static void make_key(void) {
  rota__check(pthread_key_create(&end_key, on_thread_end) == 0);
  rota__os_stay_loaded(); /* threads of the program will call it when they end */
}

/* One that a thread left behind, empty by now and large enough. */
static struct rota_event_ring *find_free(uint32_t capacity) {
  for (struct rota_event_ring *ring = rota__ring_first(); ring != NULL; ring = ring->next) {
    bool free_one = false;
    if (ring->first.capacity < capacity || atomic_load_explicit(&ring->in_use, memory_order_acquire))
      continue;
    if (atomic_load_explicit(&ring->head, memory_order_relaxed) !=
        atomic_load_explicit(&ring->tail, memory_order_acquire))
      continue;
    if (atomic_compare_exchange_strong(&ring->in_use, &free_one, true))
      return ring;
  }
  return NULL;
}

/* The producer's. */
static void write_to(struct rota_event_ring *ring, struct rota_event_part *part) {
  ring->writing = part;
  ring->events = part->events;
  ring->mask = part->capacity - 1;
  ring->look_at = part->first + part->capacity / 2;
}

static struct rota_event_ring *make(uint32_t capacity) {
  size_t size = sizeof(struct rota_event_ring) + (size_t)capacity * sizeof(struct rota_event);
  void *memory;
  if (atomic_fetch_add(&ring_count, 1) >= RINGS_MAX || rota__os_map(&memory, size) < 0) {
    atomic_fetch_sub(&ring_count, 1);
    return NULL;
  }
  struct rota_event_ring *ring = memory;
  ring->first.capacity = capacity;
  ring->first.events = ring->own_events;
  atomic_init(&ring->reading, &ring->first);
  write_to(ring, &ring->first);
  atomic_init(&ring->in_use, true);
  return ring;
}

static void enter(struct rota_event_ring *ring) {
  ring->next = atomic_load_explicit(&rings, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&rings, &ring->next, ring, memory_order_release, memory_order_relaxed))
    continue;
}

static struct rota_event_ring *acquire(bool runs_loop) {
  uint32_t capacity = atomic_load(runs_loop ? &capacity_of_loops : &capacity_of_others);
  pthread_once(&end_once, make_key);
  struct rota_event_ring *ring = find_free(capacity);
  bool fresh = ring == NULL;
  if (fresh)
    ring = make(capacity);
  if (ring == NULL)
    return NULL;
  ring->thread_id = rota__os_thread_number();
  rota__os_thread_get_name(ring->thread_name, sizeof(ring->thread_name));
  atomic_store_explicit(&ring->announced, false, memory_order_relaxed);
  if (fresh)
    enter(ring);
  pthread_setspecific(end_key, ring);
  own = ring;
  return ring;
}

struct rota_event_ring *rota__ring_of_thread(bool runs_loop) {
  return rota__likely(own != NULL) ? own : acquire(runs_loop);
}

/* A part of twice the size, for the events from this number on. */
static bool grow(struct rota_event_ring *ring, uint32_t head) {
  struct rota_event_part *former = ring->writing;
  uint32_t capacity = former->capacity * 2;
  size_t size = sizeof(struct rota_event_part) + (size_t)capacity * sizeof(struct rota_event);
  void *memory;
  if (capacity > atomic_load(&capacity_max) || rota__os_map(&memory, size) < 0)
    return false;
  struct rota_event_part *part = memory;
  part->capacity = capacity;
  part->first = head;
  part->mapped = size;
  part->events = (struct rota_event *)(part + 1);
  atomic_store_explicit(&former->newer, part, memory_order_release);
  write_to(ring, part);
  return true;
}

void rota__ring_next_part(struct rota_event_ring *ring) {
  struct rota_event_part *part = atomic_load_explicit(&ring->reading, memory_order_relaxed);
  struct rota_event_part *newer = rota__ring_newer_part(ring);
  if (part->mapped > 0)
    rota__os_unmap(part, part->mapped);
  atomic_store_explicit(&ring->reading, newer, memory_order_release);
}

bool rota__ring_make_room(struct rota_event_ring *ring, uint32_t head) {
  if (ring == NULL) {
    atomic_fetch_add_explicit(&homeless, 1, memory_order_relaxed);
    return false;
  }
  const struct rota_event_part *part = ring->writing;
  uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
  if ((int32_t)(tail - part->first) < 0)
    tail = part->first; /* what is older is in another part */
  uint32_t used = head - tail;
  if (used < part->capacity / 2) {
    ring->look_at = tail + part->capacity / 2;
    return true;
  }
  rota__trace_wake();
  if (used < part->capacity) {
    ring->look_at = tail + part->capacity;
    return true;
  }
  if (grow(ring, head))
    return true;
  uint64_t dropped = atomic_load_explicit(&ring->dropped, memory_order_relaxed);
  atomic_store_explicit(&ring->dropped, dropped + 1, memory_order_relaxed);
  return false;
}

struct rota_event_ring *rota__ring_first(void) {
  return atomic_load_explicit(&rings, memory_order_acquire);
}

uint64_t rota__ring_homeless(void) {
  return atomic_load_explicit(&homeless, memory_order_relaxed);
}

void rota__ring_skip_all(void) {
  atomic_store(&homeless, 0);
  for (struct rota_event_ring *ring = rota__ring_first(); ring != NULL; ring = ring->next) {
    uint32_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
    while (rota__ring_newer_part(ring) != NULL)
      rota__ring_next_part(ring);
    atomic_store_explicit(&ring->tail, head, memory_order_release);
    ring->dropped_told = atomic_load_explicit(&ring->dropped, memory_order_relaxed);
    atomic_store_explicit(&ring->announced, false, memory_order_relaxed);
  }
}

void rota__ring_forked(void) {
  for (struct rota_event_ring *ring = rota__ring_first(); ring != NULL; ring = ring->next) {
    if (ring == own)
      ring->thread_id = rota__os_thread_number();
    else
      atomic_store(&ring->in_use, false);
  }
  rota__ring_skip_all();
}
