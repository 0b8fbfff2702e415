/* A child's steps between fork and exec, what its parent asks of it later, and the files that this process has loaded.
 */
#include "loop/os/process.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loop/os/file.h"
#include "loop/os/memory.h"
#include "loop/os/outcome.h"
#ifndef __APPLE__
#include "loop/os/elf.h"
#endif

/* ---- in the child ---- */

/* Moves every descriptor away that stands where another one must go: then the order of placing does not matter. */
static int make_room(const struct rota_os_spawn *spawn) {
  int *fds = spawn->fds;
  for (int i = 0; i < spawn->fd_count; i++) {
    if (fds[i] < 0 || fds[i] >= spawn->fd_count || fds[i] == i)
      continue;
    fds[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, spawn->fd_count);
    if (fds[i] < 0)
      return -errno;
  }
  return 0;
}

static int place_null(int at) {
  int fd = rota__os_child_open_null(at == 0 ? O_RDONLY : O_RDWR);
  if (fd < 0)
    return fd;
  if (fd == at)
    return (int)rota__os_outcome(fcntl(fd, F_SETFD, 0));
  int err = rota__os_child_duplicate(fd, at);
  rota__os_child_close(fd);
  return err;
}

static int place_one(int fd, int at) {
  int err = fd == at ? (int)rota__os_outcome(fcntl(fd, F_SETFD, 0)) : rota__os_child_duplicate(fd, at);
  if (err < 0 || at >= 3)
    return err;
  /* Few programs expect that their standard descriptors do not block. */
  int flags = fcntl(at, F_GETFL);
  if (flags >= 0 && (flags & O_NONBLOCK))
    fcntl(at, F_SETFL, flags & ~O_NONBLOCK);
  return 0;
}

static int place_descriptors(const struct rota_os_spawn *spawn) {
  int *fds = spawn->fds;
  int err = make_room(spawn);
  for (int i = 0; err >= 0 && i < spawn->fd_count; i++)
    if (fds[i] >= 0)
      err = place_one(fds[i], i);
    else if (i < 3)
      err = place_null(i);
  if (err < 0)
    return err;
  for (int i = 0; i < spawn->fd_count; i++)
    if (fds[i] >= spawn->fd_count)
      rota__os_child_close(fds[i]);
  return 0;
}

/* As execvp, but a file that the kernel cannot execute is an error and not a shell script. */
static int execute(const struct rota_os_spawn *spawn) {
  char *const *env =
      spawn->env != NULL ? spawn->env : rota__os_environment(); /* handlers of forks may have changed it */
  int err = -ENOENT;
  bool denied = false;
  for (char *const *file = spawn->files; *file != NULL; file++) {
    execve(*file, spawn->args, env);
    err = -errno;
    if (err == -EACCES)
      denied = true;
    else if (err != -ENOENT && err != -ENOTDIR && err != -ESTALE && err != -ENODEV && err != -ETIMEDOUT)
      return err;
  }
  return denied ? -EACCES : err;
}

static int change_user(const struct rota_os_spawn *spawn) {
  int err = 0;
  /* Without this, the child would keep root's groups after it has changed its user. A process that is not root may not
   * call it, and need not. */
  if (spawn->set_uid || spawn->set_gid)
    rota__os_child_drop_groups();
  if (spawn->set_gid)
    err = rota__os_child_set_group(spawn->gid);
  if (err >= 0 && spawn->set_uid)
    err = rota__os_child_set_user(spawn->uid);
  return err;
}

int rota__os_child_become(const struct rota_os_spawn *spawn) {
  if (spawn->detached)
    setsid();
  int err = place_descriptors(spawn);
  if (err < 0)
    return err;
  if (spawn->cwd != NULL && chdir(spawn->cwd) != 0)
    return -errno;
  err = change_user(spawn);
  if (err < 0)
    return err;
  rota__os_child_reset_signals();
  return execute(spawn);
}

/* ---- in the parent ---- */

int rota__os_child_reap(pid_t pid) {
  int status;
  pid_t waited;
  do
    waited = waitpid(pid, &status, 0);
  while (rota__os_interrupted(waited));
  return waited < 0 ? -errno : status;
}

int rota__os_child_status(pid_t pid, int *status) {
  pid_t waited;
  do
    waited = waitpid(pid, status, WNOHANG);
  while (rota__os_interrupted(waited));
  return waited < 0 ? -errno : waited > 0;
}

bool rota__os_child_has_ended(pid_t pid) {
  siginfo_t info = {0};
  int result;
  do
    result = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT);
  while (rota__os_interrupted(result));
  return result < 0 || info.si_pid != 0;
}

void rota__os_child_kill(pid_t pid) {
  kill(pid, SIGKILL);
  rota__os_child_reap(pid);
}

void rota__os_cloexec_all(void) {
  if (rota__os_cloexec_range())
    return;
  /* The kernel assigns the lowest free descriptor, so a long gap means that there are no more. */
  for (int fd = 0, gap = 0; gap < 64; fd++)
    gap = rota__os_set_cloexec(fd, true) == 0 ? 0 : gap + 1;
}

/* ---- the program and its libraries ---- */

/* dl_iterate_phdr is in the C libraries of Linux, the BSDs and illumos; macOS has no such thing, and no ELF. */
bool rota__os_program_exports(const char *name) {
  return dlsym(RTLD_DEFAULT, name) != NULL;
}

#ifdef __APPLE__
bool rota__os_module_of(const void *address, struct rota_os_module *module) {
  Dl_info found;
  if (dladdr(address, &found) == 0)
    return false;
  *module = (struct rota_os_module){.base = (uintptr_t)found.dli_fbase, .path = found.dli_fname};
  return true;
}
#else
struct search {
  uintptr_t address;
  struct rota_os_module *module;
  unsigned int seen;
};

/* The program comes first. glibc gives it no name; musl gives it the one by which it was started, which may be
 * relative.
 */
static int on_module(struct dl_phdr_info *info, size_t size, void *data) {
  struct search *search = data;
  bool is_program = search->seen++ == 0 || info->dlpi_name == NULL;
  (void)size;
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    uintptr_t start = (uintptr_t)info->dlpi_addr + (uintptr_t)info->dlpi_phdr[i].p_vaddr;
    if (info->dlpi_phdr[i].p_type != PT_LOAD || search->address - start >= info->dlpi_phdr[i].p_memsz)
      continue;
    *search->module = (struct rota_os_module){
        .base = (uintptr_t)info->dlpi_addr,
        .path = is_program ? "" : info->dlpi_name,
    };
    return 1;
  }
  return 0;
}

bool rota__os_module_of(const void *address, struct rota_os_module *module) {
  struct search search = {.address = (uintptr_t)address, .module = module};
  return dl_iterate_phdr(on_module, &search) == 1;
}
#endif
