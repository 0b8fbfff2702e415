#include "loop/os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { KNOWN_MAX = 4096, BITS = 64 };

static _Atomic uint64_t seekable[KNOWN_MAX / BITS]; /* a bit for each descriptor that is known to be */

static uint64_t bit(int fd) {
  return (uint64_t)1 << (fd % BITS);
}

static bool is_known(int fd) {
  return fd >= 0 && fd < KNOWN_MAX && (atomic_load_explicit(&seekable[fd / BITS], memory_order_relaxed) & bit(fd)) != 0;
}

void rota__os_forget(int fd) {
  if (is_known(fd))
    atomic_fetch_and_explicit(&seekable[fd / BITS], ~bit(fd), memory_order_relaxed);
}

bool rota__os_is_seekable(int fd) {
  if (is_known(fd))
    return true;
  if (lseek(fd, 0, SEEK_CUR) < 0)
    return false;
  if (fd < KNOWN_MAX)
    atomic_fetch_or_explicit(&seekable[fd / BITS], bit(fd), memory_order_relaxed);
  return true;
}

bool rota__os_is_nonblocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_NONBLOCK) != 0;
}

int rota__os_close(int fd) {
  int saved = errno;
  rota__os_forget(fd);
  int err = close(fd) == 0 ? 0 : -errno;
  errno = saved;
  if (err == -EINTR || err == -EINPROGRESS)
    return 0;
  return err;
}

ssize_t rota__os_read(int fd, void *buffer, size_t length) {
  ssize_t n;
  do
    n = read(fd, buffer, length);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

ssize_t rota__os_write(int fd, const void *buffer, size_t length) {
  ssize_t n;
  do
    n = write(fd, buffer, length);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

ssize_t rota__os_writev(int fd, const struct iovec *vector, int count) {
  ssize_t n;
  do
    n = writev(fd, vector, count);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

int rota__os_set_nonblocking(int fd, bool on) {
  int flag = on;
  return ioctl(fd, FIONBIO, &flag) < 0 ? -errno : 0;
}

int rota__os_set_cloexec(int fd, bool on) {
  return ioctl(fd, on ? FIOCLEX : FIONCLEX) < 0 ? -errno : 0;
}

int rota__os_open_cloexec(const char *path, int flags) {
  int fd;
  do
    fd = open(path, flags | O_CLOEXEC);
  while (fd < 0 && errno == EINTR);
  return fd < 0 ? -errno : fd;
}

int rota__os_dup_cloexec(int fd) {
  int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  return copy < 0 ? -errno : copy;
}

int rota__os_dup_high(int fd) {
  int copy = fcntl(fd, F_DUPFD_CLOEXEC, 200);
  return copy < 0 ? -errno : copy;
}

int rota__os_pipe(int fds[2], int flags) {
#ifdef __APPLE__ /* it lacks pipe2: a child that another thread starts now may inherit them */
  if (pipe(fds) < 0)
    return -errno;
  for (int i = 0; i < 2; i++) {
    rota__os_set_cloexec(fds[i], true);
    if (flags & O_NONBLOCK)
      rota__os_set_nonblocking(fds[i], true);
  }
  return 0;
#else
  return pipe2(fds, flags | O_CLOEXEC) < 0 ? -errno : 0;
#endif
}

int rota__os_pipe_above(int fds[2], int above) {
  int err = rota__os_pipe(fds, 0);
  if (err < 0 || fds[1] >= above)
    return err;
  int moved = fcntl(fds[1], F_DUPFD_CLOEXEC, above);
  err = moved < 0 ? -errno : 0;
  rota__os_close(fds[1]);
  fds[1] = moved;
  if (err < 0)
    rota__os_close(fds[0]);
  return err;
}

int rota__os_access_mode(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags < 0 ? -errno : flags & O_ACCMODE;
}
