/* Sockets with names in a table of the kernel's are Linux's alone: these systems have files for them, which outlive
 * their process. So nobody can attach to a program here. */
#include <errno.h>

#include "loop/os/socket.h"

int rota__os_local_listen(const char *name) {
  (void)name;
  return -ENOTSUP;
}

int rota__os_peer(int fd, pid_t *process, uid_t *user) {
  (void)fd;
  (void)process;
  (void)user;
  return -ENOTSUP;
}
