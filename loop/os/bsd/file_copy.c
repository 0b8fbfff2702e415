/* Copying inside the kernel: FreeBSD can. Elsewhere the caller copies by hand; sendfile is for sockets only. */
#include <errno.h>
#include <unistd.h>

#include "loop/os/file.h"
#include "loop/os/outcome.h"

ssize_t rota__os_copy_range(int out, int in, int64_t *offset, size_t length) {
#ifdef __FreeBSD__
  off_t position = *offset;
  ssize_t n;
  do
    n = copy_file_range(in, &position, out, NULL, length, 0);
  while (rota__os_interrupted(n));
  *offset = position;
  return rota__os_outcome(n);
#else
  (void)out;
  (void)in;
  (void)offset;
  (void)length;
  return -ENOSYS;
#endif
}

ssize_t rota__os_sendfile(int out, int in, int64_t *offset, size_t length) {
  (void)out;
  (void)in;
  (void)offset;
  (void)length;
  return -EINVAL; /* as where a file is unsuitable: the caller copies by hand */
}

int rota__os_clone(int out, int in) {
  (void)out;
  (void)in;
  return -ENOTSUP;
}
