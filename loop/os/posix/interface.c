#include "loop/os/socket.h"

#include <errno.h>
#include <net/if.h>

int rota__os_interface_name(unsigned int index, char name[ROTA_INTERFACE_NAME_SIZE]) {
  return if_indextoname(index, name) == NULL ? -errno : 0;
}

unsigned int rota__os_interface_index(const char *name) {
  return if_nametoindex(name);
}
