/* Waiting for children: one descriptor for each, which becomes readable when the child ends.
 *
 * Where the system has no such descriptors, the poller may be able to wait for the end of a process.
 *
 * Only children of the loop are waited for, by their pid: a program may have others. A child that has neither
 * (an older kernel, or no free descriptor) is checked at every SIGCHLD.
 *
 * What a child wrote is read before its exit is reported. A descriptor tells of the end in the same poll as the
 * child's pipes, or a later one, so the exit callback is deferred to the pending phase, after the other events of that
 * poll. A check at SIGCHLD may find an end that came after the poll: then there is another poll before it is told. If a
 * handle is closed before that, its child is not reaped: the program that closes the handle early must wait for the
 * child itself. */
#include <sys/wait.h>

#include "loop/base/alloc.h"
#include "loop/base/list.h"
#include "loop/core/handle.h"
#include "loop/core/internal.h"
#include "loop/core/observe.h"
#include "loop/core/watcher.h"
#include "loop/os/file.h"
#include "loop/os/process.h"
#include "loop/os/signal.h"
#include "loop/proc/posix/child.h"

struct rota_child {
  struct rota_watcher watcher; /* watches the child's descriptor; without one, it is only fed */
  struct rota_link link;       /* among the children of its loop that SIGCHLD is for */
  struct rota_child_op end;    /* where the poller itself waits for the child's end */
  bool submitted;
  uint64_t seen_at; /* SIGCHLD is for it: the loop's number when its end was seen; 0: it was not */
  uv_process_t *process;
};

/* ---- children without a descriptor ---- */

struct sigchld {
  struct rota_attachment attachment;
  uv_signal_t signal;
  struct rota_link children;
};

static const char attachment_key;

static void some_child_ended(uv_signal_t *signal, int signum) {
  struct sigchld *sigchld = rota__container_of(signal, struct sigchld, signal);
  (void)signum;
  for (struct rota_link *link = sigchld->children.next; link != &sigchld->children; link = link->next)
    rota__watcher_feed(signal->loop, &rota__container_of(link, struct rota_child, link)->watcher);
}

static void sigchld_release(uv_loop_t *loop, struct rota_attachment *attachment) {
  struct sigchld *sigchld = rota__container_of(attachment, struct sigchld, attachment);
  (void)loop;
  rota__list_remove(&sigchld->signal.handle_queue);
  rota__free(sigchld);
}

static int sigchld_of(uv_loop_t *loop, struct sigchld **out) {
  struct rota_attachment *attachment = rota__loop_attachment(loop, &attachment_key);
  struct sigchld *sigchld;
  int err;
  if (attachment != NULL) {
    *out = rota__container_of(attachment, struct sigchld, attachment);
    return 0;
  }
  sigchld = rota__calloc(1, sizeof(*sigchld));
  if (sigchld == NULL)
    return UV_ENOMEM;
  err = uv_signal_init(loop, &sigchld->signal);
  if (err < 0) {
    rota__free(sigchld);
    return err;
  }
  uv_unref((uv_handle_t *)&sigchld->signal);
  sigchld->signal.flags |= ROTA_HANDLE_INTERNAL;
  rota__list_init(&sigchld->children);
  sigchld->attachment.key = &attachment_key;
  sigchld->attachment.release = sigchld_release;
  rota__loop_attach(loop, &sigchld->attachment);
  *out = sigchld;
  return 0;
}

static int sigchld_add(uv_loop_t *loop, struct rota_child *child) {
  struct sigchld *sigchld;
  int err = sigchld_of(loop, &sigchld);
  if (err == 0)
    err = uv_signal_start(&sigchld->signal, some_child_ended, SIGCHLD);
  if (err < 0)
    return err;
  rota__list_append(&sigchld->children, &child->link);
  /* It may have ended before we listened. */
  rota__watcher_feed(loop, &child->watcher);
  return 0;
}

static void sigchld_remove(uv_loop_t *loop, struct rota_child *child) {
  struct sigchld *sigchld;
  if (!rota__link_is_linked(&child->link))
    return;
  rota__list_remove(&child->link);
  if (sigchld_of(loop, &sigchld) == 0 && rota__list_empty(&sigchld->children))
    uv_signal_stop(&sigchld->signal);
}

/* ---- children that the poller waits for ---- */

static void poller_saw_end(struct rota_op *op, int32_t result, uint32_t flags) {
  struct rota_child *child = rota__container_of(op, struct rota_child, end.op);
  (void)result;
  (void)flags;
  child->submitted = false;
  if (child->process == NULL)
    rota__child_free(child); /* its handle was closed in the meantime */
  else
    rota__watcher_feed(child->process->loop, &child->watcher);
}

static int submit_child(uv_loop_t *loop, struct rota_child *child, int pid) {
  struct rota_poller *poller = rota__loop_poller(loop);
  const struct rota_op_args args = {.code = ROTA_OP_CHILD, .fd = pid};
  if (!poller->ops->takes_children)
    return sigchld_add(loop, child);
  child->end.op.done = poller_saw_end;
  int err = poller->ops->submit(poller, &child->end.op, &args);
  child->submitted = err == 0;
  /* If it has ended already, there is nothing to wait for. Else SIGCHLD tells as well. */
  return err == 0 ? 0 : sigchld_add(loop, child);
}

