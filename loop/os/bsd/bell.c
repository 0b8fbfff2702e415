/* A bell is a pipe. A full pipe rings already, so a stroke that finds no room may be lost. A kqueue with a user event
 * would be one descriptor less, but a child process does not inherit it. */
#include "loop/os/file.h"

#include <fcntl.h>

int rota__os_wakeup_open(struct rota_os_wakeup *wakeup) {
  int fds[2];
  int err = rota__os_pipe(fds, O_NONBLOCK);
  wakeup->fd = err < 0 ? -1 : fds[0];
  wakeup->other = err < 0 ? -1 : fds[1];
  return err;
}

void rota__os_wakeup_signal(const struct rota_os_wakeup *wakeup) {
  (void)rota__os_write(wakeup->other, "", 1);
}

void rota__os_wakeup_clear(const struct rota_os_wakeup *wakeup) {
  char strokes[512];
  while (rota__os_read(wakeup->fd, strokes, sizeof(strokes)) == (ssize_t)sizeof(strokes))
    continue;
}

void rota__os_wakeup_close(struct rota_os_wakeup *wakeup) {
  if (wakeup->fd < 0)
    return;
  rota__os_close(wakeup->fd);
  rota__os_close(wakeup->other);
  wakeup->fd = wakeup->other = -1;
}
