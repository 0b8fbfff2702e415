/* Signals: one handler for the process, a mailbox for each loop that watches any.
 *
 * The handler puts the number into the mailbox of every loop that watches it and wakes the loop; the loop's thread
 * calls the watchers. An entry names a signal, never a handle, so a handle can be closed at once whatever the mailbox
 * holds. Entries are numbered, so that a handle gets no signal that was caught before it was started.
 *
 * Invariant: the list of mailboxes, what they watch, the counts and the dispositions change only under `process.lock`,
 * which the handler takes too. A mailbox has one writer at a time (the lock) and one reader (its loop's thread). The
 * mailbox has a fixed size. A signal that does not fit sets one bit for its number, so at least one of each number is
 * delivered, as in the kernel. The mailbox is memory and not a pipe, because fork copies memory: a child never takes
 * its parent's signals, nor the parent the child's. */
#include "loop/core/signal.h"

#include <pthread.h>

#include "loop/base/alloc.h"
#include "loop/base/check.h"
#include "loop/base/list.h"
#include "loop/core/handle.h"
#include "loop/core/internal.h"
#include "loop/core/observe.h"
#include "loop/os/signal.h"

enum {
  NUMBERS = ROTA_OS_SIGNAL_MAX + 1, /* 0 is none */
  ENTRIES = 1024,                   /* a power of two */
  NUMBER_BITS = 8,                  /* of an entry; the rest is its place in the order of all signals */
};

struct mailbox {
  struct rota_attachment attachment;
  struct rota_link link;             /* among all mailboxes */
  struct rota_signal_wakeup *wakeup; /* null: after a fork, in a process without a free descriptor */
  uint64_t watched;                  /* a bit for each number */
  _Atomic uint64_t lost;             /* a bit for each number that did not fit */
  _Atomic uint32_t taken;
  _Atomic uint32_t posted;
  uint64_t entries[ENTRIES];
  /* the loop's own: */
  struct rota_link handles[NUMBERS];   /* started, by number */
  unsigned int handle_counts[NUMBERS]; /* those that are about to be called are not in the list, but count */
};

enum disposition { DEFAULT, HANDLED, HANDLED_ONCE };

static struct {
  struct rota_os_signal_lock lock;
  struct rota_link mailboxes;
  uint64_t sequence;
  unsigned int steady[NUMBERS]; /* how many handles, of all loops */
  unsigned int one_shot[NUMBERS];
  enum disposition disposition[NUMBERS];
  sigset_t mask_before_fork;
  int listened; /* a number that the library itself listens to, besides the handles; 0: none */
  void (*listener)(void);
} process = {.mailboxes = {&process.mailboxes, &process.mailboxes}};

static pthread_once_t process_once = PTHREAD_ONCE_INIT;
static const char attachment_key;

static uint64_t bit(int signum) {
  return (uint64_t)1 << (signum - 1);
}

/* ---- catching ---- */

static void post(struct mailbox *box, int signum) {
  uint32_t posted = atomic_load_explicit(&box->posted, memory_order_relaxed);
  if (posted - atomic_load_explicit(&box->taken, memory_order_acquire) == ENTRIES) {
    atomic_fetch_or_explicit(&box->lost, bit(signum), memory_order_release);
  } else {
    box->entries[posted % ENTRIES] = process.sequence << NUMBER_BITS | (uint64_t)signum;
    atomic_store_explicit(&box->posted, posted + 1, memory_order_release);
  }
  if (box->wakeup != NULL)
    rota__signal_wakeup_send(box->wakeup);
}

/* In the signal handler, on any thread. */
static void caught(int signum) {
  rota__os_signal_lock(&process.lock, NULL);
  process.sequence++;
  if (process.disposition[signum] == HANDLED_ONCE)
    process.disposition[signum] = DEFAULT; /* the kernel has seen to it */
  for (struct rota_link *link = process.mailboxes.next; link != &process.mailboxes; link = link->next) {
    struct mailbox *box = rota__container_of(link, struct mailbox, link);
    if (box->watched & bit(signum))
      post(box, signum);
  }
  if (signum == process.listened)
    process.listener();
  rota__os_signal_unlock(&process.lock, NULL);
}

