/* The poller on io_uring.
 *
 * Two rings. The loop's ring watches descriptors; where the kernel can, only one thread may use it, and completions
 * are worked off when that thread asks for them. The files' ring is made when the first file operation comes; any
 * thread may use it, because a file operation, once begun, must be brought to its end even when the loop moves to
 * another thread. The loop's ring watches the files' ring.
 *
 * A watch is a poll request that fires once; it is submitted again, with whatever else there is to submit, in the
 * wait that follows the event, unless nobody wants it then. That makes it level triggered, and costs no call of its
 * own. Invariant: a descriptor whose request is not what is wanted is in the list of stale ones. */
#include <poll.h>
#include <string.h>

#include "base/alloc.h"
#include "base/check.h"
#include "base/list.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/ring.h"
#include "poll/poller.h"
#include "uv.h"

/* Small: the memory counts towards what a user may lock, and a process may have hundreds of loops. More completions
 * than there is room for are kept by the kernel until we collect them. */
enum { ENTRIES = 64, COMPLETIONS = 1024, FILE_ENTRIES = 64, FILE_COMPLETIONS = 512 };

/* What a completion is of: the low bits of its user data. Pointers to operations have none of them set. */
enum { TAG_OP = 0, TAG_WATCH = 1, TAG_IGNORED = 2, TAG_FILES = 3, TAG_MASK = 3 };

struct watch {
  uint32_t wanted;
  uint32_t armed;      /* the events of the request under way; 0: none */
  uint32_t sequence;   /* of the request under way: completions of older ones are of no interest */
  uint32_t generation; /* the loop's mark */
  bool stale;
};

struct uring_poller {
  struct rota_poller base;
  struct rota_ring ring;
  struct rota_ring files;
  int owner; /* the thread that may use the ring; 0: not decided */
  bool single_issuer;
  bool files_watched;
  uint32_t files_under_way;
  int bell;              /* an event descriptor for those who poll the loop from outside; -1: nobody does */
  struct watch *watches; /* by descriptor */
  size_t capacity;
  int *stale; /* descriptors */
  size_t stale_count;
  size_t stale_capacity;
};

static struct uring_poller *self_of(struct rota_poller *poller) {
  return rota__container_of(poller, struct uring_poller, base);
}

/* ---- the ring's life ---- */

static int open_ring(struct uring_poller *self) {
  /* From the newest kernels to the oldest. */
  static const uint32_t flags[] = {
      IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_R_DISABLED |
          IORING_SETUP_SUBMIT_ALL,
      IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_SUBMIT_ALL,
      0,
  };
  int err = UV_ENOSYS;
  for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
    err = rota__os_ring_open(&self->ring, ENTRIES, COMPLETIONS, flags[i]);
    self->single_issuer = err == 0 && (flags[i] & IORING_SETUP_SINGLE_ISSUER);
    if (err != UV_EINVAL)
      break;
  }
  self->owner = 0;
  self->files_watched = false;
  return err;
}

/* A user may lock only so much memory, and the kernel gives that of a closed ring back a little later. */
static int open_ring_patiently(struct uring_poller *self) {
  enum { TRIES = 100, PAUSE_NS = 2000000 };
  int err = open_ring(self);
  for (int tries = 1; err == UV_ENOMEM && tries < TRIES; tries++) {
    rota__os_sleep_ns(PAUSE_NS);
    err = open_ring(self);
  }
  return err;
}

static int mark_stale(struct uring_poller *self, int fd);

/* The loop runs on another thread than it did. Its ring is of no use there: what was watched moves to a new one. */
static int move_to_this_thread(struct uring_poller *self) {
  struct rota_ring old = self->ring;
  int err = open_ring(self);
  if (err < 0) {
    self->ring = old;
    return err;
  }
  rota__os_ring_close(&old);
  if (self->bell >= 0)
    rota__os_ring_notify(&self->ring, self->bell);
  for (size_t fd = 0; fd < self->capacity; fd++) {
    struct watch *watch = &self->watches[fd];
    watch->armed = 0;
    watch->sequence++;
    if (watch->wanted != 0)
      mark_stale(self, (int)fd);
  }
  return 0;
}

/* Before every use of the ring. */
static int own_ring(struct uring_poller *self) {
  if (!self->single_issuer)
    return 0;
  int thread = rota__os_thread_id();
  if (self->owner == thread)
    return 0;
  if (self->owner != 0) {
    int err = move_to_this_thread(self);
    if (err < 0 || !self->single_issuer)
      return err;
  }
  self->owner = thread;
  return rota__os_ring_enable(&self->ring);
}

