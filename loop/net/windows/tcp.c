/* TCP.
 *
 * The socket is made when it is needed: only then is it known whether it is IPv4 or IPv6. Options that are set before
 * (nodelay, keep-alive) are kept in the handle and applied when the socket is made. An address in use is not an error
 * of uv_tcp_bind but of the call that follows (listen, connect), as on every system. */
#include "loop/net/windows/stream.h"

#include <mstcpip.h>
#include <string.h>

#include "loop/os/windows/convert.h"

enum {
  KEEPALIVE_INTERVAL_S = 1,
  KEEPALIVE_COUNT = 10,
  BUFFERS_MAX = 1000, /* more than this are copied into one: wine passes no more than 1024 on */
};

enum keepalive_parameter { KEEPALIVE_IDLE, KEEPALIVE_INTERVAL, KEEPALIVE_PROBES };

static int last_error(void) {
  return rota__os_translate(WSAGetLastError());
}

static DWORD begun(int result) {
  return result == 0 ? 0 : (DWORD)WSAGetLastError();
}

/* ---- bytes ---- */

static DWORD tcp_wait(uv_stream_t *stream) {
  uv_tcp_t *tcp = (uv_tcp_t *)stream;
  WSABUF none = {0, NULL};
  DWORD flags = 0;
  return begun(WSARecv(tcp->socket, &none, 1, NULL, &flags, &stream->io.read.overlapped, NULL));
}

static ssize_t tcp_receive(uv_stream_t *stream, const uv_buf_t *buf) {
  uv_tcp_t *tcp = (uv_tcp_t *)stream;
  WSABUF into = {buf->len, buf->base};
  DWORD bytes = 0, flags = 0;
  if (WSARecv(tcp->socket, &into, 1, &bytes, &flags, NULL, NULL) == 0)
    return bytes == 0 ? UV_EOF : (ssize_t)bytes;
  int error = WSAGetLastError();
  if (error == WSAEWOULDBLOCK)
    return UV_EAGAIN;
  return error == WSAECONNABORTED ? UV_ECONNRESET : rota__os_translate(error);
}

static DWORD tcp_send(uv_stream_t *stream, uv_write_t *req, const uv_buf_t *bufs, unsigned int nbufs) {
  uv_tcp_t *tcp = (uv_tcp_t *)stream;
  WSABUF whole;
  if (nbufs > BUFFERS_MAX) {
    const void *data;
    int64_t length = rota__stream_gather(req, bufs, nbufs, &data);
    if (length < 0) {
      req->error = (int)length;
      return ERROR_NOT_ENOUGH_MEMORY;
    }
    whole = (WSABUF){(ULONG)length, (char *)(uintptr_t)data};
    return begun(WSASend(tcp->socket, &whole, 1, NULL, 0, &req->io.overlapped, NULL));
  }
  return begun(WSASend(tcp->socket, (WSABUF *)bufs, nbufs, NULL, 0, &req->io.overlapped, NULL));
}

static int tcp_try_send(uv_stream_t *stream, const uv_buf_t *bufs, unsigned int nbufs) {
  uv_tcp_t *tcp = (uv_tcp_t *)stream;
  DWORD bytes = 0;
  if (WSASend(tcp->socket, (WSABUF *)bufs, nbufs < BUFFERS_MAX ? nbufs : BUFFERS_MAX, &bytes, 0, NULL, NULL) == 0)
    return (int)bytes;
  int error = WSAGetLastError();
  return error == WSAEWOULDBLOCK ? UV_EAGAIN : rota__os_translate(error);
}

static DWORD tcp_shut(uv_stream_t *stream, uv_shutdown_t *req) {
  (void)req;
  return begun(shutdown(((uv_tcp_t *)stream)->socket, SD_SEND));
}

/* ---- life ---- */

