/* Copying inside the kernel: sendfile is for sockets only here. */
#include <errno.h>

#include "loop/os/file.h"

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
