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

/* A member of a circular, doubly linked list. */
struct rota_link {
  struct rota_link *next;
  struct rota_link *prev;
};

/* A descriptor that the loop watches for its owner. Events are those of poll(2). */
struct rota_watcher {
  void (*cb)(struct uv_loop_s *loop, struct rota_watcher *watcher, unsigned int events);
  struct rota_link pending; /* linked while a callback is due in the pending phase */
  struct rota_link changed; /* linked while the poller has not been told of `wanted` */
  unsigned int wanted;
  unsigned int told;
  int fd; /* where libuv has it: some programs look */
  uint32_t generation;
  ROTA_WATCHER_RESERVED
};

/* A job for the thread pool. */
struct rota_work {
  void (*run)(struct rota_work *work);              /* on a thread of the pool */
  void (*done)(struct rota_work *work, int status); /* on the loop's thread */
  struct uv_req_s *req;                             /* what it is part of; never null */
  struct rota_link link;
};

/* An operation that the poller carries out by itself. */
struct rota_op {
  void (*done)(struct rota_op *op, int32_t result, uint32_t flags);
  struct rota_op *next; /* while it waits to be called back as cancelled */
};

/* What every request carries. It fills the bytes that libuv reserves. */
struct rota_req {
  struct uv_loop_s *loop;
  struct rota_op op;
  uint64_t queued_ns; /* when the pool got it, and later when it was done; 0 unless somebody measures */
  uint32_t cause;     /* the number of the callback that made the request; 0 unless somebody traces */
  uint16_t kind;      /* enum rota_work_kind */
  int16_t state;      /* only the pool's; changed under its lock */
  uint64_t sequence;  /* the pool's order of arrival */
};

/* What every handle carries besides its public fields. It fills the bytes that libuv reserves. */
struct rota_handle {
  const struct rota_handle_class *kind;
  union {
    uint32_t parameters[4]; /* TCP: the times of keep-alive, kept until there is a socket */
    struct rota_link order; /* async: among the loop's async handles */
  } own;
  uint32_t origin; /* where it was made, if somebody wants to know; else 0 */
  uint32_t cause;  /* the number of the callback that started it; 0 unless somebody traces */
};

struct rota_timer {
  void (*cb)(struct uv_timer_s *handle);
  struct rota_link link;
  uint64_t due_ms;
  uint64_t repeat_ms;
  struct rota_timer *further; /* a hint: some steps further in its slot, when that one was added; perhaps gone by now */
  uint64_t unused;
};

/* What the loop keeps at hand. The rest hangs off internal_fields. */
struct rota_loop_core {
  struct rota_link pending;
  struct rota_link changed;
  struct rota_watcher **watchers; /* by descriptor */
  size_t watchers_capacity;
  struct uv_handle_s *closing; /* last in, first out */
  struct rota_link idle;
  struct rota_link prepare;
  struct rota_link check;
  uint64_t now_ms;
  void *observers; /* null unless somebody looks at the callbacks: ticks, trace, watchdog */
  void *poller;
  unsigned int phase;      /* enum rota_phase */
  unsigned int generation; /* of the last watcher that entered the table */
  unsigned int call;       /* the number of the callback that runs; 0 unless traced */
  unsigned int unused_word;
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
