/* Making and closing a loop, its options, and what a fork changes. */
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/core/handle.h"
#include "loop/core/internal.h"
#include "loop/core/io_hook.h"
#include "loop/core/pool/pool.h"
#include "loop/core/signal.h"
#include "loop/core/wake.h"
#include "loop/os/clock.h"
#include "loop/os/process.h"
#include "loop/os/signal.h"
#include "loop/os/thread.h"
#include "rota.h"

_Atomic(const struct rota_process_hook *) rota__process_hook;

static uv_loop_t default_loop;
static uv_loop_t *default_loop_pointer;

int uv_loop_init(uv_loop_t *loop) {
  rota__os_finish_fork();
  void *data = loop->data;
  /* Not what nobody uses: before 1.45, libuv's loop was eight bytes smaller on Windows, and a program has made room for
   * that one. */
  memset(loop, 0, offsetof(uv_loop_t, core.unused));
  loop->data = data;
  rota__list_init(&loop->handle_queue);
  struct rota_loop *internal = rota__calloc(1, sizeof(*internal));
  if (internal == NULL)
    return UV_ENOMEM;
  loop->internal_fields = internal;
  rota__list_init(&internal->pending);
  rota__list_init(&internal->changed);
  rota__list_init(&internal->idle);
  rota__list_init(&internal->prepare);
  rota__list_init(&internal->check);
  rota__steer_prepare();
  int err = rota__poller_open(&internal->poller);
  if (err < 0)
    goto fail;
  internal->job_way = &rota__pool_way;
  rota__spin_init(&internal->spin, rota__os_has_cpus());
  rota__spin_init(&internal->nap, true);
  rota__asyncs_init(&internal->asyncs);
  uv_update_time(loop);
  rota__wheel_init(&internal->timers, loop->core.now_ms);
  err = rota__wake_init(loop);
  if (err < 0)
    goto fail;
  rota__loop_steer(loop);
  rota__loop_made(loop);
  return 0;

fail:
  if (internal->poller != NULL)
    internal->poller->ops->close(internal->poller);
  rota__free(internal->watchers);
  rota__free(internal);
  loop->internal_fields = NULL;
  return err;
}

static bool has_open_handles(const uv_loop_t *loop) {
  for (const struct rota_link *link = loop->handle_queue.next; link != &loop->handle_queue; link = link->next)
    if (!(rota__container_of(link, const uv_handle_t, handle_queue)->flags & ROTA_HANDLE_INTERNAL))
      return true;
  return false;
}

/* A loop that is closed already is busy, as with libuv: programs close theirs until they are told so (netdata). */
int uv_loop_close(uv_loop_t *loop) {
  if (loop->internal_fields == NULL || loop->active_reqs.count > 0 || has_open_handles(loop))
    return UV_EBUSY;
  struct rota_loop *internal = rota__loop(loop);
  while (internal->attachments != NULL) {
    struct rota_attachment *attachment = internal->attachments;
    internal->attachments = attachment->next;
    attachment->release(loop, attachment);
  }
  rota__wake_close(loop);
  rota__pool_leave(loop);
  internal->poller->ops->close(internal->poller);
  rota__free(internal->watchers);
  rota__free(internal);
  loop->internal_fields = NULL;
  if (loop == default_loop_pointer)
    default_loop_pointer = NULL;
  return 0;
}

bool rota__loop_is_default(const uv_loop_t *loop) {
  return loop == &default_loop;
}

uv_loop_t *uv_default_loop(void) {
  if (default_loop_pointer == NULL && uv_loop_init(&default_loop) == 0)
    default_loop_pointer = &default_loop;
  return default_loop_pointer;
}

uv_loop_t *uv_loop_new(void) {
  uv_loop_t *loop = rota__calloc(1, sizeof(*loop));
  if (loop != NULL && uv_loop_init(loop) < 0) {
    rota__free(loop);
    return NULL;
  }
  return loop;
}

void uv_loop_delete(uv_loop_t *loop) {
  bool is_default = loop == default_loop_pointer;
  int err = uv_loop_close(loop);
  rota__check(err == 0);
  if (!is_default)
    rota__free(loop);
}

