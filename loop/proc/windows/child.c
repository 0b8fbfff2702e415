/* The life of a child after it was started.
 *
 * A thread of the system waits for the process, and reports its end to the loop's port. Invariant: that report, once it
 * is posted, finds the structure that it is in: a handle that is closed meanwhile leaves it behind. */
#include <stdatomic.h>
#include <stdbool.h>

#include "loop/base/alloc.h"
#include "loop/base/list.h"
#include "loop/core/handle.h"
#include "loop/core/internal.h"
#include "loop/core/req.h"
#include "loop/os/windows/convert.h"
#include "loop/poller/iocp.h"
#include "loop/proc/windows/spawn.h"

struct rota_child {
  uv_process_t *process; /* null: the handle was closed */
  uv_loop_t *loop;
  struct rota_io io;
  void *port;
  HANDLE wait;
  _Atomic bool posted;
};

static void CALLBACK process_ended(void *opaque, BOOLEAN timed_out) {
  struct rota_child *child = opaque;
  (void)timed_out;
  atomic_store(&child->posted, true);
  rota__iocp_post(child->port, &child->io, 0, 0);
}

/* After this, the system's thread does not touch the child any more. */
static void stop_waiting(struct rota_child *child) {
  if (child->wait != NULL)
    UnregisterWaitEx(child->wait, INVALID_HANDLE_VALUE);
  child->wait = NULL;
}

static void let_go(uv_process_t *process) {
  if (process->process_handle != INVALID_HANDLE_VALUE)
    CloseHandle(process->process_handle);
  process->process_handle = INVALID_HANDLE_VALUE;
}

static void on_end(struct rota_op *op, int32_t result, uint32_t bytes) {
  struct rota_child *child = rota__container_of(rota__io_of(op), struct rota_child, io);
  uv_process_t *process = child->process;
  DWORD code = 0;
  (void)result;
  (void)bytes;
  if (process == NULL) {
    rota__req_end(child->loop);
    rota__child_free(child);
    return;
  }
  stop_waiting(child);
  GetExitCodeProcess(process->process_handle, &code);
  process->child = NULL;
  rota__child_free(child);
  let_go(process);
  rota__handle_stop((uv_handle_t *)process);
  if (process->exit_cb == NULL)
    return;
  rota__handle_call_begin(process->loop, process, (rota_function)process->exit_cb);
  process->exit_cb(process, code, process->status);
  rota__call_end(process->loop);
}

static void close_handle(uv_handle_t *handle) {
  uv_process_t *process = (uv_process_t *)handle;
  struct rota_child *child = process->child;
  process->child = NULL;
  if (child != NULL) {
    stop_waiting(child);
    child->process = NULL;
    if (atomic_load(&child->posted))
      child->loop->active_reqs.count++; /* the loop takes the report before it ends */
    else
      rota__child_free(child);
  }
  let_go(process);
  rota__handle_stop(handle);
  rota__handle_closed(handle);
}

static const struct rota_handle_class process_class = {.type = UV_PROCESS, .close = close_handle};

void rota__child_init(uv_loop_t *loop, uv_process_t *process, uv_exit_cb exit_cb) {
  rota__handle_init(loop, (uv_handle_t *)process, &process_class);
  process->exit_cb = exit_cb;
  process->pid = 0;
  process->status = 0; /* the signal that it was ended with */
  process->child = NULL;
  process->process_handle = INVALID_HANDLE_VALUE;
}

int rota__child_make(struct rota_child **out) {
  *out = rota__calloc(1, sizeof(**out));
  return *out == NULL ? UV_ENOMEM : 0;
}

void rota__child_free(struct rota_child *child) {
  rota__free(child);
}

int rota__child_watch(uv_process_t *process, struct rota_child *child) {
  child->process = process;
  child->loop = process->loop;
  child->port = rota__loop_poller(process->loop)->port;
  (void)rota__io_begin(&child->io, on_end);
  if (!RegisterWaitForSingleObject(&child->wait, process->process_handle, process_ended, child, INFINITE,
                                   WT_EXECUTEINWAITTHREAD | WT_EXECUTEONLYONCE))
    return rota__os_last_error();
  process->child = child;
  rota__handle_start((uv_handle_t *)process);
  return 0;
}

/* ---- killing ----
 *
 * A process can only be ended at once: every signal that would end it does that. */

static int kill_handle(HANDLE process, int signum) {
  DWORD code;
  switch (signum) {
  case SIGQUIT:
  case SIGTERM:
  case SIGKILL:
  case SIGINT:
    if (TerminateProcess(process, 1))
      return 0;
    /* One that has ended refuses, too. */
    if (GetLastError() == ERROR_ACCESS_DENIED && GetExitCodeProcess(process, &code) && code != STILL_ACTIVE)
      return UV_ESRCH;
    return rota__os_last_error();
  case 0:
    if (!GetExitCodeProcess(process, &code))
      return rota__os_last_error();
    return code == STILL_ACTIVE ? 0 : UV_ESRCH;
  default:
    return UV_ENOSYS;
  }
}

int uv_process_kill(uv_process_t *process, int signum) {
  if (signum < 0 || signum >= NSIG)
    return UV_EINVAL;
  if (process->process_handle == INVALID_HANDLE_VALUE)
    return UV_ESRCH;
  int err = kill_handle(process->process_handle, signum);
  if (err == 0 && signum != 0)
    process->status = signum;
  return err;
}

int uv_kill(int pid, int signum) {
  if (signum < 0 || signum >= NSIG)
    return UV_EINVAL;
  if (pid == 0)
    return kill_handle(GetCurrentProcess(), signum);
  HANDLE process = OpenProcess(PROCESS_TERMINATE | PROCESS_QUERY_INFORMATION | SYNCHRONIZE, FALSE, (DWORD)pid);
  if (process == NULL)
    return GetLastError() == ERROR_INVALID_PARAMETER ? UV_ESRCH : rota__os_last_error();
  int err = kill_handle(process, signum);
  CloseHandle(process);
  return err;
}

uv_pid_t uv_process_get_pid(const uv_process_t *process) {
  return process->pid;
}
