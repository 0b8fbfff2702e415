/* Receiving through the ring: one request for each descriptor, which delivers for as long as it lives.
 *
 * The kernel puts what arrives into buffers that we have given it, and the reader's own buffer is filled from there
 * when the reader asks. A small message costs no call, only the copy. When a message fills a whole buffer, the
 * descriptor is one for large transfers, to which a second copy would matter: it is polled from then on, and its
 * reader reads for itself.
 * Buffers are small, and few until they run out: those that were used last are still in the cache.
 * Buffers are numbered from 1, so that a descriptor of which nothing is known is all zero.
 * Invariant: a buffer is the kernel's, or in the chain of exactly one descriptor. */
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/check.h"
#include "loop/os/memory.h"
#include "loop/poll/uring.h"
#include "uv.h"

enum { BUFFER_SIZE = 2048, BUFFERS_MAX = 1024, BUFFERS_FIRST = 32, GROUP = 0, NO_BUFFER = 0 };

struct buffer {
  uint16_t length;
  uint16_t taken; /* how much of it the reader has */
  uint16_t next;
};

struct buffers {
  struct io_uring_buf_ring *ring; /* shared with the kernel */
  char *memory;                   /* BUFFERS_MAX of BUFFER_SIZE; touched as they come into use */
  uint16_t tail;
  uint16_t in_use; /* that exist at all */
  struct buffer buffers[BUFFERS_MAX + 1];
};

static char *bytes_of(const struct buffers *buffers, unsigned int index) {
  return buffers->memory + (size_t)(index - 1) * BUFFER_SIZE;
}

static void give_to_kernel(struct buffers *buffers, unsigned int index) {
  struct io_uring_buf *entry = &buffers->ring->bufs[buffers->tail & (BUFFERS_MAX - 1)];
  entry->addr = (uint64_t)(uintptr_t)bytes_of(buffers, index);
  entry->len = BUFFER_SIZE;
  entry->bid = (uint16_t)index;
  buffers->tail++;
  __atomic_store_n(&buffers->ring->tail, buffers->tail, __ATOMIC_RELEASE);
}

static void add_buffers(struct buffers *buffers, unsigned int count) {
  for (; count > 0 && buffers->in_use < BUFFERS_MAX; count--)
    give_to_kernel(buffers, ++buffers->in_use);
}

static int make_buffers(struct uring_poller *self) {
  struct buffers *buffers = rota__calloc(1, sizeof(*buffers));
  if (buffers == NULL)
    return UV_ENOMEM;
  int err = rota__os_map((void **)&buffers->ring, BUFFERS_MAX * sizeof(struct io_uring_buf));
  if (err < 0)
    goto fail_ring;
  err = rota__os_map((void **)&buffers->memory, (size_t)BUFFERS_MAX * BUFFER_SIZE);
  if (err < 0)
    goto fail_memory;
  err = rota__os_ring_add_buffers(&self->ring, buffers->ring, BUFFERS_MAX, GROUP);
  if (err < 0)
    goto fail_register;
  self->buffers = buffers;
  add_buffers(buffers, BUFFERS_FIRST);
  return 0;

fail_register:
  rota__os_unmap(buffers->memory, (size_t)BUFFERS_MAX * BUFFER_SIZE);
fail_memory:
  rota__os_unmap(buffers->ring, BUFFERS_MAX * sizeof(struct io_uring_buf));
fail_ring:
  rota__free(buffers);
  return err;
}

bool rota__uring_can_receive(struct uring_poller *self) {
  if (self->buffers != NULL)
    return true;
  /* Without deferred completions the kernel would take bytes while the program runs, also after it said stop. */
  if (self->no_buffers || !self->single_issuer)
    return false;
  if (rota__uring_own(self) < 0 || make_buffers(self) < 0)
    self->no_buffers = true;
  return !self->no_buffers;
}

void rota__uring_buffers_move(struct uring_poller *self) {
  struct buffers *buffers = self->buffers;
  if (buffers == NULL)
    return;
  bool held[BUFFERS_MAX + 1] = {false};
  for (size_t fd = 0; fd < self->capacity; fd++)
    for (unsigned int i = self->watches[fd].first_buffer; i != NO_BUFFER; i = buffers->buffers[i].next)
      held[i] = true;
  memset(buffers->ring, 0, BUFFERS_MAX * sizeof(struct io_uring_buf));
  buffers->tail = 0;
  if (!self->single_issuer || rota__os_ring_add_buffers(&self->ring, buffers->ring, BUFFERS_MAX, GROUP) < 0) {
    /* The kernel agreed to it once; should it not do so again, everything is polled. */
    for (size_t fd = 0; fd < self->capacity; fd++)
      self->watches[fd].plain = true;
    return;
  }
  for (unsigned int i = 1; i <= buffers->in_use; i++)
    if (!held[i])
      give_to_kernel(buffers, i);
}

