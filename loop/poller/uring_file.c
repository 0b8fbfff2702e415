/* Operations on files through the ring: opening, reading, closing, without a thread.
 *
 * Syncing is not among them: the kernel uses a thread for it, as the pool does, and a process that ends waits only for
 * the pool.
 * The next wait hands all of them to the kernel in one call, or another thread if that takes long. Most are done at
 * once, because the data is in the page cache. Any thread may use the ring: an operation that was begun must end even
 * if the loop moves to another thread. Invariant: files_under_way counts the entries of the queue, those that the
 * kernel has, and its completions. */
#include <poll.h>
#include <string.h>

#include "loop/base/check.h"
#include "loop/os/clock.h"
#include "loop/poller/uring.h"
#include "uv.h"

enum { FILE_ENTRIES = 64, FILE_COMPLETIONS = 2048, RIPE_NS = 500000, RESTING_OPERATIONS = 256 };

static int make_ring(struct rota_uring_poller *self) {
  int err = rota__os_ring_open(&self->files, FILE_ENTRIES, FILE_COMPLETIONS, IORING_SETUP_SUBMIT_ALL);
  if (err == UV_EINVAL)
    err = rota__os_ring_open(&self->files, FILE_ENTRIES, FILE_COMPLETIONS, 0);
  if (err < 0)
    return err;
  /* Operations that the kernel does not know go to the pool when the kernel says so. For close that would be wrong: it
   * would not be known whether the descriptor is closed. */
  bool suits = (self->files.features & IORING_FEAT_RW_CUR_POS) && rota__os_ring_knows(&self->files, IORING_OP_CLOSE);
  err = suits ? rota__epoll_add_own(&self->epoll, self->files.fd) : UV_ENOSYS;
  if (err < 0)
    rota__os_ring_close(&self->files);
  return err;
}

/* There may be memory and descriptors later. A try each time would cost a system call for each operation. */
static bool open_files(struct rota_uring_poller *self) {
  if (rota__likely(self->state == ROTA_URING_FILES_OPEN))
    return true;
  if (self->state != ROTA_URING_FILES_NONE)
    return false;
  if (self->rest > 0) {
    self->rest--;
    return false;
  }
  if (make_ring(self) < 0) {
    self->files.fd = -1;
    self->rest = RESTING_OPERATIONS;
    return false;
  }
  self->state = ROTA_URING_FILES_OPEN;
  rota__uring_oversee(self);
  return true;
}

/* The kernel did not take the queue. Only interrupted calls are repeated: the pool can do the work at once. */
static void note_refusal(struct rota_uring_poller *self, int err) {
  bool passes = err == UV_EAGAIN || err == UV_EBUSY || err == UV_ENOMEM || err == 0;
  self->state = passes && self->state != ROTA_URING_FILES_BROKEN ? ROTA_URING_FILES_REFUSED : ROTA_URING_FILES_BROKEN;
}

static void read_into(struct io_uring_sqe *sqe, const uv_buf_t *bufs, uint32_t count) {
  sqe->opcode = IORING_OP_READV;
  sqe->len = count;
  if (count == 1 && bufs->len <= INT32_MAX) { /* the kernel need not copy and check a list */
    sqe->opcode = IORING_OP_READ;
    sqe->addr = (uint64_t)(uintptr_t)bufs->base;
    sqe->len = (uint32_t)bufs->len;
  }
}

/* The kernel does not have the entries from here to the tail. */
static uint32_t first_unsubmitted(const struct rota_ring *files) {
  return files->tail - rota__os_ring_unsubmitted(files);
}

/* The entry stays in the queue, and is counted, until the kernel has taken it or the queue is handed back. */
static void make_void(struct io_uring_sqe *sqe) {
  memset(sqe, 0, sizeof(*sqe));
  sqe->opcode = IORING_OP_NOP;
  sqe->user_data = ROTA_URING_NO_OP;
}

/* Outside of uv_run, the program may poll the loop's descriptor: the operation must reach the kernel now. */
static bool is_awaited_outside(const struct rota_uring_poller *self) {
  return self->epoll.shared && !atomic_load_explicit(&self->running, memory_order_relaxed);
}

/* The last entry of the queue. */
static int hand_over_now(struct rota_uring_poller *self) {
  struct rota_ring *files = &self->files;
  rota__uring_submit_files(self);
  if (self->state == ROTA_URING_FILES_OPEN)
    return 0;
  rota__uring_overdue_lock();
  bool refused = rota__os_ring_unsubmitted(files) > 0;
  if (refused)
    make_void(&files->sqes[(files->tail - 1) & files->sq_mask]);
  rota__uring_overdue_unlock();
  return refused ? UV_ENOSYS : 0;
}

