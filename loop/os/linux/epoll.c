#include "loop/os/linux/poll.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>

#include "loop/os/file.h"

int rota__os_epoll_create(void) {
  int fd = epoll_create1(EPOLL_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

int rota__os_epoll_control(int epoll_fd, int operation, int fd, uint32_t events, uint64_t data) {
  struct epoll_event event = {.events = events, .data.u64 = data};
  return epoll_ctl(epoll_fd, operation, fd, &event) < 0 ? -errno : 0;
}

int rota__os_epoll_wait(int epoll_fd, struct epoll_event *events, int events_max, int timeout_ms,
                        const sigset_t *blocked) {
  int saved = errno;
  int n = epoll_pwait(epoll_fd, events, events_max, timeout_ms, blocked);
  if (n < 0)
    n = -errno;
  errno = saved;
  return n;
}

int rota__os_epoll_accepts(int fd) {
  int epoll_fd = rota__os_epoll_create();
  if (epoll_fd < 0)
    return epoll_fd;
  int err = rota__os_epoll_control(epoll_fd, EPOLL_CTL_ADD, fd, EPOLLIN, 0);
  rota__os_close(epoll_fd);
  return err;
}
