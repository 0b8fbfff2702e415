/* UDP handles: a socket, made when it is first needed.
 *
 * Invariant: watcher.fd is the socket or -1; the handle is active while it receives or has something to send. */
#include "loop/net/udp.h"

#include <string.h>

#include "loop/base/check.h"
#include "loop/core/internal.h"
#include "loop/os/file.h"
#include "loop/os/socket.h"

static void udp_ready(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events) {
  uv_udp_t *handle = rota__container_of(watcher, uv_udp_t, watcher);
  (void)loop;
  if (events & (POLLIN | POLLERR | POLLHUP))
    rota__udp_recv_ready(handle, (events & POLLERR) != 0);
  if ((events & (POLLOUT | POLLERR | POLLHUP)) && !rota__handle_is_closing((uv_handle_t *)handle))
    rota__udp_send_ready(handle);
}

static void close_handle(uv_handle_t *base) {
  uv_udp_t *handle = (uv_udp_t *)base;
  uv_udp_recv_stop(handle);
  rota__watcher_close(handle->loop, &handle->watcher);
  rota__handle_stop(base);
  if (handle->watcher.fd >= 0) {
    rota__os_socket_close(handle->watcher.fd);
    handle->watcher.fd = -1;
  }
  rota__handle_closed(base);
}

static void finish(uv_handle_t *handle) {
  rota__udp_send_cancel((uv_udp_t *)handle, UV_ECANCELED);
}

static int handle_fd(const uv_handle_t *handle) {
  return ((const uv_udp_t *)handle)->watcher.fd;
}

static const struct rota_handle_class udp_class = {
    .type = UV_UDP,
    .close = close_handle,
    .finish = finish,
    .fd = handle_fd,
};

static int open_socket(uv_udp_t *handle, int family) {
  int fd = rota__os_socket(family, SOCK_DGRAM, 0);
  if (fd < 0)
    return fd;
  handle->watcher.fd = fd;
  if (family == AF_INET6)
    handle->flags |= ROTA_STREAM_IPV6;
  return 0;
}

int uv_udp_init(uv_loop_t *loop, uv_udp_t *handle) {
  return uv_udp_init_ex(loop, handle, AF_UNSPEC);
}

int uv_udp_init_ex(uv_loop_t *loop, uv_udp_t *handle, unsigned int flags) {
  int family = (int)(flags & 0xFF);
  flags &= ~0xFFu;
  if (family != AF_INET && family != AF_INET6 && family != AF_UNSPEC)
    return UV_EINVAL;
  if (flags & ~(unsigned int)UV_UDP_RECVMMSG)
    return UV_EINVAL;
  rota__handle_init(loop, (uv_handle_t *)handle, &udp_class);
  rota__watcher_init(&handle->watcher, udp_ready, -1);
  handle->alloc_cb = NULL;
  handle->recv_cb = NULL;
  handle->send_queue_size = 0;
  handle->send_queue_count = 0;
  rota__list_init(&handle->send_queue);
  rota__list_init(&handle->send_completed_queue);
  if (flags & UV_UDP_RECVMMSG)
    handle->flags |= ROTA_UDP_RECVMMSG;
  if (family != AF_UNSPEC) {
    int err = open_socket(handle, family);
    if (err < 0) {
      rota__list_remove(&handle->handle_queue);
      return err;
    }
  }
  return 0;
}

static int set_reuse(int fd, unsigned int flags) {
  int err = 0;
  if (flags & UV_UDP_REUSEADDR)
    err = rota__os_set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1);
  if (err == 0 && (flags & UV_UDP_REUSEPORT))
    err = rota__os_set_option(fd, SOL_SOCKET, SO_REUSEPORT, 1);
  return err;
}

int uv_udp_open(uv_udp_t *handle, uv_os_sock_t sock) {
  return uv_udp_open_ex(handle, sock, UV_UDP_REUSEADDR);
}

