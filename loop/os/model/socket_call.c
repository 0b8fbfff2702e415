/* The calls for connections. */
#include "loop/os/socket.h"

#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "loop/os/file.h"
#include "loop/os/model/socket.h"

static struct rota_model_socket *called(const char *name, int fd) {
  rota__model_call(name, fd);
  return rota__model_socket_of(fd);
}

static int not_a_socket(int fd) {
  return rota__model_open_of(fd) == NULL ? -EBADF : -ENOTSOCK;
}

/* ---- life ---- */

int rota__os_socket(int domain, int type, int protocol) {
  rota__model_call("socket", domain);
  (void)protocol;
  if (domain != AF_INET && domain != AF_INET6 && domain != AF_UNIX)
    return -EAFNOSUPPORT;
  return rota__model_install(&rota__model_socket(domain, type)->base, O_RDWR | O_NONBLOCK);
}

int rota__os_socket_close(int fd) {
  return rota__os_close(fd);
}

static void join(struct rota_model_socket *a, struct rota_model_socket *b, uint64_t delay_max_ns) {
  size_t size = rota__model_options()->buffer_size;
  a->out = b->in = rota__model_channel(size, delay_max_ns);
  a->in = b->out = rota__model_channel(size, delay_max_ns);
  a->peer = b;
  b->peer = a;
}

static int install_two(struct rota_model_object *a, int flags_a, struct rota_model_object *b, int flags_b, int fds[2]) {
  int first = rota__model_install(a, flags_a);
  int second = rota__model_install(b, flags_b);
  if (first >= 0 && second >= 0) {
    fds[0] = first;
    fds[1] = second;
    return 0;
  }
  if (first >= 0)
    rota__os_close(first);
  if (second >= 0)
    rota__os_close(second);
  return first < 0 ? first : second;
}

int rota__os_socketpair(int type, int protocol, int fds[2]) {
  rota__model_call("socketpair", type);
  (void)protocol;
  if (type != SOCK_STREAM)
    return -EPROTONOSUPPORT;
  struct rota_model_socket *a = rota__model_socket(AF_UNIX, type), *b = rota__model_socket(AF_UNIX, type);
  join(a, b, 0);
  a->state = b->state = ROTA_MODEL_CONNECTED;
  return install_two(&a->base, O_RDWR, &b->base, O_RDWR, fds);
}

int rota__os_pipe(int fds[2], int flags) {
  rota__model_call("pipe", flags);
  struct rota_model_socket *reader = rota__model_socket(0, 0), *writer = rota__model_socket(0, 0);
  reader->in = writer->out = rota__model_channel(rota__model_options()->buffer_size, 0);
  reader->peer = writer;
  writer->peer = reader;
  reader->state = writer->state = ROTA_MODEL_CONNECTED;
  return install_two(&reader->base, O_RDONLY | (flags & O_NONBLOCK), &writer->base, O_WRONLY | (flags & O_NONBLOCK),
                     fds);
}

/* ---- names ---- */

socklen_t rota__os_address_length(const struct sockaddr *address) {
  switch (address->sa_family) {
  case AF_INET:
    return sizeof(struct sockaddr_in);
  case AF_INET6:
    return sizeof(struct sockaddr_in6);
  case AF_UNIX:
    return sizeof(struct sockaddr_un);
  default:
    return 0;
  }
}

static int take_address(const struct rota_model_socket *self, const struct sockaddr *address, socklen_t length,
                        struct rota_model_address *taken) {
  if (length > sizeof(struct sockaddr_un) || length < sizeof(sa_family_t))
    return -EINVAL;
  if (address->sa_family != self->domain)
    return -EAFNOSUPPORT;
  memset(taken, 0, sizeof *taken);
  memcpy(&taken->u, address, length);
  taken->length = length;
  return 0;
}

static bool is_path(const struct rota_model_address *address) {
  return address->u.any.sa_family == AF_UNIX && address->length > offsetof(struct sockaddr_un, sun_path) &&
         address->u.un.sun_path[0] != '\0';
}

static int make_socket_file(const char *path) {
  struct rota_model_place place;
  int err = rota__model_find(AT_FDCWD, path, false, &place);
  if (err < 0)
    return err;
  if (place.inode != NULL)
    return -EADDRINUSE;
  return rota__model_enter(&place, rota__model_inode(S_IFSOCK | 0755));
}

