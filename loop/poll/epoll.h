/* Readiness by epoll: the whole of the poller on epoll, and the part of the poller on io_uring that watches.
 *
 * epoll watches descriptors for both pollers, because it holds nothing: not the file of a descriptor, which is closed
 * for good when its process is killed, and no bytes, which stay in the socket until their reader asks for them.
 *
 * The states of a descriptor:
 *
 *   state     registered       what it means
 *   UNKNOWN   no               nobody wants it, or it was never seen
 *   LEVEL     for its level    the kernel looks at it in every wait, and reports it while it is ready
 *   EDGE      for its edges    its reader has read everything, or nothing has come yet: the kernel need not look
 *   OWED      for its edges    an edge was reported, and the reader has not said that nothing is left
 *   DOUBTFUL  for its edges    as OWED, but more than bytes have come (an end, an error, urgent data)
 *
 *   from      to        when
 *   any       LEVEL     watch; EDGE instead, if the reader tells (ROTA_POLL_TELLS) and only bytes are waited for
 *   EDGE      OWED      wait reports bytes; DOUBTFUL, if it reports something else
 *   OWED      EDGE      emptied: the reader says that nothing is left; or else the next wait registers it once more,
 *                       whereupon the kernel looks at its level
 *   DOUBTFUL  LEVEL     the next wait registers it so: a short read proves nothing where an end is behind the bytes
 *   any       UNKNOWN   forget, and watch without events
 *
 * Thus a reader that says nothing sees levels, and one that does saves the kernel a look at each of its sockets.
 * Invariant: a descriptor that is OWED or DOUBTFUL is among the events of the last wait, and nowhere else.
 *
 * A descriptor that nobody wants any more stays registered until it fires, or is closed: to change it takes a call. */
#ifndef ROTA_POLL_EPOLL_H
#define ROTA_POLL_EPOLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loop/base/list.h"
#include "loop/os/epoll.h"
#include "loop/poll/poller.h"

enum { ROTA_EPOLL_EVENTS_MAX = 1024 };

enum epoll_state { EPOLL_UNKNOWN, EPOLL_LEVEL, EPOLL_EDGE, EPOLL_OWED, EPOLL_DOUBTFUL };

struct epoll_poller {
  struct rota_poller base;
  int fd;
  uint8_t *states; /* by descriptor: enum epoll_state */
  size_t capacity;
  size_t registered_count;
  _Atomic bool shared; /* somebody polls our descriptor, and wants events that we have no use for to be taken */
  int batch;           /* how many of the events are of the last wait; 0: nobody is owed anything */
  struct epoll_event events[ROTA_EPOLL_EVENTS_MAX];
};

static inline struct epoll_poller *rota__epoll_of(struct rota_poller *poller) {
  return rota__container_of(poller, struct epoll_poller, base);
}

/* The rest of a new poller is zero. */
int rota__epoll_init(struct epoll_poller *self, const struct rota_poller_ops *ops);
void rota__epoll_release(struct epoll_poller *self);
/* Ends a wait when fd is readable, and is never reported: a poller's own descriptor. */
int rota__epoll_add_own(struct epoll_poller *self, int fd);

/* Operations of a poller; see poller.h. */
int rota__epoll_watch(struct rota_poller *poller, int fd, unsigned int events, uint32_t generation);
void rota__epoll_emptied(struct rota_poller *poller, int fd);
void rota__epoll_forget(struct rota_poller *poller, int fd);
int rota__epoll_wait(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max);
void rota__epoll_flush(struct rota_poller *poller);
bool rota__epoll_quiet(const struct rota_poller *poller);
int rota__epoll_fd(struct rota_poller *poller);

#endif
