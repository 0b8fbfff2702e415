/* The poller on io_uring, as its parts see it.
 *
 *   uring.c          the rings' life, and waiting
 *   uring_watch.c    readiness: poll requests
 *   uring_receive.c  bytes that the kernel has put into buffers of ours
 *   uring_listen.c   listeners, by way of an epoll descriptor
 *   uring_file.c     operations on files
 *
 * Two rings. The loop's ring serves descriptors; where the kernel can, only one thread may use it, and completions are
 * worked off when that thread asks for them. The files' ring is made when the first file operation comes; any thread
 * may use it, because a file operation, once begun, must be brought to its end even when the loop moves to another
 * thread. The loop's ring watches the files' ring. */
#ifndef ROTA_POLL_URING_H
#define ROTA_POLL_URING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loop/base/list.h"
#include "loop/os/ring.h"
#include "loop/poll/poller.h"

/* What a completion is of: the low bits of its user data. Pointers to operations have none of them set. */
enum { TAG_OP = 0, TAG_POLL = 1, TAG_RECEIVE = 2, TAG_IGNORED = 3, TAG_FILES = 4, TAG_LISTENERS = 5, TAG_MASK = 7 };

/* Where a request that delivers again and again stands. One that is being cancelled may still deliver. */
enum stage { STAGE_NONE, STAGE_UNDER_WAY, STAGE_CANCELLING };

/* Events in a byte, so that a table of tens of thousands of descriptors stays small. */
enum {
  WATCH_IN = 1,
  WATCH_OUT = 2,
  WATCH_PRI = 4,
  WATCH_RDHUP = 8,
  WATCH_EDGE = 16,
  WATCH_RECEIVE = 32,
};

/* What is known of a descriptor. All zero: nothing. */
struct watch {
  uint32_t generation;   /* the loop's mark */
  uint16_t sequence;     /* of this use of the number: completions of older ones are of no interest */
  int16_t end;           /* if `ended`: 0, the other side closed; else an error */
  uint16_t first_buffer; /* the chain of buffers that it holds: indices from 1; 0: none */
  uint16_t last_buffer;
  uint8_t wanted;
  uint8_t armed;     /* the events of the poll request under way; 0: none */
  uint8_t stage;     /* of the request that receives */
  bool stale : 1;    /* its requests are not what is wanted: it is in the list of such */
  bool unread : 1;   /* it holds what the loop has not taken: it is in the list of such */
  bool plain : 1;    /* receiving through the ring is of no use: poll instead */
  bool listened : 1; /* by the epoll descriptor */
  bool ended : 1;    /* receiving is over, with `end` */
  bool heard : 1;    /* there was something to receive, once */
};

/* A list of descriptors. Should it not find the memory to grow, the whole table is looked through instead. */
struct fd_list {
  int *fds;
  size_t count;
  size_t capacity;
  bool incomplete;
};

static inline bool rota__uring_list_empty(const struct fd_list *list) {
  return list->count == 0 && !list->incomplete;
}

struct buffers;

struct uring_poller {
  struct rota_poller base;
  struct rota_ring ring;
  struct rota_ring files;
  int owner;  /* the thread that may use the ring; 0: not decided */
  bool owned; /* by the thread that runs the loop now: nobody need ask until it stops running */
  bool single_issuer;
  bool files_watched;
  int listeners; /* an epoll descriptor; -1: none yet */
  int listener_count;
  int listener_last; /* the one that was added last */
  bool listeners_watched;
  bool listeners_ready;
  uint32_t files_under_way;
  uint64_t files_since_ns; /* when the first of those was asked for that are not handed over */
  int bell;                /* an event descriptor for those who poll the loop from outside; -1: nobody does */
  struct watch *watches;   /* by descriptor */
  size_t capacity;
  struct fd_list stale;
  struct fd_list unread;
  struct buffers *buffers; /* null: none yet, or not to be had */
  bool no_buffers;
};

static inline struct uring_poller *rota__uring_of(struct rota_poller *poller) {
  return rota__container_of(poller, struct uring_poller, base);
}

static inline uint64_t rota__uring_data(int fd, uint16_t sequence, unsigned int tag) {
  return (uint64_t)(uint32_t)fd << 32 | (uint64_t)sequence << 3 | tag;
}

void rota__uring_list_add(struct fd_list *list, int fd);

static inline void rota__uring_mark_stale(struct uring_poller *self, int fd) {
  if (self->watches[fd].stale)
    return;
  self->watches[fd].stale = true;
  rota__uring_list_add(&self->stale, fd);
}

static inline void rota__uring_mark_unread(struct uring_poller *self, int fd) {
  if (self->watches[fd].unread)
    return;
  self->watches[fd].unread = true;
  rota__uring_list_add(&self->unread, fd);
}

/* An entry of the loop's ring; makes room by handing over what is there. Null: not now. */
struct io_uring_sqe *rota__uring_next_sqe(struct uring_poller *self);
/* Before every use of the loop's ring: it belongs to this thread from now on. */
int rota__uring_own(struct uring_poller *self);

/* uring_watch.c */
int rota__uring_watch(struct rota_poller *poller, int fd, unsigned int events, uint32_t generation);
void rota__uring_forget(struct rota_poller *poller, int fd);
/* Brings all requests in line with what is wanted. */
void rota__uring_arm_stale(struct uring_poller *self);
/* Returns whether there is something to report. */
bool rota__uring_collect_poll(struct uring_poller *self, const struct io_uring_cqe *cqe, struct rota_ready *out);
/* Those who hold something that the loop wants. */
int rota__uring_report_unread(struct uring_poller *self, struct rota_ready *out, int out_max);

/* uring_receive.c */
bool rota__uring_can_receive(struct uring_poller *self);
void rota__uring_receive_begin(struct io_uring_sqe *sqe, int fd, struct watch *watch);
void rota__uring_collect_receive(struct uring_poller *self, const struct io_uring_cqe *cqe);
void rota__uring_receive_forget(struct uring_poller *self, struct watch *watch);
ssize_t rota__uring_receive(struct rota_poller *poller, int fd, void *to, size_t length);
void rota__uring_buffers_move(struct uring_poller *self); /* to a new ring */
void rota__uring_buffers_free(struct uring_poller *self);

/* uring_listen.c */
int rota__uring_listen(struct uring_poller *self, int fd, struct watch *watch, bool wanted);
void rota__uring_watch_listeners(struct uring_poller *self);
int rota__uring_collect_listeners(struct uring_poller *self, struct rota_ready *out, int out_max);

/* uring_file.c */
int rota__uring_submit(struct rota_poller *poller, struct rota_op *op, const struct rota_op_args *args);
int rota__uring_cancel(struct rota_poller *poller, struct rota_op *op);
int rota__uring_collect_files(struct uring_poller *self, struct rota_ready *out, int out_max);
bool rota__uring_files_ripe(const struct uring_poller *self);
void rota__uring_submit_files(struct uring_poller *self);
void rota__uring_watch_files(struct uring_poller *self);

#endif
