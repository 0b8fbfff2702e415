/* Events on their way from the thread where they happen to the thread that writes them down.
 *
 * Each thread has a ring of its own: one producer, one consumer, no lock. A thread that has filled half of its ring
 * wakes the writer. A ring that is full gets a larger part for what follows, which the writer turns to when it has
 * emptied the former. The largest part drops the newest event, and counts it: to wait would be to change what is being
 * measured, and memory is bounded.
 *
 * Events are numbered through all parts. Each part is twice as large as the one before it: together
 * they have at most twice the room of the largest. */
#ifndef ROTA_TRACE_RING_H
#define ROTA_TRACE_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loop/base/check.h"

enum rota_event_kind {
  ROTA_EVENT_ITERATION, /* value: its number; number: callbacks; name: microseconds waited */
  ROTA_EVENT_PHASE,     /* phase; number: callbacks */
  ROTA_EVENT_WAIT,      /* value: timeout in ns, UINT64_MAX: for ever; number: events */
  ROTA_EVENT_CALL,      /* address, type, phase, number: descriptor or kind of file operation; value: lateness in ns */
  ROTA_EVENT_TICKS,     /* value: how many, UINT64_MAX: unknown */
  ROTA_EVENT_MICROTASKS,
  ROTA_EVENT_JOB,       /* address or file operation (number); type: kind of work; value: ns in the queue */
  ROTA_EVENT_MARK,      /* name, value */
  ROTA_EVENT_SPAN,      /* name */
  ROTA_EVENT_OPERATION, /* number: file operation; value: its number, as operations overlap */
};

/* Flags of a CALL. */
enum { ROTA_EVENT_REQUEST = 1, ROTA_EVENT_LATE = 2 };

struct rota_event {
  uint64_t at_ns;
  uint64_t duration_ns;
  const void *address;
  uint64_t value;
  int32_t number;
  uint32_t name; /* what the embedder calls it; 0: nothing */
  uint8_t kind;
  uint8_t phase;
  uint8_t type;
  uint8_t flags;
  uint32_t loop; /* the number of the loop; 0: none */
};

struct rota_event_part {
  uint32_t capacity; /* a power of two */
  uint32_t first;    /* the number of the first event that is in this part */
  size_t mapped;     /* 0: it is memory of the ring */
  _Atomic(struct rota_event_part *) newer;
  struct rota_event *events;
};

struct rota_event_ring {
  struct rota_event_ring *next; /* among all; never changes once it is in the list */
  _Atomic bool in_use;          /* a living thread's */
  _Atomic bool announced; /* the writer has told the thread's name. It looks at the name while the ring has events of
                             that thread: the ring changes hands only when it is empty. */
  int thread_id;
  char thread_name[16];
  struct rota_event_part first;

  _Alignas(64) _Atomic uint32_t head; /* the producer's */
  uint32_t look_at;                   /* the number of the event before which there may be too little room */
  uint32_t mask;
  struct rota_event *events;
  struct rota_event_part *writing;
  _Atomic uint64_t dropped;
  _Alignas(64) _Atomic uint32_t tail;        /* the consumer's */
  _Atomic(struct rota_event_part *) reading; /* the consumer's */
  uint64_t dropped_told;
  _Alignas(64) struct rota_event own_events[];
};

/* Sizes of the rings made from now on: for threads that run loops, and for others; and how far each may grow. */
void rota__ring_set_capacity(uint32_t loops, uint32_t others, uint32_t most);
/* The calling thread's ring, made at its first call; null without memory. */
struct rota_event_ring *rota__ring_of_thread(bool runs_loop);
/* What to do when half of the ring is full, or all of it: whether there is room for another event. */
bool rota__ring_make_room(struct rota_event_ring *ring, uint32_t head) __attribute__((cold));

/* A place for an event in the calling thread's ring, to be filled and published; null: there is none. */
static inline struct rota_event *rota__ring_reserve(struct rota_event_ring *ring) {
  if (rota__unlikely(ring == NULL)) {
    rota__ring_make_room(NULL, 0);
    return NULL;
  }
  uint32_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
  if (rota__unlikely(head == ring->look_at) && !rota__ring_make_room(ring, head))
    return NULL;
  return &ring->events[head & ring->mask];
}

static inline void rota__ring_publish(struct rota_event_ring *ring) {
  uint32_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
  atomic_store_explicit(&ring->head, head + 1, memory_order_release);
}

/* For the writer. */
struct rota_event_ring *rota__ring_first(void);
void rota__ring_next_part(struct rota_event_ring *ring);

uint64_t rota__ring_homeless(void); /* events of threads for which there was no memory */
void rota__ring_skip_all(void);     /* what is in the rings is of an earlier trace */
static inline struct rota_event_part *rota__ring_newer_part(const struct rota_event_ring *ring) {
  const struct rota_event_part *part = atomic_load_explicit(&ring->reading, memory_order_relaxed);
  return atomic_load_explicit(&part->newer, memory_order_acquire);
}

/* The event of this number, which the producer has published; the numbers are asked for in their order. */
static inline const struct rota_event *rota__ring_read(struct rota_event_ring *ring, uint32_t number) {
  const struct rota_event_part *newer = rota__ring_newer_part(ring);
  if (rota__unlikely(newer != NULL) && number == newer->first)
    rota__ring_next_part(ring);
  const struct rota_event_part *part = atomic_load_explicit(&ring->reading, memory_order_relaxed);
  return &part->events[number & (part->capacity - 1)];
}

/* In the child of a fork: the other threads are gone. */
void rota__ring_forked(void);

/* In trace.c: the writer is to look now. */
void rota__trace_wake(void);

#endif
