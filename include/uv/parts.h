/* The private parts of the public structures that all systems share: uv/unix.h and uv/win.h include this, and add what
 * differs. They define, before that, ROTA_WATCHER_RESERVED and ROTA_LOOP_UNUSED, which fill the bytes that libuv has
 * there. */
#ifndef UV_PARTS_H
#define UV_PARTS_H

#include <stddef.h>
#include <stdint.h>

struct uv_loop_s;
struct uv_handle_s;
struct uv_req_s;
struct rota_handle_class;
struct rota_child;
struct uv_stream_s;
struct uv_timer_s;
struct uv_connect_s;
struct uv_shutdown_s;

/* Where pointers have 32 bits, libuv's structures leave half of the room or less: some of what is ours is narrower
 * then. 64-bit numbers are aligned as pointers are in structures that have none of libuv's. */
#if UINTPTR_MAX > UINT32_MAX
typedef uint64_t rota_word64;
typedef uint64_t rota_stamp;     /* nanoseconds */
typedef uint64_t rota_place;     /* in an order */
typedef uint32_t rota_parameter; /* of keep-alive */
typedef int rota_mark;           /* of an async handle */
#define ROTA_HANDLE_ORIGIN uint32_t origin;
#define ROTA_REQ_RESERVED uint64_t unused;
#else
typedef uint64_t rota_word64 __attribute__((aligned(4)));
typedef uint32_t rota_stamp; /* 1024 nanoseconds, without the upper bits */
typedef uint32_t rota_place;
typedef uint16_t rota_parameter;
typedef uint16_t rota_mark;
#define ROTA_HANDLE_ORIGIN /* it is in next_closing, until the handle is closed */
#define ROTA_REQ_RESERVED
#endif

/* A member of a circular, doubly linked list. */
struct rota_link {
  struct rota_link *next;
  struct rota_link *prev;
};

/* A descriptor that the loop watches for its owner. Events are those of poll(2). */
struct rota_watcher {
  void (*cb)(struct uv_loop_s *loop, struct rota_watcher *watcher, unsigned int events);
  struct rota_link pending; /* linked while a callback is due in the pending phase */
  struct rota_link changed; /* linked while `registered` differs from `events` */
  uint16_t events;          /* that its owner asks for */
  uint16_t registered;      /* that the poller knows */
  uint32_t generation;
  int fd; /* where libuv has it: some programs look */
  ROTA_WATCHER_RESERVED
};

/* A job for the thread pool. */
struct rota_work {
  void (*run)(struct rota_work *work);              /* on a thread of the pool */
  void (*done)(struct rota_work *work, int status); /* on the loop's thread */
  struct uv_req_s *req;                             /* what it is part of; never null */
  struct rota_link link;
};

/* A datagram that is not sent yet, or whose callback is due. Its size is in struct rota_req, by.bytes. */
struct rota_queued {
  struct rota_link link;
  struct rota_datagram *datagram; /* its address and buffers, if it has to wait; else null */
  ssize_t status;
};

struct rota_datagram {
  struct sockaddr_storage address; /* AF_UNSPEC: none */
  unsigned int nbufs;
  struct uv_buf_t *bufs;
};

/* An operation that the poller carries out by itself. */
struct rota_op {
  void (*done)(struct rota_op *op, int32_t result, uint32_t flags);
  struct rota_op *next; /* while it waits for the pending phase */
};

/* What every request carries. It fills the bytes that libuv reserves. */
struct rota_req {
  struct uv_loop_s *loop;
  union {
    struct rota_op op;    /* the poller carries it out */
    rota_word64 sequence; /* the pool does: its order of arrival */
    rota_word64 bytes;    /* a write or a datagram: how many it has; when it is over, how many of them were written */
  } by;
  rota_stamp queued; /* when the pool got it, and later when it was done; 0 unless somebody measures */
  uint32_t cause;    /* the number of the callback that made the request; 0 unless somebody traces */
  uint16_t kind;     /* enum rota_work_kind */
  int16_t state;     /* only the pool's; changed under its lock */
  ROTA_REQ_RESERVED
};

/* What every handle carries besides its public fields. It fills the bytes that libuv reserves. */
struct rota_handle {
  const struct rota_handle_class *kind;
  union {
    rota_parameter parameters[4]; /* TCP: the times of keep-alive, kept until there is a socket */
    struct rota_link order;       /* async: among the loop's async handles */
  } own;
  ROTA_HANDLE_ORIGIN  /* where it was made, if somebody wants to know; else 0 */
      uint32_t cause; /* the number of the callback that started it; 0 unless somebody traces */
};

struct rota_timer {
  void (*cb)(struct uv_timer_s *handle);
  struct rota_link link;
  struct rota_timer *further; /* a hint: some steps further in its slot, when that one was added; perhaps gone by now */
  uint64_t due_ms;
  uint64_t repeat_ms;
  uint64_t unused;
};

/* What every callback and every start of a handle reads. The loop's other state hangs off internal_fields. */
struct rota_loop_core {
  void *observers;    /* null unless something observes the callbacks: ticks, trace, watchdog */
  uint64_t now_ms;    /* on Windows it is where libuv has it: Node for Windows reads it there (inject/windows/plan.h) */
  unsigned int phase; /* enum rota_phase */
  unsigned int call;  /* the number of the callback that runs; 0 unless traced */
  unsigned int unused_words[2];
  void *unused_pointers[14];
  unsigned char unused[ROTA_LOOP_UNUSED];
};

#define UV_HANDLE_PRIVATE_FIELDS                                                                                       \
  struct uv_handle_s *next_closing;                                                                                    \
  unsigned int flags;

#define UV_LOOP_PRIVATE_FIELDS struct rota_loop_core core;

#define UV_PREPARE_PRIVATE_FIELDS                                                                                      \
  uv_prepare_cb prepare_cb;                                                                                            \
  struct rota_link link;

#define UV_CHECK_PRIVATE_FIELDS                                                                                        \
  uv_check_cb check_cb;                                                                                                \
  struct rota_link link;

#define UV_IDLE_PRIVATE_FIELDS                                                                                         \
  uv_idle_cb idle_cb;                                                                                                  \
  struct rota_link link;

#define UV_WORK_PRIVATE_FIELDS struct rota_work work;

#define UV_GETNAMEINFO_PRIVATE_FIELDS                                                                                  \
  struct rota_work work;                                                                                               \
  uv_getnameinfo_cb getnameinfo_cb;                                                                                    \
  struct sockaddr_storage storage;                                                                                     \
  int flags;                                                                                                           \
  char host[NI_MAXHOST];                                                                                               \
  char service[NI_MAXSERV];                                                                                            \
  int status;

#endif
