/* Datagram sockets: whole messages, many at a time. As everywhere in loop/os: a result >= 0, or a negated errno;
 * interrupted calls are repeated. No call waits. */
#ifndef ROTA_OS_DATAGRAM_H
#define ROTA_OS_DATAGRAM_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/types.h>

/* One of many messages, laid out as Linux' struct mmsghdr. */
struct rota_os_message {
  struct msghdr header;
  unsigned int length; /* of what was sent or received */
};

ssize_t rota__os_sendmsg(int fd, const struct msghdr *message);
int rota__os_sendmmsg(int fd, struct rota_os_message *messages, unsigned int count);
/* As much of a datagram as there is room for. Returns the length of the whole, or at least more than size, if some of
 * it was lost. A stream must be told to be one: it loses nothing. */
ssize_t rota__os_recv_datagram(int fd, void *data, size_t size, bool is_stream, struct sockaddr *peer,
                               socklen_t *peer_length);
int rota__os_recvmmsg(int fd, struct rota_os_message *messages, unsigned int count);
/* Takes one entry from the socket's error queue: the message that it belongs to, and *error, negated (0: the entry is
 * not an error). */
ssize_t rota__os_recv_error(int fd, struct msghdr *message, int *error);
/* From now on, errors of datagrams sent earlier are kept in that queue. -ENOTSUP where the system has none. */
int rota__os_ask_for_errors(int fd, int family);
int rota__os_disconnect(int fd);
/* Joins or leaves a group, for what one source sends. -ENOSYS where the system cannot. */
int rota__os_source_membership4(int fd, const struct in_addr *group, const struct in_addr *on_interface,
                                const struct in_addr *source, bool join);
int rota__os_source_membership6(int fd, const struct sockaddr_in6 *group, unsigned int on_interface,
                                const struct sockaddr_in6 *source, bool join);
int rota__os_set_option_bytes(int fd, int level, int name, const void *value, socklen_t length);

#endif
