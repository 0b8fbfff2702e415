/* A bell is an event descriptor. Ringing cannot block: the counter would have to hold 2^64 - 2 strokes. */
#include "loop/os/file.h"

#include <errno.h>
#include <stdint.h>
#include <sys/eventfd.h>

int rota__os_wakeup_open(struct rota_os_wakeup *wakeup) {
  wakeup->other = -1;
  wakeup->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return wakeup->fd < 0 ? -errno : 0;
}

void rota__os_wakeup_signal(const struct rota_os_wakeup *wakeup) {
  static const uint64_t one = 1;
  (void)rota__os_write(wakeup->fd, &one, sizeof(one));
}

void rota__os_wakeup_clear(const struct rota_os_wakeup *wakeup) {
  uint64_t strokes;
  (void)rota__os_read(wakeup->fd, &strokes, sizeof(strokes));
}

void rota__os_wakeup_close(struct rota_os_wakeup *wakeup) {
  if (wakeup->fd >= 0)
    rota__os_close(wakeup->fd);
  wakeup->fd = -1;
}
