/* uv_spawn: where the program is, the descriptors that the child begins with, and its start. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/check.h"
#include "loop/core/handle.h"
#include "loop/core/internal.h"
#include "loop/core/io_hook.h"
#include "loop/core/observe.h"
#include "loop/net/posix/stream.h"
#include "loop/os/file.h"
#include "loop/os/process.h"
#include "loop/os/signal.h"
#include "loop/os/socket.h"
#include "loop/proc/posix/child.h"
#include "uv.h"

/* ---- where a program may be ----
 *
 * The search along PATH, done before there is a child: a child may not allocate.
 *
 * It uses the PATH that the child will have. */

/* What a shell uses if PATH is not set. */
static const char default_path[] = "/bin:/usr/bin";

static const char *path_of(char *const *env) {
  for (; *env != NULL; env++)
    if (strncmp(*env, "PATH=", 5) == 0)
      return *env + 5;
  return default_path;
}

/* The files to try for `file`, in order, up to a null pointer: itself if it names a place, else one for each directory
 * on the PATH of env. One block of memory, to be freed; null when there is none. */
static char **path_candidates(const char *file, char *const *env) {
  size_t file_size = strlen(file) + 1;
  bool search = *file != '\0' && strchr(file, '/') == NULL;
  const char *path = search ? path_of(env) : "";
  size_t count = 1;
  char **candidates, **next;
  char *text;
  for (const char *p = path; *p != '\0'; p++)
    count += *p == ':';
  candidates = rota__malloc((count + 1) * sizeof(*candidates) + strlen(path) + count * (file_size + 1));
  if (candidates == NULL)
    return NULL;
  next = candidates;
  text = (char *)(candidates + count + 1);
  do {
    size_t length = strcspn(path, ":");
    *next++ = text;
    /* An empty entry means the working directory: the file's name alone is tried. */
    if (length > 0) {
      memcpy(text, path, length);
      text += length;
      *text++ = '/';
    }
    memcpy(text, file, file_size);
    text += file_size;
    path += length;
  } while (*path++ == ':');
  *next = NULL;
  return candidates;
}

/* ---- descriptors ----
 *
 * Turns the containers of uv_spawn into descriptors.
 *
 * A pipe is a pair of connected sockets: one stream for both directions, which can also carry descriptors. Our end does
 * not block, the child's does. Everything opened here is closed on exec; the child makes copies that are not.
 * Invariant: parent[i] >= 0 exactly while both ends of a new pipe are ours to close. */

struct stdio {
  const uv_stdio_container_t *containers;
  int container_count;
  int count;   /* at least 3 */
  int *child;  /* for each: the descriptor that the child's is a copy of, or -1 */
  int *parent; /* for each: our end of a new pipe, or -1 */
  int *fds;    /* room for a copy of `child`, which spawning changes */
};

enum { KINDS = UV_CREATE_PIPE | UV_INHERIT_FD | UV_INHERIT_STREAM };

static int container_open(const uv_stdio_container_t *container, int *child, int *parent) {
  int ends[2];
  int err;
  switch ((int)container->flags & KINDS) {
  case UV_IGNORE:
    return 0;
  case UV_CREATE_PIPE:
    if (container->data.stream == NULL || container->data.stream->type != UV_NAMED_PIPE)
      return UV_EINVAL;
    if (rota__stream_fd(container->data.stream) >= 0)
      return UV_EBUSY;
    err = rota__os_socketpair(SOCK_STREAM, 0, ends);
    if (err < 0)
      return err;
    *parent = ends[0];
    *child = ends[1];
    return 0;
  case UV_INHERIT_FD:
    *child = container->data.fd;
    return *child >= 0 ? 0 : UV_EINVAL;
  case UV_INHERIT_STREAM:
    *child = rota__stream_fd(container->data.stream);
    return *child >= 0 ? 0 : UV_EINVAL;
  default:
    return UV_EINVAL;
  }
}

/* Closes what was opened and not given away. */
static void stdio_close(struct stdio *stdio) {
  for (int i = 0; i < stdio->container_count; i++) {
    if (stdio->parent[i] < 0)
      continue;
    rota__os_close(stdio->parent[i]);
    rota__os_close(stdio->child[i]);
  }
  rota__free(stdio->child);
}

static int stdio_open(struct stdio *stdio, const uv_process_options_t *options) {
  int err = 0;
  stdio->containers = options->stdio;
  stdio->container_count = options->stdio_count > 0 ? options->stdio_count : 0;
  stdio->count = stdio->container_count > 3 ? stdio->container_count : 3;
  stdio->child = rota__malloc((size_t)stdio->count * 3 * sizeof(int));
  if (stdio->child == NULL)
    return UV_ENOMEM;
  stdio->parent = stdio->child + stdio->count;
  stdio->fds = stdio->parent + stdio->count;
  for (int i = 0; i < stdio->count; i++)
    stdio->child[i] = stdio->parent[i] = -1;
  for (int i = 0; i < stdio->container_count && err == 0; i++)
    err = container_open(&stdio->containers[i], &stdio->child[i], &stdio->parent[i]);
  for (int i = 0; i < stdio->count; i++)
    stdio->fds[i] = stdio->child[i];
  if (err < 0)
    stdio_close(stdio);
  return err;
}

static int give(const uv_stdio_container_t *container, int fd) {
  unsigned int flags = 0;
  int err = rota__os_set_nonblocking(fd, true);
  if (err < 0)
    return err;
  /* The parent writes what the child reads. */
  if (container->flags & UV_WRITABLE_PIPE)
    flags |= ROTA_STREAM_READABLE;
  if (container->flags & UV_READABLE_PIPE)
    flags |= ROTA_STREAM_WRITABLE;
  return rota__stream_open(container->data.stream, fd, flags);
}

/* The child has its ends: ours become the streams of the containers. An error leaves the rest closed. */
static int stdio_give(struct stdio *stdio) {
  for (int i = 0; i < stdio->container_count; i++) {
    int err;
    if (stdio->parent[i] < 0)
      continue;
    err = give(&stdio->containers[i], stdio->parent[i]);
    if (err < 0)
      return err;
    stdio->parent[i] = -1;
    rota__os_close(stdio->child[i]);
  }
  return 0;
}

/* ---- the start ----
 *
 * uv_spawn: gathers all that a child needs before the child exists, because the child may only make system calls.
 *
 * The handle must be closed also after an error. An error of the child, up to and including exec, is the result; its
 * pipes are then open and at their end. */

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
static int launch(uv_process_t *process, const uv_process_options_t *options, struct stdio *stdio,
                  struct rota_child *child, const void *caller) {
  char *const *env = options->env != NULL ? options->env : rota__os_environment();
  char **steered_env = rota__hook_child_environment(options->args, env);
  char **files = path_candidates(options->file, env);
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
  err = stdio_give(stdio);
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
  struct stdio stdio;
  int err;
  rota__check(options->file != NULL);
  rota__check(!(options->flags & ~(unsigned int)KNOWN_FLAGS));
  rota__child_init(loop, process, options->exit_cb);
  err = rota__child_make(loop, &child);
  if (err < 0)
    return err;
  err = stdio_open(&stdio, options);
  if (err < 0)
    goto fail;
  err = launch(process, options, &stdio, child, __builtin_return_address(0));
  stdio_close(&stdio);
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