/* ---- watching ---- */

static uint64_t watch_data(int fd, uint32_t sequence) {
  return (uint64_t)(uint32_t)fd << 32 | (uint64_t)(sequence & 0x3fffffff) << 2 | TAG_WATCH;
}

static int mark_stale(struct uring_poller *self, int fd) {
  if (self->watches[fd].stale)
    return 0;
  if (self->stale_count == self->stale_capacity) {
    size_t capacity = self->stale_capacity == 0 ? 64 : self->stale_capacity * 2;
    int *stale = rota__realloc(self->stale, capacity * sizeof(*stale));
    if (stale == NULL)
      return UV_ENOMEM;
    self->stale = stale;
    self->stale_capacity = capacity;
  }
  self->stale[self->stale_count++] = fd;
  self->watches[fd].stale = true;
  return 0;
}

static int reserve(struct uring_poller *self, int fd) {
  size_t capacity = self->capacity == 0 ? 64 : self->capacity;
  while (capacity <= (size_t)fd)
    capacity *= 2;
  struct watch *watches = rota__realloc(self->watches, capacity * sizeof(*watches));
  if (watches == NULL)
    return UV_ENOMEM;
  memset(watches + self->capacity, 0, (capacity - self->capacity) * sizeof(*watches));
  self->watches = watches;
  self->capacity = capacity;
  /* So that marking one of them can never fail later, when nobody could be told. */
  if (self->stale_capacity < capacity) {
    int *stale = rota__realloc(self->stale, capacity * sizeof(*stale));
    if (stale == NULL)
      return UV_ENOMEM;
    self->stale = stale;
    self->stale_capacity = capacity;
  }
  return 0;
}

static int uring_watch(struct rota_poller *poller, int fd, unsigned int events, uint32_t generation) {
  struct uring_poller *self = self_of(poller);
  if ((size_t)fd >= self->capacity || self->stale_capacity < self->capacity) {
    int err = reserve(self, fd);
    if (err < 0)
      return err;
  }
  struct watch *watch = &self->watches[fd];
  watch->wanted = events;
  watch->generation = generation;
  return (events & ~watch->armed) == 0 ? 0 : mark_stale(self, fd);
}

/* An entry of the loop's ring; makes room by handing over what is there. */
static struct io_uring_sqe *next_sqe(struct uring_poller *self) {
  struct io_uring_sqe *sqe = rota__os_ring_next_sqe(&self->ring);
  while (sqe == NULL) {
    int err = rota__os_ring_enter(&self->ring, 0, 0, NULL);
    if (err < 0 && err != UV_EINTR && err != UV_EAGAIN && err != UV_EBUSY)
      return NULL;
    if (err < 0)
      return NULL;
    sqe = rota__os_ring_next_sqe(&self->ring);
  }
  return sqe;
}

/* Brings the request of a descriptor in line with what is wanted. False: the queue is full, to be tried again. */
static bool arm(struct uring_poller *self, int fd) {
  struct watch *watch = &self->watches[fd];
  if ((watch->wanted & ~watch->armed) == 0)
    return true; /* too much is harmless: it is filtered when it fires */
  struct io_uring_sqe *sqe = next_sqe(self);
  if (sqe == NULL)
    return false;
  uint32_t events = watch->wanted & ~ROTA_POLL_EDGE;
  if (watch->armed != 0) {
    sqe->opcode = IORING_OP_POLL_REMOVE;
    sqe->fd = -1;
    sqe->len = IORING_POLL_UPDATE_EVENTS;
    sqe->addr = watch_data(fd, watch->sequence);
    sqe->poll32_events = events;
    /* If it has fired by now, the update finds nothing, and the event that is on its way leads to a new request. */
    sqe->user_data = TAG_IGNORED;
  } else {
    watch->sequence++;
    sqe->opcode = IORING_OP_POLL_ADD;
    sqe->fd = fd;
    sqe->len = watch->wanted & ROTA_POLL_EDGE ? IORING_POLL_ADD_MULTI : 0;
    sqe->poll32_events = events;
    sqe->user_data = watch_data(fd, watch->sequence);
  }
  watch->armed = watch->wanted;
  return true;
}

static void arm_stale(struct uring_poller *self) {
  size_t done = 0;
  while (done < self->stale_count && arm(self, self->stale[done]))
    self->watches[self->stale[done++]].stale = false;
  self->stale_count -= done;
  memmove(self->stale, self->stale + done, self->stale_count * sizeof(*self->stale));
}

