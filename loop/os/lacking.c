/* For the systems that lack it: containers that put limits on a process, many datagrams in one call, a queue of a
 * socket's errors, and what a connection has not sent. The BSDs' call for many datagrams is a loop of the C library, or
 * private. A job object of Windows may limit the memory of a process; the system does not tell which of several limits
 * holds. */
#include "loop/os/host.h"
#include "loop/os/socket.h"

uint64_t rota__os_memory_limit(void) {
  return 0;
}

bool rota__os_memory_left(uint64_t total, uint64_t *left) {
  (void)total;
  (void)left;
  return false;
}

bool rota__os_cpu_quota(double *processors) {
  (void)processors;
  return false;
}

int rota__os_sendmmsg(int fd, struct rota_os_message *messages, unsigned int count) {
  for (unsigned int i = 0; i < count; i++) {
    ssize_t n = rota__os_sendmsg(fd, &messages[i].header);
    if (n < 0)
      return i > 0 ? (int)i : (int)n;
    messages[i].length = (unsigned int)n;
  }
  return (int)count;
}

ssize_t rota__os_recv_error(int fd, struct msghdr *message, int *error) {
  (void)fd;
  (void)message;
  (void)error;
  return UV_EAGAIN;
}

bool rota__os_has_unsent(int fd) {
  (void)fd;
  return false;
}

int rota__os_ask_for_errors(int fd, int family) {
  (void)fd;
  (void)family;
  return UV_ENOTSUP;
}
