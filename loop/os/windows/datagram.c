/* Datagrams. The vectors of a message are uv_buf_t here, which are laid out as the system wants them. */
#include "loop/os/socket.h"

#include <string.h>

#include "loop/os/windows/convert.h"
#include "uv.h"

static SOCKET of(int fd) {
  return (SOCKET)(intptr_t)fd;
}

ssize_t rota__os_sendmsg(int fd, const struct msghdr *message) {
  DWORD bytes = 0;
  if (WSASendTo(of(fd), (WSABUF *)(void *)message->msg_iov, (DWORD)message->msg_iovlen, &bytes, 0, message->msg_name,
                message->msg_namelen, NULL, NULL) == 0)
    return (ssize_t)bytes;
  int error = WSAGetLastError();
  return error == WSAEWOULDBLOCK ? UV_EAGAIN : rota__os_translate(error);
}

int rota__os_sendmmsg(int fd, struct rota_os_message *messages, unsigned int count) {
  for (unsigned int i = 0; i < count; i++) {
    ssize_t n = rota__os_sendmsg(fd, &messages[i].header);
    if (n < 0)
      return i > 0 ? (int)i : (int)n;
    messages[i].length = (unsigned int)n;
  }
  return (int)count;
}

static ssize_t receive(int fd, void *data, size_t size, void *peer, socklen_t *peer_length, bool *is_cut) {
  int room = (int)(size > INT32_MAX ? INT32_MAX : size);
  for (;;) {
    int n = recvfrom(of(fd), data, room, 0, peer, peer_length);
    *is_cut = false;
    if (n >= 0)
      return n;
    int error = WSAGetLastError();
    if (error == WSAEMSGSIZE) {
      *is_cut = true;
      return room;
    }
    /* An error of an earlier datagram, which older systems report here. */
    if (error != WSAECONNRESET && error != WSAENETRESET)
      return error == WSAEWOULDBLOCK ? UV_EAGAIN : rota__os_translate(error);
  }
}

ssize_t rota__os_recv_datagram(int fd, void *data, size_t size, bool is_stream, struct sockaddr *peer,
                               socklen_t *peer_length) {
  bool is_cut;
  ssize_t n = receive(fd, data, size, peer, peer_length, &is_cut);
  return is_cut && !is_stream ? n + 1 : n;
}

int rota__os_recvmmsg(int fd, struct rota_os_message *messages, unsigned int count) {
  for (unsigned int i = 0; i < count; i++) {
    struct msghdr *header = &messages[i].header;
    bool is_cut;
    ssize_t n = receive(fd, header->msg_iov->iov_base, header->msg_iov->iov_len, header->msg_name, &header->msg_namelen,
                        &is_cut);
    if (n < 0)
      return i > 0 ? (int)i : (int)n;
    header->msg_flags = is_cut ? MSG_TRUNC : 0;
    messages[i].length = (unsigned int)n;
  }
  return (int)count;
}

ssize_t rota__os_recv_error(int fd, struct msghdr *message, int *error) {
  (void)fd;
  (void)message;
  (void)error;
  return UV_EAGAIN;
}

int rota__os_ask_for_errors(int fd, int family) {
  (void)fd;
  (void)family;
  return UV_ENOTSUP;
}

int rota__os_disconnect(int fd) {
  struct sockaddr_storage nobody = {0};
  return connect(of(fd), (struct sockaddr *)&nobody, sizeof(nobody)) == 0 ? 0 : rota__os_translate(WSAGetLastError());
}

int rota__os_source_membership4(int fd, const struct in_addr *group, const struct in_addr *on_interface,
                                const struct in_addr *source, bool join) {
  struct ip_mreq_source request = {.imr_multiaddr = *group, .imr_sourceaddr = *source, .imr_interface = *on_interface};
  return rota__os_set_option_bytes(fd, IPPROTO_IP, join ? IP_ADD_SOURCE_MEMBERSHIP : IP_DROP_SOURCE_MEMBERSHIP,
                                   &request, sizeof(request));
}

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
