/* Addresses of sockets. */
#ifndef ROTA_NET_ADDRESS_H
#define ROTA_NET_ADDRESS_H

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

/* 0: not a family that sockets of ours are bound or connected to. */
static inline socklen_t rota__address_length(const struct sockaddr *address) {
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

#endif
