#include "observe/trace/event_queue.h"

#include <pthread.h>
#include <string.h>

#include "loop/base/check.h"
#include "loop/os/clock.h"
#include "loop/os/memory.h"
#include "loop/os/thread.h"

enum {
  RINGS_MAX = 1100, /* the largest pool, and some more */
  KEPT_OF_LOOPS = 1 << 19,
  KEPT_OF_OTHERS = 1 << 15,
};

static _Atomic(struct rota_event_queue *) queues;
static _Atomic unsigned int ring_count;
static _Atomic uint64_t unqueued;
static _Atomic uint32_t capacity_of_loops = 65536;
static _Atomic uint32_t capacity_of_others = 8192;
static _Atomic uint32_t capacity_max = 65536;
static _Atomic uint64_t kept_ns;
static _Atomic bool is_emptied;
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

static bool overwrites(void) {
  return atomic_load_explicit(&kept_ns, memory_order_relaxed) != 0 &&
         !atomic_load_explicit(&is_emptied, memory_order_relaxed);
}

static uint64_t end_of(const struct rota_event *event) {
  return event->at_ns + event->duration_ns;
}

/* Nobody wants to see its events any more. */
static bool is_outdated(const struct rota_event_queue *queue) {
  uint32_t head = atomic_load_explicit(&queue->head, memory_order_relaxed);
  return overwrites() &&
         end_of(&queue->events[(head - 1) & queue->mask]) + atomic_load(&kept_ns) < rota__os_quick_clock_ns();
}

