/* How many bytes one call may move. The kernel has the same limit, and a count in an int cannot be larger. */
#ifndef ROTA_BASE_LIMIT_H
#define ROTA_BASE_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "uv.h"

enum { ROTA_IO_MAX = 0x7ffff000 };

static inline bool rota__io_is_too_large(const uv_buf_t *bufs, unsigned int nbufs) {
  size_t left = ROTA_IO_MAX;
  for (unsigned int i = 0; i < nbufs; i++) {
    if (bufs[i].len > left)
      return true;
    left -= bufs[i].len;
  }
  return false;
}

#endif
