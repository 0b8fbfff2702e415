#include "loop/os/host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/random.h>
#include <sys/types.h>

#include "loop/os/file.h"

static int read_exactly(const char *path, char *buffer, size_t length) {
  int fd = rota__os_open_cloexec(path, O_RDONLY);
  if (fd < 0)
    return fd;
  int err = 0;
  while (length > 0 && err == 0) {
    ssize_t n = rota__os_read(fd, buffer, length);
    if (n <= 0) {
      err = n < 0 ? (int)n : -EIO;
    } else {
      buffer += n;
      length -= (size_t)n;
    }
  }
  rota__os_close(fd);
  return err;
}

/* Used if the system call is missing or forbidden. /dev/urandom never waits for entropy, /dev/random does: after one
 * byte from /dev/random, /dev/urandom is safe. */
static int from_device(char *buffer, size_t length) {
  static bool is_seeded;
  if (!__atomic_load_n(&is_seeded, __ATOMIC_RELAXED)) {
    char byte;
    int err = read_exactly("/dev/random", &byte, 1);
    if (err != 0)
      return err;
    __atomic_store_n(&is_seeded, true, __ATOMIC_RELAXED);
  }
  return read_exactly("/dev/urandom", buffer, length);
}

int rota__os_random(void *buffer, size_t length) {
  char *at = buffer;
  while (length > 0) {
    ssize_t n = getrandom(at, length, 0);
    if (n < 0) {
      if (errno == EINTR)
        continue;
      if (errno == ENOSYS || errno == EPERM)
        return from_device(at, length);
      return -errno;
    }
    at += n;
    length -= (size_t)n;
  }
  return 0;
}
