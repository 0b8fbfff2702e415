/* TCP.
 *
 * The socket is made when it is needed: only then is it known whether it is IPv4 or IPv6. Options that are set before
 * (nodelay, keep-alive) are kept in the handle and applied when the socket is made. An address in use is not an error
 * of uv_tcp_bind but of the call that follows (listen, connect): libuv does so on every system, and programs rely on
 * it. */
#include "loop/core/io_hook.h"
#include "loop/net/posix/stream.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>

#include "loop/os/file.h"
#include "loop/os/socket.h"

/* uv_tcp_keepalive promises ten probes, a second apart. */
enum {
  KEEPALIVE_INTERVAL_S = 1,
  KEEPALIVE_COUNT = 10,
};

/* Where the handle keeps its keep-alive setting. */
enum keepalive_parameter { KEEPALIVE_IDLE, KEEPALIVE_INTERVAL, KEEPALIVE_PROBES };

static const struct rota_handle_class tcp_class = {
    .type = UV_TCP,
    .close = rota__stream_class_close,
    .finish = rota__stream_class_finish,
    .fd = rota__stream_class_fd,
    .cancel_write = rota__stream_cancel_write,
};

int uv_tcp_init_ex(uv_loop_t *loop, uv_tcp_t *tcp, unsigned int flags) {
  int domain = flags & 0xFF;
  if (domain != AF_INET && domain != AF_INET6 && domain != AF_UNSPEC)
    return UV_EINVAL;
  if (flags & ~0xFFu)
    return UV_EINVAL;
  int fd = -1;
  if (domain != AF_UNSPEC) {
    fd = rota__os_socket(domain, SOCK_STREAM, 0);
    if (fd < 0)
      return fd;
  }
  rota__stream_init(loop, (uv_stream_t *)tcp, &tcp_class);
  tcp->io.watcher.fd = fd;
  if (rota__unlikely(rota__io_hook(loop) != NULL))
    tcp->flags |= ROTA_STREAM_STEERED;
  return 0;
}

int uv_tcp_init(uv_loop_t *loop, uv_tcp_t *tcp) {
  return uv_tcp_init_ex(loop, tcp, AF_UNSPEC);
}

int uv_tcp_open(uv_tcp_t *tcp, uv_os_sock_t sock) {
  if (rota__fd_is_watched(tcp->loop, sock))
    return UV_EEXIST;
  int err = rota__os_set_nonblocking(sock, true);
  if (err < 0)
    return err;
  return rota__stream_open((uv_stream_t *)tcp, sock, ROTA_STREAM_READABLE | ROTA_STREAM_WRITABLE);
}

/* ---- options ---- */

static int set_keepalive(const uv_tcp_t *tcp, int fd, bool on) {
  const rota_parameter *parameters = tcp->u.rota.own.parameters;
  int err = rota__os_set_option(fd, SOL_SOCKET, SO_KEEPALIVE, on);
  if (err < 0 || !on)
    return err;
  return rota__os_set_keepalive(fd, (int)parameters[KEEPALIVE_IDLE], (int)parameters[KEEPALIVE_INTERVAL],
                                (int)parameters[KEEPALIVE_PROBES]);
}

int rota__tcp_apply_options(uv_tcp_t *tcp, int fd) {
  int err = 0;
  if (tcp->flags & ROTA_TCP_NODELAY)
    err = rota__os_set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  if (err == 0 && (tcp->flags & ROTA_TCP_KEEPALIVE))
    err = set_keepalive(tcp, fd, true);
  return err;
}

static void remember_flag(uv_tcp_t *tcp, unsigned int flag, bool on) {
  if (on)
    tcp->flags |= flag;
  else
    tcp->flags &= ~flag;
}

