/* Sockets of the BSDs and macOS. */
#include "loop/os/socket.h"

#include <errno.h>
#include <stddef.h>

#include "loop/os/outcome.h"

/* ---- datagrams ---- */

/* One datagram for each call: where these systems have a call for many, it is a loop of the C library, or private. */
static ssize_t receive(int fd, struct msghdr *message) {
  ssize_t n;
  do
    n = recvmsg(fd, message, MSG_DONTWAIT);
  while (rota__os_interrupted(n));
  return rota__os_outcome(n);
}

ssize_t rota__os_recv_datagram(int fd, void *data, size_t size, bool is_stream, struct sockaddr *peer,
                               socklen_t *peer_length) {
  struct iovec vector = {.iov_base = data, .iov_len = size};
  struct msghdr message = {
      .msg_name = peer, .msg_namelen = peer == NULL ? 0 : *peer_length, .msg_iov = &vector, .msg_iovlen = 1};
  ssize_t n = receive(fd, &message);
  if (n < 0)
    return n;
  if (peer_length != NULL)
    *peer_length = message.msg_namelen;
  return !is_stream && (message.msg_flags & MSG_TRUNC) ? (ssize_t)size + 1 : n;
}

int rota__os_recvmmsg(int fd, struct rota_os_message *messages, unsigned int count) {
  for (unsigned int i = 0; i < count; i++) {
    ssize_t n = receive(fd, &messages[i].header);
    if (n < 0)
      return i > 0 ? (int)i : (int)n;
    messages[i].length = (unsigned int)n;
  }
  return (int)count;
}

/* ---- local sockets ---- */

/* Sockets with names in a table of the kernel's are Linux's alone: these systems have files for them, which outlive
 * their process. So nobody can attach to a program here. */

int rota__os_local_listen(const char *name) {
  (void)name;
  return -ENOTSUP;
}

int rota__os_peer(int fd, pid_t *process, uid_t *user) {
  (void)fd;
  (void)process;
  (void)user;
  return -ENOTSUP;
}
