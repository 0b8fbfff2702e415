#include "loop/os/socket.h"

#include <stdlib.h>

#include "loop/os/windows/convert.h"

#include <iphlpapi.h>

/* The alias ("Ethernet"), if there is one, else the name that the system made up. */
int rota__os_interface_name(unsigned int index, char name[ROTA_INTERFACE_NAME_SIZE]) {
  NET_LUID luid;
  WCHAR wide[NDIS_IF_MAX_STRING_SIZE + 1];
  size_t size = ROTA_INTERFACE_NAME_SIZE;
  DWORD code = ConvertInterfaceIndexToLuid(index, &luid);
  if (code == ERROR_SUCCESS)
    code = ConvertInterfaceLuidToNameW(&luid, wide, NDIS_IF_MAX_STRING_SIZE + 1);
  if (code != ERROR_SUCCESS)
    return code == ERROR_FILE_NOT_FOUND || code == ERROR_INVALID_PARAMETER ? UV_ENXIO : rota__os_translate((int)code);
  return rota__os_narrow_give(wide, -1, name, &size);
}

unsigned int rota__os_interface_index(const char *name) {
  return (unsigned int)strtoul(name, NULL, 10);
}
