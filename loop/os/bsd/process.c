/* Starting a program: fork, and exec in the child. A pipe that closes itself on exec carries the child's error to its
 * parent; when it ends without a byte, the program runs. All signals are blocked around the fork, and the child resets
 * every handler before it unblocks any, so that no handler of ours runs in it. Between fork and exec the child makes
 * only calls that a signal handler could make, too: other threads may have held locks. */
#include "loop/os/process.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __APPLE__
#include <crt_externs.h>
#endif

#include "loop/os/fd.h"
#include "loop/os/outcome.h"
#include "loop/os/signal.h"

#ifndef __APPLE__
extern char **environ __attribute__((weak)); /* the program's beginning has it: a library finds it there */
#endif

/* ---- in the child ---- */

static int place_one(int fd, int at) {
  if (fd == at)
    return fcntl(fd, F_SETFD, 0) < 0 ? -errno : 0;
  return dup2(fd, at) < 0 ? -errno : 0;
}

static int place_descriptors(const struct rota_os_spawn *spawn) {
  int *fds = spawn->fds;
  /* First, every descriptor that stands where another one must go is moved away: then the order does not matter. */
  for (int i = 0; i < spawn->fd_count; i++) {
    if (fds[i] < 0 || fds[i] >= spawn->fd_count || fds[i] == i)
      continue;
    fds[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, spawn->fd_count);
    if (fds[i] < 0)
      return -errno;
  }
  for (int i = 0; i < spawn->fd_count; i++) {
    int fd = fds[i];
    if (fd < 0) {
      if (i >= 3)
        continue;
      fd = rota__os_open_cloexec("/dev/null", i == 0 ? O_RDONLY : O_RDWR);
      if (fd < 0)
        return fd;
    }
    int err = place_one(fd, i);
    if (err < 0)
      return err;
    if (fds[i] < 0 && fd != i)
      close(fd);
    if (i < 3 && fds[i] >= 0) { /* few programs expect that their standard descriptors do not block */
      int flags = fcntl(i, F_GETFL);
      if (flags >= 0 && (flags & O_NONBLOCK))
        fcntl(i, F_SETFL, flags & ~O_NONBLOCK);
    }
  }
  return 0;
}

static void reset_signals(void) {
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigset_t none;
  sigemptyset(&usual.sa_mask);
  for (int signum = 1; signum < NSIG; signum++)
    sigaction(signum, &usual, NULL); /* a few signals cannot be changed, which does no harm */
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* As execvp, but a file that the kernel cannot execute is an error and not a shell script. */
static int execute(const struct rota_os_spawn *spawn) {
  int err = -ENOENT;
  bool denied = false;
  for (char *const *file = spawn->files; *file != NULL; file++) {
    execve(*file, spawn->args, spawn->env);
    err = -errno;
    if (err == -EACCES)
      denied = true;
    else if (err != -ENOENT && err != -ENOTDIR && err != -ESTALE && err != -ETIMEDOUT)
      return err;
  }
  return denied ? -EACCES : err;
}

static int become(const struct rota_os_spawn *spawn) {
  if (spawn->detached)
    setsid();
  int err = place_descriptors(spawn);
  if (err < 0)
    return err;
  if (spawn->cwd != NULL && chdir(spawn->cwd) != 0)
    return -errno;
  /* Without this, the child would keep root's groups after it has changed its user. A process that is not root may not
   * call it, and need not. */
  if (spawn->set_uid || spawn->set_gid)
    (void)!setgroups(0, NULL);
  if (spawn->set_gid && setgid(spawn->gid) != 0)
    return -errno;
  if (spawn->set_uid && setuid(spawn->uid) != 0)
    return -errno;
  reset_signals();
  return execute(spawn);
}

/* ---- in the parent ---- */

static int reap(pid_t pid) {
  int status;
  pid_t waited;
  do
    waited = waitpid(pid, &status, 0);
  while (rota__os_interrupted(waited));
  return waited < 0 ? -errno : status;
}

bool rota__os_has_pidfd(void) {
  return false; /* the poller waits for children */
}

int rota__os_pidfd_kill(int pidfd, int signum) {
  (void)pidfd;
  (void)signum;
  return -ENOSYS;
}

int rota__os_spawn(const struct rota_os_spawn *spawn, pid_t *pid, int *pidfd) {
  sigset_t saved;
  int fds[2], err, child_error = 0;
  *pid = 0;
  *pidfd = -1;
  err = rota__os_pipe_above(fds, spawn->fd_count); /* the child's own descriptors go below */
  if (err < 0)
    return err;
  rota__os_signals_block(&saved);
  pid_t child = fork();
  if (child == 0) {
    err = become(spawn);
    (void)!write(fds[1], &err, sizeof(err));
    _exit(127);
  }
  err = child < 0 ? -errno : 0;
  rota__os_signals_restore(&saved);
  rota__os_close(fds[1]);
  if (err == 0 && rota__os_read(fds[0], &child_error, sizeof(child_error)) == (ssize_t)sizeof(child_error))
    err = child_error;
  rota__os_close(fds[0]);
  if (child > 0)
    *pid = child;
  if (child > 0 && err < 0)
    reap(child);
  return err;
}

int rota__os_child_status(pid_t pid, int *status) {
  pid_t waited;
  do
    waited = waitpid(pid, status, WNOHANG);
  while (rota__os_interrupted(waited));
  return waited < 0 ? -errno : waited > 0;
}

void rota__os_child_kill(pid_t pid) {
  kill(pid, SIGKILL);
  reap(pid);
}

/* Each of these systems has a structure of its own for it: nobody knows, so time may move while the other computes. */
bool rota__os_process_is_busy(pid_t pid) {
  (void)pid;
  return false;
}

char **rota__os_environment(void) {
#ifdef __APPLE__
  return *_NSGetEnviron(); /* a library has no variable of that name */
#else
  return environ;
#endif
}

void rota__os_cloexec_all(void) {
  /* The kernel assigns the lowest free descriptor, so a long gap means that there are no more. */
  for (int fd = 0, gap = 0; gap < 64; fd++)
    gap = rota__os_set_cloexec(fd, true) == 0 ? 0 : gap + 1;
}
