#include "loop/os/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "loop/os/fd.h"

int rota__os_tty_reopen(int fd, int mode) {
  char path[256];
  unsigned int number;
  if (ioctl(fd, TIOCGPTN, &number) == 0)
    return -ENXIO; /* a master: opening its name would open the other side */
  int err = ttyname_r(fd, path, sizeof path);
  if (err != 0)
    return -err;
  int copy = rota__os_open_cloexec(path, mode | O_NOCTTY);
  if (copy < 0)
    return copy;
  int n;
  do
    n = dup3(copy, fd, O_CLOEXEC);
  while (n < 0 && (errno == EINTR || errno == EBUSY));
  if (n < 0 && errno != EINVAL) { /* EINVAL: fd has been closed meanwhile, and copy took its number */
    err = -errno;
    rota__os_close(copy);
    return err;
  }
  return copy;
}

int rota__os_tty_get(int fd, struct termios *attributes) {
  return tcgetattr(fd, attributes) < 0 ? -errno : 0;
}

int rota__os_tty_set(int fd, int when, const struct termios *attributes) {
  int saved = errno;
  int n;
  do
    n = tcsetattr(fd, when, attributes);
  while (n < 0 && errno == EINTR);
  int err = n < 0 ? -errno : 0;
  errno = saved;
  return err;
}

int rota__os_tty_size(int fd, int *width, int *height) {
  struct winsize size;
  int n;
  do
    n = ioctl(fd, TIOCGWINSZ, &size);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    return -errno;
  *width = size.ws_col;
  *height = size.ws_row;
  return 0;
}
