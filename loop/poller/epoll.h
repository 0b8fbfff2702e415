/* Readiness by epoll: the whole of the poller on epoll, and the part of the poller on io_uring that watches.
 *
 * epoll watches descriptors for both pollers, because it holds neither files nor bytes. The file of a watched
 * descriptor is closed when its process is killed, and bytes stay in the socket until a reader asks for them.
 *
 * A descriptor has two states: registered, or not. `watch` with events registers it. It stays registered until it is
 * forgotten, or until it fires and no watcher wants it: a change costs a system call. The events that it is registered
 * for are known to the kernel only. Invariant: registered_count is the number of registered descriptors.
 *
 * Descriptors are level-triggered. Edge triggering would save the kernel a check of each socket after it was read, but
 * it changes the order in which ready sockets are reported, which programs can see (test/uv/order/test_order_ready.c).
 */
#ifndef ROTA_POLLER_EPOLL_H
#define ROTA_POLLER_EPOLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loop/base/list.h"
#include "loop/os/linux/poll.h"
#include "loop/poller/poller.h"

enum { ROTA_EPOLL_EVENTS_MAX = 1024 };

struct rota_epoll_poller {
  struct rota_poller base;
  int fd;
  bool *registered; /* by descriptor */
  size_t capacity;
  size_t registered_count;
  int own_at;          /* where among the last events one of the poller's own was; -1: there was none */
  _Atomic bool shared; /* other code polls our epoll descriptor: events that no watcher wants must be consumed */
  struct epoll_event events[ROTA_EPOLL_EVENTS_MAX];
};

static inline struct rota_epoll_poller *rota__epoll_of(struct rota_poller *poller) {
  return rota__container_of(poller, struct rota_epoll_poller, base);
}

/* All other fields of a new poller are zero. */
int rota__epoll_init(struct rota_epoll_poller *self, const struct rota_poller_ops *ops);
void rota__epoll_release(struct rota_epoll_poller *self);
/* Adds a descriptor of the poller's own: it ends a wait when it is readable, and is never reported. */
int rota__epoll_add_own(struct rota_epoll_poller *self, int fd);

/* Operations of a poller; see poller.h. */
int rota__epoll_watch(struct rota_poller *poller, int fd, unsigned int events, uint32_t generation);
void rota__epoll_forget(struct rota_poller *poller, int fd);
int rota__epoll_wait(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max);
bool rota__epoll_is_idle(const struct rota_poller *poller);
int rota__epoll_fd(struct rota_poller *poller);

#endif
