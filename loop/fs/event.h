/* Watching paths: what uv_fs_event and uv_fs_poll share, and the system's half of uv_fs_event. */
#ifndef ROTA_FS_EVENT_H
#define ROTA_FS_EVENT_H

#include <string.h>

#include "uv.h"

/* For uv_fs_event_getpath and uv_fs_poll_getpath. Path is null if nothing is watched. If the buffer is too small, *size
 * becomes the size needed with the terminator; else the length without it. */
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

/* The system's half. The handle has its path and callback. */
int rota__fs_event_watch(uv_fs_event_t *handle, unsigned int flags);
void rota__fs_event_unwatch(uv_fs_event_t *handle);

#endif