static void tcp_release(uv_stream_t *stream) {
  uv_tcp_t *tcp = (uv_tcp_t *)stream;
  if (tcp->socket == INVALID_SOCKET)
    return;
  /* A pending read would turn the end of the connection into a reset. The other operations end with the socket, unless
   * another process keeps it open. To cancel thousands of writes one by one takes seconds. */
  bool is_kept = stream->io.state & (ROTA_STATE_SHARED | ROTA_STATE_PASSED);
  CancelIoEx((HANDLE)tcp->socket, is_kept ? NULL : &stream->io.read.overlapped);
  closesocket(tcp->socket);
  tcp->socket = INVALID_SOCKET;
  rota__tcp_accepts_release(tcp);
}

static void tcp_free(uv_stream_t *stream) {
  rota__tcp_accepts_release((uv_tcp_t *)stream);
}

static int tcp_fd(const uv_handle_t *handle) {
  return (int)(intptr_t)((const uv_tcp_t *)handle)->socket;
}

static const struct rota_stream_kind tcp_kind = {
    .handle = {.type = UV_TCP,
               .close = rota__stream_class_close,
               .finish = rota__stream_class_finish,
               .fd = tcp_fd,
               .cancel_write = rota__stream_cancel_write},
    .wait = tcp_wait,
    .receive = tcp_receive,
    .send = tcp_send,
    .try_send = tcp_try_send,
    .shut = tcp_shut,
    .release = tcp_release,
    .free = tcp_free,
};

int uv_tcp_init_ex(uv_loop_t *loop, uv_tcp_t *tcp, unsigned int flags) {
  int domain = (int)(flags & 0xFF);
  if ((domain != AF_INET && domain != AF_INET6 && domain != AF_UNSPEC) || (flags & ~0xFFu))
    return UV_EINVAL;
  rota__stream_init(loop, (uv_stream_t *)tcp, &tcp_kind);
  tcp->socket = INVALID_SOCKET;
  tcp->accepts = NULL;
  tcp->accepted = NULL;
  if (domain == AF_UNSPEC)
    return 0;
  int err = rota__tcp_have_socket(tcp, domain);
  if (err < 0)
    rota__list_remove(&tcp->handle_queue);
  return err;
}

int uv_tcp_init(uv_loop_t *loop, uv_tcp_t *tcp) {
  return uv_tcp_init_ex(loop, tcp, AF_UNSPEC);
}

/* ---- options ---- */

static int set_option(SOCKET socket, int level, int name, int value) {
  return setsockopt(socket, level, name, (const char *)&value, sizeof(value)) == 0 ? 0 : last_error();
}

static int set_keepalive(const uv_tcp_t *tcp, SOCKET socket, bool on) {
  const uint32_t *parameters = tcp->u.rota.own.parameters;
  int err = set_option(socket, SOL_SOCKET, SO_KEEPALIVE, on);
  if (err < 0 || !on)
    return err;
  struct tcp_keepalive times = {1, parameters[KEEPALIVE_IDLE] * 1000, parameters[KEEPALIVE_INTERVAL] * 1000};
  DWORD bytes;
  if (WSAIoctl(socket, SIO_KEEPALIVE_VALS, &times, sizeof(times), NULL, 0, &bytes, NULL, NULL) != 0)
    return last_error();
  /* Older systems always send ten. */
  (void)set_option(socket, IPPROTO_TCP, 16 /* TCP_KEEPCNT */, (int)parameters[KEEPALIVE_PROBES]);
  return 0;
}

static int apply_options(const uv_tcp_t *tcp, SOCKET socket) {
  int err = 0;
  if (tcp->flags & ROTA_TCP_NODELAY)
    err = set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  if (err == 0 && (tcp->flags & ROTA_TCP_KEEPALIVE))
    err = set_keepalive(tcp, socket, true);
  return err;
}

/* Whether the socket is the system's own: one of another product's layer reports what succeeds at once by itself. */
static bool is_of_the_system(SOCKET socket) {
  WSAPROTOCOL_INFOW info;
  int length = sizeof(info);
  return getsockopt(socket, SOL_SOCKET, SO_PROTOCOL_INFOW, (char *)&info, &length) == 0 &&
         (info.dwServiceFlags1 & XP1_IFS_HANDLES);
}

