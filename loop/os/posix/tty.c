#include "loop/os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool is_master(int fd) {
#ifdef TIOCGPTN
  unsigned int number;
  return ioctl(fd, TIOCGPTN, &number) == 0;
#else
  return ptsname(fd) != NULL;
#endif
}

static int copy_to(int fd, int to) {
#ifdef __APPLE__ /* it lacks dup3 */
  if (fd == to) {
    errno = EINVAL;
    return -1;
  }
  int n = dup2(fd, to);
  if (n >= 0)
    rota__os_set_cloexec(n, true);
  return n;
#else
  return dup3(fd, to, O_CLOEXEC);
#endif
}

int rota__os_tty_reopen(int fd, int mode) {
  char path[256];
  if (is_master(fd))
    return -ENXIO; /* opening its name would open the other side */
  int err = ttyname_r(fd, path, sizeof path);
  if (err != 0)
    return -err;
  int copy = rota__os_open_cloexec(path, mode | O_NOCTTY);
  if (copy < 0)
    return copy;
  int n;
  do
    n = copy_to(copy, fd);
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
