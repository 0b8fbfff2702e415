/* Datagrams, and the names of hosts: the model knows localhost, and numbers. */
#include "loop/os/socket.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/base/text.h"
#include "loop/os/clock.h"
#include "loop/os/model/socket.h"

/* ---- a socket's queue ---- */

static bool has_arrived(const struct rota_model_datagram *datagram) {
  return datagram->ns <= rota__model_now_ns();
}

unsigned int rota__model_datagrams_ready(struct rota_model_socket *self) {
  unsigned int events = POLLOUT;
  for (int i = 0; i < self->datagram_count; i++)
    if (has_arrived(&self->datagrams[i]))
      events |= POLLIN;
  return self->error != 0 ? events | POLLERR | POLLIN : events;
}

uint64_t rota__model_datagrams_next_ns(struct rota_model_socket *self) {
  uint64_t next_ns = UINT64_MAX;
  for (int i = 0; i < self->datagram_count; i++)
    if (!has_arrived(&self->datagrams[i]) && self->datagrams[i].ns < next_ns)
      next_ns = self->datagrams[i].ns;
  return next_ns;
}

void rota__model_datagrams_drop(struct rota_model_socket *self) {
  while (self->datagram_count > 0)
    free(self->datagrams[--self->datagram_count].bytes);
}

/* Datagrams may overtake each other: the first that has arrived. */
static int find_arrived(const struct rota_model_socket *self) {
  for (int i = 0; i < self->datagram_count; i++)
    if (has_arrived(&self->datagrams[i]))
      return i;
  return -1;
}

static ssize_t take(struct rota_model_socket *self, const struct iovec *vector, size_t count, struct sockaddr *from,
                    socklen_t *from_length, bool *truncated) {
  *truncated = false;
  if (self->error != 0) {
    int error = self->error;
    self->error = 0;
    return -error;
  }
  int index = rota__model_chance(rota__model_options()->again) ? -1 : find_arrived(self);
  if (index < 0)
    return -EAGAIN;
  struct rota_model_datagram taken = self->datagrams[index];
  size_t at = 0;
  for (size_t i = 0; i < count && at < taken.length; i++) {
    size_t n = vector[i].iov_len < taken.length - at ? vector[i].iov_len : taken.length - at;
    memcpy(vector[i].iov_base, taken.bytes + at, n);
    at += n;
  }
  *truncated = at < taken.length;
  if (from != NULL) {
    memcpy(from, &taken.from.u, *from_length < taken.from.length ? *from_length : taken.from.length);
    *from_length = taken.from.length;
  }
  self->datagram_count--;
  for (int i = index; i < self->datagram_count; i++)
    self->datagrams[i] = self->datagrams[i + 1];
  free(taken.bytes);
  return (ssize_t)(*truncated ? taken.length : at);
}

static void deliver(struct rota_model_socket *to, const struct rota_model_socket *from, const struct iovec *vector,
                    int count, size_t length) {
  uint64_t most = rota__model_options()->delay_max_ns;
  struct rota_model_datagram *datagram = &to->datagrams[to->datagram_count++];
  datagram->ns = rota__model_now_ns() + (most == 0 ? 0 : rota__model_below(most));
  datagram->from = from->name;
  datagram->length = length;
  datagram->bytes = malloc(length + 1);
  if (datagram->bytes == NULL)
    abort();
  size_t at = 0;
  for (int i = 0; i < count; i++) {
    if (vector[i].iov_len > 0)
      memcpy(datagram->bytes + at, vector[i].iov_base, vector[i].iov_len);
    at += vector[i].iov_len;
  }
}

ssize_t rota__model_datagram_send(struct rota_model_socket *self, const struct rota_model_address *to,
                                  const struct iovec *vector, int count) {
  enum { LARGEST = 65507 };
  size_t length = rota__model_vector_size(vector, count);
  if (to == NULL)
    to = &self->peer_name;
  if (to->length == 0)
    return -EDESTADDRREQ;
  if (length > LARGEST)
    return -EMSGSIZE;
  if (self->name.length == 0)
    rota__model_bind_any(self);
  if (rota__model_chance(rota__model_options()->again))
    return rota__model_below(2) ? -EAGAIN : -ENOBUFS;
  struct rota_model_socket *receiver = rota__model_find_bound(self->domain, SOCK_DGRAM, to);
  if (receiver == NULL && self->peer_name.length > 0)
    self->error = ECONNREFUSED;
  else if (receiver != NULL && receiver->datagram_count < ROTA_MODEL_DATAGRAMS &&
           !rota__model_chance(rota__model_options()->lost))
    deliver(receiver, self, vector, count, length);
  return (ssize_t)length;
}

/* ---- the calls ---- */

static struct rota_model_socket *called(const char *name, int fd) {
  rota__model_call(name, fd);
  return rota__model_socket_of(fd);
}

ssize_t rota__os_sendmsg(int fd, const struct msghdr *message) {
  struct rota_model_socket *self = called("sendmsg", fd);
  struct rota_model_address to = {0};
  if (self == NULL)
    return rota__model_open_of(fd) == NULL ? -EBADF : -ENOTSOCK;
  if (message->msg_name != NULL) {
    to.length = message->msg_namelen;
    memcpy(&to.u, message->msg_name, to.length < sizeof to.u ? to.length : sizeof to.u);
  }
  return rota__model_datagram_send(self, to.length > 0 ? &to : NULL, message->msg_iov, (int)message->msg_iovlen);
}

