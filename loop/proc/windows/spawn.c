/* uv_spawn: the handles that the child begins with, and its start. */
#include <io.h>
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

/* ---- handles ----
 *
 * The handles that a child begins with, in the block that C libraries of Windows hand on: a count, a byte of flags for
 * each descriptor, and the handles.
 *
 * Invariant: every handle in the block is inheritable and this process's own copy, or invalid. */

enum {
  FLAG_OPEN = 0x01,
  FLAG_PIPE = 0x08,
  FLAG_DEVICE = 0x40,
  COUNT_MAX = 255,
  KINDS = UV_CREATE_PIPE | UV_INHERIT_FD | UV_INHERIT_STREAM,
};

static unsigned char *flags_of(const struct rota_stdio *stdio, int fd) {
  return stdio->block + sizeof(int) + fd;
}

/* The handles follow the flags, wherever that is. */
static unsigned char *place_of(const struct rota_stdio *stdio, int fd) {
  return stdio->block + sizeof(int) + stdio->count + (size_t)fd * sizeof(HANDLE);
}

HANDLE rota__stdio_handle(const struct rota_stdio *stdio, int fd) {
  HANDLE handle;
  memcpy(&handle, place_of(stdio, fd), sizeof(handle));
  return handle;
}

static void set(struct rota_stdio *stdio, int fd, HANDLE handle, int flags) {
  memcpy(place_of(stdio, fd), &handle, sizeof(handle));
  *flags_of(stdio, fd) = (unsigned char)flags;
}

static int flags_of_type(HANDLE handle) {
  switch (GetFileType(handle)) {
  case FILE_TYPE_CHAR:
    return FLAG_OPEN | FLAG_DEVICE;
  case FILE_TYPE_PIPE:
    return FLAG_OPEN | FLAG_PIPE;
  default:
    return FLAG_OPEN;
  }
}

static int inherit(struct rota_stdio *stdio, int fd, HANDLE handle) {
  HANDLE copy, process = GetCurrentProcess();
  if (handle == INVALID_HANDLE_VALUE || handle == NULL || handle == (HANDLE)-2)
    return UV_EBADF;
  if (!DuplicateHandle(process, handle, process, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS))
    return rota__os_last_error();
  set(stdio, fd, copy, flags_of_type(handle));
  return 0;
}

static int open_null(struct rota_stdio *stdio, int fd) {
  SECURITY_ATTRIBUTES inheritable = {.nLength = sizeof(inheritable), .bInheritHandle = TRUE};
  DWORD access = fd == 0 ? FILE_GENERIC_READ : FILE_GENERIC_WRITE | FILE_READ_ATTRIBUTES;
  if (fd > 2)
    return 0;
  HANDLE handle = CreateFileW(L"NUL", access, FILE_SHARE_READ | FILE_SHARE_WRITE, &inheritable, OPEN_EXISTING, 0, NULL);
  if (handle == INVALID_HANDLE_VALUE)
    return rota__os_last_error();
  set(stdio, fd, handle, FLAG_OPEN | FLAG_DEVICE);
  return 0;
}

static int inherit_descriptor(struct rota_stdio *stdio, int fd, int from) {
  HANDLE handle;
  int err = rota__os_handle_of(from, &handle);
  if (err == 0)
    err = inherit(stdio, fd, handle);
  /* A program without a console has no standard descriptors: neither has its child. */
  return err < 0 && from >= 0 && from <= 2 ? open_null(stdio, fd) : err;
}

static int inherit_stream(struct rota_stdio *stdio, int fd, const uv_stream_t *stream) {
  uv_os_fd_t handle;
  int err = uv_fileno((const uv_handle_t *)stream, &handle);
  return err < 0 ? err : inherit(stdio, fd, handle);
}

static int container_open(struct rota_stdio *stdio, int fd, const uv_stdio_container_t *container) {
  HANDLE handle;
  int err;
  switch ((int)container->flags & KINDS) {
  case UV_IGNORE:
    return open_null(stdio, fd);
  case UV_CREATE_PIPE:
    if (container->data.stream == NULL || container->data.stream->type != UV_NAMED_PIPE)
      return UV_EINVAL;
    err = rota__pipe_to_child(container->data.stream, (unsigned int)container->flags, &handle);
    if (err == 0)
      set(stdio, fd, handle, FLAG_OPEN | FLAG_PIPE);
    return err;
  case UV_INHERIT_FD:
    return inherit_descriptor(stdio, fd, container->data.fd);
  case UV_INHERIT_STREAM:
    return inherit_stream(stdio, fd, container->data.stream);
  default:
    return UV_EINVAL;
  }
}

int rota__stdio_open(struct rota_stdio *stdio, const uv_process_options_t *options) {
  int given = options->stdio_count > 0 ? options->stdio_count : 0;
  int err = 0;
  stdio->count = given > 3 ? given : 3;
  if (stdio->count > COUNT_MAX)
    return UV_EINVAL; /* a length of 16 bits counts the block's bytes */
  stdio->block_size = sizeof(int) + (size_t)stdio->count * (1 + sizeof(HANDLE));
  stdio->block = rota__calloc(1, stdio->block_size);
  if (stdio->block == NULL)
    return UV_ENOMEM;
  memcpy(stdio->block, &stdio->count, sizeof(int));
  for (int fd = 0; fd < stdio->count; fd++)
    set(stdio, fd, INVALID_HANDLE_VALUE, 0);
  for (int fd = 0; fd < stdio->count && err == 0; fd++)
    err = fd < given ? container_open(stdio, fd, &options->stdio[fd]) : open_null(stdio, fd);
  if (err < 0)
    rota__stdio_close(stdio);
  return err;
}

void rota__stdio_close(struct rota_stdio *stdio) {
  for (int fd = 0; fd < stdio->count; fd++)
    if (rota__stdio_handle(stdio, fd) != INVALID_HANDLE_VALUE)
      CloseHandle(rota__stdio_handle(stdio, fd));
  rota__free(stdio->block);
}

/* What this process was started with, and its standard handles. */
void uv_disable_stdio_inheritance(void) {
  static const DWORD standard[] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
  STARTUPINFOW info;
  for (int i = 0; i < 3; i++) {
    HANDLE handle = GetStdHandle(standard[i]);
    if (handle != NULL && handle != INVALID_HANDLE_VALUE)
      SetHandleInformation(handle, HANDLE_FLAG_INHERIT, 0);
  }
  GetStartupInfoW(&info);
  struct rota_stdio given = {.block = info.lpReserved2, .block_size = info.cbReserved2};
  if (given.block == NULL || given.block_size < sizeof(int))
    return;
  memcpy(&given.count, given.block, sizeof(int));
  if (given.count < 0 || given.count > COUNT_MAX ||
      given.block_size < sizeof(int) + (size_t)given.count * (1 + sizeof(HANDLE)))
    return;
  for (int fd = 0; fd < given.count; fd++)
    if (rota__stdio_handle(&given, fd) != INVALID_HANDLE_VALUE)
      SetHandleInformation(rota__stdio_handle(&given, fd), HANDLE_FLAG_INHERIT, 0);
}

/* ---- the start ----
 *
 * uv_spawn. The handle must be closed also after an error.
 *
 * A child that is not detached belongs to a job of this process, which ends with it: the system then ends the child,
 * too, however this process ends. */

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
  char **steered = rota__hook_child_environment(options->args, options->env != NULL ? options->env : _environ);
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
