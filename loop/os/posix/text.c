#include "loop/os/file.h"

#include <errno.h>
#include <fcntl.h>

#include "loop/base/alloc.h"

enum { FIRST_SIZE = 4096 };

/* Files of /proc and /sys have no size that could be asked, and may come in pieces. */
static ssize_t read_until_full(int fd, char *buffer, size_t room) {
  size_t length = 0;
  while (length < room) {
    ssize_t n = rota__os_read(fd, buffer + length, room - length);
    if (n < 0)
      return n;
    if (n == 0)
      break;
    length += (size_t)n;
  }
  return (ssize_t)length;
}

ssize_t rota__os_read_text(const char *path, char *buffer, size_t size) {
  int fd = rota__os_open_cloexec(path, O_RDONLY);
  if (fd < 0)
    return fd;
  ssize_t length = read_until_full(fd, buffer, size - 1);
  rota__os_close(fd);
  if (length >= 0)
    buffer[length] = '\0';
  return length;
}

ssize_t rota__os_read_whole(const char *path, char **text) {
  size_t capacity = FIRST_SIZE;
  size_t length = 0;
  ssize_t result = -ENOMEM;
  char *buffer = NULL;

  int fd = rota__os_open_cloexec(path, O_RDONLY);
  if (fd < 0)
    return fd;
  for (;;) {
    char *larger = rota__realloc(buffer, capacity);
    if (larger == NULL) {
      result = -ENOMEM;
      goto fail;
    }
    buffer = larger;
    result = read_until_full(fd, buffer + length, capacity - 1 - length);
    if (result < 0)
      goto fail;
    length += (size_t)result;
    if (length < capacity - 1)
      break;
    capacity *= 2;
  }
  rota__os_close(fd);
  buffer[length] = '\0';
  *text = buffer;
  return (ssize_t)length;

fail:
  rota__free(buffer);
  rota__os_close(fd);
  return result;
}
