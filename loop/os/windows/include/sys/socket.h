/* Sockets: Windows has most of their types and constants in headers of its own. */
#ifndef ROTA_WINDOWS_SOCKET_H
#define ROTA_WINDOWS_SOCKET_H

#include <stddef.h>
#include <winsock2.h>
#include <ws2tcpip.h>

#include <sys/uio.h>

typedef unsigned short sa_family_t;

struct msghdr {
  void *msg_name;
  socklen_t msg_namelen;
  struct iovec *msg_iov; /* what the library puts here are uv_buf_t */
  size_t msg_iovlen;
  int msg_flags;
};

/* Not on this system: setting it fails. */
#define SO_REUSEPORT (-1)

#endif
