/* Connections: what is ready, what is read and written, and how they end. The calls are in socket_call.c. */
#include "loop/os/model/socket.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

static struct rota_model_socket *all[256]; /* that are not released */

void rota__model_sockets_start(void) {
  memset(all, 0, sizeof all);
}

static struct rota_model_socket *socket_of(struct rota_model_object *object) {
  return rota__container_of(object, struct rota_model_socket, base);
}

struct rota_model_socket *rota__model_socket_of(int fd) {
  return rota__model_object_of(fd, &rota__model_socket_kind);
}

/* ---- what is ready ---- */

static bool is_connected_now(struct rota_model_socket *self) {
  if (self->state != ROTA_MODEL_CONNECTING || self->connected_ns > rota__model_now_ns())
    return self->state == ROTA_MODEL_CONNECTED;
  if (self->connect_error != 0) {
    self->error = self->connect_error;
    self->state = ROTA_MODEL_FRESH;
    return false;
  }
  self->state = ROTA_MODEL_CONNECTED;
  return true;
}

static unsigned int listening_ready(const struct rota_model_socket *self) {
  for (int i = 0; i < self->waiting_count; i++)
    if (self->waiting_ns[i] <= rota__model_now_ns())
      return POLLIN;
  return 0;
}

static bool is_pipe(const struct rota_model_socket *self) {
  return self->domain == 0;
}

static unsigned int pipe_ready(struct rota_model_socket *self) {
  unsigned int events = 0;
  if (self->in != NULL) {
    events |= rota__model_channel_visible(self->in) > 0 ? POLLIN : 0;
    events |= rota__model_channel_ended(self->in) ? POLLHUP : 0;
  }
  if (self->out != NULL) {
    events |= rota__model_channel_room(self->out) > 0 ? POLLOUT : 0;
    events |= self->peer == NULL ? POLLERR : 0;
  }
  return events;
}

static unsigned int stream_ready(struct rota_model_socket *self) {
  unsigned int events = 0;
  if (rota__model_channel_visible(self->in) > 0)
    events |= POLLIN;
  if (rota__model_channel_ended(self->in))
    events |= POLLIN | POLLRDHUP;
  if (rota__model_channel_room(self->out) > 0 || rota__model_channel_is_ending(self->out))
    events |= POLLOUT;
  if (rota__model_channel_ended(self->in) && rota__model_channel_is_ending(self->out))
    events |= POLLHUP;
  if (self->error != 0)
    events |= POLLERR | POLLIN | POLLOUT;
  return events;
}

static unsigned int socket_ready(struct rota_model_object *object) {
  struct rota_model_socket *self = socket_of(object);
  if (is_pipe(self))
    return pipe_ready(self);
  if (self->type != SOCK_STREAM)
    return rota__model_datagrams_ready(self);
  if (self->state == ROTA_MODEL_LISTENING)
    return listening_ready(self);
  if (is_connected_now(self))
    return stream_ready(self);
  if (self->state == ROTA_MODEL_CONNECTING)
    return 0;
  return POLLOUT | POLLHUP | (self->error != 0 ? POLLERR | POLLIN : 0);
}

