/* Names of hosts. The library has turned a name into ASCII before, so the system's functions for bytes serve. */
#include "loop/os/socket.h"

#include "loop/os/windows/convert.h"
#include "uv.h"

int rota__os_translate_eai(int code) {
  switch (code) {
  case 0:
    return 0;
  case EAI_AGAIN:
    return UV_EAI_AGAIN;
  case EAI_BADFLAGS:
    return UV_EAI_BADFLAGS;
  case EAI_FAIL:
    return UV_EAI_FAIL;
  case EAI_FAMILY:
    return UV_EAI_FAMILY;
  case EAI_MEMORY:
    return UV_EAI_MEMORY;
  case EAI_NONAME:
    return UV_EAI_NONAME;
  case WSANO_DATA:
    return UV_EAI_NODATA;
  case EAI_SERVICE:
    return UV_EAI_SERVICE;
  case EAI_SOCKTYPE:
    return UV_EAI_SOCKTYPE;
  default:
    return rota__os_translate(code);
  }
}

int rota__os_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                         struct addrinfo **result) {
  *result = NULL;
  return rota__os_translate_eai(getaddrinfo(node, service, hints, result));
}

void rota__os_freeaddrinfo(struct addrinfo *list) {
  if (list != NULL)
    freeaddrinfo(list);
}

int rota__os_getnameinfo(const struct sockaddr *address, socklen_t length, char *host, size_t host_size, char *service,
                         size_t service_size, int flags) {
  return rota__os_translate_eai(
      getnameinfo(address, length, host, (DWORD)host_size, service, (DWORD)service_size, flags));
}
