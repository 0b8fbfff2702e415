/* uv_spawn. The handle must be closed also after an error.
 *
 * A child that is not detached belongs to a job of this process, which ends with it: the system then ends the child,
 * too, however this process ends. */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "loop/base/alloc.h"
#include "loop/base/check.h"
#include "loop/core/io_hook.h"
#include "loop/core/observe.h"
#include "loop/net/windows/stream.h"
#include "loop/os/windows/convert.h"
#include "loop/proc/windows/spawn.h"

enum {
  KNOWN_FLAGS = UV_PROCESS_SETUID | UV_PROCESS_SETGID | UV_PROCESS_DETACHED | UV_PROCESS_WINDOWS_VERBATIM_ARGUMENTS |
                UV_PROCESS_WINDOWS_HIDE | UV_PROCESS_WINDOWS_HIDE_CONSOLE | UV_PROCESS_WINDOWS_HIDE_GUI |
                UV_PROCESS_WINDOWS_FILE_PATH_EXACT_NAME,
};

/* Handles that a child shall inherit are inheritable for every child that is started meanwhile: one at a time. */
static SRWLOCK spawning = SRWLOCK_INIT;

static uv_once_t job_once = UV_ONCE_INIT;
static HANDLE job; /* null: the system has refused one */

static void make_job(void) {
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {
      .BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_BREAKAWAY_OK | JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK |
                                          JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION |
                                          JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
  };
  job = CreateJobObjectW(NULL, NULL);
  if (job != NULL && !SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof(limits))) {
    CloseHandle(job);
    job = NULL;
  }
}

/* What CreateProcess takes. */
struct launch {
  WCHAR *program;
  WCHAR *command_line;
  WCHAR *environment;
  WCHAR *cwd; /* always set: the search needs it */
  DWORD flags;
  STARTUPINFOW startup;
};

static int find_cwd(const char *given, WCHAR **cwd) {
  if (given != NULL)
    return rota__os_wide(given, cwd);
  DWORD room = GetCurrentDirectoryW(0, NULL);
  *cwd = rota__malloc(((size_t)room + 1) * sizeof(WCHAR));
  if (*cwd == NULL)
    return UV_ENOMEM;
  return GetCurrentDirectoryW(room + 1, *cwd) == 0 ? rota__os_last_error() : 0;
}

static int find_program(struct launch *launch, const uv_process_options_t *options) {
  WCHAR *file;
  int err = rota__os_wide(options->file, &file);
  if (err < 0)
    return err;
  WCHAR *path = rota__environment_path(launch->environment);
  launch->program =
      rota__program_search(file, launch->cwd, path, (options->flags & UV_PROCESS_WINDOWS_FILE_PATH_EXACT_NAME) != 0);
  rota__free(path);
  rota__free(file);
  return launch->program == NULL ? UV_ENOENT : 0;
}

static bool inherits_standard(const uv_process_options_t *options) {
  for (int i = 0; i < options->stdio_count && i < 3; i++)
    if (options->stdio[i].flags & UV_INHERIT_FD)
      return true;
  return false;
}

static void choose_flags(struct launch *launch, const uv_process_options_t *options, const struct rota_stdio *stdio) {
  launch->startup = (STARTUPINFOW){
      .cb = sizeof(launch->startup),
      .dwFlags = STARTF_USESTDHANDLES | STARTF_USESHOWWINDOW,
      .wShowWindow =
          options->flags & (UV_PROCESS_WINDOWS_HIDE | UV_PROCESS_WINDOWS_HIDE_GUI) ? SW_HIDE : SW_SHOWDEFAULT,
      .cbReserved2 = (WORD)stdio->block_size,
      .lpReserved2 = stdio->block,
      .hStdInput = rota__stdio_handle(stdio, 0),
      .hStdOutput = rota__stdio_handle(stdio, 1),
      .hStdError = rota__stdio_handle(stdio, 2),
  };
  launch->flags = CREATE_UNICODE_ENVIRONMENT;
  /* A child that shares our console must stay with it. */
  if ((options->flags & (UV_PROCESS_WINDOWS_HIDE | UV_PROCESS_WINDOWS_HIDE_CONSOLE)) && !inherits_standard(options))
    launch->flags |= CREATE_NO_WINDOW;
  /* A group of its own: signals for our console are not for it. */
  if (options->flags & UV_PROCESS_DETACHED)
    launch->flags |= DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP;
  else
    launch->flags |= CREATE_SUSPENDED; /* until it is in the job */
}

