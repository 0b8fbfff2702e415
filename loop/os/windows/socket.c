/* Sockets. Their numbers are small multiples of four, as those of all handles, so that they go as descriptors. They are
 * not descriptors of the C library. */
#include "loop/os/socket.h"

#include <stdlib.h>
#include <string.h>

#include "loop/os/file.h"
#include "loop/os/windows/convert.h"
#include "uv.h"

#include <iphlpapi.h>

/* ---- sockets ---- */

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

socklen_t rota__os_address_length(const struct sockaddr *address) {
  switch (address->sa_family) {
  case AF_INET:
    return sizeof(struct sockaddr_in);
  case AF_INET6:
    return sizeof(struct sockaddr_in6);
  default:
    return 0;
  }
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

int rota__os_local_send(const char *path, const void *bytes, size_t length) {
  (void)path;
  (void)bytes;
  (void)length;
  return UV_ENOTSUP;
}

/* Sockets do not tell which process is on the other side. */
int rota__os_peer(int fd, pid_t *process, uid_t *user) {
  (void)fd;
  (void)process;
  (void)user;
  return UV_ENOTSUP;
}

/* ---- datagrams ----
 *
 * The vectors of a message are uv_buf_t here, which are laid out as the system wants them. */

ssize_t rota__os_sendmsg(int fd, const struct msghdr *message) {
  DWORD bytes = 0;
  if (WSASendTo(of(fd), (WSABUF *)(void *)message->msg_iov, (DWORD)message->msg_iovlen, &bytes, 0, message->msg_name,
                message->msg_namelen, NULL, NULL) == 0)
    return (ssize_t)bytes;
  int error = WSAGetLastError();
  return error == WSAEWOULDBLOCK ? UV_EAGAIN : rota__os_translate(error);
}

static ssize_t receive(int fd, void *data, size_t size, void *peer, socklen_t *peer_length, bool *is_cut) {
  int room = (int)(size > INT32_MAX ? INT32_MAX : size);
  for (;;) {
    int n = recvfrom(of(fd), data, room, 0, peer, peer_length);
    *is_cut = false;
    if (n >= 0)
      return n;
    int error = WSAGetLastError();
    if (error == WSAEMSGSIZE) {
      *is_cut = true;
      return room;
    }
    /* An error of an earlier datagram, which older systems report here. */
    if (error != WSAECONNRESET && error != WSAENETRESET)
      return error == WSAEWOULDBLOCK ? UV_EAGAIN : rota__os_translate(error);
  }
}

ssize_t rota__os_recv_datagram(int fd, void *data, size_t size, bool is_stream, struct sockaddr *peer,
                               socklen_t *peer_length) {
  bool is_cut;
  ssize_t n = receive(fd, data, size, peer, peer_length, &is_cut);
  return is_cut && !is_stream ? n + 1 : n;
}

int rota__os_recvmmsg(int fd, struct rota_os_message *messages, unsigned int count) {
  for (unsigned int i = 0; i < count; i++) {
    struct msghdr *header = &messages[i].header;
    bool is_cut;
    ssize_t n = receive(fd, header->msg_iov->iov_base, header->msg_iov->iov_len, header->msg_name, &header->msg_namelen,
                        &is_cut);
    if (n < 0)
      return i > 0 ? (int)i : (int)n;
    header->msg_flags = is_cut ? MSG_TRUNC : 0;
    messages[i].length = (unsigned int)n;
  }
  return (int)count;
}

int rota__os_disconnect(int fd) {
  struct sockaddr_storage nobody = {0};
  return connect(of(fd), (struct sockaddr *)&nobody, sizeof(nobody)) == 0 ? 0 : rota__os_translate(WSAGetLastError());
}

/* ---- names of hosts ---- */

/* The library has turned a name into ASCII before, so the system's functions for bytes serve. */
int rota__os_translate_eai(int code) {
  switch (code) {
  case 0:
    return 0;
  case EAI_AGAIN:
    return UV_EAI_AGAIN;
  case EAI_BADFLAGS:
    return UV_EAI_BADFLAGS;
  case EAI_FAIL:
    return UV_EAI_FAIL;
  case EAI_FAMILY:
    return UV_EAI_FAMILY;
  case EAI_MEMORY:
    return UV_EAI_MEMORY;
  case EAI_NONAME:
    return UV_EAI_NONAME;
  case WSANO_DATA:
    return UV_EAI_NODATA;
  case EAI_SERVICE:
    return UV_EAI_SERVICE;
  case EAI_SOCKTYPE:
    return UV_EAI_SOCKTYPE;
  default:
    return rota__os_translate(code);
  }
}

/* ---- names of interfaces ---- */

/* The alias ("Ethernet"), if there is one, else the name that the system made up. */
int rota__os_interface_name(unsigned int index, char name[ROTA_INTERFACE_NAME_SIZE]) {
  NET_LUID luid;
  WCHAR wide[NDIS_IF_MAX_STRING_SIZE + 1];
  size_t size = ROTA_INTERFACE_NAME_SIZE;
  DWORD code = ConvertInterfaceIndexToLuid(index, &luid);
  if (code == ERROR_SUCCESS)
    code = ConvertInterfaceLuidToNameW(&luid, wide, NDIS_IF_MAX_STRING_SIZE + 1);
  if (code != ERROR_SUCCESS)
    return code == ERROR_FILE_NOT_FOUND || code == ERROR_INVALID_PARAMETER ? UV_ENXIO : rota__os_translate((int)code);
  return rota__os_narrow_give(wide, -1, name, &size);
}

unsigned int rota__os_interface_index(const char *name) {
  return (unsigned int)strtoul(name, NULL, 10);
}
