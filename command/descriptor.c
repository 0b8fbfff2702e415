/* Descriptors 0 to 2 of `rota` itself. If one is closed, the next file that is opened takes its number, and what is
 * printed goes there: into a socket, or into the loop's own descriptors. So they are opened before anything else is. */
#include "command/command.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool command_open_standard(bool for_children) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
    if (fcntl(fd, F_GETFD) >= 0)
      continue;
    /* The lowest free number is taken, which is this one. */
    if (open("/dev/null", O_RDWR | (for_children ? 0 : O_CLOEXEC)) >= 0)
      continue;
    fprintf(stderr, "rota: descriptor %d is closed, and /dev/null cannot be opened for it: %s\n", fd, strerror(errno));
    return false;
  }
  return true;
}

void command_close_all_but(int first, int second) {
  DIR *list = opendir("/proc/self/fd");
  const struct dirent *entry;
  while (list != NULL && (entry = readdir(list)) != NULL) {
    int fd = atoi(entry->d_name);
    if (fd > STDERR_FILENO && fd != dirfd(list) && fd != first && fd != second)
      close(fd);
  }
  if (list != NULL)
    closedir(list);
}
