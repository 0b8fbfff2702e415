/* stat(2), for the systems that have nothing better, and for kernels that lack the better call. */
#ifndef ROTA_OS_POSIX_STAT_H
#define ROTA_OS_POSIX_STAT_H

#include "loop/os/path.h"

int rota__os_plain_stat(const char *path, enum rota_stat_of of, uv_stat_t *result);
int rota__os_plain_stat_fd(int fd, uv_stat_t *result);

#endif
