/* Conversions that do nothing on this system, and the name that an interface has in an address. */
#include "uv.h"

/* On other systems, a descriptor of the C library and a handle of the system differ. */
uv_os_fd_t uv_get_osfhandle(int fd) {
  return fd;
}

int uv_open_osfhandle(uv_os_fd_t os_fd) {
  return os_fd;
}

int uv_if_indextoiid(unsigned int ifindex, char *buffer, size_t *size) {
  return uv_if_indextoname(ifindex, buffer, size);
}
