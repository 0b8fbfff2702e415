/* uv_spawn: gathers all that a child needs before the child exists, because the child may only make system calls.
 *
 * The handle must be closed also after an error. An error of the child, up to and including exec, is the result; its
 * pipes are then open and at their end. */
#include <stddef.h>

#include "loop/base/alloc.h"
#include "loop/base/check.h"
#include "loop/core/internal.h"
#include "loop/core/io_hook.h"
#include "loop/core/observe.h"
#include "loop/os/file.h"
#include "loop/os/process.h"
#include "loop/os/signal.h"
#include "loop/proc/child.h"
#include "loop/proc/path.h"
#include "loop/proc/stdio.h"
#include "uv.h"

enum {
  KNOWN_FLAGS = UV_PROCESS_SETUID | UV_PROCESS_SETGID | UV_PROCESS_DETACHED | UV_PROCESS_WINDOWS_VERBATIM_ARGUMENTS |
                UV_PROCESS_WINDOWS_HIDE | UV_PROCESS_WINDOWS_HIDE_CONSOLE | UV_PROCESS_WINDOWS_HIDE_GUI |
                UV_PROCESS_WINDOWS_FILE_PATH_EXACT_NAME,
};

/* A file that is still open for writing cannot be executed. */
static void begin_closes(uv_loop_t *loop) {
  struct rota_poller *poller = rota__loop_poller(loop);
  if (poller->ops->begin != NULL)
    poller->ops->begin(poller);
}

/* Starts the program, and waits only until it has started. */
static int launch(uv_process_t *process, const uv_process_options_t *options, struct rota_stdio *stdio,
                  struct rota_child *child, const void *caller) {
  char *const *env = options->env != NULL ? options->env : rota__os_environment();
  char **steered_env = rota__steer_child_environment(options->args, env);
  char **files = rota__path_candidates(options->file, env);
  struct rota_os_spawn spawn = {
      .files = files,
      .args = options->args,
      .env = steered_env != NULL ? steered_env : options->env,
      .cwd = options->cwd,
      .fds = stdio->fds,
      .fd_count = stdio->count,
      .caller = caller,
      .detached = options->flags & UV_PROCESS_DETACHED,
      .set_uid = options->flags & UV_PROCESS_SETUID,
      .set_gid = options->flags & UV_PROCESS_SETGID,
      .uid = options->uid,
      .gid = options->gid,
  };
  int pidfd = -1;
  int err, spawn_err;
  if (files == NULL) {
    rota__free(steered_env);
    return UV_ENOMEM;
  }
  /* A program that ignores SIGCHLD, perhaps by inheritance, could not learn how its children ended. */
  err = rota__os_signal_keep_children();
  if (err == 0)
    err = rota__io_fault(process->loop, "spawn", -1);
  begin_closes(process->loop);
  if (err == 0)
    err = rota__os_spawn(&spawn, &process->pid, &pidfd);
  rota__free(files);
  rota__free(steered_env);
  if (process->pid == 0)
    return err;
  spawn_err = err;
  err = rota__stdio_give(stdio);
  if (spawn_err < 0)
    return spawn_err;
  if (err == 0)
    err = rota__child_watch(process, child, pidfd);
  if (err == 0 && rota__io_fault(process->loop, "child", -1) > 0)
    (void)uv_kill(process->pid, SIGKILL);
  if (err == 0)
    return 0;
  /* The loop could not learn that this child ends. */
  rota__os_child_kill(process->pid);
  if (pidfd >= 0)
    rota__os_close(pidfd);
  return err;
}

int uv_spawn(uv_loop_t *loop, uv_process_t *process, const uv_process_options_t *options) {
  struct rota_child *child;
  struct rota_stdio stdio;
  int err;
  rota__check(options->file != NULL);
  rota__check(!(options->flags & ~(unsigned int)KNOWN_FLAGS));
  rota__child_init(loop, process, options->exit_cb);
  err = rota__child_make(loop, &child);
  if (err < 0)
    return err;
  err = rota__stdio_open(&stdio, options);
  if (err < 0)
    goto fail;
  err = launch(process, options, &stdio, child, __builtin_return_address(0));
  rota__stdio_close(&stdio);
  if (err < 0)
    goto fail;
  return 0;

fail:
  process->pid = 0;
  rota__child_free(child);
  return err;
}

void uv_disable_stdio_inheritance(void) {
  rota__os_cloexec_all();
}
