/* The text files of /proc and /sys are not there. A folder of that name on the current drive is something else. */
#include "loop/os/text.h"

#include "uv.h"

ssize_t rota__os_read_text(const char *path, char *buffer, size_t size) {
  (void)path;
  if (size > 0)
    buffer[0] = '\0';
  return UV_ENOENT;
}
