/* A vector of buffers, by POSIX's name. */
#ifndef ROTA_WINDOWS_UIO_H
#define ROTA_WINDOWS_UIO_H

#include <stddef.h>

struct iovec {
  void *iov_base;
  size_t iov_len;
};

#endif
