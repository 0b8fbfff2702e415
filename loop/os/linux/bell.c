/* A bell is an event descriptor. Ringing cannot block: the counter would have to hold 2^64 - 2 strokes. */
#include "loop/os/bell.h"

#include <errno.h>
#include <stdint.h>
#include <sys/eventfd.h>

#include "loop/os/fd.h"

int rota__os_bell_open(struct rota_os_bell *bell) {
  bell->other = -1;
  bell->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return bell->fd < 0 ? -errno : 0;
}

void rota__os_bell_ring(const struct rota_os_bell *bell) {
  static const uint64_t one = 1;
  (void)rota__os_write(bell->fd, &one, sizeof(one));
}

void rota__os_bell_stop(const struct rota_os_bell *bell) {
  uint64_t strokes;
  (void)rota__os_read(bell->fd, &strokes, sizeof(strokes));
}

void rota__os_bell_close(struct rota_os_bell *bell) {
  if (bell->fd >= 0)
    rota__os_close(bell->fd);
  bell->fd = -1;
}