static void uring_forget(struct rota_poller *poller, int fd) {
  struct uring_poller *self = self_of(poller);
  if ((size_t)fd >= self->capacity)
    return;
  struct watch *watch = &self->watches[fd];
  watch->wanted = 0;
  if (watch->armed == 0)
    return;
  uint64_t data = watch_data(fd, watch->sequence);
  watch->armed = 0;
  watch->sequence++;
  /* A request holds its file open: the peer would not see the end, nor would a port be free again. Hence it goes at
   * once. From another thread, moving takes all requests away, and those that are still wanted come anew. */
  if (own_ring(self) < 0)
    return;
  struct io_uring_sqe *sqe = next_sqe(self);
  if (sqe == NULL)
    return;
  sqe->opcode = IORING_OP_POLL_REMOVE;
  sqe->fd = -1;
  sqe->addr = data;
  sqe->user_data = TAG_IGNORED;
  int err;
  do
    err = rota__os_ring_enter(&self->ring, 0, 0, NULL);
  while (err == UV_EINTR);
}

/* ---- files ---- */

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

static int uring_submit(struct rota_poller *poller, struct rota_op *op, const struct rota_op_args *args) {
  struct uring_poller *self = self_of(poller);
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
  case ROTA_OP_WRITE:
    sqe->opcode = args->code == ROTA_OP_READ ? IORING_OP_READV : IORING_OP_WRITEV;
    sqe->len = args->length;
    sqe->off = (uint64_t)args->offset;
    break;
  case ROTA_OP_FSYNC:
  case ROTA_OP_FDATASYNC:
    sqe->opcode = IORING_OP_FSYNC;
    sqe->addr = 0;
    sqe->fsync_flags = args->code == ROTA_OP_FDATASYNC ? IORING_FSYNC_DATASYNC : 0;
    break;
  case ROTA_OP_STATX:
    sqe->opcode = IORING_OP_STATX;
    sqe->len = args->length;
    sqe->off = (uint64_t)(uintptr_t)args->result;
    sqe->statx_flags = args->flags;
    break;
  }
  self->files_under_way++;
  return 0;
}

