/* Readiness by epoll: the whole of the poller on epoll, and the part of the poller on io_uring that watches.
 *
 * epoll watches descriptors for both pollers, because it holds nothing: not the file of a descriptor, which is closed
 * for good when its process is killed, and no bytes, which stay in the socket until their reader asks for them.
 *
 * A descriptor has two states: registered, or not. It becomes registered by watch with events, and stays so until it is
 * forgotten, or until it fires and nobody wants it: to change it takes a call. What it is registered for is the
 * kernel's to know. Invariant: registered_count is the number of registered descriptors.
 *
 * Descriptors are registered for their levels. Edges would save the kernel a look at each socket after it was read, but
 * change the order in which sockets are told of, which programs see (test/uv/test_order_ready.c). */
#ifndef ROTA_POLLER_EPOLL_H
#define ROTA_POLLER_EPOLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loop/base/list.h"
#include "loop/os/epoll.h"
#include "loop/poller/poller.h"

enum { ROTA_EPOLL_EVENTS_MAX = 1024 };

struct rota_epoll_poller {
  struct rota_poller base;
  int fd;
  bool *registered; /* by descriptor */
  size_t capacity;
  size_t registered_count;
  _Atomic bool shared; /* somebody polls our descriptor, and wants events that we have no use for to be taken */
  struct epoll_event events[ROTA_EPOLL_EVENTS_MAX];
};

static inline struct rota_epoll_poller *rota__epoll_of(struct rota_poller *poller) {
  return rota__container_of(poller, struct rota_epoll_poller, base);
}

/* The rest of a new poller is zero. */
int rota__epoll_init(struct rota_epoll_poller *self, const struct rota_poller_ops *ops);
void rota__epoll_release(struct rota_epoll_poller *self);
/* Ends a wait when fd is readable, and is never reported: a poller's own descriptor. */
int rota__epoll_add_own(struct rota_epoll_poller *self, int fd);

/* Operations of a poller; see poller.h. */
int rota__epoll_watch(struct rota_poller *poller, int fd, unsigned int events, uint32_t generation);
void rota__epoll_forget(struct rota_poller *poller, int fd);
int rota__epoll_wait(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max);
bool rota__epoll_quiet(const struct rota_poller *poller);
int rota__epoll_fd(struct rota_poller *poller);

#endif