int rota__os_bind(int fd, const struct sockaddr *address, socklen_t length) {
  struct rota_model_socket *self = called("bind", fd);
  struct rota_model_address wanted;
  if (self == NULL)
    return not_a_socket(fd);
  int err = take_address(self, address, length, &wanted);
  if (err < 0)
    return err;
  if (self->name.length > 0)
    return -EINVAL;
  if (is_path(&wanted)) {
    err = make_socket_file(wanted.u.un.sun_path);
  } else if (self->domain != AF_UNIX && wanted.u.in.sin_port == 0) {
    self->name = wanted;
    return rota__model_bind_any(self);
  } else {
    const struct rota_model_socket *other = rota__model_find_bound(self->domain, self->type, &wanted);
    bool is_shared = other != NULL && self->shares_address && other->shares_address &&
                     (self->type != SOCK_STREAM || other->state != ROTA_MODEL_LISTENING);
    err = other != NULL && !is_shared ? -EADDRINUSE : 0;
  }
  if (err == 0)
    self->name = wanted;
  return err;
}

static int give_address(const struct rota_model_socket *self, const struct rota_model_address *from,
                        struct sockaddr *address, socklen_t *length) {
  struct rota_model_address none = {.length = sizeof(sa_family_t)};
  none.u.any.sa_family = (sa_family_t)self->domain;
  if (from->length == 0) {
    if (self->domain != AF_UNIX)
      none.length = self->domain == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    from = &none;
  }
  memcpy(address, &from->u, *length < from->length ? *length : from->length);
  *length = from->length;
  return 0;
}

int rota__os_getsockname(int fd, struct sockaddr *address, socklen_t *length) {
  struct rota_model_socket *self = called("getsockname", fd);
  return self == NULL ? not_a_socket(fd) : give_address(self, &self->name, address, length);
}

int rota__os_getpeername(int fd, struct sockaddr *address, socklen_t *length) {
  struct rota_model_socket *self = called("getpeername", fd);
  if (self == NULL)
    return not_a_socket(fd);
  if (self->peer == NULL && self->peer_name.length == 0)
    return -ENOTCONN;
  return give_address(self, &self->peer_name, address, length);
}

int rota__os_socket_family(int fd) {
  struct rota_model_socket *self = called("getsockname", fd);
  return self == NULL ? not_a_socket(fd) : self->domain;
}

/* ---- connecting ---- */

int rota__os_listen(int fd, int backlog) {
  struct rota_model_socket *self = called("listen", fd);
  if (self == NULL)
    return not_a_socket(fd);
  if (self->type != SOCK_STREAM || self->state == ROTA_MODEL_CONNECTED)
    return -EINVAL;
  if (self->name.length == 0) {
    int err = self->domain == AF_UNIX ? -EINVAL : rota__model_bind_any(self);
    if (err < 0)
      return err;
  }
  const struct rota_model_socket *other = rota__model_find_bound(self->domain, self->type, &self->name);
  if (other != NULL && other != self && other->state == ROTA_MODEL_LISTENING)
    return -EADDRINUSE;
  self->backlog = backlog < 1 ? 1 : backlog < ROTA_MODEL_BACKLOG ? backlog : ROTA_MODEL_BACKLOG;
  self->state = ROTA_MODEL_LISTENING;
  return 0;
}

int rota__os_accept(int fd) {
  struct rota_model_socket *self = called("accept", fd);
  if (self == NULL)
    return not_a_socket(fd);
  if (self->state != ROTA_MODEL_LISTENING)
    return -EINVAL;
  if (rota__model_chance(rota__model_options()->again))
    return -EAGAIN;
  for (int i = 0; i < self->waiting_count; i++) {
    if (self->waiting_ns[i] > rota__model_now_ns())
      continue;
    struct rota_model_socket *accepted = self->waiting[i];
    accepted->base.refs++; /* without a descriptor the connection stays in the queue */
    int accepted_fd = rota__model_install(&accepted->base, O_RDWR | O_NONBLOCK);
    if (accepted_fd < 0)
      return accepted_fd;
    accepted->base.refs--;
    self->waiting_count--;
    for (int j = i; j < self->waiting_count; j++) {
      self->waiting[j] = self->waiting[j + 1];
      self->waiting_ns[j] = self->waiting_ns[j + 1];
    }
    return accepted_fd;
  }
  return -EAGAIN;
}

static uint64_t delay(const struct rota_model_socket *self) {
  uint64_t most = self->domain == AF_UNIX ? 0 : rota__model_options()->delay_max_ns;
  return most == 0 ? 0 : rota__model_below(most);
}

static int refuse(struct rota_model_socket *self) {
  if (self->domain == AF_UNIX)
    return -ECONNREFUSED;
  self->state = ROTA_MODEL_CONNECTING;
  self->connect_error = ECONNREFUSED;
  self->connected_ns = rota__model_now_ns() + delay(self);
  return 1;
}

