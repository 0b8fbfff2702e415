#include "loop/os/datagram.h"

#include <errno.h>
#include <linux/errqueue.h>
#include <netinet/in.h>
#include <string.h>
#include <time.h>

ssize_t rota__os_sendmsg(int fd, const struct msghdr *message) {
  ssize_t n;
  do
    n = sendmsg(fd, message, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

int rota__os_sendmmsg(int fd, struct mmsghdr *messages, unsigned int count) {
  int n;
  do
    n = sendmmsg(fd, messages, count, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

ssize_t rota__os_recvmsg(int fd, struct msghdr *message) {
  ssize_t n;
  do
    n = recvmsg(fd, message, MSG_DONTWAIT);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

int rota__os_recvmmsg(int fd, struct mmsghdr *messages, unsigned int count) {
  int n;
  do
    n = recvmmsg(fd, messages, count, MSG_DONTWAIT, NULL);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

static int error_of(struct msghdr *message) {
  for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c != NULL; c = CMSG_NXTHDR(message, c)) {
    struct sock_extended_err extended;
    if (!(c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_RECVERR) &&
        !(c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_RECVERR))
      continue;
    memcpy(&extended, CMSG_DATA(c), sizeof(extended));
    if (extended.ee_origin == SO_EE_ORIGIN_LOCAL || extended.ee_origin == SO_EE_ORIGIN_ICMP ||
        extended.ee_origin == SO_EE_ORIGIN_ICMP6)
      return -(int)extended.ee_errno;
  }
  return 0;
}

ssize_t rota__os_recv_error(int fd, struct msghdr *message, int *error) {
  char control[512] __attribute__((aligned(__alignof__(struct cmsghdr))));
  ssize_t n;
  do {
    message->msg_control = control;
    message->msg_controllen = sizeof(control);
    n = recvmsg(fd, message, MSG_ERRQUEUE | MSG_DONTWAIT);
  } while (n < 0 && errno == EINTR);
  if (n < 0)
    return -errno;
  *error = error_of(message);
  message->msg_control = NULL;
  message->msg_controllen = 0;
  return n;
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