int rota__os_sendmmsg(int fd, struct rota_os_message *messages, unsigned int count) {
  unsigned int sent = 0;
  for (; sent < count; sent++) {
    ssize_t n = rota__os_sendmsg(fd, &messages[sent].header);
    if (n < 0)
      return sent > 0 ? (int)sent : (int)n;
    messages[sent].length = (unsigned int)n;
    if (rota__model_chance(rota__model_options()->shortened))
      return (int)sent + 1;
  }
  return (int)sent;
}

ssize_t rota__os_recv_datagram(int fd, void *data, size_t size, bool is_stream, struct sockaddr *peer,
                               socklen_t *peer_length) {
  struct iovec vector = {.iov_base = data, .iov_len = size};
  struct rota_model_socket *self = called("recvfrom", fd);
  bool truncated;
  if (self == NULL)
    return rota__model_open_of(fd) == NULL ? -EBADF : -ENOTSOCK;
  if (is_stream)
    return self->base.kind->read(rota__model_open_of(fd), &vector, 1, -1);
  return take(self, &vector, 1, peer, peer_length, &truncated);
}

int rota__os_recvmmsg(int fd, struct rota_os_message *messages, unsigned int count) {
  struct rota_model_socket *self = called("recvmmsg", fd);
  unsigned int received = 0;
  if (self == NULL)
    return rota__model_open_of(fd) == NULL ? -EBADF : -ENOTSOCK;
  for (; received < count; received++) {
    struct msghdr *header = &messages[received].header;
    bool truncated;
    ssize_t n = take(self, header->msg_iov, header->msg_iovlen, header->msg_name, &header->msg_namelen, &truncated);
    if (n < 0)
      return received > 0 ? (int)received : (int)n;
    size_t room = rota__model_vector_size(header->msg_iov, (int)header->msg_iovlen);
    header->msg_flags = truncated ? MSG_TRUNC : 0;
    messages[received].length = (unsigned int)((size_t)n < room ? (size_t)n : room);
  }
  return (int)received;
}

ssize_t rota__os_recv_error(int fd, struct msghdr *message, int *error) {
  (void)message, (void)error;
  return called("recvmsg errors", fd) == NULL ? -EBADF : -EAGAIN;
}

int rota__os_ask_for_errors(int fd, int family) {
  (void)family;
  return called("setsockopt IP_RECVERR", fd) == NULL ? -EBADF : 0;
}

int rota__os_disconnect(int fd) {
  struct rota_model_socket *self = called("disconnect", fd);
  if (self == NULL)
    return rota__model_open_of(fd) == NULL ? -EBADF : -ENOTSOCK;
  self->peer_name.length = 0;
  return 0;
}

/* ---- groups: the model has no network that has any ---- */

int rota__os_source_membership4(int fd, const struct in_addr *group, const struct in_addr *on_interface,
                                const struct in_addr *source, bool join) {
  (void)fd, (void)group, (void)on_interface, (void)source, (void)join;
  return -ENODEV;
}

int rota__os_source_membership6(int fd, const struct sockaddr_in6 *group, unsigned int on_interface,
                                const struct sockaddr_in6 *source, bool join) {
  (void)fd, (void)group, (void)on_interface, (void)source, (void)join;
  return -ENODEV;
}

/* ---- names ---- */

int rota__os_interface_name(unsigned int index, char name[ROTA_INTERFACE_NAME_SIZE]) {
  if (index != 1)
    return -ENXIO;
  rota__text_copy(name, ROTA_INTERFACE_NAME_SIZE, "lo");
  return 0;
}

unsigned int rota__os_interface_index(const char *name) {
  return strcmp(name, "lo") == 0;
}

unsigned int rota__os_link_local_scope(void) {
  return 0;
}

int rota__os_translate_eai(int code) {
  return code == 0 ? 0 : UV__EAI_FAIL;
}

/* One block: the entry, then its address. */
int rota__os_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                         struct addrinfo **result) {
  struct found {
    struct addrinfo entry;
    struct sockaddr_in address;
  };
  struct in_addr number = {htonl(INADDR_LOOPBACK)};
  rota__model_call("getaddrinfo", 0);
  rota__os_sleep_ns(rota__model_below(5000000));
  *result = NULL;
  if (node != NULL && strcmp(node, "localhost") != 0 && inet_pton(AF_INET, node, &number) != 1)
    return rota__model_below(2) ? UV__EAI_NONAME : UV__EAI_AGAIN;
  struct found *found = calloc(1, sizeof *found);
  if (found == NULL)
    return UV__EAI_MEMORY;
  found->address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = number};
  found->address.sin_port = htons((uint16_t)(service == NULL ? 0 : strtoul(service, NULL, 10)));
  found->entry =
      (struct addrinfo){.ai_family = AF_INET,
                        .ai_socktype = hints != NULL && hints->ai_socktype ? hints->ai_socktype : SOCK_STREAM,
                        .ai_addrlen = sizeof found->address,
                        .ai_addr = (struct sockaddr *)(void *)&found->address};
  *result = &found->entry;
  return 0;
}

void rota__os_freeaddrinfo(struct addrinfo *list) {
  free(list);
}

int rota__os_getnameinfo(const struct sockaddr *address, socklen_t length, char *host, size_t host_size, char *service,
                         size_t service_size, int flags) {
  (void)length, (void)flags;
  rota__model_call("getnameinfo", 0);
  if (address->sa_family != AF_INET)
    return UV__EAI_FAMILY;
  if (host != NULL && host_size > 0)
    snprintf(host, host_size, "localhost");
  if (service != NULL && service_size > 0)
    snprintf(service, service_size, "%u", ntohs(((const struct sockaddr_in *)(const void *)address)->sin_port));
  return 0;
}
