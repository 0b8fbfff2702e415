/* What a file is: stat(2), which knows the time of birth on all of these systems but OpenBSD. */
#include "loop/os/file.h"

int rota__os_stat(const char *path, enum rota_stat_of of, uv_stat_t *result) {
  return rota__os_plain_stat(path, of, result);
}

int rota__os_stat_fd(int fd, uv_stat_t *result) {
  return rota__os_plain_stat_fd(fd, result);
}
