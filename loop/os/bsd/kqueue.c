#include "loop/os/kqueue.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

#include "loop/base/units.h"
#include "loop/os/file.h"

int rota__os_kqueue_open(void) {
  int fd = kqueue();
  if (fd < 0)
    return -errno;
  int err = rota__os_set_cloexec(fd, true);
  if (err < 0)
    rota__os_close(fd);
  return err < 0 ? err : fd;
}

int rota__os_kqueue_change(int kqueue_fd, const struct kevent *changes, int count) {
  int saved = errno;
  int result;
  /* Without room for events, an error of a change is the error of the call. */
  do
    result = kevent(kqueue_fd, changes, count, NULL, 0, NULL);
  while (result < 0 && errno == EINTR);
  if (result < 0)
    result = -errno;
  errno = saved;
  return result;
}

int rota__os_kqueue_wait(int kqueue_fd, struct kevent *events, int events_max, int64_t timeout_ns,
                         const sigset_t *blocked) {
  /* Some systems refuse a longer time; the caller looks at its deadline and waits again. */
  enum { LONGEST_S = 24 * 60 * 60 };
  struct timespec limit = {LONGEST_S, 0};
  sigset_t mask;
  int saved = errno;
  if (timeout_ns >= 0 && timeout_ns < LONGEST_S * (int64_t)NS_PER_SECOND)
    limit = (struct timespec){(time_t)(timeout_ns / NS_PER_SECOND), (long)(timeout_ns % NS_PER_SECOND)};
  if (blocked != NULL)
    pthread_sigmask(SIG_SETMASK, blocked, &mask);
  int n = kevent(kqueue_fd, NULL, 0, events, events_max, timeout_ns < 0 ? NULL : &limit);
  if (n < 0)
    n = -errno;
  if (blocked != NULL)
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
  errno = saved;
  return n;
}
