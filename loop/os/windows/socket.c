/* Sockets. Their numbers are small multiples of four, as those of all handles, so that they go as descriptors. They are
 * not descriptors of the C library. */
#include "loop/os/socket.h"

#include <string.h>

#include "loop/os/file.h"
#include "loop/os/windows/convert.h"
#include "uv.h"

static SOCKET of(int fd) {
  return (SOCKET)(intptr_t)fd;
}

static int outcome(int result) {
  return result == 0 ? 0 : rota__os_translate(WSAGetLastError());
}

int rota__os_set_nonblocking(int fd, bool on) {
  u_long value = on;
  return outcome(ioctlsocket(of(fd), FIONBIO, &value));
}

/* An error of an earlier datagram is no error of the socket. */
static void ignore_unreachable(SOCKET socket) {
  BOOL on = FALSE;
  DWORD bytes;
  (void)WSAIoctl(socket, 0x9800000C /* SIO_UDP_CONNRESET */, &on, sizeof(on), NULL, 0, &bytes, NULL, NULL);
}

int rota__os_socket(int domain, int type, int protocol) {
  SOCKET socket = WSASocketW(domain, type, protocol, NULL, 0, WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
  if (socket == INVALID_SOCKET)
    return rota__os_translate(WSAGetLastError());
  int fd = (int)(intptr_t)socket;
  if (type == SOCK_DGRAM)
    ignore_unreachable(socket);
  if (domain == AF_INET6)
    rota__os_set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0); /* the default of other systems */
  int err = rota__os_set_nonblocking(fd, true);
  if (err < 0)
    closesocket(socket);
  return err < 0 ? err : fd;
}

int rota__os_socket_close(int fd) {
  return outcome(closesocket(of(fd)));
}

int rota__os_bind(int fd, const struct sockaddr *address, socklen_t length) {
  return outcome(bind(of(fd), address, length));
}

/* The system refuses to connect to no address in particular; wine does not. */
static bool is_unspecified(const struct sockaddr *address) {
  if (address->sa_family == AF_INET)
    return ((const struct sockaddr_in *)address)->sin_addr.s_addr == INADDR_ANY;
  return address->sa_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

int rota__os_connect(int fd, const struct sockaddr *address, socklen_t length) {
  if (is_unspecified(address))
    return UV_EADDRNOTAVAIL;
  if (connect(of(fd), address, length) == 0)
    return 0;
  int error = WSAGetLastError();
  return error == WSAEWOULDBLOCK ? 1 : rota__os_translate(error);
}

int rota__os_getsockname(int fd, struct sockaddr *address, socklen_t *length) {
  return fd < 0 ? UV_EBADF : outcome(getsockname(of(fd), address, length));
}

int rota__os_getpeername(int fd, struct sockaddr *address, socklen_t *length) {
  return fd < 0 ? UV_EBADF : outcome(getpeername(of(fd), address, length));
}

int rota__os_set_option_bytes(int fd, int level, int name, const void *value, socklen_t length) {
  if (fd < 0)
    return UV_EBADF;
  if (level == SOL_SOCKET && name == SO_REUSEPORT)
    return UV_ENOTSUP;
  return outcome(setsockopt(of(fd), level, name, value, length));
}

int rota__os_set_option(int fd, int level, int name, int value) {
  return rota__os_set_option_bytes(fd, level, name, &value, sizeof(value));
}

int rota__os_get_option(int fd, int level, int name, int *value) {
  socklen_t length = sizeof(*value);
  return outcome(getsockopt(of(fd), level, name, (char *)value, &length));
}

int rota__os_socket_family(int fd) {
  WSAPROTOCOL_INFOW info;
  int length = sizeof(info);
  int err = outcome(getsockopt(of(fd), SOL_SOCKET, SO_PROTOCOL_INFOW, (char *)&info, &length));
  return err < 0 ? err : info.iAddressFamily;
}

ssize_t rota__os_recv(int fd, void *buffer, size_t length) {
  int n = recv(of(fd), buffer, (int)(length > INT32_MAX ? INT32_MAX : length), 0);
  return n >= 0 ? n : rota__os_translate(WSAGetLastError());
}

/* Sockets do not tell which process is on the other side. */
int rota__os_peer(int fd, pid_t *process, uid_t *user) {
  (void)fd;
  (void)process;
  (void)user;
  return UV_ENOTSUP;
}
