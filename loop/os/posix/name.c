#include "loop/os/socket.h"

#include <errno.h>

#include "uv/errno.h"

int rota__os_translate_eai(int code) {
  switch (code) {
  case 0:
    return 0;
#ifdef EAI_ADDRFAMILY
  case EAI_ADDRFAMILY:
    return UV__EAI_ADDRFAMILY;
#endif
  case EAI_AGAIN:
    return UV__EAI_AGAIN;
  case EAI_BADFLAGS:
    return UV__EAI_BADFLAGS;
#ifdef EAI_CANCELED
  case EAI_CANCELED:
    return UV__EAI_CANCELED;
#endif
  case EAI_FAIL:
    return UV__EAI_FAIL;
  case EAI_FAMILY:
    return UV__EAI_FAMILY;
  case EAI_MEMORY:
    return UV__EAI_MEMORY;
#ifdef EAI_NODATA
  case EAI_NODATA:
    return UV__EAI_NODATA;
#endif
  case EAI_NONAME:
    return UV__EAI_NONAME;
  case EAI_OVERFLOW:
    return UV__EAI_OVERFLOW;
  case EAI_SERVICE:
    return UV__EAI_SERVICE;
  case EAI_SOCKTYPE:
    return UV__EAI_SOCKTYPE;
  case EAI_SYSTEM:
    return errno != 0 ? -errno : UV__EAI_FAIL;
  default:
    return UV__EAI_FAIL;
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
      getnameinfo(address, length, host, (socklen_t)host_size, service, (socklen_t)service_size, flags));
}
