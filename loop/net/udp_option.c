/* Options of a UDP socket: multicast groups, interfaces, time to live, broadcast.
 *
 * The family of the socket chooses between the options of IPv4 and IPv6. Without a socket the result is UV_EBADF; only
 * joining a group makes a socket. */
#include <string.h>

#include "loop/net/udp.h"
#include "loop/os/socket.h"

/* The text is an IPv4 or an IPv6 address. */
union address {
  struct sockaddr base;
  struct sockaddr_in in;
  struct sockaddr_in6 in6;
};

static int parse(const char *text, union address *address) {
  memset(address, 0, sizeof(*address));
  if (uv_ip4_addr(text, 0, &address->in) == 0)
    return 0;
  return uv_ip6_addr(text, 0, &address->in6) == 0 ? 0 : UV_EINVAL;
}

static int parse_in(const char *text, struct in_addr *address) {
  struct sockaddr_in in;
  int err;
  address->s_addr = htonl(INADDR_ANY);
  if (text == NULL)
    return 0;
  err = uv_ip4_addr(text, 0, &in);
  if (err == 0)
    *address = in.sin_addr;
  return err;
}

/* IPv6 knows interfaces by number: the one after the % of an address. */
static int parse_scope(const char *text, unsigned int *scope) {
  struct sockaddr_in6 in6;
  int err;
  *scope = 0;
  if (text == NULL)
    return 0;
  err = uv_ip6_addr(text, 0, &in6);
  if (err == 0)
    *scope = in6.sin6_scope_id;
  return err;
}

static int set_int(uv_udp_t *handle, int option4, int option6, int value) {
  if (handle->flags & ROTA_STREAM_IPV6)
    return rota__os_set_option(handle->watcher.fd, IPPROTO_IPV6, option6, value);
  return rota__os_set_option(handle->watcher.fd, IPPROTO_IP, option4, value);
}

static int set_membership4(uv_udp_t *handle, const struct sockaddr_in *group, const char *interface_addr, bool join) {
  struct ip_mreq request = {.imr_multiaddr = group->sin_addr};
  int err = parse_in(interface_addr, &request.imr_interface);
  if (err < 0)
    return err;
  return rota__os_set_option_bytes(handle->watcher.fd, IPPROTO_IP, join ? IP_ADD_MEMBERSHIP : IP_DROP_MEMBERSHIP,
                                   &request, sizeof(request));
}

static int set_membership6(uv_udp_t *handle, const struct sockaddr_in6 *group, const char *interface_addr, bool join) {
  struct ipv6_mreq request = {.ipv6mr_multiaddr = group->sin6_addr};
  int err = parse_scope(interface_addr, &request.ipv6mr_interface);
  if (err < 0)
    return err;
  return rota__os_set_option_bytes(handle->watcher.fd, IPPROTO_IPV6, join ? IPV6_JOIN_GROUP : IPV6_LEAVE_GROUP,
                                   &request, sizeof(request));
}

int uv_udp_set_membership(uv_udp_t *handle, const char *multicast_addr, const char *interface_addr,
                          uv_membership membership) {
  union address group;
  int err = parse(multicast_addr, &group);
  if (err < 0)
    return err;
  if (membership != UV_JOIN_GROUP && membership != UV_LEAVE_GROUP)
    return UV_EINVAL;
  err = rota__udp_bind_any(handle, group.base.sa_family, UV_UDP_REUSEADDR);
  if (err < 0)
    return err;
  if (group.base.sa_family == AF_INET)
    return set_membership4(handle, &group.in, interface_addr, membership == UV_JOIN_GROUP);
  return set_membership6(handle, &group.in6, interface_addr, membership == UV_JOIN_GROUP);
}

static int set_source_membership4(uv_udp_t *handle, const struct sockaddr_in *group, const char *interface_addr,
                                  const struct sockaddr_in *source, bool join) {
  struct in_addr on_interface;
  int err = parse_in(interface_addr, &on_interface);
  if (err < 0)
    return err;
  return rota__os_source_membership4(handle->watcher.fd, &group->sin_addr, &on_interface, &source->sin_addr, join);
}

static int set_source_membership6(uv_udp_t *handle, const struct sockaddr_in6 *group, const char *interface_addr,
                                  const struct sockaddr_in6 *source, bool join) {
  unsigned int scope;
  int err = parse_scope(interface_addr, &scope);
  if (err < 0)
    return err;
  return rota__os_source_membership6(handle->watcher.fd, group, scope, source, join);
}

int uv_udp_set_source_membership(uv_udp_t *handle, const char *multicast_addr, const char *interface_addr,
                                 const char *source_addr, uv_membership membership) {
  union address group, source;
  int err = parse(multicast_addr, &group);
  if (err == 0)
    err = parse(source_addr, &source);
  if (err < 0)
    return err;
  if (group.base.sa_family != source.base.sa_family || (membership != UV_JOIN_GROUP && membership != UV_LEAVE_GROUP))
    return UV_EINVAL;
  err = rota__udp_bind_any(handle, group.base.sa_family, UV_UDP_REUSEADDR);
  if (err < 0)
    return err;
  if (group.base.sa_family == AF_INET)
    return set_source_membership4(handle, &group.in, interface_addr, &source.in, membership == UV_JOIN_GROUP);
  return set_source_membership6(handle, &group.in6, interface_addr, &source.in6, membership == UV_JOIN_GROUP);
}

int uv_udp_set_multicast_loop(uv_udp_t *handle, int on) {
  if (on < 0 || on > 255)
    return UV_EINVAL;
  return set_int(handle, IP_MULTICAST_LOOP, IPV6_MULTICAST_LOOP, on != 0);
}

int uv_udp_set_multicast_ttl(uv_udp_t *handle, int ttl) {
  if (ttl < 0 || ttl > 255)
    return UV_EINVAL;
  return set_int(handle, IP_MULTICAST_TTL, IPV6_MULTICAST_HOPS, ttl);
}

int uv_udp_set_multicast_interface(uv_udp_t *handle, const char *interface_addr) {
  union address address;
  if (interface_addr == NULL) {
    memset(&address, 0, sizeof(address));
    address.base.sa_family = handle->flags & ROTA_STREAM_IPV6 ? AF_INET6 : AF_INET;
  } else {
    int err = parse(interface_addr, &address);
    if (err < 0)
      return err;
  }
  if (address.base.sa_family == AF_INET)
    return rota__os_set_option_bytes(handle->watcher.fd, IPPROTO_IP, IP_MULTICAST_IF, &address.in.sin_addr,
                                     sizeof(address.in.sin_addr));
  return rota__os_set_option(handle->watcher.fd, IPPROTO_IPV6, IPV6_MULTICAST_IF, (int)address.in6.sin6_scope_id);
}

int uv_udp_set_broadcast(uv_udp_t *handle, int on) {
  return rota__os_set_option(handle->watcher.fd, SOL_SOCKET, SO_BROADCAST, on);
}

int uv_udp_set_ttl(uv_udp_t *handle, int ttl) {
  if (ttl < 1 || ttl > 255)
    return UV_EINVAL;
  return set_int(handle, IP_TTL, IPV6_UNICAST_HOPS, ttl);
}
