#include "loop/poller/uring.h"

#include <limits.h>

#include "loop/base/alloc.h"
#include "loop/base/check.h"
#include "uv.h"

/* How many finished operations may be reported now. If this iteration does not wait, a file operation begun in it is
 * reported in the next one, however fast the kernel is. What else is due (an immediate, for example) comes first, as it
 * does when a thread does the work. */
static int bring_files_on(struct rota_uring_poller *self, bool waits) {
  int finished = (int)rota__os_ring_completed(&self->files);
  if (rota__unlikely(self->finished_before != ROTA_URING_NOT_ENTERED)) {
    finished = self->finished_before;
    self->finished_before = ROTA_URING_NOT_ENTERED;
  }
  rota__uring_submit_files(self);
  return (waits && finished == 0) || self->state != ROTA_URING_FILES_OPEN ? INT_MAX : finished;
}

static void reverse(struct rota_ready *entries, int n) {
  for (int i = 0, j = n - 1; i < j; i++, j--) {
    struct rota_ready entry = entries[i];
    entries[i] = entries[j];
    entries[j] = entry;
  }
}

/* Moves the last `count` of n entries to the place `at`; the others keep their order. */
static void move_to(struct rota_ready *entries, int n, int count, int at) {
  reverse(entries + at, n - count - at);
  reverse(entries + n - count, count);
  reverse(entries + at, n - at);
}

static int uring_take_late(struct rota_poller *poller, struct rota_ready *out, int out_max) {
  struct rota_uring_poller *self = rota__uring_of(poller);
  if (!rota__uring_files_late(self))
    return self->files_under_way > 0 && rota__os_ring_unsubmitted(&self->files) > 0 ? UV_EAGAIN : 0;
  self->finished_before = ROTA_URING_NOT_ENTERED;
  rota__uring_submit_files(self);
  int n = rota__uring_collect_files(self, out, out_max);
  self->handed_over_late = n == out_max;
  return n;
}

static int place_of(int fd, const struct rota_ready *entries, int n) {
  for (int i = 0; i < n; i++)
    if (entries[i].op == NULL && entries[i].u.watch.fd == fd)
      return i;
  return -1;
}

/* An operation that was begun long ago, by a callback that ran long, is reported now: a thread would have finished it.
 * If the loop's wake-up is among the events, the loop takes it there. */
static int wait_with_late_files(struct rota_uring_poller *self, struct rota_ready *out, int out_max) {
  int events = rota__epoll_wait(&self->epoll.base, 0, out, out_max), n = events < 0 ? 0 : events;
  if (place_of(self->epoll.base.wake_fd, out, n) >= 0)
    return n;
  int files = uring_take_late(&self->epoll.base, out + n, out_max - n);
  return n + (files > 0 ? files : 0);
}

/* What was ready before a file is reported before it, and what became ready later after it, as when threads do the
 * work: the descriptor of the ring is among those that epoll watches, and its place shows when the kernel was done. */
static int uring_wait(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  struct rota_uring_poller *self = rota__uring_of(poller);
  atomic_store_explicit(&self->running, true, memory_order_relaxed);
  if (rota__likely(self->files_under_way == 0))
    return rota__epoll_wait(poller, timeout_ns, out, out_max);
  if (rota__uring_files_late(self))
    return wait_with_late_files(self, out, out_max);
  int files_max = bring_files_on(self, timeout_ns != 0);
  /* A flood of descriptors leaves room for files. */
  bool done = rota__uring_files_done(self);
  int events_max = done && files_max > 0 ? out_max / 2 : out_max;
  int events = rota__epoll_wait(poller, done ? 0 : timeout_ns, out, events_max);
  /* The kernel also interrupts the wait to finish an operation. */
  int n = events < 0 ? 0 : events, room = out_max - n, at = self->epoll.own_at;
  int files = rota__uring_collect_files(self, out + n, files_max < room ? files_max : room);
  if (files > 0 && at >= 0 && at < n)
    move_to(out, n + files, files, at);
  return events < 0 && files == 0 ? events : n + files;
}

static bool uring_has_events(const struct rota_poller *poller) {
  return rota__uring_files_done(rota__container_of(poller, const struct rota_uring_poller, epoll.base));
}

static bool uring_is_idle(const struct rota_poller *poller) {
  const struct rota_uring_poller *self = rota__container_of(poller, const struct rota_uring_poller, epoll.base);
  return self->files_under_way == 0 && rota__epoll_is_idle(poller);
}

/* The next wait reports them as if it had begun them. */
static void uring_begin(struct rota_poller *poller) {
  struct rota_uring_poller *self = rota__uring_of(poller);
  if (self->files_under_way == 0 || rota__os_ring_unsubmitted(&self->files) == 0)
    return;
  if (self->finished_before == ROTA_URING_NOT_ENTERED)
    self->finished_before = (int)rota__os_ring_completed(&self->files);
  rota__uring_submit_files(self);
}

static void uring_flush(struct rota_poller *poller) {
  struct rota_uring_poller *self = rota__uring_of(poller);
  atomic_store_explicit(&self->running, false, memory_order_relaxed);
  rota__uring_submit_files(self);
}

/* From now on, the program may poll the backend's descriptor outside of uv_run for these operations. */
static int uring_fd(struct rota_poller *poller) {
  struct rota_uring_poller *self = rota__uring_of(poller);
  int fd = rota__epoll_fd(poller);
  if (!atomic_load_explicit(&self->running, memory_order_relaxed))
    rota__uring_submit_files(self);
  return fd;
}

static void uring_close(struct rota_poller *poller) {
  struct rota_uring_poller *self = rota__uring_of(poller);
  rota__uring_oversee_no_more(self);
  rota__os_ring_close(&self->files);
  rota__epoll_release(&self->epoll);
  rota__free(self);
}

static const struct rota_poller_ops uring_ops = {
    .name = "io_uring",
    .watch = rota__epoll_watch,
    .forget = rota__epoll_forget,
    .submit = rota__uring_submit,
    .cancel = rota__uring_cancel,
    .wait = uring_wait,
    .take_late = uring_take_late,
    .has_events = uring_has_events,
    .is_idle = uring_is_idle,
    .begin = uring_begin,
    .flush = uring_flush,
    .fd = uring_fd,
    .close = uring_close,
};

int rota__uring_open(struct rota_poller **poller) {
  int err = rota__os_ring_allowed();
  if (err < 0)
    return err;
  struct rota_uring_poller *self = rota__calloc(1, sizeof(*self));
  if (self == NULL)
    return UV_ENOMEM;
  self->files.fd = -1;
  self->finished_before = ROTA_URING_NOT_ENTERED;
  err = rota__epoll_init(&self->epoll, &uring_ops);
  if (err < 0) {
    rota__free(self);
    return err;
  }
  *poller = &self->epoll.base;
  return 0;
}