static int begin(struct rota_model_socket *self, struct rota_model_socket *listener) {
  struct rota_model_socket *other = rota__model_socket(self->domain, SOCK_STREAM);
  join(self, other, self->domain == AF_UNIX ? 0 : rota__model_options()->delay_max_ns);
  other->state = ROTA_MODEL_CONNECTED;
  other->name = self->peer_name = listener->name;
  if (self->name.length == 0 && self->domain != AF_UNIX)
    rota__model_bind_any(self);
  other->peer_name = self->name;
  self->connect_error = 0;
  self->connected_ns = rota__model_now_ns() + delay(self);
  listener->waiting[listener->waiting_count] = other;
  listener->waiting_ns[listener->waiting_count++] = self->connected_ns + delay(self);
  self->state = self->domain == AF_UNIX ? ROTA_MODEL_CONNECTED : ROTA_MODEL_CONNECTING;
  return self->domain == AF_UNIX ? 0 : 1;
}

int rota__os_connect(int fd, const struct sockaddr *address, socklen_t length) {
  struct rota_model_socket *self = called("connect", fd);
  struct rota_model_address wanted;
  if (self == NULL)
    return not_a_socket(fd);
  int err = take_address(self, address, length, &wanted);
  if (err < 0)
    return err;
  if (self->type != SOCK_STREAM) {
    if (self->name.length == 0 && self->domain != AF_UNIX)
      rota__model_bind_any(self);
    self->peer_name = wanted;
    return 0;
  }
  if (self->state != ROTA_MODEL_FRESH)
    return self->state == ROTA_MODEL_CONNECTING ? -EALREADY : -EISCONN;
  if (is_path(&wanted)) {
    struct rota_model_inode *file;
    err = rota__model_find_inode(wanted.u.un.sun_path, true, &file);
    if (err < 0)
      return err;
  }
  struct rota_model_socket *listener = rota__model_find_bound(self->domain, self->type, &wanted);
  if (listener == NULL || listener->state != ROTA_MODEL_LISTENING || rota__model_chance(rota__model_options()->refused))
    return refuse(self);
  if (listener->waiting_count >= listener->backlog)
    return self->domain == AF_UNIX ? -EAGAIN : refuse(self);
  return begin(self, listener);
}

int rota__os_socket_error(int fd) {
  struct rota_model_socket *self = called("getsockopt SO_ERROR", fd);
  if (self == NULL)
    return not_a_socket(fd);
  if (self->type == SOCK_STREAM)
    (void)self->base.kind->ready(&self->base); /* sees whether the connection is made */
  if (self->state == ROTA_MODEL_CONNECTING)
    return 1;
  int error = self->error;
  self->error = 0;
  return -error;
}

int rota__os_shutdown_write(int fd) {
  struct rota_model_socket *self = called("shutdown", fd);
  if (self == NULL)
    return not_a_socket(fd);
  if (self->state != ROTA_MODEL_CONNECTED || self->out == NULL)
    return -ENOTCONN;
  rota__model_channel_end(self->out);
  return 0;
}

/* ---- options ---- */

int rota__os_set_option(int fd, int level, int name, int value) {
  struct rota_model_socket *self = called("setsockopt", fd);
  if (self == NULL)
    return not_a_socket(fd);
  if (level == SOL_SOCKET && (name == SO_REUSEADDR || name == SO_REUSEPORT))
    self->shares_address = value != 0;
  return 0;
}

int rota__os_get_option(int fd, int level, int name, int *value) {
  struct rota_model_socket *self = called("getsockopt", fd);
  if (self == NULL)
    return not_a_socket(fd);
  *value = level == SOL_SOCKET && name == SO_TYPE ? self->type : (int)rota__model_options()->buffer_size;
  return 0;
}

int rota__os_set_option_bytes(int fd, int level, int name, const void *value, socklen_t length) {
  (void)level, (void)name, (void)value, (void)length;
  return called("setsockopt", fd) == NULL ? not_a_socket(fd) : 0;
}

int rota__os_set_keepalive(int fd, int idle, int interval, int probes) {
  (void)idle, (void)interval, (void)probes;
  return called("setsockopt keepalive", fd) == NULL ? not_a_socket(fd) : 0;
}

int rota__os_set_linger(int fd, int seconds) {
  struct rota_model_socket *self = called("setsockopt SO_LINGER", fd);
  if (self == NULL)
    return not_a_socket(fd);
  self->resets = seconds == 0;
  return 0;
}

/* ---- bytes ---- */

