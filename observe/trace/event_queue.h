/* Queues of events between the threads where they happen and the thread that writes them.
 *
 * Each thread has a queue of its own: one producer, one consumer, no lock. A thread that has filled half of its queue
 * wakes the writer. A full queue gets a larger part for the next events, which the writer reads after it has emptied
 * the part before. If the largest part is full, the newest event is dropped and counted: waiting would change what is
 * measured, and memory is bounded.
 *
 * If a black box is wanted and no trace is written, nobody empties the queues: the newest event takes the place of the
 * oldest. A queue whose oldest event is not old enough yet takes more of the memory that it has reserved.
 *
 * Events are numbered through all parts. Each part is twice as large as the one before it: together they have at most
 * twice the room of the largest. */
#ifndef ROTA_TRACE_EVENT_QUEUE_H
#define ROTA_TRACE_EVENT_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loop/base/check.h"

enum rota_event_kind {
  ROTA_EVENT_ITERATION,
  ROTA_EVENT_PHASE,
  ROTA_EVENT_WAIT,
  ROTA_EVENT_CALL,
  ROTA_EVENT_TICKS,
  ROTA_EVENT_MICROTASKS,
  ROTA_EVENT_JOB,
  ROTA_EVENT_MARK,
  ROTA_EVENT_SPAN,
  ROTA_EVENT_OPERATION,
  ROTA_EVENT_TEXT,   /* a piece of what the next JOB or OPERATION is about */
  ROTA_EVENT_SAMPLE, /* a piece of a stack, the outermost function first */
};

/* Flags of a CALL. FIRST: the first callback of what its cause has scheduled, where an arrow ends. */
enum { ROTA_EVENT_REQUEST = 1, ROTA_EVENT_LATE = 2, ROTA_EVENT_FIRST = 4 };
/* Flags of a TEXT or a SAMPLE, of which there may be several in a row. */
enum { ROTA_EVENT_FIRST_PIECE = 1, ROTA_EVENT_LAST_PIECE = 2 };

enum { ROTA_EVENT_PIECE_BYTES = 32, ROTA_EVENT_PIECE_NAMES = 7 };

/* Names are numbers of rota_name; 0: none. Numbers of calls are unique in the process; 0: none, or not known. */
struct rota_event {
  uint64_t at_ns;
  uint64_t duration_ns; /* TEXT, SAMPLE: 0 */
  uint32_t loop;        /* the number of the loop; 0: none */
  uint8_t kind;
  uint8_t flags;
  uint8_t type; /* CALL: of the handle or request; JOB: ROTA_WORK_* */
  union {
    uint8_t phase;  /* PHASE, CALL */
    uint8_t length; /* TEXT: bytes; SAMPLE: names */
  };
  union {
    struct { /* the largest is the first: an initialiser sets all of it to zero */
      const void *function;
      uint64_t late_ns;
      int32_t subject; /* the descriptor, or the kind of file operation; -1: none */
      uint32_t name;
      uint32_t number;
      uint32_t cause; /* the call that has scheduled it */
    } call;
    struct {
      const void *function;
      uint64_t queued_ns;
      int32_t operation; /* the kind of file operation; -1: none */
      uint32_t name;
      uint32_t cause;
    } job;
    struct {
      uint64_t number; /* as operations overlap */
      int32_t operation;
      uint32_t cause;
    } operation;
    struct {
      uint64_t number;
      uint64_t waited_ns;
      uint32_t calls;
    } iteration;
    struct {
      uint32_t calls;
    } ran; /* PHASE */
    struct {
      uint64_t timeout_ns; /* UINT64_MAX: none */
      int32_t events;
    } wait;
    struct {
      uint64_t count; /* UINT64_MAX: unknown */
      uint32_t first; /* the name of the first tick */
      uint32_t call;  /* in which it lies */
    } drain;          /* TICKS, MICROTASKS */
    struct {
      uint64_t value;
      uint32_t name;
    } mark; /* MARK, SPAN */
    char text[ROTA_EVENT_PIECE_BYTES];
    struct {
      uint32_t call; /* in which it lies */
      uint32_t names[ROTA_EVENT_PIECE_NAMES];
    } sample;
  };
};

_Static_assert(sizeof(struct rota_event) == 56, "an event is copied for each callback");

