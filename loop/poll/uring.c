/* The rings' life, and waiting. What the poller is made of: uring.h. */
#include "loop/poll/uring.h"

#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/check.h"
#include "loop/os/clock.h"
#include "loop/os/fd.h"
#include "uv.h"

/* Small: the memory counts towards what a user may lock, and a process may have hundreds of loops. More completions
 * than there is room for are kept by the kernel until we collect them. */
enum { ENTRIES = 64, COMPLETIONS = 1024, RETRY_NS = 1000000, LISTENERS_FIRST = 64 };

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
  self->listeners_watched = false;
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

static int collect(struct uring_poller *self, struct rota_ready *out, int out_max);

/* The loop runs on another thread than it did. Its ring is of no use there: what was watched moves to a new one. */
static int move_to_this_thread(struct uring_poller *self) {
  /* Bytes that were delivered must not be lost; that something is ready will be said again. */
  struct rota_ready said_again[64];
  while (rota__os_ring_completed(&self->ring) > 0)
    collect(self, said_again, sizeof(said_again) / sizeof(*said_again));
  struct rota_ring old = self->ring;
  int err = open_ring(self);
  if (err < 0) {
    self->ring = old;
    return err;
  }
  rota__os_ring_close(&old);
  if (self->bell >= 0)
    rota__os_ring_notify(&self->ring, self->bell);
  rota__uring_buffers_move(self);
  for (size_t fd = 0; fd < self->capacity; fd++) {
    struct watch *watch = &self->watches[fd];
    watch->armed = 0;
    watch->stage = STAGE_NONE;
    watch->sequence++;
    if (watch->wanted != 0)
      rota__uring_mark_stale(self, (int)fd);
  }
  return 0;
}

int rota__uring_own(struct uring_poller *self) {
  if (!self->single_issuer)
    return 0;
  int thread = rota__os_thread_id();
  if (rota__likely(self->owner == thread))
    return 0;
  if (self->owner != 0) {
    int err = move_to_this_thread(self);
    if (err < 0 || !self->single_issuer)
      return err;
  }
  self->owner = thread;
  return rota__os_ring_enable(&self->ring);
}

struct io_uring_sqe *rota__uring_next_sqe(struct uring_poller *self) {
  struct io_uring_sqe *sqe = rota__os_ring_next_sqe(&self->ring);
  if (sqe == NULL && rota__os_ring_enter(&self->ring, 0, 0, NULL) >= 0)
    sqe = rota__os_ring_next_sqe(&self->ring);
  return sqe;
}

/* ---- waiting ---- */

static int collect(struct uring_poller *self, struct rota_ready *out, int out_max) {
  struct rota_ring *ring = &self->ring;
  uint32_t head = *ring->cq_head;
  uint32_t tail = __atomic_load_n(ring->cq_tail, __ATOMIC_ACQUIRE);
  int n = 0;
  for (; head != tail && n < out_max; head++) {
    const struct io_uring_cqe *cqe = &ring->cqes[head & ring->cq_mask];
    switch (cqe->user_data & TAG_MASK) {
    case TAG_POLL:
      n += rota__uring_collect_poll(self, cqe, &out[n]);
      break;
    case TAG_RECEIVE:
      rota__uring_collect_receive(self, cqe);
      break;
    case TAG_LISTENERS:
      self->listeners_watched = false;
      self->listeners_ready = true;
      break;
    case TAG_FILES:
      if (!(cqe->flags & IORING_CQE_F_MORE))
        self->files_watched = false;
      break;
    default:
      break;
    }
  }
  __atomic_store_n(ring->cq_head, head, __ATOMIC_RELEASE);
  return n;
}

/* A server hears of a connection before its client does, as it does with epoll. */
static int put_listeners_first(struct uring_poller *self, struct rota_ready *out, int n, int out_max) {
  struct rota_ready listeners[LISTENERS_FIRST];
  int room = out_max - n < LISTENERS_FIRST ? out_max - n : LISTENERS_FIRST;
  int count = rota__uring_collect_listeners(self, listeners, room);
  memmove(out + count, out, (size_t)n * sizeof(*out));
  memcpy(out, listeners, (size_t)count * sizeof(*out));
  return n + count;
}

static void listen_to_bell(struct uring_poller *self) {
  uint64_t rung;
  (void)rota__os_read(self->bell, &rung, sizeof(rung));
}

