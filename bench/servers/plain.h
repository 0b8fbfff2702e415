/* What the echo servers on other mechanisms share: a listening socket without any library, and printing its port. */
#ifndef ROTA_BENCH_PLAIN_H
#define ROTA_BENCH_PLAIN_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"

static inline int bench_listen(int flags) {
  bench_raise_descriptors(1000000);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof(address);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
  bench_must(fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0, "bind");
  bench_must(listen(fd, 4096) == 0 && getsockname(fd, (struct sockaddr *)&address, &length) == 0, "listen");
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  return fd;
}

/* The next connection that waits, or -1. */
static inline int bench_accept(int listener) {
  int one = 1;
  int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd >= 0)
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
  return fd;
}

#endif
