/* The common part of uv_fs_event_getpath and uv_fs_poll_getpath. */
#ifndef ROTA_FS_WATCHED_PATH_H
#define ROTA_FS_WATCHED_PATH_H

#include <string.h>

#include "uv.h"

/* Path is null if nothing is watched. If the buffer is too small, *size becomes the size needed with the terminator;
 * else the length without it. */
static inline int rota__watched_path(const char *path, char *buffer, size_t *size) {
  if (buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  if (path == NULL) {
    *size = 0;
    return UV_EINVAL;
  }
  size_t length = strlen(path);
  if (length >= *size) {
    *size = length + 1;
    return UV_ENOBUFS;
  }
  memcpy(buffer, path, length + 1);
  *size = length;
  return 0;
}

#endif