int uv_tcp_nodelay(uv_tcp_t *tcp, int enable) {
  int fd = rota__stream_fd((uv_stream_t *)tcp);
  if (fd != -1) {
    int err = rota__os_set_option(fd, IPPROTO_TCP, TCP_NODELAY, enable != 0);
    if (err < 0)
      return err;
  }
  remember_flag(tcp, ROTA_TCP_NODELAY, enable);
  return 0;
}

/* What does not fit is more than a system accepts, as is what is kept instead. */
static rota_parameter parameter(unsigned int value) {
  return value > (rota_parameter)-1 ? (rota_parameter)-1 : (rota_parameter)value;
}

int uv_tcp_keepalive_ex(uv_tcp_t *tcp, int on, unsigned int idle, unsigned int intvl, unsigned int cnt) {
  int fd = rota__stream_fd((uv_stream_t *)tcp);
  if (on && (idle < 1 || intvl < 1 || cnt < 1))
    return UV_EINVAL;
  tcp->u.rota.own.parameters[KEEPALIVE_IDLE] = parameter(idle);
  tcp->u.rota.own.parameters[KEEPALIVE_INTERVAL] = parameter(intvl);
  tcp->u.rota.own.parameters[KEEPALIVE_PROBES] = parameter(cnt);
  if (fd != -1) {
    int err = set_keepalive(tcp, fd, on);
    if (err < 0)
      return err;
  }
  remember_flag(tcp, ROTA_TCP_KEEPALIVE, on);
  return 0;
}

int uv_tcp_keepalive(uv_tcp_t *tcp, int on, unsigned int delay) {
  return uv_tcp_keepalive_ex(tcp, on, delay, KEEPALIVE_INTERVAL_S, KEEPALIVE_COUNT);
}

int uv_tcp_simultaneous_accepts(uv_tcp_t *tcp, int enable) {
  (void)tcp, (void)enable; /* Windows only; libuv accepts the call everywhere */
  return 0;
}

/* ---- addresses ---- */

/* 0: not a family that TCP knows. */
static socklen_t address_length(const struct sockaddr *address) {
  return address->sa_family == AF_UNIX ? 0 : rota__os_address_length(address);
}

/* The handle has a socket from here on. */
static int have_socket(uv_tcp_t *tcp, int domain, unsigned int flags) {
  if (rota__stream_fd((uv_stream_t *)tcp) != -1) {
    tcp->flags |= flags;
    return 0;
  }
  int fd = rota__os_socket(domain, SOCK_STREAM, 0);
  if (fd < 0)
    return fd;
  int err = rota__stream_open((uv_stream_t *)tcp, fd, flags);
  if (err < 0)
    rota__os_close(fd);
  return err;
}

int uv_tcp_bind(uv_tcp_t *tcp, const struct sockaddr *address, unsigned int flags) {
  if (tcp->type != UV_TCP || rota__handle_is_closing((uv_handle_t *)tcp))
    return UV_EINVAL;
  socklen_t length = address_length(address);
  bool is_ipv6 = address->sa_family == AF_INET6;
  if (length == 0 || ((flags & UV_TCP_IPV6ONLY) && !is_ipv6))
    return UV_EINVAL;
  int err = have_socket(tcp, address->sa_family, 0);
  if (err < 0)
    return err;
  int fd = rota__stream_fd((uv_stream_t *)tcp);
  /* A server that is restarted need not wait until the kernel has dropped its old connections. */
  err = rota__os_set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1);
  if (err == 0 && (flags & UV_TCP_REUSEPORT))
    err = rota__os_set_option(fd, SOL_SOCKET, SO_REUSEPORT, 1);
  if (err == 0 && is_ipv6)
    err = rota__os_set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, (flags & UV_TCP_IPV6ONLY) != 0);
  if (err < 0)
    return err;
  err = rota__os_bind(fd, address, length);
  if (err < 0 && err != UV_EADDRINUSE)
    return err == UV_EAFNOSUPPORT ? UV_EINVAL : err;
  tcp->io.delayed_error = err;
  tcp->flags |= ROTA_STREAM_BOUND | (is_ipv6 ? ROTA_STREAM_IPV6 : 0);
  return 0;
}