/* Whether the child's memory may be freed now. */
static bool withdraw_child(uv_loop_t *loop, struct rota_child *child) {
  struct rota_poller *poller = rota__loop_poller(loop);
  if (!child->submitted)
    return true;
  child->process = NULL;
  return poller->ops->cancel(poller, &child->end.op) == 0;
}

/* ---- all children ---- */

static void release_child(uv_process_t *process) {
  struct rota_child *child = process->child;
  if (child == NULL)
    return;
  process->child = NULL;
  sigchld_remove(process->loop, child);
  rota__watcher_close(process->loop, &child->watcher);
  if (child->watcher.fd >= 0)
    rota__os_close(child->watcher.fd);
  if (withdraw_child(process->loop, child))
    rota__child_free(child);
}

static void ended(uv_process_t *process, int status) {
  int64_t exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  int term_signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  process->status = status;
  process->flags |= ROTA_PROCESS_REAPED;
  release_child(process);
  rota__handle_stop((uv_handle_t *)process);
  if (process->exit_cb == NULL)
    return;
  rota__handle_call_begin(process->loop, process, (rota_function)process->exit_cb);
  process->exit_cb(process, exit_status, term_signal);
  rota__call_end(process->loop);
}

/* Whether its end has been seen, and there was a poll since. An end that is not seen here must not be reported in the
 * same call: SIGCHLD comes for it. */
static bool output_is_read(uv_loop_t *loop, struct rota_child *child) {
  uint64_t now = rota__loop(loop)->loop_count + 1;
  if (child->seen_at == 0) {
    if (!rota__os_child_has_ended(child->process->pid))
      return false;
    child->seen_at = now;
  }
  if (child->seen_at == now)
    rota__watcher_feed(loop, &child->watcher);
  return child->seen_at != now;
}

static void child_ready(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events) {
  struct rota_child *child = rota__container_of(watcher, struct rota_child, watcher);
  int status = 0;
  int r;
  if (!(events & POLLOUT)) {
    rota__watcher_stop(loop, watcher, POLLIN);
    rota__watcher_feed(loop, watcher);
    return;
  }
  if (rota__link_is_linked(&child->link) && !output_is_read(loop, child))
    return;
  r = rota__os_child_status(child->process->pid, &status);
  /* An error: other code of the program has reaped the child, and so knows of its end. Such a program closes the handle
   * itself. So nothing is reported, as with libuv. */
  if (r > 0)
    ended(child->process, status);
  else if (r == 0 && watcher->fd >= 0)
    rota__watcher_start(loop, watcher, POLLIN); /* it has been in the table before: this cannot fail */
  else if (r == 0 && !rota__link_is_linked(&child->link))
    sigchld_add(loop, child); /* the poller saw its end a moment before it can be reaped: SIGCHLD comes then */
}

static void close_handle(uv_handle_t *handle) {
  release_child((uv_process_t *)handle);
  rota__handle_stop(handle);
  rota__handle_closed(handle);
}

static const struct rota_handle_class process_class = {.type = UV_PROCESS, .close = close_handle};

void rota__child_init(uv_loop_t *loop, uv_process_t *process, uv_exit_cb exit_cb) {
  rota__handle_init(loop, (uv_handle_t *)process, &process_class);
  process->flags |= ROTA_PROCESS_REAPED;
  process->exit_cb = exit_cb;
  process->pid = 0;
  process->status = 0;
  process->child = NULL;
}

int rota__child_make(uv_loop_t *loop, struct rota_child **out) {
  struct sigchld *sigchld;
  struct rota_child *child;
  bool seen = rota__os_has_pidfd() || rota__loop_poller(loop)->ops->takes_children;
  int err = seen ? 0 : sigchld_of(loop, &sigchld);
  if (err < 0)
    return err;
  child = rota__malloc(sizeof(*child));
  if (child == NULL)
    return UV_ENOMEM;
  rota__list_init(&child->link);
  child->seen_at = 0;
  child->submitted = false;
  *out = child;
  return 0;
}

void rota__child_free(struct rota_child *child) {
  rota__free(child);
}

int rota__child_watch(uv_process_t *process, struct rota_child *child, int pidfd) {
  int err;
  rota__watcher_init(&child->watcher, child_ready, pidfd);
  child->process = process;
  err = pidfd >= 0 ? rota__watcher_start(process->loop, &child->watcher, POLLIN)
                   : submit_child(process->loop, child, process->pid);
  if (err < 0)
    return err;
  process->child = child;
  process->flags &= ~(unsigned int)ROTA_PROCESS_REAPED;
  rota__handle_start((uv_handle_t *)process);
  return 0;
}

int uv_process_kill(uv_process_t *process, int signum) {
  /* The pid may belong to another process by now. */
  if (process->flags & ROTA_PROCESS_REAPED)
    return UV_ESRCH;
  if (process->child != NULL && process->child->watcher.fd >= 0) {
    int err = rota__os_pidfd_kill(process->child->watcher.fd, signum);
    if (err != UV_ENOSYS)
      return err;
  }
  return uv_kill(process->pid, signum);
}

int uv_kill(int pid, int signum) {
  return rota__os_kill(pid, signum);
}

uv_pid_t uv_process_get_pid(const uv_process_t *process) {
  return process->pid;
}
