#include "loop/os/socket.h"

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "loop/os/file.h"
#include "uv/errno.h"

/* ---- sockets ---- */

#ifndef MSG_CMSG_CLOEXEC
#define MSG_CMSG_CLOEXEC 0 /* macOS: set on each descriptor */
#endif

#ifdef SOCK_NONBLOCK
int rota__os_socket(int domain, int type, int protocol) {
  int fd = socket(domain, type | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
  return fd < 0 ? -errno : fd;
}

int rota__os_socketpair(int type, int protocol, int fds[2]) {
  return socketpair(AF_UNIX, type | SOCK_CLOEXEC, protocol, fds) < 0 ? -errno : 0;
}

static int accept_one(int fd) {
  return accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
#else
/* macOS: what others ask for in one call takes three here, and a child that another thread starts meanwhile may inherit
 * the socket. It has a flag for a socket that no SIGPIPE comes of, which older versions have for messages only. */
static int tame(int fd, bool nonblocking) {
  int on = 1;
  if (fd < 0)
    return -1;
  rota__os_set_cloexec(fd, true);
  if (nonblocking)
    rota__os_set_nonblocking(fd, true);
  setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
  return fd;
}

int rota__os_socket(int domain, int type, int protocol) {
  int fd = tame(socket(domain, type, protocol), true);
  return fd < 0 ? -errno : fd;
}

int rota__os_socketpair(int type, int protocol, int fds[2]) {
  if (socketpair(AF_UNIX, type, protocol, fds) < 0)
    return -errno;
  tame(fds[0], false);
  tame(fds[1], false);
  return 0;
}

static int accept_one(int fd) {
  return tame(accept(fd, NULL, NULL), true);
}
#endif

int rota__os_socket_close(int fd) {
  return rota__os_close(fd);
}

socklen_t rota__os_address_length(const struct sockaddr *address) {
  switch (address->sa_family) {
  case AF_INET:
    return sizeof(struct sockaddr_in);
  case AF_INET6:
    return sizeof(struct sockaddr_in6);
  case AF_UNIX:
    return sizeof(struct sockaddr_un);
  default:
    return 0;
  }
}

int rota__os_bind(int fd, const struct sockaddr *address, socklen_t length) {
  return bind(fd, address, length) < 0 ? -errno : 0;
}

int rota__os_listen(int fd, int backlog) {
  return listen(fd, backlog) < 0 ? -errno : 0;
}

int rota__os_accept(int fd) {
  int peer;
  do
    peer = accept_one(fd);
  while (peer < 0 && errno == EINTR);
  return peer < 0 ? -errno : peer;
}

int rota__os_connect(int fd, const struct sockaddr *address, socklen_t length) {
  if (connect(fd, address, length) == 0)
    return 0;
  return errno == EINPROGRESS || errno == EINTR ? 1 : -errno;
}

int rota__os_shutdown_write(int fd) {
  return shutdown(fd, SHUT_WR) < 0 ? -errno : 0;
}

int rota__os_getsockname(int fd, struct sockaddr *address, socklen_t *length) {
  return getsockname(fd, address, length) < 0 ? -errno : 0;
}

int rota__os_getpeername(int fd, struct sockaddr *address, socklen_t *length) {
  return getpeername(fd, address, length) < 0 ? -errno : 0;
}

int rota__os_set_option(int fd, int level, int name, int value) {
  return setsockopt(fd, level, name, &value, sizeof value) < 0 ? -errno : 0;
}

int rota__os_get_option(int fd, int level, int name, int *value) {
  socklen_t length = sizeof *value;
  return getsockopt(fd, level, name, value, &length) < 0 ? -errno : 0;
}

int rota__os_socket_family(int fd) {
  struct sockaddr_storage address = {.ss_family = AF_UNSPEC};
  socklen_t length = sizeof address;
  int err = rota__os_getsockname(fd, (struct sockaddr *)&address, &length);
  return err < 0 ? err : address.ss_family;
}

#ifdef TCP_KEEPINTVL
#ifndef TCP_KEEPIDLE
#define TCP_KEEPIDLE TCP_KEEPALIVE /* macOS' name */
#endif

int rota__os_set_keepalive(int fd, int idle, int interval, int probes) {
  int err = rota__os_set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, idle);
  if (err == 0)
    err = rota__os_set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, interval);
  if (err == 0)
    err = rota__os_set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, probes);
  return err;
}
#else
int rota__os_set_keepalive(int fd, int idle, int interval, int probes) {
  (void)fd, (void)idle, (void)interval, (void)probes;
  return -ENOTSUP; /* OpenBSD: the times are the whole system's */
}
#endif