int uv_udp_open_ex(uv_udp_t *handle, uv_os_sock_t sock, unsigned int flags) {
  struct sockaddr_storage peer;
  socklen_t length = sizeof(peer);
  int type = SOCK_DGRAM;
  int err;
  if (flags & ~(unsigned int)(UV_UDP_REUSEADDR | UV_UDP_REUSEPORT))
    return UV_EINVAL;
  if (handle->watcher.fd >= 0)
    return UV_EBUSY;
  if ((int)sock < 0)
    return UV_EBADF;
  if (rota__fd_is_watched(handle->loop, (int)sock))
    return UV_EEXIST;
  err = rota__os_set_nonblocking((int)sock, true);
  if (err == 0)
    err = set_reuse((int)sock, flags);
  if (err < 0)
    return err;
  handle->watcher.fd = (int)sock;
  if (rota__os_get_option((int)sock, SOL_SOCKET, SO_TYPE, &type) == 0 && type == SOCK_STREAM)
    handle->flags |= ROTA_UDP_STREAM;
  if (rota__os_socket_family((int)sock) == AF_INET6)
    handle->flags |= ROTA_STREAM_IPV6;
  if (rota__os_getpeername((int)sock, (struct sockaddr *)&peer, &length) == 0)
    handle->flags |= ROTA_UDP_CONNECTED;
  return 0;
}

int uv_udp_bind(uv_udp_t *handle, const struct sockaddr *addr, unsigned int flags) {
  socklen_t length = rota__os_address_length(addr);
  int err = 0;
  if (length == 0 || rota__handle_is_closing((uv_handle_t *)handle))
    return UV_EINVAL;
  if (flags & ~(unsigned int)(UV_UDP_IPV6ONLY | UV_UDP_REUSEADDR | UV_UDP_REUSEPORT | UV_UDP_LINUX_RECVERR))
    return UV_EINVAL;
  if ((flags & UV_UDP_IPV6ONLY) && addr->sa_family != AF_INET6)
    return UV_EINVAL;
  if (handle->watcher.fd < 0)
    err = open_socket(handle, addr->sa_family);
  if (err == 0 && (flags & UV_UDP_LINUX_RECVERR))
    err = rota__os_ask_for_errors(handle->watcher.fd, addr->sa_family);
  if (err == 0)
    err = set_reuse(handle->watcher.fd, flags);
  if (err == 0 && (flags & UV_UDP_IPV6ONLY))
    err = rota__os_set_option(handle->watcher.fd, IPPROTO_IPV6, IPV6_V6ONLY, 1);
  if (err == 0)
    err = rota__os_bind(handle->watcher.fd, addr, length);
  if (err < 0)
    return err == UV_EAFNOSUPPORT ? UV_EINVAL : err; /* an address of another family than the socket's */
  if (addr->sa_family == AF_INET6)
    handle->flags |= ROTA_STREAM_IPV6;
  handle->flags |= ROTA_STREAM_BOUND;
  return 0;
}

int rota__udp_bind_any(uv_udp_t *handle, int family, unsigned int flags) {
  union {
    struct sockaddr base;
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
  } any;
  if (handle->watcher.fd >= 0)
    return 0;
  memset(&any, 0, sizeof(any));
  any.base.sa_family = (sa_family_t)family;
  if (family != AF_INET && family != AF_INET6)
    return UV_EINVAL;
  return uv_udp_bind(handle, &any.base, flags);
}

int uv_udp_connect(uv_udp_t *handle, const struct sockaddr *addr) {
  bool connected = handle->flags & ROTA_UDP_CONNECTED;
  socklen_t length;
  int err;
  if (addr == NULL) {
    if (!connected)
      return UV_ENOTCONN;
    err = rota__os_disconnect(handle->watcher.fd);
    if (err == 0)
      handle->flags &= ~(unsigned int)ROTA_UDP_CONNECTED;
    return err;
  }
  length = rota__os_address_length(addr);
  if (length == 0)
    return UV_EINVAL;
  if (connected)
    return UV_EISCONN;
  err = rota__udp_bind_any(handle, addr->sa_family, 0);
  if (err == 0)
    err = rota__os_connect(handle->watcher.fd, addr, length);
  if (err < 0)
    return err;
  handle->flags |= ROTA_UDP_CONNECTED;
  return 0;
}

int uv_udp_getpeername(const uv_udp_t *handle, struct sockaddr *name, int *namelen) {
  socklen_t length = (socklen_t)*namelen;
  int err = rota__os_getpeername(handle->watcher.fd, name, &length);
  if (err == 0)
    *namelen = (int)length;
  return err;
}

int uv_udp_getsockname(const uv_udp_t *handle, struct sockaddr *name, int *namelen) {
  socklen_t length = (socklen_t)*namelen;
  int err = rota__os_getsockname(handle->watcher.fd, name, &length);
  if (err == 0)
    *namelen = (int)length;
  return err;
}