/* A fork during a change would leave the child with a lock that is never released. */
static void before_fork(void) {
  sigset_t saved;
  rota__os_signal_lock(&process.lock, &saved);
  process.mask_before_fork = saved;
}

static void after_fork(void) {
  sigset_t saved = process.mask_before_fork;
  rota__os_signal_unlock(&process.lock, &saved);
}

static void process_init(void) {
  static struct rota_os_fork_handler handler = {before_fork, after_fork, after_fork, NULL};
  rota__os_at_fork(&handler);
}

/* ---- the disposition of a number, under the lock ---- */

static int set_disposition(int signum) {
  enum disposition wanted = process.steady[signum] > 0     ? HANDLED
                            : process.one_shot[signum] > 0 ? HANDLED_ONCE
                                                           : DEFAULT;
  int err;
  if (process.disposition[signum] == wanted)
    return 0;
  err = wanted == DEFAULT ? rota__os_signal_default(signum)
                          : rota__os_signal_handle(signum, caught, wanted == HANDLED_ONCE);
  if (err == 0)
    process.disposition[signum] = wanted;
  return err;
}

static int count_in(int signum, bool one_shot) {
  unsigned int *count = one_shot ? &process.one_shot[signum] : &process.steady[signum];
  int err;
  ++*count;
  err = set_disposition(signum);
  if (err < 0)
    --*count;
  return err;
}

static void count_out(int signum, bool one_shot) {
  --*(one_shot ? &process.one_shot[signum] : &process.steady[signum]);
  /* The signal of all the one-shot handles has come, and the kernel has restored the default: it stays. */
  if (process.disposition[signum] != DEFAULT)
    rota__check(set_disposition(signum) == 0);
}

/* ---- a loop's mailbox ---- */

static struct mailbox *mailbox_of(const uv_loop_t *loop) {
  struct rota_attachment *attachment = rota__loop_attachment(loop, &attachment_key);
  return attachment == NULL ? NULL : rota__container_of(attachment, struct mailbox, attachment);
}

static void deliver(struct mailbox *box, int signum, uint64_t sequence);

static void mailbox_ready(void *opaque) {
  struct mailbox *box = opaque;
  uint64_t lost;
  uint32_t posted, taken;
  /* Only the entries that are here now: signals that a callback raises are delivered in the next round, after the other
   * events. */
  posted = atomic_load_explicit(&box->posted, memory_order_acquire);
  while (taken = atomic_load_explicit(&box->taken, memory_order_relaxed), (int32_t)(posted - taken) > 0) {
    uint64_t entry = box->entries[taken % ENTRIES];
    atomic_store_explicit(&box->taken, taken + 1, memory_order_release);
    deliver(box, (int)(entry & ((1u << NUMBER_BITS) - 1)), entry >> NUMBER_BITS);
  }
  lost = atomic_exchange_explicit(&box->lost, 0, memory_order_acquire);
  while (lost != 0) {
    int signum = __builtin_ctzll(lost) + 1;
    lost &= lost - 1;
    deliver(box, signum, UINT64_MAX);
  }
}

static void mailbox_release(uv_loop_t *loop, struct rota_attachment *attachment) {
  struct mailbox *box = rota__container_of(attachment, struct mailbox, attachment);
  sigset_t saved;
  rota__os_signal_lock(&process.lock, &saved);
  rota__list_remove(&box->link);
  rota__os_signal_unlock(&process.lock, &saved);
  rota__signal_wakeup_close(loop, box->wakeup);
  rota__free(box);
}

