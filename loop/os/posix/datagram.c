#include "loop/os/socket.h"

#include <errno.h>
#include <string.h>

ssize_t rota__os_sendmsg(int fd, const struct msghdr *message) {
  ssize_t n;
  do
    n = sendmsg(fd, message, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

int rota__os_disconnect(int fd) {
  struct sockaddr nobody = {.sa_family = AF_UNSPEC};
  int r;
  do
    r = connect(fd, &nobody, sizeof(nobody));
  while (r < 0 && errno == EINTR);
  return r < 0 ? -errno : 0;
}

int rota__os_set_option_bytes(int fd, int level, int name, const void *value, socklen_t length) {
  return setsockopt(fd, level, name, value, length) == 0 ? 0 : -errno;
}

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
  return -ENOSYS;
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
  return -ENOSYS;
}
#endif
