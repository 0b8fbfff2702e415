/* UDP from the inside.
 *
 *   udp.c          life: init, open, bind, connect, the watcher's callback, close
 *   udp_send.c     datagrams out, and the queue of sends
 *   udp_recv.c     datagrams in, and the errors that come back for those that went out
 *   udp_option.c   what can be asked of the socket */
#ifndef ROTA_NET_UDP_H
#define ROTA_NET_UDP_H

#include <sys/un.h>

#include "loop/core/handle.h"
#include "loop/core/watcher.h"
#include "uv.h"

/* How many datagrams go through one system call at most. */
#define ROTA_UDP_BATCH 20

/* Gives the handle a socket of this family, bound to any address, unless it has a socket. */
int rota__udp_bind_any(uv_udp_t *handle, int family, unsigned int flags);

/* Makes the handle inactive if nothing is queued and nothing is received. */
static inline void rota__udp_rest(uv_udp_t *handle) {
  if (!rota__watcher_wants(&handle->watcher, POLLIN | POLLOUT) && handle->send_queue_count == 0)
    rota__handle_stop((uv_handle_t *)handle);
}

/* There may be something to receive; has_errors: also in the queue of errors. */
void rota__udp_recv_ready(uv_udp_t *handle, bool has_errors);
void rota__udp_send_ready(uv_udp_t *handle);
/* Ends all queued sends with this error, and reports them. */
void rota__udp_send_cancel(uv_udp_t *handle, int err);

/* The system's half: posix/socket.c, windows/socket.c. Room for a datagram that has to wait, with as many buffers;
 * null: no memory. A request of POSIX has room for a few itself. */
struct rota_datagram *rota__udp_room(uv_udp_send_t *req, unsigned int nbufs);
void rota__udp_forget(uv_udp_send_t *req);

#endif
