/* What systems have in the same way: groups of one source, and the resolver. */
#include "loop/os/socket.h"

#include <string.h>

#include "uv.h"

/* ---- groups: what one source sends to them ---- */

#ifdef IP_ADD_SOURCE_MEMBERSHIP
int rota__os_source_membership4(int fd, const struct in_addr *group, const struct in_addr *on_interface,
                                const struct in_addr *source, bool join) {
  struct ip_mreq_source request = {.imr_multiaddr = *group, .imr_interface = *on_interface, .imr_sourceaddr = *source};
  return rota__os_set_option_bytes(fd, IPPROTO_IP, join ? IP_ADD_SOURCE_MEMBERSHIP : IP_DROP_SOURCE_MEMBERSHIP,
                                   &request, sizeof(request));
}
#else
int rota__os_source_membership4(int fd, const struct in_addr *group, const struct in_addr *on_interface,
                                const struct in_addr *source, bool join) {
  (void)fd, (void)group, (void)on_interface, (void)source, (void)join;
  return UV_ENOSYS;
}
#endif

#ifdef MCAST_JOIN_SOURCE_GROUP
int rota__os_source_membership6(int fd, const struct sockaddr_in6 *group, unsigned int on_interface,
                                const struct sockaddr_in6 *source, bool join) {
  struct group_source_req request;
  memset(&request, 0, sizeof(request));
  request.gsr_interface = on_interface;
  memcpy(&request.gsr_group, group, sizeof(*group));
  memcpy(&request.gsr_source, source, sizeof(*source));
  return rota__os_set_option_bytes(fd, IPPROTO_IPV6, join ? MCAST_JOIN_SOURCE_GROUP : MCAST_LEAVE_SOURCE_GROUP,
                                   &request, sizeof(request));
}
#else
int rota__os_source_membership6(int fd, const struct sockaddr_in6 *group, unsigned int on_interface,
                                const struct sockaddr_in6 *source, bool join) {
  (void)fd, (void)group, (void)on_interface, (void)source, (void)join;
  return UV_ENOSYS;
}
#endif

/* ---- names ---- */

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