int rota__os_set_linger(int fd, int seconds) {
  struct linger linger = {.l_onoff = 1, .l_linger = seconds};
  return setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger) < 0 ? -errno : 0;
}

int rota__os_socket_error(int fd) {
  int value;
  int err = rota__os_get_option(fd, SOL_SOCKET, SO_ERROR, &value);
  if (err < 0)
    return err;
  return value == EINPROGRESS ? 1 : -value;
}

unsigned int rota__os_link_local_scope(void) {
  struct ifaddrs *list;
  unsigned int scope = 0;
  if (getifaddrs(&list) < 0)
    return 0;
  for (struct ifaddrs *entry = list; entry != NULL && scope == 0; entry = entry->ifa_next) {
    if (entry->ifa_addr == NULL || entry->ifa_addr->sa_family != AF_INET6)
      continue;
    struct sockaddr_in6 address;
    memcpy(&address, entry->ifa_addr, sizeof address);
    if (IN6_IS_ADDR_LINKLOCAL(&address.sin6_addr))
      scope = address.sin6_scope_id;
  }
  freeifaddrs(list);
  return scope;
}

ssize_t rota__os_send(int fd, const void *buffer, size_t length) {
  ssize_t n;
  do
    n = send(fd, buffer, length, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

ssize_t rota__os_sendv(int fd, const struct iovec *vector, size_t count) {
  struct msghdr message = {.msg_iov = (struct iovec *)vector, .msg_iovlen = count};
  ssize_t n;
  do
    n = sendmsg(fd, &message, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

ssize_t rota__os_send_descriptor(int fd, const struct iovec *vector, size_t count, int passed) {
  union {
    struct cmsghdr header; /* for its alignment */
    char room[CMSG_SPACE(sizeof passed)];
  } control;
  struct msghdr message = {
      .msg_iov = (struct iovec *)vector,
      .msg_iovlen = count,
      .msg_control = &control,
      .msg_controllen = sizeof control,
  };
  memset(&control, 0, sizeof control);
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof passed);
  memcpy(CMSG_DATA(header), &passed, sizeof passed);
  ssize_t n;
  do
    n = sendmsg(fd, &message, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

ssize_t rota__os_recv(int fd, void *buffer, size_t length) {
  ssize_t n;
  do
    n = recv(fd, buffer, length, 0);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

ssize_t rota__os_recv_descriptors(int fd, void *buffer, size_t length, int *passed, size_t *passed_count) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(ROTA_OS_PASSED_MAX * sizeof(int))];
  } control;
  struct iovec vector = {.iov_base = buffer, .iov_len = length};
  struct msghdr message = {
      .msg_iov = &vector,
      .msg_iovlen = 1,
      .msg_control = &control,
      .msg_controllen = sizeof control,
  };
  *passed_count = 0;
  ssize_t n;
  do
    n = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    return -errno;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
      continue;
    size_t size = header->cmsg_len - CMSG_LEN(0);
    memcpy(passed + *passed_count, CMSG_DATA(header), size);
    for (size_t i = 0; MSG_CMSG_CLOEXEC == 0 && i < size / sizeof(int); i++)
      rota__os_set_cloexec(passed[*passed_count + i], true);
    *passed_count += size / sizeof(int);
  }
  return n;
}

int rota__os_poll(struct pollfd *entries, unsigned int count, int timeout_ms) {
  int n;
  do
    n = poll(entries, count, timeout_ms);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

static int wait_for(int fd, short events, int timeout_ms) {
  struct pollfd entry = {.fd = fd, .events = events};
  return rota__os_poll(&entry, 1, timeout_ms);
}

int rota__os_wait_writable(int fd) {
  int n = wait_for(fd, POLLOUT, -1);
  return n < 0 ? n : 0;
}

int rota__os_wait_readable(int fd, int timeout_ms) {
  return wait_for(fd, POLLIN, timeout_ms);
}

int rota__os_socket_unlink(const char *path) {
  return unlink(path) < 0 ? -errno : 0;
}

int rota__os_socket_chmod(const char *path, mode_t added) {
  struct stat status;
  if (stat(path, &status) < 0)
    return -errno;
  if ((status.st_mode & added) == added)
    return 0; /* a process that does not own it may use it without the change */
  return chmod(path, status.st_mode | added) < 0 ? -errno : 0;
}

enum rota_fd_kind rota__os_fd_kind(int fd) {
  struct stat status;
  if (fd < 0)
    return ROTA_FD_UNKNOWN;
  if (isatty(fd))
    return ROTA_FD_TERMINAL;
  if (fstat(fd, &status) < 0)
    return ROTA_FD_UNKNOWN;
  if (S_ISREG(status.st_mode) || S_ISCHR(status.st_mode))
    return ROTA_FD_FILE;
  if (S_ISFIFO(status.st_mode))
    return ROTA_FD_PIPE;
  int type;
  if (!S_ISSOCK(status.st_mode) || rota__os_get_option(fd, SOL_SOCKET, SO_TYPE, &type) < 0)
    return ROTA_FD_UNKNOWN;
  int domain = rota__os_socket_family(fd);
  bool internet = domain == AF_INET || domain == AF_INET6;
  if (type == SOCK_STREAM)
    return internet ? ROTA_FD_TCP : domain == AF_UNIX ? ROTA_FD_PIPE : ROTA_FD_UNKNOWN;
  return type == SOCK_DGRAM && internet ? ROTA_FD_UDP : ROTA_FD_UNKNOWN;
}

/* ---- datagrams ---- */

ssize_t rota__os_sendmsg(int fd, const struct msghdr *message) {
  ssize_t n;
  do
    n = sendmsg(fd, message, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

int rota__os_disconnect(int fd) {
  struct sockaddr nobody = {.sa_family = AF_UNSPEC};
  int r;
  do
    r = connect(fd, &nobody, sizeof(nobody));
  while (r < 0 && errno == EINTR);
  return r < 0 ? -errno : 0;
}

int rota__os_set_option_bytes(int fd, int level, int name, const void *value, socklen_t length) {
  return setsockopt(fd, level, name, value, length) == 0 ? 0 : -errno;
}

/* ---- names ---- */

int rota__os_translate_eai(int code) {
  switch (code) {
  case 0:
    return 0;
#ifdef EAI_ADDRFAMILY
  case EAI_ADDRFAMILY:
    return UV__EAI_ADDRFAMILY;
#endif
  case EAI_AGAIN:
    return UV__EAI_AGAIN;
  case EAI_BADFLAGS:
    return UV__EAI_BADFLAGS;
#ifdef EAI_CANCELED
  case EAI_CANCELED:
    return UV__EAI_CANCELED;
#endif
  case EAI_FAIL:
    return UV__EAI_FAIL;
  case EAI_FAMILY:
    return UV__EAI_FAMILY;
  case EAI_MEMORY:
    return UV__EAI_MEMORY;
#ifdef EAI_NODATA
  case EAI_NODATA:
    return UV__EAI_NODATA;
#endif
  case EAI_NONAME:
    return UV__EAI_NONAME;
  case EAI_OVERFLOW:
    return UV__EAI_OVERFLOW;
  case EAI_SERVICE:
    return UV__EAI_SERVICE;
  case EAI_SOCKTYPE:
    return UV__EAI_SOCKTYPE;
  case EAI_SYSTEM:
    return errno != 0 ? -errno : UV__EAI_FAIL;
  default:
    return UV__EAI_FAIL;
  }
}

int rota__os_interface_name(unsigned int index, char name[ROTA_INTERFACE_NAME_SIZE]) {
  return if_indextoname(index, name) == NULL ? -errno : 0;
}

unsigned int rota__os_interface_index(const char *name) {
  return if_nametoindex(name);
}

int rota__os_local_send(const char *path, const void *bytes, size_t length) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof(address.sun_path))
    return -ENAMETOOLONG;
  memcpy(address.sun_path, path, strlen(path));
  int fd = rota__os_socket(AF_UNIX, SOCK_DGRAM, 0);
  if (fd < 0)
    return fd;
  int err = rota__os_connect(fd, (const struct sockaddr *)&address, sizeof(address));
  ssize_t n = err < 0 ? err : rota__os_send(fd, bytes, length);
  rota__os_close(fd);
  return n < 0 ? (int)n : 0;
}