/* A queue of an ended thread that is empty by now and large enough. */
static struct rota_event_queue *find_free(uint32_t capacity) {
  for (struct rota_event_queue *queue = rota__event_queue_first(); queue != NULL; queue = queue->next) {
    bool free_one = false;
    if (queue->first.capacity < capacity || atomic_load_explicit(&queue->in_use, memory_order_acquire))
      continue;
    uint32_t head = atomic_load_explicit(&queue->head, memory_order_relaxed);
    if (head != atomic_load_explicit(&queue->tail, memory_order_acquire) && !is_outdated(queue))
      continue;
    if (!atomic_compare_exchange_strong(&queue->in_use, &free_one, true))
      continue;
    if (overwrites())
      atomic_store_explicit(&queue->tail, head, memory_order_release);
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

static size_t size_of(uint32_t capacity) {
  return sizeof(struct rota_event_queue) + (size_t)capacity * sizeof(struct rota_event);
}

/* `reserved` is wanted and not necessary: pages take room when they are touched, but there may be a limit on addresses.
 */
static struct rota_event_queue *make(uint32_t capacity, uint32_t reserved) {
  void *memory;
  if (atomic_fetch_add(&ring_count, 1) >= RINGS_MAX)
    goto fail;
  if (reserved <= capacity || rota__os_map(&memory, size_of(reserved)) < 0) {
    reserved = 0;
    if (rota__os_map(&memory, size_of(capacity)) < 0)
      goto fail;
  }
  struct rota_event_queue *queue = memory;
  queue->first.capacity = capacity;
  queue->first.reserved = reserved;
  queue->first.events = queue->own_events;
  atomic_init(&queue->reading, &queue->first);
  write_to(queue, &queue->first);
  atomic_init(&queue->in_use, true);
  return queue;

fail:
  atomic_fetch_sub(&ring_count, 1);
  return NULL;
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
    queue = make(capacity, atomic_load(&kept_ns) == 0 ? 0 : runs_loop ? KEPT_OF_LOOPS : KEPT_OF_OTHERS);
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

static uint8_t piece_flags(bool is_first, bool is_last) {
  return (uint8_t)((is_first ? ROTA_EVENT_FIRST_PIECE : 0) | (is_last ? ROTA_EVENT_LAST_PIECE : 0));
}

void rota__event_queue_text(struct rota_event_queue *queue, uint64_t at_ns, const char *text) {
  static const char cut[] = "...";
  char room[ROTA_EVENT_TEXT_MAX + 1];
  size_t length = strlen(text);
  if (length > ROTA_EVENT_TEXT_MAX) {
    memcpy(room, cut, sizeof(cut) - 1);
    memcpy(room + sizeof(cut) - 1, text + length - ROTA_EVENT_TEXT_MAX + sizeof(cut) - 1,
           ROTA_EVENT_TEXT_MAX - sizeof(cut) + 1);
    text = room;
    length = ROTA_EVENT_TEXT_MAX;
  }
  for (size_t done = 0; done < length; done += ROTA_EVENT_PIECE_BYTES) {
    struct rota_event *place = rota__event_queue_reserve(queue);
    if (place == NULL)
      return;
    size_t size = length - done < ROTA_EVENT_PIECE_BYTES ? length - done : ROTA_EVENT_PIECE_BYTES;
    *place = (struct rota_event){.at_ns = at_ns, .kind = ROTA_EVENT_TEXT, .length = (uint8_t)size};
    place->flags = piece_flags(done == 0, done + size == length);
    memcpy(place->text, text + done, size);
    rota__event_queue_publish(queue);
  }
}

void rota__event_queue_sample(struct rota_event_queue *queue, const struct rota_event *like, const uint32_t *names,
                              unsigned int count) {
  for (unsigned int done = 0; done < count; done += ROTA_EVENT_PIECE_NAMES) {
    struct rota_event *place = rota__event_queue_reserve(queue);
    if (place == NULL)
      return;
    unsigned int size = count - done < ROTA_EVENT_PIECE_NAMES ? count - done : ROTA_EVENT_PIECE_NAMES;
    *place = *like;
    place->kind = ROTA_EVENT_SAMPLE;
    place->length = (uint8_t)size;
    place->flags = piece_flags(done == 0, done + size == count);
    memcpy(place->sample.names, names + done, size * sizeof(*names));
    rota__event_queue_publish(queue);
  }
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

/* The queue is full, and its oldest event will be overwritten. If that is not old enough, the queue becomes twice as
 * large where it is. This is possible only when the next event's place is the first one of the new half: then each
 * event has the same place as before. */
static void stretch(struct rota_event_queue *queue, uint32_t head) {
  struct rota_event_part *part = queue->writing;
  uint32_t wider = part->capacity * 2;
  if (wider > part->reserved || (head & (wider - 1)) != part->capacity)
    return;
  uint64_t oldest_ns = end_of(&queue->events[head & queue->mask]);
  uint64_t newest_ns = end_of(&queue->events[(head - 1) & queue->mask]);
  if (newest_ns > oldest_ns + atomic_load_explicit(&kept_ns, memory_order_relaxed))
    return;
  part->capacity = wider;
  queue->mask = wider - 1;
}

/* The queue goes round. The next look is when it begins anew. */
static void go_round(struct rota_event_queue *queue, uint32_t head) {
  uint32_t tail = atomic_load_explicit(&queue->tail, memory_order_relaxed), room = queue->writing->capacity;
  if (head - tail > room)
    atomic_store_explicit(&queue->tail, head - room, memory_order_release);
  if (head - tail >= room)
    stretch(queue, head);
  queue->look_at = (head | queue->mask) + 1;
}

bool rota__event_queue_make_room(struct rota_event_queue *queue, uint32_t head) {
  if (queue == NULL) {
    atomic_fetch_add_explicit(&unqueued, 1, memory_order_relaxed);
    return false;
  }
  if (overwrites()) {
    go_round(queue, head);
    return true;
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

uint64_t rota__event_queue_unqueued(void) {
  return atomic_load_explicit(&unqueued, memory_order_relaxed);
}

void rota__event_queue_skip_all(void) {
  atomic_store(&unqueued, 0);
  for (struct rota_event_queue *queue = rota__event_queue_first(); queue != NULL; queue = queue->next) {
    uint32_t head = atomic_load_explicit(&queue->head, memory_order_acquire);
    while (rota__event_queue_newer_part(queue) != NULL)
      rota__event_queue_next_part(queue);
    atomic_store_explicit(&queue->tail, head, memory_order_release);
    queue->dropped_written = atomic_load_explicit(&queue->dropped, memory_order_relaxed);
    atomic_store_explicit(&queue->announced, false, memory_order_relaxed);
  }
}

/* ---- without a writer ---- */

void rota__event_queue_keep(uint64_t wanted_ns) {
  atomic_store(&kept_ns, wanted_ns);
}

uint64_t rota__event_queue_kept_ns(void) {
  return atomic_load_explicit(&kept_ns, memory_order_relaxed);
}

void rota__event_queue_is_emptied(bool emptied) {
  atomic_store(&is_emptied, emptied);
}

/* Its thread goes on meanwhile, and may be about to write into the oldest place. */
void rota__event_queue_span(const struct rota_event_queue *queue, uint32_t *oldest, uint32_t *end) {
  uint32_t head = atomic_load_explicit(&queue->head, memory_order_acquire);
  uint32_t tail = atomic_load_explicit(&queue->tail, memory_order_acquire);
  uint32_t room = queue->writing->capacity - 1;
  *end = head;
  *oldest = head - tail > room ? head - room : tail;
}

/* The thread writes without atomics, as it must be quick: what was read is thrown away if the place was written to
 * meanwhile. */
__attribute__((no_sanitize("thread"))) bool rota__event_queue_peek(const struct rota_event_queue *queue,
                                                                   uint32_t number, struct rota_event *copy) {
  const volatile uintptr_t *from = (const volatile uintptr_t *)(const void *)&queue->events[number & queue->mask];
  _Alignas(struct rota_event) uintptr_t words[sizeof(*copy) / sizeof(uintptr_t)];
  _Static_assert(sizeof(words) == sizeof(*copy), "an event is whole words");
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
    words[i] = from[i];
  atomic_thread_fence(memory_order_acquire);
  *copy = *(const struct rota_event *)(const void *)words;
  return atomic_load_explicit(&queue->head, memory_order_relaxed) - number < queue->writing->capacity;
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