static int get_name(const uv_tcp_t *tcp, int (*ask)(int fd, struct sockaddr *address, socklen_t *length),
                    struct sockaddr *name, int *name_length) {
  if (tcp->io.delayed_error != 0)
    return tcp->io.delayed_error;
  int fd = rota__stream_fd((const uv_stream_t *)tcp);
  if (fd == -1)
    return UV_EBADF;
  socklen_t length = (socklen_t)*name_length;
  int err = ask(fd, name, &length);
  if (err == 0)
    *name_length = (int)length;
  return err;
}

int uv_tcp_getsockname(const uv_tcp_t *tcp, struct sockaddr *name, int *namelen) {
  return get_name(tcp, rota__os_getsockname, name, namelen);
}

int uv_tcp_getpeername(const uv_tcp_t *tcp, struct sockaddr *name, int *namelen) {
  return get_name(tcp, rota__os_getpeername, name, namelen);
}

/* ---- connections ---- */

int rota__tcp_listen(uv_tcp_t *tcp, int backlog, uv_connection_cb cb) {
  if (tcp->io.delayed_error != 0)
    return tcp->io.delayed_error;
  int err = have_socket(tcp, AF_INET, 0);
  if (err == 0)
    err = rota__os_listen(rota__stream_fd((uv_stream_t *)tcp), backlog);
  return err < 0 ? err : rota__stream_listen_start((uv_stream_t *)tcp, cb);
}

/* The kernel refuses a link-local address without an interface. If there is only one interface, it is used. */
static const struct sockaddr *with_scope(const struct sockaddr *address, struct sockaddr_in6 *copy) {
  if (address->sa_family != AF_INET6)
    return address;
  memcpy(copy, address, sizeof *copy);
  if (copy->sin6_scope_id != 0 || !IN6_IS_ADDR_LINKLOCAL(&copy->sin6_addr))
    return address;
  copy->sin6_scope_id = rota__os_link_local_scope();
  return (const struct sockaddr *)copy;
}

int uv_tcp_connect(uv_connect_t *req, uv_tcp_t *tcp, const struct sockaddr *address, uv_connect_cb cb) {
  if (tcp->type != UV_TCP || rota__handle_is_closing((uv_handle_t *)tcp))
    return UV_EINVAL;
  socklen_t length = address_length(address);
  if (length == 0)
    return UV_EINVAL;
  if (tcp->io.connect_req != NULL)
    return UV_EALREADY;
  int err = tcp->io.delayed_error;
  if (err == 0) {
    err = have_socket(tcp, address->sa_family, ROTA_STREAM_READABLE | ROTA_STREAM_WRITABLE);
    if (err < 0)
      return err;
    struct sockaddr_in6 scoped;
    err = rota__io_fault(tcp->loop, "connect", rota__stream_fd((uv_stream_t *)tcp));
    if (err == 0)
      err = rota__os_connect(rota__stream_fd((uv_stream_t *)tcp), with_scope(address, &scoped), length);
    if (err < 0 && err != UV_ECONNREFUSED)
      return err;
  }
  /* The system may report a refusal at once or later: the program always gets it in the callback. */
  rota__stream_connect_start((uv_stream_t *)tcp, req, cb, err < 0 ? err : 0);
  return 0;
}

int uv_tcp_close_reset(uv_tcp_t *tcp, uv_close_cb close_cb) {
  if (tcp->io.shutdown_req != NULL)
    return UV_EINVAL; /* systems disagree on what a reset in the middle of a shutdown means */
  int err = rota__os_set_linger(rota__stream_fd((uv_stream_t *)tcp), 0);
  if (err < 0 && err != UV_EINVAL)
    return err;
  uv_close((uv_handle_t *)tcp, close_cb);
  return 0;
}