static uint64_t earlier(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static uint64_t socket_next_ns(struct rota_model_object *object) {
  struct rota_model_socket *self = socket_of(object);
  uint64_t next_ns = self->in == NULL ? UINT64_MAX : rota__model_channel_next_ns(self->in);
  if (self->state == ROTA_MODEL_CONNECTING)
    next_ns = earlier(next_ns, self->connected_ns);
  for (int i = 0; i < self->waiting_count; i++)
    if (self->waiting_ns[i] > rota__model_now_ns())
      next_ns = earlier(next_ns, self->waiting_ns[i]);
  return earlier(next_ns, rota__model_datagrams_next_ns(self));
}

/* ---- bytes ---- */

static int take_error(struct rota_model_socket *self) {
  int error = self->error;
  self->error = 0;
  return -error;
}

static bool may_be_read(void *what) {
  return (socket_ready(what) & (POLLIN | POLLHUP | POLLERR)) != 0;
}

static bool may_be_written(void *what) {
  return (socket_ready(what) & (POLLOUT | POLLERR)) != 0;
}

static bool is_blocking(const struct rota_model_open *open) {
  return (open->flags & O_NONBLOCK) == 0;
}

static void drop_attached(struct rota_model_channel *channel) {
  struct rota_model_open *open;
  while ((open = rota__model_channel_attached(channel)) != NULL)
    rota__model_drop_open(open);
}

static ssize_t socket_read(struct rota_model_open *open, const struct iovec *vector, int count, int64_t offset) {
  struct rota_model_socket *self = socket_of(open->object);
  size_t size = rota__model_vector_size(vector, count);
  if (offset >= 0)
    return -ESPIPE;
  if (self->in == NULL)
    return is_pipe(self) ? -EBADF : self->error != 0 ? take_error(self) : -ENOTCONN;
  if (!is_pipe(self) && !is_connected_now(self))
    return self->error != 0 ? take_error(self) : self->state == ROTA_MODEL_CONNECTING ? -EAGAIN : -ENOTCONN;
  drop_attached(self->in);
  if (!is_blocking(open) && rota__model_chance(rota__model_options()->again))
    return -EAGAIN;
  while (size > 0) {
    size_t n = rota__model_channel_take(self->in, vector, count, rota__model_shorten(size));
    if (n > 0)
      return (ssize_t)n;
    if (self->error != 0)
      return take_error(self);
    if (rota__model_channel_ended(self->in))
      return 0;
    if (!is_blocking(open))
      return -EAGAIN;
    rota__model_wait(may_be_read, &self->base, UINT64_MAX, NULL);
  }
  return 0;
}

static int may_write(struct rota_model_socket *self) {
  if (self->out == NULL)
    return is_pipe(self) ? -EBADF : self->error != 0 ? take_error(self) : -EPIPE;
  if (is_pipe(self))
    return self->peer == NULL ? -EPIPE : 0;
  if (!is_connected_now(self))
    return self->error != 0 ? take_error(self) : self->state == ROTA_MODEL_CONNECTING ? -EAGAIN : -EPIPE;
  if (self->error != 0)
    return take_error(self);
  if (rota__model_channel_is_ending(self->out))
    return -EPIPE;
  if (self->peer == NULL && self->domain == AF_UNIX)
    return -EPIPE;
  if (rota__model_chance(rota__model_options()->resets)) {
    rota__model_reset(self, ECONNRESET);
    return take_error(self);
  }
  return 0;
}

/* The other side is gone: it answers with a reset. */
static ssize_t write_in_vain(struct rota_model_socket *self, size_t size) {
  rota__model_reset(self, ECONNRESET);
  self->sent += size;
  return (ssize_t)size;
}

static ssize_t socket_write(struct rota_model_open *open, const struct iovec *vector, int count, int64_t offset) {
  struct rota_model_socket *self = socket_of(open->object);
  size_t size = rota__model_vector_size(vector, count), written = 0;
  if (offset >= 0)
    return -ESPIPE;
  if (self->type != SOCK_STREAM && !is_pipe(self))
    return rota__model_datagram_send(self, NULL, vector, count);
  do {
    int err = may_write(self);
    if (err < 0)
      return err;
    if (!is_pipe(self) && self->peer == NULL)
      return write_in_vain(self, size);
    if (!is_blocking(open) && rota__model_chance(rota__model_options()->again))
      return -EAGAIN;
    written = rota__model_channel_put(self->out, vector, count, rota__model_shorten(size));
    if (written == 0 && size > 0) {
      if (!is_blocking(open))
        return -EAGAIN;
      rota__model_wait(may_be_written, &self->base, UINT64_MAX, NULL);
    }
  } while (written == 0 && size > 0);
  self->sent += written;
  return (ssize_t)written;
}

/* ---- the end ---- */

void rota__model_reset(struct rota_model_socket *self, int error) {
  struct rota_model_socket *peer = self->peer;
  self->error = error;
  if (self->out != NULL)
    rota__model_channel_end(self->out);
  if (self->in != NULL)
    rota__model_channel_end(self->in);
  if (peer == NULL)
    return;
  peer->error = ECONNRESET;
  peer->peer = self->peer = NULL;
}

void rota__model_break(int fd) {
  struct rota_model_socket *self = rota__model_socket_of(fd);
  if (self != NULL && self->state == ROTA_MODEL_CONNECTED)
    rota__model_reset(self, ECONNRESET);
}

uint64_t rota__model_sent(int fd) {
  const struct rota_model_socket *self = rota__model_socket_of(fd);
  return self == NULL ? 0 : self->sent;
}

/* A connection is two channels; who goes last frees them. */
static void leave_peer(struct rota_model_socket *self) {
  struct rota_model_socket *peer = self->peer;
  bool unread = self->in != NULL && rota__model_channel_held(self->in) > 0;
  if (self->out != NULL)
    rota__model_channel_end(self->out);
  if (peer == NULL)
    return;
  peer->peer = NULL;
  /* What was not read, or a wish of the program, makes the end a reset. */
  if (!is_pipe(self) && (unread || self->resets) && peer->state != ROTA_MODEL_FRESH)
    rota__model_reset(peer, ECONNRESET);
}

/* Frees the channel unless another socket has it. */
static void give_up(struct rota_model_channel **channel, const struct rota_model_socket *self) {
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (all[i] != NULL && all[i] != self && (all[i]->in == *channel || all[i]->out == *channel))
      return;
  rota__model_channel_free(*channel);
  *channel = NULL;
}

static void socket_release(struct rota_model_object *object) {
  struct rota_model_socket *self = socket_of(object);
  for (int i = 0; i < self->waiting_count; i++)
    rota__model_drop(&self->waiting[i]->base);
  leave_peer(self);
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (all[i] == self)
      all[i] = NULL;
  give_up(&self->in, self);
  give_up(&self->out, self);
  rota__model_datagrams_drop(self);
  free(self);
}

const struct rota_model_kind rota__model_socket_kind = {.name = "socket",
                                                        .ready = socket_ready,
                                                        .next_ns = socket_next_ns,
                                                        .read = socket_read,
                                                        .write = socket_write,
                                                        .release = socket_release};

/* ---- names ---- */

struct rota_model_socket *rota__model_socket(int domain, int type) {
  struct rota_model_socket *self = rota__model_object(&rota__model_socket_kind, sizeof *self);
  self->domain = domain;
  self->type = type;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (all[i] == NULL) {
      all[i] = self;
      return self;
    }
  abort();
}

static bool is_same(const struct rota_model_address *a, const struct rota_model_address *b) {
  if (a->length == 0 || b->length == 0)
    return false;
  if (a->u.any.sa_family == AF_UNIX || b->u.any.sa_family == AF_UNIX)
    return a->u.any.sa_family == b->u.any.sa_family && a->length == b->length && memcmp(&a->u, &b->u, a->length) == 0;
  return a->u.in.sin_port == b->u.in.sin_port; /* the port is at the same place in both families */
}

/* Of several, the last that was made. A listener precedes sockets that are connected from the same port. */
struct rota_model_socket *rota__model_find_bound(int domain, int type, const struct rota_model_address *address) {
  struct rota_model_socket *found = NULL;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    struct rota_model_socket *one = all[i];
    if (one == NULL || (one->domain == AF_UNIX) != (domain == AF_UNIX) || one->type != type || is_pipe(one))
      continue;
    bool is_accepted = one->state == ROTA_MODEL_CONNECTED && type == SOCK_STREAM;
    if (!is_accepted && is_same(&one->name, address) && (found == NULL || found->state != ROTA_MODEL_LISTENING))
      found = one;
  }
  return found;
}

int rota__model_bind_any(struct rota_model_socket *self) {
  static const uint16_t first = 32768, count = 20000;
  for (int i = 0; i < 100; i++) {
    struct rota_model_address address = self->name;
    address.length = self->domain == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    address.u.any.sa_family = (sa_family_t)self->domain;
    uint16_t port = (uint16_t)(first + rota__model_below(count));
    address.u.in.sin_port = (in_port_t)(port << 8 | port >> 8);
    if (rota__model_find_bound(self->domain, self->type, &address) != NULL)
      continue;
    self->name = address;
    return 0;
  }
  return -EADDRINUSE;
}
