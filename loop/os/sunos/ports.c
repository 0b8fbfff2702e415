#include "loop/os/ports.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

#include "loop/base/units.h"
#include "loop/os/file.h"

int rota__os_port_open(void) {
  int port = port_create();
  if (port < 0)
    return -errno;
  int err = rota__os_set_cloexec(port, true);
  if (err < 0)
    rota__os_close(port);
  return err < 0 ? err : port;
}

int rota__os_port_watch(int port, int fd, int events) {
  return port_associate(port, PORT_SOURCE_FD, (uintptr_t)fd, events, NULL) < 0 ? -errno : 0;
}

int rota__os_port_forget(int port, int fd) {
  return port_dissociate(port, PORT_SOURCE_FD, (uintptr_t)fd) < 0 ? -errno : 0;
}

int rota__os_port_ring(int port) {
  int saved = errno;
  int err = port_send(port, 0, NULL) < 0 ? -errno : 0;
  errno = saved;
  return err;
}

int rota__os_port_wait(int port, port_event_t *events, int events_max, int64_t timeout_ns, const sigset_t *blocked) {
  struct timespec limit = {(time_t)(timeout_ns / NS_PER_SECOND), (long)(timeout_ns % NS_PER_SECOND)};
  unsigned int count = 1; /* so many are waited for */
  sigset_t mask;
  int saved = errno;
  if (blocked != NULL)
    pthread_sigmask(SIG_SETMASK, blocked, &mask);
  int result = port_getn(port, events, (unsigned int)events_max, &count, timeout_ns < 0 ? NULL : &limit);
  /* When the time is over, and after a signal, there may be events all the same. */
  if (result == 0 || errno == ETIME || (errno == EINTR && count > 0))
    result = (int)count;
  else
    result = -errno;
  if (blocked != NULL)
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
  errno = saved;
  return result;
}
