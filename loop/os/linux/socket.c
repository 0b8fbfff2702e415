/* Many datagrams in one system call, the queue of a socket's errors, and local sockets that are no file. */
#include "loop/os/socket.h"

#include <errno.h>
#include <linux/errqueue.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/un.h>
#include <time.h>

#include "loop/os/file.h"

/* ---- datagrams ---- */

_Static_assert(sizeof(struct rota_os_message) == sizeof(struct mmsghdr) &&
                   offsetof(struct rota_os_message, length) == offsetof(struct mmsghdr, msg_len),
               "a message is passed to the kernel as it is");

int rota__os_sendmmsg(int fd, struct rota_os_message *messages, unsigned int count) {
  int n;
  do
    n = sendmmsg(fd, (struct mmsghdr *)(void *)messages, count, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

/* recvmsg would say whether something was lost, but it copies a header and a vector, which costs a small datagram more
 * than its bytes do. MSG_TRUNC asks for the length instead; TCP takes it for a wish to throw bytes away. */
ssize_t rota__os_recv_datagram(int fd, void *data, size_t size, bool is_stream, struct sockaddr *peer,
                               socklen_t *peer_length) {
  ssize_t n;
  do
    n = recvfrom(fd, data, size, MSG_DONTWAIT | (is_stream ? 0 : MSG_TRUNC), peer, peer_length);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

int rota__os_recvmmsg(int fd, struct rota_os_message *messages, unsigned int count) {
  int n;
  do
    n = recvmmsg(fd, (struct mmsghdr *)(void *)messages, count, MSG_DONTWAIT, NULL);
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

int rota__os_ask_for_errors(int fd, int family) {
  int on = 1;
  int level = family == AF_INET6 ? IPPROTO_IPV6 : IPPROTO_IP;
  return rota__os_set_option_bytes(fd, level, family == AF_INET6 ? IPV6_RECVERR : IP_RECVERR, &on, sizeof(on));
}

/* ---- local sockets ----
 *
 * Local sockets with names in the kernel's own table (unix(7), abstract), and who is on their other side. */

/* 0: the name is too long. The first byte of the path is 0, and there is no file. */
static socklen_t local_address(const char *name, struct sockaddr_un *address) {
  size_t length = strlen(name);
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  if (length + 1 > sizeof(address->sun_path))
    return 0;
  memcpy(address->sun_path + 1, name, length);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
}

int rota__os_local_listen(const char *name) {
  struct sockaddr_un address;
  socklen_t length = local_address(name, &address);
  int fd = length == 0 ? -ENAMETOOLONG : rota__os_socket(AF_UNIX, SOCK_SEQPACKET, 0);
  if (fd < 0)
    return fd;
  int err = rota__os_bind(fd, (const struct sockaddr *)&address, length);
  if (err >= 0)
    err = rota__os_listen(fd, 4);
  if (err >= 0)
    return fd;
  rota__os_close(fd);
  return err;
}

int rota__os_local_connect(const char *name) {
  struct sockaddr_un address;
  socklen_t length = local_address(name, &address);
  int fd = length == 0 ? -ENAMETOOLONG : rota__os_socket(AF_UNIX, SOCK_SEQPACKET, 0);
  if (fd < 0)
    return fd;
  int err = rota__os_connect(fd, (const struct sockaddr *)&address, length);
  if (err == 0)
    return fd;
  rota__os_close(fd);
  return err > 0 ? -EAGAIN : err;
}

bool rota__os_has_unsent(int fd) {
  int unsent = 0;
  return ioctl(fd, SIOCOUTQNSD, &unsent) == 0 && unsent > 0;
}

int rota__os_peer(int fd, pid_t *process, uid_t *user) {
  struct ucred peer;
  socklen_t length = sizeof(peer);
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0)
    return -errno;
  *process = peer.pid;
  *user = peer.uid;
  return 0;
}