void rota__uring_buffers_free(struct uring_poller *self) {
  if (self->buffers == NULL)
    return;
  rota__os_unmap(self->buffers->memory, (size_t)BUFFERS_MAX * BUFFER_SIZE);
  rota__os_unmap(self->buffers->ring, BUFFERS_MAX * sizeof(struct io_uring_buf));
  rota__free(self->buffers);
  self->buffers = NULL;
}

void rota__uring_receive_begin(struct io_uring_sqe *sqe, int fd, struct watch *watch) {
  sqe->opcode = IORING_OP_RECV;
  sqe->fd = fd;
  /* Without IORING_RECVSEND_POLL_FIRST: a connection that was reset before we began would never be heard of again. */
  sqe->ioprio = IORING_RECV_MULTISHOT;
  sqe->flags = IOSQE_BUFFER_SELECT;
  sqe->buf_group = GROUP;
  sqe->user_data = rota__uring_data(fd, watch->sequence, TAG_RECEIVE);
  watch->stage = STAGE_UNDER_WAY;
}

static void append(struct buffers *buffers, struct watch *watch, unsigned int index, int length) {
  buffers->buffers[index] = (struct buffer){.length = (uint16_t)length, .taken = 0, .next = NO_BUFFER};
  if (watch->first_buffer == NO_BUFFER)
    watch->first_buffer = (uint16_t)index;
  else
    buffers->buffers[watch->last_buffer].next = (uint16_t)index;
  watch->last_buffer = (uint16_t)index;
}

void rota__uring_collect_receive(struct uring_poller *self, const struct io_uring_cqe *cqe) {
  int fd = (int)(cqe->user_data >> 32);
  struct watch *watch = &self->watches[fd];
  unsigned int index = cqe->flags & IORING_CQE_F_BUFFER ? cqe->flags >> IORING_CQE_BUFFER_SHIFT : NO_BUFFER;
  if (cqe->user_data != rota__uring_data(fd, watch->sequence, TAG_RECEIVE)) {
    if (index != NO_BUFFER)
      give_to_kernel(self->buffers, index); /* of a descriptor that has been closed */
    return;
  }
  if (!(cqe->flags & IORING_CQE_F_MORE)) {
    watch->stage = STAGE_NONE;
    rota__uring_mark_stale(self, fd);
  }
  if (cqe->res > 0) {
    append(self->buffers, watch, index, cqe->res);
    if (cqe->res == BUFFER_SIZE && !watch->plain) {
      watch->plain = true;
      rota__uring_mark_stale(self, fd);
    }
  } else {
    if (index != NO_BUFFER)
      give_to_kernel(self->buffers, index);
    if (cqe->res == UV_ECANCELED)
      return;
    if (cqe->res == UV_ENOBUFS) {
      /* The request comes again, with more to choose from, unless it was this one that took them all. */
      if (!watch->plain)
        add_buffers(self->buffers, self->buffers->in_use);
      return;
    }
    if (cqe->res == UV_EINVAL || cqe->res == UV_ENOTSOCK || cqe->res == UV_ENOTSUP) {
      watch->plain = true; /* not this kernel, or not this kind of descriptor */
      return;
    }
    watch->ended = true;
    watch->end = (int16_t)cqe->res;
  }
  rota__uring_mark_unread(self, fd);
}

void rota__uring_receive_forget(struct uring_poller *self, struct watch *watch) {
  while (watch->first_buffer != NO_BUFFER) {
    unsigned int index = watch->first_buffer;
    watch->first_buffer = self->buffers->buffers[index].next;
    give_to_kernel(self->buffers, index);
  }
  watch->last_buffer = NO_BUFFER;
  watch->ended = false;
}

ssize_t rota__uring_receive(struct rota_poller *poller, int fd, void *to, size_t length) {
  struct uring_poller *self = rota__uring_of(poller);
  if ((size_t)fd >= self->capacity)
    return UV_ENOSYS;
  struct watch *watch = &self->watches[fd];
  size_t copied = 0;
  while (watch->first_buffer != NO_BUFFER && copied < length) {
    unsigned int index = watch->first_buffer;
    struct buffer *buffer = &self->buffers->buffers[index];
    size_t n = (size_t)(buffer->length - buffer->taken);
    if (n > length - copied)
      n = length - copied;
    memcpy((char *)to + copied, bytes_of(self->buffers, index) + buffer->taken, n);
    copied += n;
    buffer->taken += (uint16_t)n;
    if (buffer->taken == buffer->length) {
      watch->first_buffer = buffer->next;
      give_to_kernel(self->buffers, index);
    }
  }
  if (copied > 0)
    return (ssize_t)copied;
  /* Nothing held: the reader looks for itself, unless the ring is at it. What it has taken may not have been collected
   * yet, and the reader would get later bytes before it. */
  if (!watch->ended)
    return watch->stage == STAGE_NONE ? UV_ENOSYS : UV_EAGAIN;
  watch->ended = false;
  watch->plain = true; /* should anybody read on after the end, the socket itself answers */
  return watch->end;
}
