/* Copying inside the kernel. */
#include <errno.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "loop/os/file.h"
#include "loop/os/outcome.h"

ssize_t rota__os_sendfile(int out, int in, int64_t *offset, size_t length) {
  off_t position = *offset;
  ssize_t n;
  do
    n = sendfile(out, in, &position, length);
  while (rota__os_interrupted(n));
  *offset = position;
  return rota__os_outcome(n);
}

int rota__os_clone(int out, int in) {
  int err;
  do
    err = ioctl(out, FICLONE, in);
  while (rota__os_interrupted(err));
  return (int)rota__os_outcome(err);
}