static int uring_wait(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  struct uring_poller *self = rota__uring_of(poller);
  struct rota_ring *ring = &self->ring;
  int err = self->owned ? 0 : rota__uring_own(self);
  if (err < 0)
    return err;
  self->owned = true;
  if (rota__unlikely(self->bell >= 0))
    listen_to_bell(self);
  int n = 0;
  if (self->files.fd >= 0) {
    /* A file operation begun in this iteration is reported in the next, if this one does not wait: however fast the
     * kernel is, what else is due (an immediate, say) comes first, as it does when a thread does the work. But a
     * thread would be done by now with what was begun long ago, by a callback that has worked ever since. */
    bool ripe = rota__uring_files_ripe(self);
    n = rota__uring_collect_files(self, out, out_max);
    rota__uring_submit_files(self);
    if (ripe || (timeout_ns != 0 && n == 0))
      n += rota__uring_collect_files(self, out + n, out_max - n);
    rota__uring_watch_files(self);
    /* The kernel could not take all of them now: they are offered again, soon. */
    if (rota__unlikely(rota__os_ring_unsubmitted(&self->files) > 0) && (uint64_t)timeout_ns > RETRY_NS)
      timeout_ns = RETRY_NS;
  }
  if (!rota__uring_list_empty(&self->stale)) {
    rota__uring_arm_stale(self);
    /* Not all of them could be: that is tried again, soon. */
    if (rota__unlikely(!rota__uring_list_empty(&self->stale)) && (uint64_t)timeout_ns > RETRY_NS)
      timeout_ns = RETRY_NS;
  }
  rota__uring_watch_listeners(self);
  /* Only to know whether there are any: they are reported together with what comes now. */
  bool unread = !rota__uring_list_empty(&self->unread) && rota__uring_report_unread(self, out + n, out_max - n) > 0;
  bool block = timeout_ns != 0 && n == 0 && !unread && rota__os_ring_completed(ring) == 0;
  if (block || rota__os_ring_unsubmitted(ring) > 0 || rota__os_ring_has_work(ring)) {
    err = rota__os_ring_enter(ring, block ? 1 : 0, block ? timeout_ns : 0, block ? poller->blocked_signals : NULL);
    /* Any other error is a lack of memory or of room for completions, which passes when we collect what is there. */
    if (err == UV_EINTR && n == 0 && !unread && rota__os_ring_completed(ring) == 0)
      return UV_EINTR;
  }
  if (rota__os_ring_completed(ring) > 0)
    n += collect(self, out + n, out_max - n);
  if (self->listeners_ready)
    n = put_listeners_first(self, out, n, out_max);
  if (!rota__uring_list_empty(&self->unread))
    n += rota__uring_report_unread(self, out + n, out_max - n);
  if (n == 0 && timeout_ns != 0 && self->files.fd >= 0)
    n = rota__uring_collect_files(self, out, out_max);
  return n;
}

static bool uring_has_events(const struct rota_poller *poller) {
  const struct uring_poller *self = rota__container_of(poller, const struct uring_poller, base);
  return rota__os_ring_completed(&self->ring) > 0 || rota__os_ring_has_work(&self->ring);
}

static bool uring_quiet(const struct rota_poller *poller) {
  const struct uring_poller *self = rota__container_of(poller, const struct uring_poller, base);
  return self->owned && self->bell < 0 && self->files.fd < 0 && rota__uring_list_empty(&self->stale) &&
         rota__uring_list_empty(&self->unread) && (self->listener_count == 0 || self->listeners_watched) &&
         !uring_has_events(poller) && rota__os_ring_unsubmitted(&self->ring) == 0;
}

static void ring_bell(struct uring_poller *self) {
  static const uint64_t one = 1;
  (void)rota__os_write(self->bell, &one, sizeof(one));
}

static void uring_flush(struct rota_poller *poller) {
  struct uring_poller *self = rota__uring_of(poller);
  self->owned = false;
  if (self->files.fd >= 0)
    rota__uring_submit_files(self);
  if (!rota__uring_list_empty(&self->stale) || (self->files.fd >= 0 && !self->files_watched) ||
      (self->listener_count > 0 && !self->listeners_watched)) {
    if (rota__uring_own(self) < 0)
      return;
    rota__uring_arm_stale(self);
    rota__uring_watch_files(self);
    rota__uring_watch_listeners(self);
    rota__os_ring_enter(&self->ring, 0, 0, NULL);
  }
  if (self->bell < 0)
    return;
  if (rota__os_ring_completed(&self->ring) > 0 || rota__os_ring_has_work(&self->ring) ||
      !rota__uring_list_empty(&self->unread) || (self->files.fd >= 0 && rota__os_ring_completed(&self->files) > 0))
    ring_bell(self);
}

/* Made when somebody asks for it: a ring whose completions are worked off on demand does not wake those who poll the
 * ring's own descriptor, but it does write to an event descriptor, which costs us a call in every wait. */
static int uring_fd(struct rota_poller *poller) {
  struct uring_poller *self = rota__uring_of(poller);
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
  struct uring_poller *self = rota__uring_of(poller);
  rota__os_ring_close(&self->ring);
  rota__os_ring_close(&self->files);
  if (self->listeners >= 0)
    rota__os_close(self->listeners);
  rota__uring_buffers_free(self);
  if (self->bell >= 0)
    rota__os_close(self->bell);
  rota__free(self->watches);
  rota__free(self->stale.fds);
  rota__free(self->unread.fds);
  rota__free(self);
}

static const struct rota_poller_ops uring_ops = {
    .name = "io_uring",
    .watch = rota__uring_watch,
    .forget = rota__uring_forget,
    .receive = rota__uring_receive,
    .submit = rota__uring_submit,
    .cancel = rota__uring_cancel,
    .wait = uring_wait,
    .has_events = uring_has_events,
    .quiet = uring_quiet,
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
  self->listeners = -1;
  int err = patient ? open_ring_patiently(self) : open_ring(self);
  if (err < 0) {
    rota__free(self);
    return err;
  }
  *poller = &self->base;
  return 0;
}
