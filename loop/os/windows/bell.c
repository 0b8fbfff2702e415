/* The loop's port can be woken itself, so there are no bells. */
#include "loop/os/file.h"

#include "uv.h"

int rota__os_wakeup_open(struct rota_os_wakeup *wakeup) {
  wakeup->fd = wakeup->other = -1;
  return UV_ENOSYS;
}

void rota__os_wakeup_signal(const struct rota_os_wakeup *wakeup) {
  (void)wakeup;
}

void rota__os_wakeup_clear(const struct rota_os_wakeup *wakeup) {
  (void)wakeup;
}

void rota__os_wakeup_close(struct rota_os_wakeup *wakeup) {
  wakeup->fd = -1;
}