static int prepare(struct launch *launch, const uv_process_options_t *options, char *const *env) {
  int err = rota__environment_make(env, &launch->environment);
  if (err == 0)
    err = find_cwd(options->cwd, &launch->cwd);
  if (err == 0)
    err = rota__command_line_make(options->args, (options->flags & UV_PROCESS_WINDOWS_VERBATIM_ARGUMENTS) != 0,
                                  &launch->command_line);
  if (err == 0)
    err = find_program(launch, options);
  return err;
}

static void release(struct launch *launch) {
  rota__free(launch->program);
  rota__free(launch->command_line);
  rota__free(launch->environment);
  rota__free(launch->cwd);
}

static void enter_job(HANDLE process) {
  uv_once(&job_once, make_job);
  /* Fails if the process belongs to a job that does not allow another: then it does not end with us. */
  if (job != NULL)
    (void)AssignProcessToJobObject(job, process);
}

static void tell_peers(const uv_process_options_t *options, DWORD pid) {
  for (int i = 0; i < options->stdio_count; i++) {
    const uv_stdio_container_t *container = &options->stdio[i];
    if ((container->flags & UV_CREATE_PIPE) && ((uv_pipe_t *)container->data.stream)->ipc)
      rota__pipe_set_peer(container->data.stream, pid);
  }
}

static int start(uv_process_t *process, const uv_process_options_t *options, struct launch *launch) {
  PROCESS_INFORMATION info;
  struct rota_stdio stdio;
  int err = 0;
  AcquireSRWLockExclusive(&spawning);
  err = rota__stdio_open(&stdio, options);
  if (err == 0) {
    choose_flags(launch, options, &stdio);
    if (!CreateProcessW(launch->program, launch->command_line, NULL, NULL, TRUE, launch->flags, launch->environment,
                        launch->cwd, &launch->startup, &info))
      err = rota__os_last_error();
    rota__stdio_close(&stdio);
  }
  ReleaseSRWLockExclusive(&spawning);
  if (err < 0)
    return err;
  if (launch->flags & CREATE_SUSPENDED) {
    enter_job(info.hProcess);
    ResumeThread(info.hThread);
  }
  CloseHandle(info.hThread);
  process->pid = (int)info.dwProcessId;
  process->process_handle = info.hProcess;
  tell_peers(options, info.dwProcessId);
  return 0;
}

/* A child that was never started has closed its pipes: the other ends are those of a stream that is over. */
static void leave_pipes(const uv_process_options_t *options) {
  struct rota_stdio stdio;
  AcquireSRWLockExclusive(&spawning);
  if (rota__stdio_open(&stdio, options) == 0)
    rota__stdio_close(&stdio);
  ReleaseSRWLockExclusive(&spawning);
}

static int launch_child(uv_process_t *process, const uv_process_options_t *options) {
  struct launch launch = {0};
  char **steered = rota__steer_child_environment(options->args, options->env != NULL ? options->env : _environ);
  int err = rota__io_fault(process->loop, "spawn", -1);
  if (err == 0)
    err = prepare(&launch, options, steered != NULL ? steered : options->env);
  if (err == 0)
    err = start(process, options, &launch);
  else
    leave_pipes(options);
  release(&launch);
  rota__free(steered);
  return err;
}

int uv_spawn(uv_loop_t *loop, uv_process_t *process, const uv_process_options_t *options) {
  struct rota_child *child;
  rota__child_init(loop, process, options->exit_cb);
  if (options->flags & (UV_PROCESS_SETUID | UV_PROCESS_SETGID))
    return UV_ENOTSUP;
  if (options->file == NULL || options->args == NULL)
    return UV_EINVAL;
  rota__check(!(options->flags & ~(unsigned int)KNOWN_FLAGS));
  int err = rota__child_make(&child);
  if (err < 0)
    return err;
  err = launch_child(process, options);
  if (err == 0) {
    err = rota__child_watch(process, child);
    if (err < 0) /* the loop could not learn that this child ends */
      TerminateProcess(process->process_handle, 1);
    else if (rota__io_fault(loop, "child", -1) > 0)
      (void)uv_process_kill(process, SIGKILL);
  }
  if (err < 0) {
    process->pid = 0;
    rota__child_free(child);
  }
  return err;
}