/* The child shares the descriptor with its parent: it needs its own, and drops what its parent caught. */
static int mailbox_fork(uv_loop_t *loop, struct rota_attachment *attachment) {
  struct mailbox *box = rota__container_of(attachment, struct mailbox, attachment);
  sigset_t saved;
  int err;
  rota__os_signal_lock(&process.lock, &saved);
  rota__signal_wakeup_close(loop, box->wakeup);
  err = rota__signal_wakeup_open(loop, mailbox_ready, box, &box->wakeup);
  atomic_store(&box->taken, atomic_load(&box->posted));
  atomic_store(&box->lost, 0);
  rota__os_signal_unlock(&process.lock, &saved);
  return err;
}

static int mailbox_make(uv_loop_t *loop) {
  struct mailbox *box = rota__calloc(1, sizeof(*box));
  sigset_t saved;
  int err;
  if (box == NULL)
    return UV_ENOMEM;
  pthread_once(&process_once, process_init);
  for (int i = 0; i < NUMBERS; i++)
    rota__list_init(&box->handles[i]);
  err = rota__signal_wakeup_open(loop, mailbox_ready, box, &box->wakeup);
  if (err < 0)
    goto fail;
  box->attachment.key = &attachment_key;
  box->attachment.release = mailbox_release;
  box->attachment.fork = mailbox_fork;
  rota__loop_attach(loop, &box->attachment);
  rota__os_signal_lock(&process.lock, &saved);
  rota__list_append(&process.mailboxes, &box->link);
  rota__os_signal_unlock(&process.lock, &saved);
  return 0;

fail:
  rota__free(box);
  return err;
}

/* ---- handles ---- */

/* Also of a handle that is all zero: libwebsockets stops those that it never initialized. */
static void stop(uv_signal_t *handle) {
  struct mailbox *box;
  int signum = handle->signum;
  sigset_t saved;
  if (signum == 0)
    return;
  box = mailbox_of(handle->loop);
  rota__list_remove(&handle->link);
  rota__os_signal_lock(&process.lock, &saved);
  if (--box->handle_counts[signum] == 0)
    box->watched &= ~bit(signum);
  count_out(signum, handle->flags & ROTA_SIGNAL_ONE_SHOT);
  rota__os_signal_unlock(&process.lock, &saved);
  handle->signum = 0;
  handle->flags &= ~(unsigned int)(ROTA_SIGNAL_ONE_SHOT | ROTA_SIGNAL_ONE_SHOT_DISPATCHED);
  rota__handle_stop((uv_handle_t *)handle);
}

static int start(uv_signal_t *handle, uv_signal_cb cb, int signum, bool one_shot) {
  struct mailbox *box = mailbox_of(handle->loop);
  sigset_t saved;
  int err;
  if (rota__handle_is_closing((uv_handle_t *)handle) || signum == 0)
    return UV_EINVAL;
  /* As in libuv, a handle that watches this signal already gets another callback and stays what it is, one-shot or
   * not; and a start that fails has stopped the handle. A one-shot handle in its callback is not started any more. */
  if (signum == handle->signum && !(handle->flags & ROTA_SIGNAL_ONE_SHOT_DISPATCHED)) {
    handle->signal_cb = cb;
    return 0;
  }
  if (signum != handle->signum)
    stop(handle);
  if (signum < 1 || signum > ROTA_OS_SIGNAL_MAX)
    return UV_EINVAL;
  rota__os_signal_lock(&process.lock, &saved);
  err = count_in(signum, one_shot);
  if (err == 0) {
    box->watched |= bit(signum);
    if (signum == handle->signum)
      count_out(signum, handle->flags & ROTA_SIGNAL_ONE_SHOT); /* the handle keeps its place, and no signal is lost */
    else
      handle->since = process.sequence;
  }
  rota__os_signal_unlock(&process.lock, &saved);
  if (err < 0)
    return err;
  if (signum != handle->signum) {
    handle->signum = signum;
    box->handle_counts[signum]++;
    rota__list_append(&box->handles[signum], &handle->link);
  }
  handle->flags &= ~(unsigned int)(ROTA_SIGNAL_ONE_SHOT | ROTA_SIGNAL_ONE_SHOT_DISPATCHED);
  if (one_shot)
    handle->flags |= ROTA_SIGNAL_ONE_SHOT;
  handle->signal_cb = cb;
  rota__handle_start((uv_handle_t *)handle);
  return 0;
}

