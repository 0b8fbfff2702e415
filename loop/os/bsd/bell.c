/* A bell is a pipe. A full pipe rings already, so a stroke that finds no room may be lost. A kqueue with a user event
 * would be one descriptor less, but a child process does not inherit it. */
#include "loop/os/bell.h"

#include <fcntl.h>

#include "loop/os/fd.h"

int rota__os_bell_open(struct rota_os_bell *bell) {
  int fds[2];
  int err = rota__os_pipe(fds, O_NONBLOCK);
  bell->fd = err < 0 ? -1 : fds[0];
  bell->other = err < 0 ? -1 : fds[1];
  return err;
}

void rota__os_bell_ring(const struct rota_os_bell *bell) {
  (void)rota__os_write(bell->other, "", 1);
}

void rota__os_bell_stop(const struct rota_os_bell *bell) {
  char strokes[512];
  while (rota__os_read(bell->fd, strokes, sizeof(strokes)) == (ssize_t)sizeof(strokes))
    continue;
}

void rota__os_bell_close(struct rota_os_bell *bell) {
  if (bell->fd < 0)
    return;
  rota__os_close(bell->fd);
  rota__os_close(bell->other);
  bell->fd = bell->other = -1;
}
