/* The poller on io_uring: epoll watches descriptors, a ring carries out operations on files.
 *
 *   uring.c           the poller
 *   uring_file.c      the ring, and what goes through it
 *   uring_overdue.c   the thread that begins operations for a loop whose callback takes long
 *
 * Descriptors are not watched through the ring, though it can do so. A request of the ring holds the file of its
 * descriptor open, also for some milliseconds after its process was killed: the peer of a connection, or the parent of
 * a child process, would see the end of the stream after the exit of the process. And a request that receives takes
 * bytes before a reader asks for them: the next owner of the descriptor does not get them.
 *
 * The ring is made at the first operation. A failure of the ring (no memory, no descriptors, a policy that forbids a
 * call, a closed descriptor) costs time and never changes a result: operations that it does not take are reported with
 * UV_ENOSYS, and the caller uses the thread pool. */
#ifndef ROTA_POLLER_URING_H
#define ROTA_POLLER_URING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loop/os/linux/poll.h"
#include "loop/poller/epoll.h"

/* User data of an entry whose completion is ignored. Other entries have the address of their operation. */
enum { ROTA_URING_NO_OP = 0 };

/* Whether the ring takes operations. */
enum rota_uring_files {
  ROTA_URING_FILES_NONE, /* there is no ring, or it could not be made: the next `rest` operations do not try */
  ROTA_URING_FILES_OPEN,
  ROTA_URING_FILES_REFUSED, /* the kernel did not take the queue: the next collect hands its entries back, and the state
                               is OPEN again */
  ROTA_URING_FILES_BROKEN,  /* like REFUSED, but for ever: only operations that the kernel has are waited for */
};

struct rota_uring_poller {
  struct rota_epoll_poller epoll; /* contains the poller's base */
  struct rota_ring files;
  enum rota_uring_files state;
  unsigned int rest;
  _Atomic bool running;     /* in uv_run: operations are handed to the kernel in the next wait */
  uint32_t files_under_way; /* submitted and not reported yet */
  _Atomic bool
      handed_over_late; /* of those that the kernel got since the last wait, a thread would have done the first */
  _Atomic uint64_t files_since_ns; /* when the oldest operation was submitted that the kernel does not have yet */
  struct rota_link overseen;
  unsigned int overseen_since;
  int finished_before; /* how many were done when the kernel was entered before the wait */
};

enum { ROTA_URING_NOT_ENTERED = -1 }; /* finished_before: since the last wait */

static inline struct rota_uring_poller *rota__uring_of(struct rota_poller *poller) {
  return rota__container_of(poller, struct rota_uring_poller, epoll.base);
}

int rota__uring_submit(struct rota_poller *poller, struct rota_op *op, const struct rota_op_args *args);
int rota__uring_cancel(struct rota_poller *poller, struct rota_op *op);
int rota__uring_collect_files(struct rota_uring_poller *self, struct rota_ready *out, int out_max);
/* Whether collect would find something. */
bool rota__uring_files_done(const struct rota_uring_poller *self);
/* Whether a thread would have done some of them. */
bool rota__uring_files_late(const struct rota_uring_poller *self);
void rota__uring_submit_files(struct rota_uring_poller *self);

/* The ring was made, or will be closed. */
void rota__uring_oversee(struct rota_uring_poller *self);
void rota__uring_oversee_no_more(struct rota_uring_poller *self);
/* An operation was published. False: there is no thread that would begin it. */
bool rota__uring_is_overseen(const struct rota_uring_poller *self);
/* Between these two, the thread does not enter a ring. */
void rota__uring_overdue_lock(void);
void rota__uring_overdue_unlock(void);

#endif
