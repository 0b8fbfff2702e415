#include "loop/os/inotify.h"

#include <errno.h>

int rota__os_inotify_open(void) {
  int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

int rota__os_inotify_add(int fd, const char *path, uint32_t mask) {
  int watch = inotify_add_watch(fd, path, mask);
  return watch < 0 ? -errno : watch;
}

int rota__os_inotify_remove(int fd, int watch) {
  return inotify_rm_watch(fd, watch) < 0 ? -errno : 0;
}
