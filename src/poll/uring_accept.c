/* Accepting through the ring: one request for each listener, which delivers connections for as long as it lives.
 *
 * Connections that nobody has taken wait here. When accepting fails, for want of descriptors, say, the listener is
 * polled until it is watched anew, so that its owner meets the error by itself. */
#include <sys/socket.h>

#include "base/alloc.h"
#include "os/fd.h"
#include "poll/uring.h"
#include "uv.h"

struct accepted {
  int fd;
  struct accepted *next;
};

void rota__uring_accept_begin(struct io_uring_sqe *sqe, int fd, struct watch *watch) {
  sqe->opcode = IORING_OP_ACCEPT;
  sqe->fd = fd;
  sqe->ioprio = IORING_ACCEPT_MULTISHOT;
  sqe->accept_flags = SOCK_NONBLOCK | SOCK_CLOEXEC;
  sqe->user_data = rota__uring_data(fd, watch->sequence, TAG_ACCEPT);
  watch->stage = STAGE_UNDER_WAY;
  watch->delivers = TAG_ACCEPT;
}

static void append(struct watch *watch, int fd) {
  struct accepted *node = rota__malloc(sizeof(*node));
  if (node == NULL) {
    rota__os_close(fd); /* as if the backlog had been full */
    return;
  }
  node->fd = fd;
  node->next = NULL;
  struct accepted **end = &watch->accepted;
  while (*end != NULL)
    end = &(*end)->next;
  *end = node;
}

void rota__uring_collect_accept(struct uring_poller *self, const struct io_uring_cqe *cqe) {
  int listener = (int)(cqe->user_data >> 32);
  struct watch *watch = &self->watches[listener];
  if (cqe->user_data != rota__uring_data(listener, watch->sequence, TAG_ACCEPT)) {
    if (cqe->res >= 0)
      rota__os_close(cqe->res); /* of a listener that has been closed */
    return;
  }
  if (!(cqe->flags & IORING_CQE_F_MORE)) {
    watch->stage = STAGE_NONE;
    rota__uring_mark_stale(self, listener);
  }
  if (cqe->res >= 0) {
    append(watch, cqe->res);
    rota__uring_mark_unread(self, listener);
  } else if (cqe->res != UV_ECANCELED) {
    watch->plain = true;
  }
}

void rota__uring_accept_forget(struct watch *watch) {
  while (watch->accepted != NULL) {
    struct accepted *node = watch->accepted;
    watch->accepted = node->next;
    rota__os_close(node->fd);
    rota__free(node);
  }
}

int rota__uring_accept(struct rota_poller *poller, int fd) {
  struct uring_poller *self = rota__uring_of(poller);
  if ((size_t)fd >= self->capacity)
    return UV_ENOSYS;
  struct watch *watch = &self->watches[fd];
  struct accepted *node = watch->accepted;
  /* Nothing held: all that is waiting has been accepted, unless the ring does not do it. */
  if (node == NULL)
    return watch->plain || watch->stage == STAGE_NONE ? UV_ENOSYS : UV_EAGAIN;
  int accepted = node->fd;
  watch->accepted = node->next;
  rota__free(node);
  return accepted;
}
