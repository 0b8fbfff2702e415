#include "loop/poller/uring.h"

#include "loop/base/alloc.h"
#include "loop/base/check.h"
#include "uv.h"

/* If this iteration does not wait, a file operation begun in it is reported in the next one, however fast the kernel
 * is. What else is due (an immediate, for example) comes first, as it does when a thread does the work. An operation
 * that was begun long ago, by a callback that ran long, is reported now: a thread would have finished it. */
static int bring_files_on(struct rota_uring_poller *self, bool waits, struct rota_ready *out, int out_max) {
  bool ripe = rota__uring_files_ripe(self);
  int n = rota__uring_collect_files(self, out, out_max);
  rota__uring_submit_files(self);
  if (ripe || (waits && n == 0))
    n += rota__uring_collect_files(self, out + n, out_max - n);
  return n;
}

static int uring_wait(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  struct rota_uring_poller *self = rota__uring_of(poller);
  atomic_store_explicit(&self->running, true, memory_order_relaxed);
  if (rota__likely(self->files_under_way == 0))
    return rota__epoll_wait(poller, timeout_ns, out, out_max);
  bool waits = timeout_ns != 0;
  int n = bring_files_on(self, waits, out, out_max);
  if (n == out_max)
    return n;
  int events = rota__epoll_wait(poller, n > 0 ? 0 : timeout_ns, out + n, out_max - n);
  if (events > 0)
    return n + events;
  /* A finished file operation may have ended the wait. The kernel also interrupts the wait to finish one. */
  if (n == 0 && waits)
    n = rota__uring_collect_files(self, out, out_max);
  return n > 0 ? n : events;
}

static bool uring_has_events(const struct rota_poller *poller) {
  return rota__uring_files_done(rota__container_of(poller, const struct rota_uring_poller, epoll.base));
}

static bool uring_quiet(const struct rota_poller *poller) {
  const struct rota_uring_poller *self = rota__container_of(poller, const struct rota_uring_poller, epoll.base);
  return self->files_under_way == 0 && rota__epoll_quiet(poller);
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
    .has_events = uring_has_events,
    .quiet = uring_quiet,
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
  err = rota__epoll_init(&self->epoll, &uring_ops);
  if (err < 0) {
    rota__free(self);
    return err;
  }
  *poller = &self->epoll.base;
  return 0;
}
