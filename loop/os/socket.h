/* Sockets, datagrams, and the names of hosts. As everywhere in loop/os: a result >= 0, or a negated errno;
 * interrupted calls are repeated. */
#ifndef ROTA_OS_SOCKET_H
#define ROTA_OS_SOCKET_H

#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

/* ---- sockets ---- */

/* The most descriptors that one message can carry (the kernel's SCM_MAX_FD). */
#define ROTA_OS_PASSED_MAX 253

int rota__os_socket(int domain, int type, int protocol); /* non-blocking, close-on-exec */
int rota__os_socket_close(int fd);
int rota__os_socketpair(int type, int protocol, int fds[2]); /* local; close-on-exec */
/* Of a family that sockets of ours are bound or connected to; else 0. */
socklen_t rota__os_address_length(const struct sockaddr *address);
int rota__os_bind(int fd, const struct sockaddr *address, socklen_t length);
int rota__os_listen(int fd, int backlog);
int rota__os_accept(int fd); /* the new descriptor: non-blocking, close-on-exec */
/* 1: the connection is being made; an interrupted call goes on by itself, too. */
int rota__os_connect(int fd, const struct sockaddr *address, socklen_t length);
int rota__os_shutdown_write(int fd);
int rota__os_getsockname(int fd, struct sockaddr *address, socklen_t *length);
int rota__os_getpeername(int fd, struct sockaddr *address, socklen_t *length);

int rota__os_set_option(int fd, int level, int name, int value);
int rota__os_get_option(int fd, int level, int name, int *value);
int rota__os_socket_family(int fd); /* AF_* */
/* In seconds, and a number of probes; -ENOTSUP for what the system does not have. */
int rota__os_set_keepalive(int fd, int idle, int interval, int probes);
int rota__os_set_linger(int fd, int seconds);
/* The pending error of the socket, negated; 0 if there is none; 1 if the socket is still connecting. This clears the
 * error. */
int rota__os_socket_error(int fd);

/* The interface that the first link-local IPv6 address of this machine belongs to; 0: there is none. */
unsigned int rota__os_link_local_scope(void);

/* These never raise SIGPIPE. */
ssize_t rota__os_send(int fd, const void *buffer, size_t length);
ssize_t rota__os_sendv(int fd, const struct iovec *vector, size_t count);
/* Sends a copy of the descriptor `passed` with the first byte. */
ssize_t rota__os_send_descriptor(int fd, const struct iovec *vector, size_t count, int passed);

ssize_t rota__os_recv(int fd, void *buffer, size_t length);
/* Descriptors that come with the bytes are put into `passed`, which has room for ROTA_OS_PASSED_MAX. */
ssize_t rota__os_recv_descriptors(int fd, void *buffer, size_t length, int *passed, size_t *passed_count);

/* Whether the system has taken bytes of a TCP connection that it has not sent yet: it waits for the other side's
 * acknowledgement, or for room there. False where the system does not tell. */
bool rota__os_has_unsent(int fd);

/* Waits until fd can be written to. */
int rota__os_wait_writable(int fd);
/* 1: there is something to read, or the other side is gone; 0: the time is over. Negative milliseconds: no limit. */
int rota__os_wait_readable(int fd, int timeout_ms);

/* Waits for any of them, as poll(2), which has the events. Negative milliseconds: no limit. Not on Windows. */
struct pollfd;
int rota__os_poll(struct pollfd *entries, unsigned int count, int timeout_ms);

/* A local socket of packets that listens under a name in the kernel's own table, which is no file. */
int rota__os_local_listen(const char *name);
/* A connection to one; -ECONNREFUSED: nobody listens under this name, -EAGAIN: too many others want to connect now. */
int rota__os_local_connect(const char *name);
/* Who is on the other side of a connected local socket. */
int rota__os_peer(int fd, pid_t *process, uid_t *user);

/* One packet to the local socket that is bound to this file. It never waits: -EAGAIN if there is no room. */
int rota__os_local_send(const char *path, const void *bytes, size_t length);

/* The file in the file system that a local socket is bound to. */
int rota__os_socket_unlink(const char *path);
int rota__os_socket_chmod(const char *path, mode_t added);

/* What kind of file a descriptor is. */
enum rota_fd_kind {
  ROTA_FD_UNKNOWN,
  ROTA_FD_TERMINAL,
  ROTA_FD_FILE, /* or a character device */
  ROTA_FD_PIPE, /* or a local stream socket */
  ROTA_FD_TCP,
  ROTA_FD_UDP,
};

enum rota_fd_kind rota__os_fd_kind(int fd);

/* ---- datagrams: whole messages, many at a time; no call waits ---- */

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

/* ---- names and addresses ---- */

/* By the system's resolver. These may take seconds: they are for the thread pool. 0, or UV_EAI_*, or a negated errno.
 */
enum { ROTA_INTERFACE_NAME_SIZE = 257 }; /* the longest name of a system, with its NUL */

int rota__os_interface_name(unsigned int index, char name[ROTA_INTERFACE_NAME_SIZE]);
/* What stands behind the percent sign of an address (fe80::1%eth0): a name; on Windows, a number. 0: there is none. */
unsigned int rota__os_interface_index(const char *name);

int rota__os_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result);
void rota__os_freeaddrinfo(struct addrinfo *list);
int rota__os_getnameinfo(const struct sockaddr *address, socklen_t length, char *host, size_t host_size, char *service,
                         size_t service_size, int flags);
/* EAI_* to UV_EAI_*; 0 stays 0. */
int rota__os_translate_eai(int code);

#endif
