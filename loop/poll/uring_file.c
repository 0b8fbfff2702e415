/* Operations on files through the ring: opening, reading, closing, without a thread.
 *
 * They are handed over together in the next wait. Most are done by then: what is in the page cache needs no waiting. */
#include <poll.h>
#include <string.h>

#include "loop/os/clock.h"
#include "loop/poll/uring.h"
#include "uv.h"

enum { FILE_ENTRIES = 64, FILE_COMPLETIONS = 2048, RIPE_NS = 500000 };

static int open_files(struct uring_poller *self) {
  if (self->files.fd >= 0)
    return 0;
  int err = rota__os_ring_open(&self->files, FILE_ENTRIES, FILE_COMPLETIONS, IORING_SETUP_SUBMIT_ALL);
  if (err == UV_EINVAL)
    err = rota__os_ring_open(&self->files, FILE_ENTRIES, FILE_COMPLETIONS, 0);
  if (err == 0 && !(self->files.features & IORING_FEAT_RW_CUR_POS)) {
    rota__os_ring_close(&self->files);
    err = UV_ENOSYS;
  }
  if (err < 0)
    self->files.fd = -1;
  return err;
}

static void read_into(struct io_uring_sqe *sqe, const uv_buf_t *bufs, uint32_t count) {
  sqe->opcode = IORING_OP_READV;
  sqe->len = count;
  if (count == 1 && bufs->len <= INT32_MAX) { /* the kernel need not fetch and check a list */
    sqe->opcode = IORING_OP_READ;
    sqe->addr = (uint64_t)(uintptr_t)bufs->base;
    sqe->len = (uint32_t)bufs->len;
  }
}

int rota__uring_submit(struct rota_poller *poller, struct rota_op *op, const struct rota_op_args *args) {
  struct uring_poller *self = rota__uring_of(poller);
  if (open_files(self) < 0 || self->files_under_way >= self->files.cq_entries)
    return UV_ENOSYS;
  struct io_uring_sqe *sqe = rota__os_ring_next_sqe(&self->files);
  if (sqe == NULL) {
    if (rota__os_ring_enter(&self->files, 0, 0, NULL) < 0)
      return UV_ENOSYS;
    sqe = rota__os_ring_next_sqe(&self->files);
    if (sqe == NULL)
      return UV_ENOSYS;
  }
  if (rota__os_ring_unsubmitted(&self->files) == 1)
    self->files_since_ns = rota__os_clock_ns();
  sqe->fd = args->fd;
  sqe->addr = (uint64_t)(uintptr_t)args->address;
  sqe->user_data = (uint64_t)(uintptr_t)op | TAG_OP;
  switch (args->code) {
  case ROTA_OP_OPEN:
    sqe->opcode = IORING_OP_OPENAT;
    sqe->len = args->mode;
    sqe->open_flags = args->flags;
    break;
  case ROTA_OP_CLOSE:
    sqe->opcode = IORING_OP_CLOSE;
    sqe->addr = 0;
    break;
  case ROTA_OP_READ:
    read_into(sqe, args->address, args->length);
    sqe->off = (uint64_t)args->offset;
    break;
  case ROTA_OP_FSYNC:
  case ROTA_OP_FDATASYNC:
    sqe->opcode = IORING_OP_FSYNC;
    sqe->addr = 0;
    sqe->fsync_flags = args->code == ROTA_OP_FDATASYNC ? IORING_FSYNC_DATASYNC : 0;
    break;
  }
  self->files_under_way++;
  return 0;
}

int rota__uring_cancel(struct rota_poller *poller, struct rota_op *op) {
  struct uring_poller *self = rota__uring_of(poller);
  if (self->files.fd < 0)
    return UV_EBUSY;
  struct rota_ring *files = &self->files;
  for (uint32_t i = files->tail - rota__os_ring_unsubmitted(files); i != files->tail; i++) {
    struct io_uring_sqe *sqe = &files->sqes[i & files->sq_mask];
    if (sqe->user_data != (uint64_t)(uintptr_t)op)
      continue;
    memset(sqe, 0, sizeof(*sqe));
    sqe->opcode = IORING_OP_NOP;
    sqe->user_data = TAG_IGNORED;
    return 0;
  }
  return UV_EBUSY;
}

int rota__uring_collect_files(struct uring_poller *self, struct rota_ready *out, int out_max) {
  if (self->files.fd < 0)
    return 0;
  struct rota_ring *files = &self->files;
  uint32_t head = *files->cq_head;
  uint32_t tail = __atomic_load_n(files->cq_tail, __ATOMIC_ACQUIRE);
  int n = 0;
  for (; head != tail && n < out_max; head++) {
    const struct io_uring_cqe *cqe = &files->cqes[head & files->cq_mask];
    self->files_under_way--;
    if (cqe->user_data == TAG_IGNORED)
      continue;
    out[n].op = (struct rota_op *)(uintptr_t)cqe->user_data; /* TAG_OP is 0 */
    out[n].u.completion.result = cqe->res;
    out[n].u.completion.flags = cqe->flags;
    n++;
  }
  __atomic_store_n(files->cq_head, head, __ATOMIC_RELEASE);
  return n;
}

/* Where time is made up, there is no telling how long the program has worked. */
bool rota__uring_files_ripe(const struct uring_poller *self) {
  return rota__os_ring_unsubmitted(&self->files) > 0 && rota__os_clock.loop_ns == rota__os_clock_ns &&
         rota__os_clock_ns() - self->files_since_ns > RIPE_NS;
}

void rota__uring_submit_files(struct uring_poller *self) {
  if (self->files.fd < 0)
    return;
  while (rota__os_ring_unsubmitted(&self->files) > 0 || rota__os_ring_has_work(&self->files)) {
    int n = rota__os_ring_enter(&self->files, 0, 0, NULL);
    if (n <= 0 && n != UV_EINTR)
      break;
  }
}

/* The loop's ring must wake up when a file operation is done. */
void rota__uring_watch_files(struct uring_poller *self) {
  if (self->files.fd < 0 || self->files_watched)
    return;
  struct io_uring_sqe *sqe = rota__uring_next_sqe(self);
  if (sqe == NULL)
    return;
  sqe->opcode = IORING_OP_POLL_ADD;
  sqe->fd = self->files.fd;
  sqe->len = IORING_POLL_ADD_MULTI;
  sqe->poll32_events = POLLIN;
  sqe->user_data = TAG_FILES;
  self->files_watched = true;
}