int rota__uring_submit(struct rota_poller *poller, struct rota_op *op, const struct rota_op_args *args) {
  struct rota_uring_poller *self = rota__uring_of(poller);
  if (!open_files(self) || self->files_under_way >= self->files.cq_entries)
    return UV_ENOSYS;
  if (rota__os_ring_unsubmitted(&self->files) == self->files.sq_entries)
    rota__uring_submit_files(self);
  struct io_uring_sqe *sqe = self->state == ROTA_URING_FILES_OPEN ? rota__os_ring_next_sqe(&self->files) : NULL;
  if (sqe == NULL)
    return UV_ENOSYS;
  bool is_first = rota__os_ring_unsubmitted(&self->files) == 1;
  if (is_first)
    atomic_store_explicit(&self->files_since_ns, rota__os_clock_ns(), memory_order_relaxed);
  sqe->fd = args->fd;
  sqe->addr = (uint64_t)(uintptr_t)args->address;
  sqe->user_data = (uint64_t)(uintptr_t)op;
  switch (args->code) {
  case ROTA_OP_CHILD: /* nobody asks a poller for this that does not take children */
    break;
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
  }
  self->files_under_way++;
  rota__os_ring_publish(&self->files);
  bool waits = !is_first || rota__uring_is_overseen(self);
  return rota__unlikely(!waits || is_awaited_outside(self)) ? hand_over_now(self) : 0;
}

int rota__uring_cancel(struct rota_poller *poller, struct rota_op *op) {
  struct rota_uring_poller *self = rota__uring_of(poller);
  if (self->files.fd < 0)
    return UV_EBUSY;
  struct rota_ring *files = &self->files;
  int err = UV_EBUSY;
  rota__uring_overdue_lock();
  for (uint32_t i = first_unsubmitted(files); i != files->tail && err != 0; i++) {
    struct io_uring_sqe *sqe = &files->sqes[i & files->sq_mask];
    if (sqe->user_data != (uint64_t)(uintptr_t)op)
      continue;
    make_void(sqe);
    err = 0;
  }
  rota__uring_overdue_unlock();
  return err;
}

static bool report(uint64_t user_data, int32_t result, uint32_t flags, struct rota_ready *out) {
  if (user_data == ROTA_URING_NO_OP)
    return false;
  out->op = (struct rota_op *)(uintptr_t)user_data;
  out->u.completion.result = result;
  out->u.completion.flags = flags;
  return true;
}

static int take_back(struct rota_uring_poller *self, struct rota_ready *out, int out_max) {
  struct rota_ring *files = &self->files;
  int n = 0;
  for (uint32_t i = first_unsubmitted(files); i != files->tail; i++) {
    if (n == out_max)
      return n; /* the rest comes in the next wait; the entries before it are void */
    struct io_uring_sqe *sqe = &files->sqes[i & files->sq_mask];
    n += report(sqe->user_data, UV_ENOSYS, 0, &out[n]);
    make_void(sqe);
  }
  self->files_under_way -= rota__os_ring_unsubmitted(files);
  rota__os_ring_withdraw(files);
  if (self->state == ROTA_URING_FILES_REFUSED)
    self->state = ROTA_URING_FILES_OPEN;
  return n;
}

/* Operations that the kernel did not take are reported with UV_ENOSYS; their owners use the pool. */
static int hand_back(struct rota_uring_poller *self, struct rota_ready *out, int out_max) {
  rota__uring_overdue_lock();
  int n = take_back(self, out, out_max);
  rota__uring_overdue_unlock();
  return n;
}

int rota__uring_collect_files(struct rota_uring_poller *self, struct rota_ready *out, int out_max) {
  if (self->files.fd < 0)
    return 0;
  struct rota_ring *files = &self->files;
  uint32_t head = *files->cq_head;
  uint32_t tail = __atomic_load_n(files->cq_tail, __ATOMIC_ACQUIRE);
  int n = 0;
  for (; head != tail && n < out_max; head++) {
    const struct io_uring_cqe *cqe = &files->cqes[head & files->cq_mask];
    rota__check(self->files_under_way > 0);
    self->files_under_way--;
    n += report(cqe->user_data, cqe->res, cqe->flags, &out[n]);
  }
  __atomic_store_n(files->cq_head, head, __ATOMIC_RELEASE);
  if (rota__unlikely(self->state != ROTA_URING_FILES_OPEN))
    n += hand_back(self, out + n, out_max - n);
  return n;
}

bool rota__uring_files_done(const struct rota_uring_poller *self) {
  if (self->files_under_way == 0)
    return false;
  return rota__os_ring_completed(&self->files) > 0 || rota__os_ring_has_work(&self->files) ||
         (self->state != ROTA_URING_FILES_OPEN && rota__os_ring_unsubmitted(&self->files) > 0);
}

/* With virtual time, it is not known how long the program has worked. */
static bool are_ripe(const struct rota_uring_poller *self) {
  return rota__os_ring_unsubmitted(&self->files) > 0 && rota__os_clock.loop_ns == rota__os_clock_ns &&
         rota__os_clock_ns() - atomic_load_explicit(&self->files_since_ns, memory_order_relaxed) > RIPE_NS;
}

bool rota__uring_files_late(const struct rota_uring_poller *self) {
  return self->files_under_way > 0 && (self->handed_over_late || are_ripe(self));
}

void rota__uring_submit_files(struct rota_uring_poller *self) {
  if (self->state != ROTA_URING_FILES_OPEN)
    return;
  if (are_ripe(self))
    self->handed_over_late = true;
  while (rota__os_ring_unsubmitted(&self->files) > 0 || rota__os_ring_has_work(&self->files)) {
    int n = rota__os_ring_enter(&self->files, 0, 0, NULL);
    if (n > 0 || n == UV_EINTR)
      continue;
    if (rota__os_ring_unsubmitted(&self->files) > 0)
      note_refusal(self, n);
    return;
  }
}
