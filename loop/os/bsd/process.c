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
#include <unistd.h>
#ifdef __APPLE__
#include <crt_externs.h>
#endif

#include "loop/os/file.h"
#include "loop/os/outcome.h"
#include "loop/os/signal.h"

#ifndef __APPLE__
extern char **environ __attribute__((weak)); /* the program's beginning has it: a library finds it there */
#endif

/* ---- in the child ---- */

int rota__os_child_open_null(int flags) {
  return rota__os_open_cloexec("/dev/null", flags);
}

int rota__os_child_duplicate(int fd, int at) {
  return (int)rota__os_outcome(dup2(fd, at));
}

void rota__os_child_close(int fd) {
  close(fd);
}

int rota__os_child_set_user(uid_t uid) {
  return (int)rota__os_outcome(setuid(uid));
}

int rota__os_child_set_group(gid_t gid) {
  return (int)rota__os_outcome(setgid(gid));
}

void rota__os_child_drop_groups(void) {
  (void)!setgroups(0, NULL);
}

void rota__os_child_reset_signals(void) {
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigset_t none;
  sigemptyset(&usual.sa_mask);
  for (int signum = 1; signum < NSIG; signum++)
    sigaction(signum, &usual, NULL); /* a few signals cannot be changed, which does no harm */
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* ---- in the parent ---- */

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
    err = rota__os_child_become(spawn);
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
    rota__os_child_reap(child);
  return err;
}

/* Each of these systems has a structure of its own for it: nobody knows, so time may move while the other computes. */
bool rota__os_process_is_busy(pid_t pid) {
  (void)pid;
  return false;
}

uint64_t rota__os_process_begun_ns(void) {
  return UINT64_MAX;
}

char **rota__os_environment(void) {
#ifdef __APPLE__
  return *_NSGetEnviron(); /* a library has no variable of that name */
#else
  return environ;
#endif
}

bool rota__os_cloexec_range(void) {
  return false; /* there is no call for it */
}
