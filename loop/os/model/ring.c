/* Rings: a queue of operations on files, each of which is carried out and reported at some time after it was handed
 * over, in any order. */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "loop/base/units.h"
#include "loop/os/file.h"
#include "loop/os/linux/poll.h"
#include "loop/os/model/model.h"

enum { UNDER_WAY = 256 };

struct ring {
  struct rota_model_object base;
  struct rota_ring *shared;
  uint32_t sq_head, sq_tail, sq_flags, cq_head, cq_tail;
  struct {
    struct io_uring_sqe sqe;
    uint64_t due_ns;
  } under_way[UNDER_WAY];
  int count;
};

static struct ring *ring_of(struct rota_model_object *object) {
  return rota__container_of(object, struct ring, base);
}

/* ---- carrying out ---- */

static int32_t carry_out(const struct io_uring_sqe *sqe) {
  const void *address = (const void *)(uintptr_t)sqe->addr;
  if (sqe->opcode != IORING_OP_NOP && sqe->opcode != IORING_OP_CLOSE &&
      rota__model_chance(rota__model_options()->cancelled))
    return rota__model_below(2) ? -ECANCELED : rota__model_below(2) ? -EINTR : -ENOMEM;
  switch (sqe->opcode) {
  case IORING_OP_NOP:
    return 0;
  case IORING_OP_OPENAT:
    return rota__os_open_at(sqe->fd, address, (int)sqe->open_flags, sqe->len);
  case IORING_OP_CLOSE:
    return rota__os_close(sqe->fd);
  case IORING_OP_READ:
    return (int32_t)rota__os_read_at(sqe->fd, &(uv_buf_t){.base = (char *)(uintptr_t)address, .len = sqe->len}, 1,
                                     (int64_t)sqe->off);
  case IORING_OP_READV:
    return (int32_t)rota__os_read_at(sqe->fd, address, (int)sqe->len, (int64_t)sqe->off);
  default:
    return -EINVAL;
  }
}

static void report(struct ring *self, int index) {
  struct rota_ring *shared = self->shared;
  struct io_uring_sqe sqe = self->under_way[index].sqe;
  self->under_way[index] = self->under_way[--self->count];
  int32_t result = carry_out(&sqe);
  rota__model_log("      a ring's operation %d is done: %d", sqe.opcode, result);
  struct io_uring_cqe *cqe = &shared->cqes[self->cq_tail & shared->cq_mask];
  *cqe = (struct io_uring_cqe){.user_data = sqe.user_data, .res = result};
  self->cq_tail++;
}

static bool has_room(const struct ring *self) {
  return self->cq_tail - self->cq_head < self->shared->cq_entries;
}

/* A read of a pipe waits for bytes; the ring does not. */
static bool may_report(const struct ring *self, int index) {
  const struct io_uring_sqe *sqe = &self->under_way[index].sqe;
  if (self->under_way[index].due_ns > rota__model_now_ns())
    return false;
  const struct rota_model_open *open =
      sqe->opcode == IORING_OP_READ || sqe->opcode == IORING_OP_READV ? rota__model_open_of(sqe->fd) : NULL;
  if (open == NULL || open->object->kind->ready == NULL)
    return true;
  return (open->object->kind->ready(open->object) & (POLLIN | POLLHUP | POLLERR)) != 0;
}

static void report_due(struct rota_model_object *object) {
  struct ring *self = ring_of(object);
  for (int i = 0; i < self->count && has_room(self);)
    if (may_report(self, i))
      report(self, i);
    else
      i++;
}

static unsigned int ring_ready(struct rota_model_object *object) {
  const struct ring *self = ring_of(object);
  return self->cq_head != self->cq_tail ? POLLIN : 0;
}

static uint64_t ring_next_ns(struct rota_model_object *object) {
  const struct ring *self = ring_of(object);
  uint64_t next_ns = UINT64_MAX;
  for (int i = 0; i < self->count; i++)
    if (self->under_way[i].due_ns < next_ns)
      next_ns = self->under_way[i].due_ns;
  return next_ns;
}

static void ring_release(struct rota_model_object *object) {
  free(ring_of(object));
}

static const struct rota_model_kind ring_kind = {
    .name = "ring", .ready = ring_ready, .next_ns = ring_next_ns, .advance = report_due, .release = ring_release};

/* ---- the calls ---- */

int rota__os_ring_allowed(void) {
  return rota__model_options()->has_rings ? 0 : -EPERM;
}

