/* Watching a descriptor: the loop calls back while it is ready.
 *
 * Invariant: the loop's table has a watcher at its descriptor exactly while it asks for events; `registered` is what
 * the poller knows; a watcher whose `events` differ is in the list of changes, which the poller gets before the next
 * wait. Events are those of poll(2): POLLIN, POLLOUT, POLLPRI, ROTA_WATCH_PEER_SHUT. POLLERR and POLLHUP are always
 * reported. */
#ifndef ROTA_LOOP_WATCHER_H
#define ROTA_LOOP_WATCHER_H

#include <poll.h>
#include <stdbool.h>

#include "loop/poller/poller.h"
#include "uv.h"

typedef void (*rota_watcher_cb)(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events);

void rota__watcher_init(struct rota_watcher *watcher, rota_watcher_cb cb, int fd);
/* Adds events. UV_ENOMEM when the table cannot grow, UV_EEXIST when another watcher has the descriptor: then nothing
 * has changed. */
int rota__watcher_start(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events);
/* Takes events away. */
void rota__watcher_stop(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events);
/* Takes all events away, and makes the poller forget the descriptor. Must be called before fd is closed. */
void rota__watcher_close(uv_loop_t *loop, struct rota_watcher *watcher);
/* The loop has a new poller, which knows nothing: it gets all watchers before the next wait. */
void rota__watchers_register_again(uv_loop_t *loop);
/* Its callback runs, with POLLOUT, in the next pending phase. */
void rota__watcher_feed(uv_loop_t *loop, struct rota_watcher *watcher);

static inline bool rota__watcher_wants(const struct rota_watcher *watcher, unsigned int events) {
  return (watcher->events & events) != 0;
}

/* Whether a handle of this loop has this descriptor. */
bool rota__fd_is_watched(const uv_loop_t *loop, int fd);

/* 0 if the system can poll this descriptor, else UV_EPERM (a regular file) or another error. */
int rota__fd_can_be_watched(uv_loop_t *loop, int fd);

#endif
