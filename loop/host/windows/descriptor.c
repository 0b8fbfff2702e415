/* Descriptors of the C library and handles of the system, and the name that an interface has in an address. */
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <string.h>

#include "loop/base/text.h"
#include "uv.h"

uv_os_fd_t uv_get_osfhandle(int fd) {
  return (HANDLE)_get_osfhandle(fd);
}

int uv_open_osfhandle(uv_os_fd_t os_fd) {
  return _open_osfhandle((intptr_t)os_fd, 0);
}

/* Windows numbers interfaces in addresses: fe80::1%5. */
int uv_if_indextoiid(unsigned int ifindex, char *buffer, size_t *size) {
  char number[16];
  if (buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  int length = snprintf(number, sizeof(number), "%u", ifindex);
  return rota__text_give(number, (size_t)length, buffer, size);
}