static void deliver(struct mailbox *box, int signum, uint64_t sequence) {
  struct rota_link due;
  rota__list_take(&due, &box->handles[signum]);
  /* Each handle goes back into the list before it is called, so callbacks may stop and start any handle. */
  while (!rota__list_empty(&due)) {
    uv_signal_t *handle = rota__container_of(rota__list_first(&due), uv_signal_t, link);
    rota__list_remove(&handle->link);
    rota__list_append(&box->handles[signum], &handle->link);
    if (sequence <= handle->since)
      continue;
    if (handle->flags & ROTA_SIGNAL_ONE_SHOT)
      handle->flags |= ROTA_SIGNAL_ONE_SHOT_DISPATCHED;
    if (handle->signal_cb != NULL) {
      rota__handle_call_begin(handle->loop, handle, (rota_function)handle->signal_cb);
      handle->signal_cb(handle, signum);
      rota__call_end(handle->loop);
    }
    if (handle->flags & ROTA_SIGNAL_ONE_SHOT_DISPATCHED) /* not started again by the callback */
      stop(handle);
  }
}

static void close_handle(uv_handle_t *handle) {
  stop((uv_signal_t *)handle);
  rota__handle_closed(handle);
}

static const struct rota_handle_class signal_class = {.type = UV_SIGNAL, .close = close_handle};

int uv_signal_init(uv_loop_t *loop, uv_signal_t *handle) {
  if (mailbox_of(loop) == NULL) {
    int err = mailbox_make(loop);
    if (err < 0)
      return err;
  }
  rota__handle_init(loop, (uv_handle_t *)handle, &signal_class);
  rota__list_init(&handle->link);
  handle->signal_cb = NULL;
  handle->signum = 0;
  handle->since = 0;
  return 0;
}

int uv_signal_start(uv_signal_t *handle, uv_signal_cb signal_cb, int signum) {
  return start(handle, signal_cb, signum, false);
}

int uv_signal_start_oneshot(uv_signal_t *handle, uv_signal_cb signal_cb, int signum) {
  return start(handle, signal_cb, signum, true);
}

int uv_signal_stop(uv_signal_t *handle) {
  rota__check(!rota__handle_is_closing((uv_handle_t *)handle));
  stop(handle);
  return 0;
}

int rota__signal_listen(int signum, void (*listener)(void)) {
  sigset_t saved;
  pthread_once(&process_once, process_init);
  rota__os_signal_lock(&process.lock, &saved);
  int err = process.listened != 0                                                           ? UV_EALREADY
            : process.disposition[signum] == DEFAULT && !rota__os_signal_is_default(signum) ? UV_EBUSY
                                                                                            : 0;
  if (err == 0) {
    process.listener = listener;
    process.listened = signum;
    err = count_in(signum, false);
    if (err < 0)
      process.listened = 0;
  }
  rota__os_signal_unlock(&process.lock, &saved);
  return err;
}

void rota__signal_raise(int signum) {
  caught(signum);
}

void rota__signal_shutdown(void) {
  sigset_t saved;
  rota__os_signal_lock(&process.lock, &saved);
  for (int signum = 1; signum < NUMBERS; signum++) {
    if (process.disposition[signum] == DEFAULT)
      continue;
    rota__os_signal_default(signum);
    process.disposition[signum] = DEFAULT;
  }
  rota__os_signal_unlock(&process.lock, &saved);
}