static int uring_cancel(struct rota_poller *poller, struct rota_op *op) {
  struct uring_poller *self = self_of(poller);
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

static int collect_files(struct uring_poller *self, struct rota_ready *out, int out_max) {
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

static void submit_files(struct uring_poller *self) {
  if (self->files.fd < 0)
    return;
  while (rota__os_ring_unsubmitted(&self->files) > 0 || rota__os_ring_has_work(&self->files)) {
    int n = rota__os_ring_enter(&self->files, 0, 0, NULL);
    if (n <= 0 && n != UV_EINTR)
      break;
  }
}

/* The loop's ring must wake up when a file operation is done. */
static void watch_files(struct uring_poller *self) {
  if (self->files.fd < 0 || self->files_watched)
    return;
  struct io_uring_sqe *sqe = next_sqe(self);
  if (sqe == NULL)
    return;
  sqe->opcode = IORING_OP_POLL_ADD;
  sqe->fd = self->files.fd;
  sqe->len = IORING_POLL_ADD_MULTI;
  sqe->poll32_events = POLLIN;
  sqe->user_data = TAG_FILES;
  self->files_watched = true;
}

/* ---- waiting ---- */

/* Returns whether the completion is something to report. */
static bool collect_watch(struct uring_poller *self, const struct io_uring_cqe *cqe, struct rota_ready *out) {
  int fd = (int)(cqe->user_data >> 32);
  struct watch *watch = &self->watches[fd];
  if (cqe->user_data != watch_data(fd, watch->sequence) || watch->armed == 0)
    return false;
  uint32_t armed = watch->armed;
  if (!(cqe->flags & IORING_CQE_F_MORE)) {
    watch->armed = 0;
    if (watch->wanted != 0)
      mark_stale(self, fd);
  }
  if (watch->wanted == 0 || cqe->res == UV_ECANCELED)
    return false;
  out->op = NULL;
  out->u.watch.fd = fd;
  out->u.watch.generation = watch->generation;
  out->u.watch.events = cqe->res < 0 ? POLLERR | (armed & (POLLIN | POLLOUT)) : (uint32_t)cqe->res;
  return true;
}

static int collect(struct uring_poller *self, struct rota_ready *out, int out_max) {
  struct rota_ring *ring = &self->ring;
  uint32_t head = *ring->cq_head;
  uint32_t tail = __atomic_load_n(ring->cq_tail, __ATOMIC_ACQUIRE);
  int n = 0;
  for (; head != tail && n < out_max; head++) {
    const struct io_uring_cqe *cqe = &ring->cqes[head & ring->cq_mask];
    if ((cqe->user_data & TAG_MASK) == TAG_WATCH)
      n += collect_watch(self, cqe, &out[n]);
    else if (cqe->user_data == TAG_FILES && !(cqe->flags & IORING_CQE_F_MORE))
      self->files_watched = false;
  }
  __atomic_store_n(ring->cq_head, head, __ATOMIC_RELEASE);
  return n;
}

static int uring_wait(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  struct uring_poller *self = self_of(poller);
  int err = own_ring(self);
  if (err < 0)
    return err;
  if (rota__unlikely(self->bell >= 0)) {
    uint64_t rung;
    (void)rota__os_read(self->bell, &rung, sizeof(rung));
  }
  /* A file operation begun in this iteration is reported in the next, if this one does not wait: however fast the
   * kernel is, what else is due (an immediate, say) comes first, as it does when a thread does the work. */
  int n = collect_files(self, out, out_max);
  submit_files(self);
  if (timeout_ns != 0 && n == 0)
    n = collect_files(self, out, out_max);
  arm_stale(self);
  watch_files(self);
  struct rota_ring *ring = &self->ring;
  bool block = timeout_ns != 0 && n == 0 && rota__os_ring_completed(ring) == 0;
  if (block || rota__os_ring_unsubmitted(ring) > 0 || rota__os_ring_has_work(ring)) {
    err = rota__os_ring_enter(ring, block ? 1 : 0, block ? timeout_ns : 0, block ? poller->blocked_signals : NULL);
    /* Not: a lack of memory or of room for completions, which passes when we collect what is there. */
    if (err == UV_EINTR && n == 0 && rota__os_ring_completed(ring) == 0)
      return UV_EINTR;
  }
  n += collect(self, out + n, out_max - n);
  if (n == 0 && timeout_ns != 0)
    n = collect_files(self, out, out_max);
  return n;
}

static void ring_bell(struct uring_poller *self) {
  static const uint64_t one = 1;
  (void)rota__os_write(self->bell, &one, sizeof(one));
}

static void uring_flush(struct rota_poller *poller) {
  struct uring_poller *self = self_of(poller);
  submit_files(self);
  if (self->stale_count > 0 || (self->files.fd >= 0 && !self->files_watched)) {
    if (own_ring(self) < 0)
      return;
    arm_stale(self);
    watch_files(self);
    rota__os_ring_enter(&self->ring, 0, 0, NULL);
  }
  if (self->bell < 0)
    return;
  if (rota__os_ring_completed(&self->ring) > 0 || rota__os_ring_has_work(&self->ring) ||
      (self->files.fd >= 0 && rota__os_ring_completed(&self->files) > 0))
    ring_bell(self);
}

/* Made when somebody asks for it: a ring whose completions are worked off on demand does not wake those who poll the
 * ring's own descriptor, but it does write to an event descriptor, which costs us a call in every wait. */
static int uring_fd(struct rota_poller *poller) {
  struct uring_poller *self = self_of(poller);
  if (self->bell >= 0)
    return self->bell;
  int fd = rota__os_eventfd();
  if (fd < 0)
    return fd;
  int err = rota__os_ring_notify(&self->ring, fd);
  if (err < 0) {
    rota__os_close(fd);
    return err;
  }
  self->bell = fd;
  ring_bell(self); /* whatever came before now has not been announced */
  return fd;
}

static void uring_close(struct rota_poller *poller) {
  struct uring_poller *self = self_of(poller);
  rota__os_ring_close(&self->ring);
  rota__os_ring_close(&self->files);
  if (self->bell >= 0)
    rota__os_close(self->bell);
  rota__free(self->watches);
  rota__free(self->stale);
  rota__free(self);
}

static const struct rota_poller_ops uring_ops = {
    .name = "io_uring",
    .watch = uring_watch,
    .forget = uring_forget,
    .submit = uring_submit,
    .cancel = uring_cancel,
    .wait = uring_wait,
    .flush = uring_flush,
    .fd = uring_fd,
    .close = uring_close,
};

int rota__uring_open(struct rota_poller **poller, bool patient) {
  struct uring_poller *self = rota__calloc(1, sizeof(*self));
  if (self == NULL)
    return UV_ENOMEM;
  self->base.ops = &uring_ops;
  self->files.fd = -1;
  self->bell = -1;
  int err = patient ? open_ring_patiently(self) : open_ring(self);
  if (err < 0) {
    rota__free(self);
    return err;
  }
  *poller = &self->base;
  return 0;
}