static void share(struct rota_ring *ring, struct ring *self, uint32_t entries, uint32_t cq_entries) {
  self->shared = ring;
  ring->sq_head = &self->sq_head;
  ring->sq_tail = &self->sq_tail;
  ring->sq_flags = &self->sq_flags;
  ring->cq_head = &self->cq_head;
  ring->cq_tail = &self->cq_tail;
  ring->sq_entries = entries;
  ring->cq_entries = cq_entries;
  ring->sq_mask = entries - 1;
  ring->cq_mask = cq_entries - 1;
  ring->features = IORING_FEAT_SINGLE_MMAP | IORING_FEAT_NODROP | IORING_FEAT_EXT_ARG | IORING_FEAT_RW_CUR_POS;
  ring->sqes = calloc(entries, sizeof *ring->sqes);
  ring->cqes = calloc(cq_entries, sizeof *ring->cqes);
  if (ring->sqes == NULL || ring->cqes == NULL)
    abort();
}

int rota__os_ring_open(struct rota_ring *ring, uint32_t entries, uint32_t cq_entries, uint32_t flags) {
  rota__model_call("io_uring_setup", entries);
  memset(ring, 0, sizeof *ring);
  ring->fd = rota__os_ring_allowed();
  (void)flags;
  if (ring->fd < 0)
    return ring->fd;
  struct ring *self = rota__model_object(&ring_kind, sizeof *self);
  ring->fd = rota__model_install(&self->base, 0);
  if (ring->fd < 0)
    return ring->fd;
  share(ring, self, entries, cq_entries);
  return 0;
}

void rota__os_ring_close(struct rota_ring *ring) {
  if (ring->fd < 0)
    return;
  free(ring->sqes);
  free(ring->cqes);
  rota__os_close(ring->fd);
  ring->fd = -1;
}

struct io_uring_sqe *rota__os_ring_next_sqe(struct rota_ring *ring) {
  if (rota__os_ring_unsubmitted(ring) == ring->sq_entries)
    return NULL;
  struct io_uring_sqe *sqe = &ring->sqes[ring->tail++ & ring->sq_mask];
  memset(sqe, 0, sizeof *sqe);
  return sqe;
}

static int take(struct ring *self) {
  struct rota_ring *shared = self->shared;
  int taken = 0;
  uint64_t most = rota__model_options()->delay_max_ns;
  while (self->sq_head != self->sq_tail && self->count < UNDER_WAY) {
    self->under_way[self->count].sqe = shared->sqes[self->sq_head++ & shared->sq_mask];
    bool at_once = most == 0 || rota__model_below(2) == 0;
    self->under_way[self->count].due_ns = rota__model_now_ns() + (at_once ? 0 : rota__model_below(most));
    self->count++;
    taken++;
    if (rota__model_chance(rota__model_options()->shortened))
      break;
  }
  return taken;
}

static bool has_reported(void *what) {
  return ring_ready(what) != 0;
}

int rota__os_ring_enter(struct rota_ring *ring, uint32_t wait_for, int64_t timeout_ns, const sigset_t *blocked) {
  struct ring *self = rota__model_object_of(ring->fd, &ring_kind);
  (void)blocked;
  rota__os_ring_publish(ring);
  rota__model_call("io_uring_enter", ring->fd);
  if (self == NULL)
    return -EBADF;
  if (rota__model_chance(rota__model_options()->interrupted))
    return -EINTR;
  if (self->sq_head != self->sq_tail && rota__model_chance(rota__model_options()->cancelled))
    return rota__model_below(2) ? -EAGAIN : -EBUSY;
  int taken = take(self);
  uint64_t until_ns = timeout_ns < 0 ? UINT64_MAX : rota__model_now_ns() + (uint64_t)timeout_ns;
  rota__model_advance();
  while (self->cq_tail - self->cq_head < wait_for && rota__model_now_ns() < until_ns) {
    rota__model_wait(has_reported, &self->base, until_ns, NULL);
    rota__model_advance();
  }
  return self->cq_tail - self->cq_head < wait_for ? -ETIME : taken;
}

int rota__os_ring_submit_published(struct rota_ring *ring) {
  struct ring *self = rota__model_object_of(ring->fd, &ring_kind);
  rota__model_call("io_uring_enter from outside", ring->fd);
  if (self == NULL)
    return -EBADF;
  int taken = take(self);
  rota__model_advance();
  return taken;
}

/* What a loop uses; not what reads many small files in one call. */
bool rota__os_ring_knows(struct rota_ring *ring, uint8_t operation) {
  (void)ring;
  return operation == IORING_OP_NOP || operation == IORING_OP_OPENAT || operation == IORING_OP_CLOSE ||
         operation == IORING_OP_READ || operation == IORING_OP_READV;
}

int rota__os_ring_add_slots(struct rota_ring *ring, uint32_t count) {
  (void)ring, (void)count;
  return -EINVAL;
}

int rota__os_ring_empty_slots(struct rota_ring *ring, uint32_t count) {
  (void)ring, (void)count;
  return -EINVAL;
}
