/* The poller on io_uring: epoll watches descriptors, a ring carries out operations on files.
 *
 *   uring.c        the poller
 *   uring_file.c   the ring, and what goes through it
 *
 * Descriptors are not watched through the ring, though it can do so. A request of the ring holds the file of its
 * descriptor open, for some milliseconds more when the process is killed: the other side of a connection, or the
 * parent at the other end of a channel, would hear of the end after it heard of the death. And a request that receives
 * takes bytes before their reader asks for them: they are lost on the next owner of the descriptor.
 *
 * The ring is made when the first operation comes. Whatever is wrong with it (no memory, no descriptors, a policy that
 * forbids a call, somebody who closed its descriptor) costs time, never a result: operations that it does not take are
 * reported with UV_ENOSYS, and their owner takes them to the thread pool. */
#ifndef ROTA_POLLER_URING_H
#define ROTA_POLLER_URING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loop/os/ring.h"
#include "loop/poller/epoll.h"

/* User data of an entry that nobody waits for. Others have the address of their operation. */
enum { ROTA_URING_NO_OP = 0 };

/* Whether the ring takes operations. */
enum rota_uring_files {
  ROTA_URING_FILES_NONE, /* there is no ring yet, or none to be had: `rest` tells for how many operations nobody tries
                          */
  ROTA_URING_FILES_OPEN,
  ROTA_URING_FILES_REFUSED, /* the kernel did not take what is in the queue: it is handed back by the next collect; then
                               OPEN */
  ROTA_URING_FILES_BROKEN,  /* as REFUSED, and for ever: only what the kernel has is waited for */
};

struct rota_uring_poller {
  struct rota_epoll_poller epoll; /* the poller's base is in there */
  struct rota_ring files;
  enum rota_uring_files state;
  unsigned int rest;
  _Atomic bool running;     /* in uv_run: what is asked for now is handed over in the next wait */
  uint32_t files_under_way; /* asked for and not reported yet */
  uint64_t files_since_ns;  /* when the first of those was asked for that are not handed over */
};

static inline struct rota_uring_poller *rota__uring_of(struct rota_poller *poller) {
  return rota__container_of(poller, struct rota_uring_poller, epoll.base);
}

int rota__uring_submit(struct rota_poller *poller, struct rota_op *op, const struct rota_op_args *args);
int rota__uring_cancel(struct rota_poller *poller, struct rota_op *op);
int rota__uring_collect_files(struct rota_uring_poller *self, struct rota_ready *out, int out_max);
/* Whether collect would find something. */
bool rota__uring_files_done(const struct rota_uring_poller *self);
bool rota__uring_files_ripe(const struct rota_uring_poller *self);
void rota__uring_submit_files(struct rota_uring_poller *self);

#endif