/* Loops are not touched: their owner closes them. */
void uv_library_shutdown(void) {
  rota__hook_shutdown();
  rota__pool_shutdown();
  rota__poller_shutdown();
  rota__signal_shutdown();
}

/* The process ends or the library is unloaded: the jobs are finished, as with libuv, and the threads end before the
 * code is unmapped. */
__attribute__((destructor)) static void at_unload(void) {
  if (!rota__os_threads_are_gone())
    uv_library_shutdown();
}

size_t uv_loop_size(void) {
  return sizeof(uv_loop_t);
}

void *uv_loop_get_data(const uv_loop_t *loop) {
  return loop->data;
}

void uv_loop_set_data(uv_loop_t *loop, void *data) {
  loop->data = data;
}

const char *rota_backend_name(const uv_loop_t *loop) {
  return rota__loop_poller(loop)->ops->name;
}

/* ---- options ---- */

int uv_loop_configure(uv_loop_t *loop, uv_loop_option option, ...) {
  va_list arguments;
  va_start(arguments, option);
  int err = UV_ENOSYS;
  switch (option) {
  case UV_METRICS_IDLE_TIME:
    rota__loop(loop)->measure_idle = true;
    err = 0;
    break;
  case UV_LOOP_BLOCK_SIGNAL:
    err = rota__os_signal_of_profilers(va_arg(arguments, int), &rota__loop_poller(loop)->blocked_signals);
    break;
  case UV_LOOP_USE_IO_URING_SQPOLL:
    err = 0;
    break;
  default:
    break;
  }
  va_end(arguments);
  return err;
}

/* ---- figures ---- */

int uv_metrics_info(uv_loop_t *loop, uv_metrics_t *metrics) {
  const struct rota_loop *internal = rota__loop(loop);
  metrics->loop_count = internal->loop_count;
  metrics->events = internal->events;
  metrics->events_waiting = internal->events_waiting;
  return 0;
}

uint64_t uv_metrics_idle_time(uv_loop_t *loop) {
  struct rota_loop *internal = rota__loop(loop);
  uint64_t idle_ns = atomic_load_explicit(&internal->idle_ns, memory_order_relaxed);
  uint64_t since_ns = atomic_load_explicit(&internal->idle_since_ns, memory_order_relaxed);
  return since_ns == 0 ? idle_ns : idle_ns + rota__os_clock_ns() - since_ns;
}

/* ---- what other rooms keep for a loop ---- */

struct rota_attachment *rota__loop_attachment(const uv_loop_t *loop, const void *key) {
  struct rota_attachment *attachment = rota__loop(loop)->attachments;
  while (attachment != NULL && attachment->key != key)
    attachment = attachment->next;
  return attachment;
}

void rota__loop_attach(uv_loop_t *loop, struct rota_attachment *attachment) {
  attachment->next = rota__loop(loop)->attachments;
  rota__loop(loop)->attachments = attachment;
}

/* ---- after a fork ---- */

int uv_loop_fork(uv_loop_t *loop) {
  struct rota_loop *internal = rota__loop(loop);
  struct rota_poller *fresh = NULL;
  if (internal->poller->port != NULL)
    return UV_ENOSYS; /* Windows: no process is a copy of another */
  rota__os_finish_fork();
  rota__steer_prepare();
  int err = rota__poller_open(&fresh);
  if (err < 0)
    return err;
  /* The poller belongs to the parent: closing our descriptor of it must not remove the parent's registrations. */
  fresh->blocked_signals = internal->poller->blocked_signals;
  internal->poller->ops->close(internal->poller);
  internal->poller = fresh;
  err = rota__wake_fork(loop);
  if (err < 0)
    return err;
  for (struct rota_attachment *attachment = internal->attachments; attachment != NULL; attachment = attachment->next) {
    err = attachment->fork == NULL ? 0 : attachment->fork(loop, attachment);
    if (err < 0)
      return err;
  }
  rota__watchers_register_again(loop);
  rota__loop_steer(loop);
  rota__loop_made(loop);
  return 0;
}
