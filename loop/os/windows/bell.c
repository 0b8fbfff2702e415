/* The loop's port can be woken itself, so there are no bells. */
#include "loop/os/bell.h"

#include "uv.h"

int rota__os_bell_open(struct rota_os_bell *bell) {
  bell->fd = bell->other = -1;
  return UV_ENOSYS;
}

void rota__os_bell_ring(const struct rota_os_bell *bell) {
  (void)bell;
}

void rota__os_bell_stop(const struct rota_os_bell *bell) {
  (void)bell;
}

void rota__os_bell_close(struct rota_os_bell *bell) {
  bell->fd = -1;
}