struct rota_event_part {
  uint32_t capacity; /* a power of two */
  uint32_t reserved; /* how large it may become where it is; 0: no larger */
  uint32_t first;    /* the number of the first event that is in this part */
  size_t mapped;     /* 0: it is memory of the queue */
  _Atomic(struct rota_event_part *) newer;
  struct rota_event *events;
};

struct rota_event_queue {
  struct rota_event_queue *next; /* among all; never changes once it is in the list */
  _Atomic bool in_use;           /* a living thread's */
  _Atomic bool announced; /* the writer has written the thread's name. It reads the name while the queue has events of
                             that thread: a queue gets a new thread only when it is empty. */
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
  uint64_t dropped_written;
  _Alignas(64) struct rota_event own_events[];
};

/* Sizes of the queues made from now on: for threads that run loops, and for others; and how far each may grow. */
void rota__event_queue_set_capacity(uint32_t loops, uint32_t others, uint32_t most);
/* The calling thread's queue, made at its first call; null without memory. */
struct rota_event_queue *rota__event_queue_of_thread(bool runs_loop);
/* Called when the queue is half full or full. Returns whether there is room for another event. */
bool rota__event_queue_make_room(struct rota_event_queue *queue, uint32_t head) __attribute__((cold));

/* A place for an event in the calling thread's queue, to be filled and published; null: there is none. */
static inline struct rota_event *rota__event_queue_reserve(struct rota_event_queue *queue) {
  if (rota__unlikely(queue == NULL)) {
    rota__event_queue_make_room(NULL, 0);
    return NULL;
  }
  uint32_t head = atomic_load_explicit(&queue->head, memory_order_relaxed);
  if (rota__unlikely(head == queue->look_at) && !rota__event_queue_make_room(queue, head))
    return NULL;
  return &queue->events[head & queue->mask];
}

static inline void rota__event_queue_publish(struct rota_event_queue *queue) {
  uint32_t head = atomic_load_explicit(&queue->head, memory_order_relaxed);
  atomic_store_explicit(&queue->head, head + 1, memory_order_release);
}

/* What the next event of this thread is about, a path for instance. Of a long text its end is kept. */
enum { ROTA_EVENT_TEXT_MAX = 192 };
void rota__event_queue_text(struct rota_event_queue *queue, uint64_t at_ns, const char *text);

/* A stack of names, outermost first, inside of a call. */
enum { ROTA_EVENT_SAMPLE_MAX = 48 };
void rota__event_queue_sample(struct rota_event_queue *queue, const struct rota_event *like, const uint32_t *names,
                              unsigned int count);

/* For the writer. */
struct rota_event_queue *rota__event_queue_first(void);
void rota__event_queue_next_part(struct rota_event_queue *queue);

uint64_t rota__event_queue_unqueued(void); /* events of threads for which there was no memory */
void rota__event_queue_skip_all(void);     /* drops the events, which belong to an earlier trace */
static inline struct rota_event_part *rota__event_queue_newer_part(const struct rota_event_queue *queue) {
  const struct rota_event_part *part = atomic_load_explicit(&queue->reading, memory_order_relaxed);
  return atomic_load_explicit(&part->newer, memory_order_acquire);
}

/* The event of this number, which the producer has published; the numbers are asked for in their order. */
static inline const struct rota_event *rota__event_queue_read(struct rota_event_queue *queue, uint32_t number) {
  const struct rota_event_part *newer = rota__event_queue_newer_part(queue);
  if (rota__unlikely(newer != NULL) && number == newer->first)
    rota__event_queue_next_part(queue);
  const struct rota_event_part *part = atomic_load_explicit(&queue->reading, memory_order_relaxed);
  return &part->events[number & (part->capacity - 1)];
}

/* ---- without a writer ---- */

/* From now on, queues keep the events of so many nanoseconds, as far as memory allows. */
void rota__event_queue_keep(uint64_t wanted_ns);
uint64_t rota__event_queue_kept_ns(void); /* 0: none are kept */
/* A writer empties the queues, or no longer. */
void rota__event_queue_is_emptied(bool emptied);
/* The number of the oldest event that is still there, and of the one after the newest. */
void rota__event_queue_span(const struct rota_event_queue *queue, uint32_t *oldest, uint32_t *end);
/* A copy of an event; false: another one has taken its place meanwhile. */
bool rota__event_queue_peek(const struct rota_event_queue *queue, uint32_t number, struct rota_event *copy);

/* In the child of a fork: the other threads are gone. */
void rota__event_queue_forked(void);

/* In trace.c: wakes the writer. */
void rota__trace_wake(void);

#endif
