/* Entries of a directory, as the kernel writes them. */
#include "loop/os/file.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert(offsetof(struct rota_directory_entry, name) == 19, "the kernel's struct linux_dirent64");

ssize_t rota__os_directory_read(int fd, void *buffer, size_t size) {
  long n;
  do
    n = syscall(SYS_getdents64, fd, buffer, size);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}