/* The handle gets this socket. */
int rota__tcp_take(uv_tcp_t *tcp, SOCKET socket, bool is_shared) {
  u_long on = 1;
  if (tcp->socket != INVALID_SOCKET)
    return UV_EBUSY;
  if (ioctlsocket(socket, FIONBIO, &on) != 0)
    return last_error();
  SetHandleInformation((HANDLE)socket, HANDLE_FLAG_INHERIT, 0);
  if (is_shared)
    tcp->io.state |= ROTA_STATE_SHARED;
  else {
    int err = rota__stream_attach((uv_stream_t *)tcp, (HANDLE)socket, is_of_the_system(socket));
    if (err < 0)
      return err;
  }
  int err = apply_options(tcp, socket);
  if (err == 0)
    tcp->socket = socket;
  return err;
}

int rota__tcp_have_socket(uv_tcp_t *tcp, int family) {
  if (tcp->socket != INVALID_SOCKET)
    return 0;
  SOCKET socket =
      WSASocketW(family, SOCK_STREAM, IPPROTO_TCP, NULL, 0, WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
  if (socket == INVALID_SOCKET)
    return last_error();
  int err = rota__tcp_take(tcp, socket, false);
  if (err < 0)
    closesocket(socket);
  else if (family == AF_INET6)
    tcp->flags |= ROTA_STREAM_IPV6;
  return err;
}

int uv_tcp_open(uv_tcp_t *tcp, uv_os_sock_t sock) {
  WSAPROTOCOL_INFOW info;
  int length = sizeof(info);
  if (getsockopt(sock, SOL_SOCKET, SO_PROTOCOL_INFOW, (char *)&info, &length) != 0)
    return last_error();
  int err = rota__tcp_take(tcp, sock, false);
  if (err < 0)
    return err;
  if (info.iAddressFamily == AF_INET6)
    tcp->flags |= ROTA_STREAM_IPV6;
  struct sockaddr_storage address;
  length = sizeof(address);
  if (getsockname(sock, (struct sockaddr *)&address, &length) == 0 &&
      ((const struct sockaddr_in *)&address)->sin_port != 0)
    tcp->flags |= ROTA_STREAM_BOUND;
  length = sizeof(address);
  if (getpeername(sock, (struct sockaddr *)&address, &length) == 0)
    tcp->flags |= ROTA_STREAM_READABLE | ROTA_STREAM_WRITABLE;
  return 0;
}

int uv_tcp_nodelay(uv_tcp_t *tcp, int enable) {
  if (tcp->socket != INVALID_SOCKET) {
    int err = set_option(tcp->socket, IPPROTO_TCP, TCP_NODELAY, enable != 0);
    if (err < 0)
      return err;
  }
  tcp->flags = enable ? tcp->flags | ROTA_TCP_NODELAY : tcp->flags & ~(unsigned int)ROTA_TCP_NODELAY;
  return 0;
}

int uv_tcp_keepalive_ex(uv_tcp_t *tcp, int on, unsigned int idle, unsigned int intvl, unsigned int cnt) {
  if (on && (idle < 1 || intvl < 1 || cnt < 1))
    return UV_EINVAL;
  tcp->u.rota.own.parameters[KEEPALIVE_IDLE] = idle;
  tcp->u.rota.own.parameters[KEEPALIVE_INTERVAL] = intvl;
  tcp->u.rota.own.parameters[KEEPALIVE_PROBES] = cnt;
  if (tcp->socket != INVALID_SOCKET) {
    int err = set_keepalive(tcp, tcp->socket, on);
    if (err < 0)
      return err;
  }
  tcp->flags = on ? tcp->flags | ROTA_TCP_KEEPALIVE : tcp->flags & ~(unsigned int)ROTA_TCP_KEEPALIVE;
  return 0;
}

int uv_tcp_keepalive(uv_tcp_t *tcp, int on, unsigned int delay) {
  return uv_tcp_keepalive_ex(tcp, on, delay, KEEPALIVE_INTERVAL_S, KEEPALIVE_COUNT);
}

int uv_tcp_simultaneous_accepts(uv_tcp_t *tcp, int enable) {
  if (tcp->flags & ROTA_STREAM_LISTENING)
    return UV_EINVAL;
  if (enable)
    tcp->io.state &= ~(unsigned int)ROTA_STATE_ONE_ACCEPT;
  else
    tcp->io.state |= ROTA_STATE_ONE_ACCEPT;
  return 0;
}

/* ---- addresses ---- */

static int address_length(const struct sockaddr *address) {
  if (address->sa_family == AF_INET)
    return sizeof(struct sockaddr_in);
  return address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : 0;
}

static int bind_to(uv_tcp_t *tcp, const struct sockaddr *address, unsigned int flags) {
  bool is_ipv6 = address->sa_family == AF_INET6;
  int err = rota__tcp_have_socket(tcp, address->sa_family);
  if (err == 0 && is_ipv6)
    err = set_option(tcp->socket, IPPROTO_IPV6, IPV6_V6ONLY, (flags & UV_TCP_IPV6ONLY) != 0);
  if (err < 0)
    return err;
  if (bind(tcp->socket, address, address_length(address)) != 0) {
    err = last_error();
    if (err != UV_EADDRINUSE)
      return err == UV_EAFNOSUPPORT ? UV_EINVAL : err;
  }
  tcp->io.delayed_error = err;
  tcp->flags |= ROTA_STREAM_BOUND | (is_ipv6 ? ROTA_STREAM_IPV6 : 0u);
  return 0;
}

int uv_tcp_bind(uv_tcp_t *tcp, const struct sockaddr *address, unsigned int flags) {
  if (tcp->type != UV_TCP || rota__handle_is_closing((uv_handle_t *)tcp))
    return UV_EINVAL;
  if (address_length(address) == 0 || ((flags & UV_TCP_IPV6ONLY) && address->sa_family != AF_INET6))
    return UV_EINVAL;
  if (flags & UV_TCP_REUSEPORT)
    return UV_ENOTSUP;
  if (tcp->flags & ROTA_STREAM_BOUND)
    return UV_EINVAL;
  return bind_to(tcp, address, flags);
}

int uv_tcp_getsockname(const uv_tcp_t *tcp, struct sockaddr *name, int *namelen) {
  if (tcp->io.delayed_error != 0)
    return tcp->io.delayed_error;
  if (tcp->socket == INVALID_SOCKET)
    return UV_EBADF;
  return getsockname(tcp->socket, name, namelen) == 0 ? 0 : last_error();
}

int uv_tcp_getpeername(const uv_tcp_t *tcp, struct sockaddr *name, int *namelen) {
  if (tcp->io.delayed_error != 0)
    return tcp->io.delayed_error;
  if (tcp->socket == INVALID_SOCKET)
    return UV_EBADF;
  return getpeername(tcp->socket, name, namelen) == 0 ? 0 : last_error();
}

/* ---- connections out ---- */

static void connected(struct rota_op *op, int32_t result, uint32_t bytes) {
  uv_connect_t *req = rota__container_of(rota__io_of(op), uv_connect_t, io);
  uv_tcp_t *tcp = (uv_tcp_t *)req->handle;
  (void)bytes;
  tcp->io.connect_req = NULL;
  rota__req_end(tcp->loop);
  if (rota__handle_is_closing((uv_handle_t *)tcp))
    result = UV_ECANCELED;
  if (result == 0 && setsockopt(tcp->socket, SOL_SOCKET, SO_UPDATE_CONNECT_CONTEXT, NULL, 0) != 0)
    result = last_error();
  if (result == 0)
    tcp->flags |= ROTA_STREAM_READABLE | ROTA_STREAM_WRITABLE;
  if (req->cb != NULL) {
    rota__req_call_begin(tcp->loop, req, (rota_function)req->cb);
    req->cb(req, result);
    rota__call_end(tcp->loop);
  }
  rota__stream_end((uv_stream_t *)tcp);
}

static int find_connect(SOCKET socket, LPFN_CONNECTEX *function) {
  GUID id = WSAID_CONNECTEX;
  DWORD bytes;
  return WSAIoctl(socket, SIO_GET_EXTENSION_FUNCTION_POINTER, &id, sizeof(id), function, sizeof(*function), &bytes,
                  NULL, NULL) == 0
             ? 0
             : last_error();
}

/* The system refuses to connect to no address in particular; others take this machine then. */
static void to_this_machine(struct sockaddr_storage *address) {
  struct sockaddr_in *four = (struct sockaddr_in *)address;
  struct sockaddr_in6 *six = (struct sockaddr_in6 *)address;
  if (address->ss_family == AF_INET && four->sin_addr.s_addr == INADDR_ANY)
    four->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  else if (address->ss_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&six->sin6_addr))
    six->sin6_addr = in6addr_loopback;
}