ssize_t rota__os_send(int fd, const void *buffer, size_t length) {
  struct iovec vector = {.iov_base = (void *)(uintptr_t)buffer, .iov_len = length};
  return rota__os_sendv(fd, &vector, 1);
}

ssize_t rota__os_sendv(int fd, const struct iovec *vector, size_t count) {
  const struct rota_model_socket *self = called("send", fd);
  if (self == NULL || self->domain == 0)
    return not_a_socket(fd);
  ssize_t n = self->base.kind->write(rota__model_open_of(fd), vector, (int)count, -1);
  rota__model_log("      %zd of %zu bytes", n, rota__model_vector_size(vector, (int)count));
  return n;
}

ssize_t rota__os_send_descriptor(int fd, const struct iovec *vector, size_t count, int passed) {
  struct rota_model_socket *self = called("send a descriptor", fd);
  struct rota_model_open *open = rota__model_open_of(passed);
  if (self == NULL || self->domain != AF_UNIX)
    return not_a_socket(fd);
  if (open == NULL)
    return -EBADF;
  if (self->state == ROTA_MODEL_CONNECTED && self->peer != NULL &&
      (rota__model_channel_room(self->out) == 0 || !rota__model_channel_attaches(self->out)))
    return -EAGAIN;
  uint64_t before = self->out == NULL ? 0 : rota__model_channel_mark(self->out);
  ssize_t n = self->base.kind->write(rota__model_open_of(fd), vector, (int)count, -1);
  if (n > 0 && self->out != NULL)
    rota__model_channel_attach(self->out, open, before);
  return n;
}

ssize_t rota__os_recv(int fd, void *buffer, size_t length) {
  struct iovec vector = {.iov_base = buffer, .iov_len = length};
  const struct rota_model_socket *self = called("recv", fd);
  if (self == NULL || self->domain == 0)
    return not_a_socket(fd);
  ssize_t n = self->base.kind->read(rota__model_open_of(fd), &vector, 1, -1);
  rota__model_log("      %zd bytes", n);
  return n;
}

/* A descriptor for which there is no number is lost, as with Linux. */
ssize_t rota__os_recv_descriptors(int fd, void *buffer, size_t length, int *passed, size_t *passed_count) {
  struct iovec vector = {.iov_base = buffer, .iov_len = length};
  struct rota_model_socket *self = called("recv descriptors", fd);
  *passed_count = 0;
  if (self == NULL || self->domain == 0)
    return not_a_socket(fd);
  if (self->domain == AF_UNIX && self->in != NULL && rota__model_channel_visible(self->in) > 0 && length > 0) {
    struct rota_model_open *open;
    while ((open = rota__model_channel_attached(self->in)) != NULL) {
      int one = rota__model_install_open(open, 0);
      if (one >= 0)
        passed[(*passed_count)++] = one;
    }
    return (ssize_t)rota__model_channel_take(self->in, &vector, 1, rota__model_shorten(length));
  }
  return self->base.kind->read(rota__model_open_of(fd), &vector, 1, -1);
}

bool rota__os_has_unsent(int fd) {
  (void)fd;
  return false;
}

/* ---- waiting for one ---- */

static bool is_writable(void *what) {
  struct rota_model_object *object = what;
  return (object->kind->ready(object) & (POLLOUT | POLLERR | POLLHUP)) != 0;
}

int rota__os_wait_writable(int fd) {
  struct rota_model_open *open = rota__model_open_of(fd);
  rota__model_call("poll", fd);
  if (open == NULL)
    return -EBADF;
  if (open->object->kind->ready != NULL)
    rota__model_wait(is_writable, open->object, UINT64_MAX, NULL);
  return 0;
}

/* ---- what a descriptor is, and files of local sockets ---- */

enum rota_fd_kind rota__os_fd_kind(int fd) {
  const struct rota_model_socket *self = rota__model_socket_of(fd);
  if (self == NULL)
    return rota__model_open_of(fd) == NULL ? ROTA_FD_UNKNOWN : ROTA_FD_FILE;
  if (self->domain == 0 || self->domain == AF_UNIX)
    return ROTA_FD_PIPE;
  return self->type == SOCK_STREAM ? ROTA_FD_TCP : ROTA_FD_UDP;
}

int rota__os_socket_unlink(const char *path) {
  return rota__os_unlink(path);
}

int rota__os_socket_chmod(const char *path, mode_t added) {
  struct rota_model_inode *inode;
  int err = rota__model_find_inode(path, true, &inode);
  return err < 0 ? err : rota__os_chmod(path, inode->mode | added);
}
