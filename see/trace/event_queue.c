#include "see/trace/event_queue.h"

#include <pthread.h>

#include "loop/base/check.h"
#include "loop/os/memory.h"
#include "loop/os/thread.h"

enum { RINGS_MAX = 1100 }; /* the largest pool, and some more */

static _Atomic(struct rota_event_queue *) queues;
static _Atomic unsigned int ring_count;
static _Atomic uint64_t homeless;
static _Atomic uint32_t capacity_of_loops = 65536;
static _Atomic uint32_t capacity_of_others = 8192;
static _Atomic uint32_t capacity_max = 65536;
static pthread_key_t end_key;
static pthread_once_t end_once = PTHREAD_ONCE_INIT;
static _Thread_local struct rota_event_queue *own;

void rota__event_queue_set_capacity(uint32_t loops, uint32_t others, uint32_t most) {
  atomic_store(&capacity_of_loops, loops);
  atomic_store(&capacity_of_others, others);
  atomic_store(&capacity_max, most);
}

/* The thread ends: the queue keeps its events and waits for another thread. */
static void on_thread_end(void *queue) {
  own = NULL;
  atomic_store_explicit(&((struct rota_event_queue *)queue)->in_use, false, memory_order_release);
}

static void make_key(void) {
  rota__check(pthread_key_create(&end_key, on_thread_end) == 0);
  rota__os_stay_loaded(); /* threads of the program will call it when they end */
}

/* A queue of an ended thread that is empty by now and large enough. */
static struct rota_event_queue *find_free(uint32_t capacity) {
  for (struct rota_event_queue *queue = rota__event_queue_first(); queue != NULL; queue = queue->next) {
    bool free_one = false;
    if (queue->first.capacity < capacity || atomic_load_explicit(&queue->in_use, memory_order_acquire))
      continue;
    if (atomic_load_explicit(&queue->head, memory_order_relaxed) !=
        atomic_load_explicit(&queue->tail, memory_order_acquire))
      continue;
    if (atomic_compare_exchange_strong(&queue->in_use, &free_one, true))
      return queue;
  }
  return NULL;
}

/* The producer's. */
static void write_to(struct rota_event_queue *queue, struct rota_event_part *part) {
  queue->writing = part;
  queue->events = part->events;
  queue->mask = part->capacity - 1;
  queue->look_at = part->first + part->capacity / 2;
}

static struct rota_event_queue *make(uint32_t capacity) {
  size_t size = sizeof(struct rota_event_queue) + (size_t)capacity * sizeof(struct rota_event);
  void *memory;
  if (atomic_fetch_add(&ring_count, 1) >= RINGS_MAX || rota__os_map(&memory, size) < 0) {
    atomic_fetch_sub(&ring_count, 1);
    return NULL;
  }
  struct rota_event_queue *queue = memory;
  queue->first.capacity = capacity;
  queue->first.events = queue->own_events;
  atomic_init(&queue->reading, &queue->first);
  write_to(queue, &queue->first);
  atomic_init(&queue->in_use, true);
  return queue;
}

static void enter(struct rota_event_queue *queue) {
  queue->next = atomic_load_explicit(&queues, memory_order_relaxed);
  while (
      !atomic_compare_exchange_weak_explicit(&queues, &queue->next, queue, memory_order_release, memory_order_relaxed))
    continue;
}

static struct rota_event_queue *acquire(bool runs_loop) {
  uint32_t capacity = atomic_load(runs_loop ? &capacity_of_loops : &capacity_of_others);
  pthread_once(&end_once, make_key);
  struct rota_event_queue *queue = find_free(capacity);
  bool fresh = queue == NULL;
  if (fresh)
    queue = make(capacity);
  if (queue == NULL)
    return NULL;
  queue->thread_id = rota__os_thread_number();
  /* It cannot fail: the thread is this one, and the name fits. */
  (void)rota__os_thread_name_of(pthread_self(), queue->thread_name, sizeof(queue->thread_name));
  atomic_store_explicit(&queue->announced, false, memory_order_relaxed);
  if (fresh)
    enter(queue);
  pthread_setspecific(end_key, queue);
  own = queue;
  return queue;
}

struct rota_event_queue *rota__event_queue_of_thread(bool runs_loop) {
  return rota__likely(own != NULL) ? own : acquire(runs_loop);
}

/* A part of twice the size, for the events from this number on. */
static bool grow(struct rota_event_queue *queue, uint32_t head) {
  struct rota_event_part *former = queue->writing;
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
  write_to(queue, part);
  return true;
}

void rota__event_queue_next_part(struct rota_event_queue *queue) {
  struct rota_event_part *part = atomic_load_explicit(&queue->reading, memory_order_relaxed);
  struct rota_event_part *newer = rota__event_queue_newer_part(queue);
  if (part->mapped > 0)
    rota__os_unmap(part, part->mapped);
  atomic_store_explicit(&queue->reading, newer, memory_order_release);
}

bool rota__event_queue_make_room(struct rota_event_queue *queue, uint32_t head) {
  if (queue == NULL) {
    atomic_fetch_add_explicit(&homeless, 1, memory_order_relaxed);
    return false;
  }
  const struct rota_event_part *part = queue->writing;
  uint32_t tail = atomic_load_explicit(&queue->tail, memory_order_acquire);
  if ((int32_t)(tail - part->first) < 0)
    tail = part->first; /* what is older is in another part */
  uint32_t used = head - tail;
  if (used < part->capacity / 2) {
    queue->look_at = tail + part->capacity / 2;
    return true;
  }
  rota__trace_wake();
  if (used < part->capacity) {
    queue->look_at = tail + part->capacity;
    return true;
  }
  if (grow(queue, head))
    return true;
  uint64_t dropped = atomic_load_explicit(&queue->dropped, memory_order_relaxed);
  atomic_store_explicit(&queue->dropped, dropped + 1, memory_order_relaxed);
  return false;
}

struct rota_event_queue *rota__event_queue_first(void) {
  return atomic_load_explicit(&queues, memory_order_acquire);
}

uint64_t rota__event_queue_homeless(void) {
  return atomic_load_explicit(&homeless, memory_order_relaxed);
}

void rota__event_queue_skip_all(void) {
  atomic_store(&homeless, 0);
  for (struct rota_event_queue *queue = rota__event_queue_first(); queue != NULL; queue = queue->next) {
    uint32_t head = atomic_load_explicit(&queue->head, memory_order_acquire);
    while (rota__event_queue_newer_part(queue) != NULL)
      rota__event_queue_next_part(queue);
    atomic_store_explicit(&queue->tail, head, memory_order_release);
    queue->dropped_told = atomic_load_explicit(&queue->dropped, memory_order_relaxed);
    atomic_store_explicit(&queue->announced, false, memory_order_relaxed);
  }
}

void rota__event_queue_forked(void) {
  for (struct rota_event_queue *queue = rota__event_queue_first(); queue != NULL; queue = queue->next) {
    if (queue == own)
      queue->thread_id = rota__os_thread_number();
    else
      atomic_store(&queue->in_use, false);
  }
  rota__event_queue_skip_all();
}
