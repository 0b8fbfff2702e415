#include "loop/os/datagram.h"

#include <errno.h>

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