/* ConnectEx wants a socket that is bound. */
static int bind_any(uv_tcp_t *tcp, int family) {
  struct sockaddr_storage any = {.ss_family = (short)family};
  if (tcp->flags & ROTA_STREAM_BOUND)
    return 0;
  return bind_to(tcp, (const struct sockaddr *)&any, 0);
}

int uv_tcp_connect(uv_connect_t *req, uv_tcp_t *tcp, const struct sockaddr *address, uv_connect_cb cb) {
  LPFN_CONNECTEX connect_ex = NULL;
  struct sockaddr_storage to = {0};
  int length = address_length(address);
  if (tcp->type != UV_TCP || rota__handle_is_closing((uv_handle_t *)tcp) || length == 0)
    return UV_EINVAL;
  if (tcp->io.connect_req != NULL)
    return UV_EALREADY;
  int err = tcp->io.delayed_error;
  memcpy(&to, address, (size_t)length);
  to_this_machine(&to);
  if (err == 0) {
    err = bind_any(tcp, address->sa_family);
    if (err == 0)
      err = find_connect(tcp->socket, &connect_ex);
    if (err < 0)
      return err;
  }
  err = tcp->io.delayed_error;
  rota__req_begin(tcp->loop, (uv_req_t *)req, UV_CONNECT);
  req->handle = (uv_stream_t *)tcp;
  req->cb = cb;
  tcp->io.connect_req = req;
  OVERLAPPED *overlapped = rota__stream_begin((uv_stream_t *)tcp, &req->io, connected);
  DWORD error = WSAEADDRINUSE;
  if (err == 0)
    error = connect_ex(tcp->socket, (struct sockaddr *)&to, length, NULL, 0, NULL, overlapped) ? 0 : GetLastError();
  if (err == 0 && error != 0 && error != ERROR_IO_PENDING && !(tcp->io.state & ROTA_STATE_SHARED)) {
    tcp->io.connect_req = NULL;
    tcp->io.operations--;
    rota__req_end(tcp->loop);
    return rota__os_translate((int)error);
  }
  rota__stream_begun((uv_stream_t *)tcp, &req->io, error);
  return 0;
}

int uv_tcp_close_reset(uv_tcp_t *tcp, uv_close_cb close_cb) {
  struct linger linger = {1, 0};
  if (tcp->io.shutdown_req != NULL)
    return UV_EINVAL; /* systems disagree on what a reset in the middle of a shutdown means */
  if (tcp->socket != INVALID_SOCKET &&
      setsockopt(tcp->socket, SOL_SOCKET, SO_LINGER, (const char *)&linger, sizeof(linger)) != 0)
    return last_error();
  uv_close((uv_handle_t *)tcp, close_cb);
  return 0;
}
