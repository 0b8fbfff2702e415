/* Starting a program without copying its parent.
 *
 * The child is a clone that shares our memory and has a stack of its own. This thread is suspended until the child has
 * executed another program or ended. So the cost does not grow with our memory, and the child reports an error by
 * writing it to memory (and to a pipe, until it is known that the memory is shared). In return, the child may only make
 * system calls: it shares the data of our other threads, and the C library takes it for this thread. So does
 * ThreadSanitizer, which would take a descriptor that the child closes, or a handler that it resets, for one of ours.
 * Therefore the child calls the kernel directly. All signals are blocked around it, and it resets every handler before
 * it unblocks any, so that no handler of ours can run in it.
 *
 * A fork takes its place for a library that has handlers for forks (fork_handlers.c): they run in forks only. */
#include "loop/os/process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "loop/os/file.h"
#include "loop/os/outcome.h"
#include "loop/os/signal.h"

enum { STACK_SIZE = 64 * 1024 };

struct attempt {
  const struct rota_os_spawn *spawn;
  volatile bool began; /* written by the child: the memory is shared indeed */
  volatile int error;
  int pipe; /* to write the error to, if it is not; -1: none */
};

/* ---- in the child ---- */

/* The C library's functions would change the user of all threads of the parent, too. */
int rota__os_child_set_user(uid_t uid) {
#ifdef SYS_setuid32
  return (int)rota__os_outcome(syscall(SYS_setuid32, uid));
#else
  return (int)rota__os_outcome(syscall(SYS_setuid, uid));
#endif
}

int rota__os_child_set_group(gid_t gid) {
#ifdef SYS_setgid32
  return (int)rota__os_outcome(syscall(SYS_setgid32, gid));
#else
  return (int)rota__os_outcome(syscall(SYS_setgid, gid));
#endif
}

void rota__os_child_drop_groups(void) {
#ifdef SYS_setgroups32
  syscall(SYS_setgroups32, 0, NULL);
#else
  syscall(SYS_setgroups, 0, NULL);
#endif
}

int rota__os_child_open_null(int flags) {
  int fd;
  do
    fd = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", flags | O_CLOEXEC);
  while (rota__os_interrupted(fd));
  return (int)rota__os_outcome(fd);
}

int rota__os_child_duplicate(int fd, int at) {
  return (int)rota__os_outcome(syscall(SYS_dup3, fd, at, 0));
}

void rota__os_child_close(int fd) {
  syscall(SYS_close, fd);
}

void rota__os_child_reset_signals(void) {
  static const char nothing[64]; /* the kernel's struct sigaction with the default handler, and an empty set */
  for (int signum = 1; signum <= ROTA_OS_SIGNAL_MAX; signum++)
    syscall(SYS_rt_sigaction, signum, nothing, NULL,
            ROTA_OS_SIGNAL_MAX / 8); /* a few signals cannot be changed, which does no harm */
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, nothing, NULL, ROTA_OS_SIGNAL_MAX / 8);
}

static int child_main(void *argument) {
  struct attempt *attempt = argument;
  attempt->began = true;
  int err = rota__os_child_become(attempt->spawn);
  attempt->error = err;
  if (attempt->pipe >= 0)
    syscall(SYS_write, attempt->pipe, &err, sizeof(err));
  _exit(127);
}

/* ---- in the parent ---- */

/* glibc's clone under its other name. ThreadSanitizer replaces the first with its own, which takes every child for a
 * fork, and the parent would take itself for the child. Other C libraries keep the other name to themselves. */
#ifdef __GLIBC__
int __clone(int (*function)(void *), void *stack, int flags, void *argument, ...);
#else
#define __clone clone
#endif

bool rota__os_has_pidfd(void) {
#ifdef ROTA_WITHOUT_PIDFD /* a test build, for pollers that wait for children themselves */
  static _Atomic signed char answer = -1;
#else
  static _Atomic signed char answer; /* 0: not asked yet */
#endif
  int fd;
  if (answer == 0) {
    fd = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (fd < 0 && (errno == EMFILE || errno == ENFILE))
      return true; /* the kernel knows the call, and refused only the argument */
    if (fd >= 0)
      rota__os_close(fd);
    answer = fd >= 0 ? 1 : -1;
  }
  return answer > 0;
}

/* One stack is kept for the next child: mapping, zeroing and unmapping one each time takes a tenth of the time of a
 * spawn. Children that other threads start at the same time get stacks of their own. */
static _Atomic(char *) kept_stack;

static char *take_stack(void) {
  char *stack = atomic_exchange(&kept_stack, NULL);
  if (stack != NULL)
    return stack;
  stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  return stack == MAP_FAILED ? NULL : stack;
}

static void give_stack_back(char *stack) {
  stack = atomic_exchange(&kept_stack, stack);
  if (stack != NULL)
    munmap(stack, STACK_SIZE);
}

__attribute__((destructor)) static void release_stack(void) {
  char *stack = atomic_exchange(&kept_stack, NULL);
  if (stack != NULL)
    munmap(stack, STACK_SIZE);
}

/* Emulators (qemu-user) make a fork of such a clone: the child has a copy of our memory, and we are not suspended.
 * There its error comes through a pipe, which ends when the program runs. Which of the two it is, the first child
 * shows. */
static _Atomic bool memory_is_shared;

static int outcome_of(const struct attempt *attempt, int fds[2]) {
  int err = 0;
  if (attempt->began) {
    memory_is_shared = true;
    return attempt->error;
  }
  if (fds[1] < 0)
    return 0;
  rota__os_close(fds[1]);
  fds[1] = -1;
  return rota__os_read(fds[0], &err, sizeof(err)) == (ssize_t)sizeof(err) ? err : 0;
}

static void close_pipe(const int fds[2]) {
  for (int i = 0; i < 2; i++)
    if (fds[i] >= 0)
      rota__os_close(fds[i]);
}

/* Returns the child's number, or a negative number, and errno. */
static pid_t make_clone(struct attempt *attempt, char *stack, int *pidfd) {
  const int flags = CLONE_VM | CLONE_VFORK | SIGCHLD;
  pid_t pid = __clone(child_main, stack + STACK_SIZE, flags | (rota__os_has_pidfd() ? CLONE_PIDFD : 0), attempt, pidfd);
  if (pid < 0 && errno == EINVAL) /* some sandboxes allow only one of the two */
    pid = __clone(child_main, stack + STACK_SIZE, flags, attempt);
  return pid;
}

static pid_t make_fork(struct attempt *attempt, int *pidfd) {
  pid_t pid = fork();
  if (pid == 0)
    child_main(attempt);
  if (pid > 0 && rota__os_has_pidfd())
    *pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
  return pid;
}

int rota__os_spawn(const struct rota_os_spawn *spawn, pid_t *pid, int *pidfd) {
  const bool copied = rota__os_has_fork_handlers(spawn->caller);
  struct attempt attempt = {.spawn = spawn};
  int fds[2] = {-1, -1};
  int saved_errno = errno;
  int cancel_state, err;
  sigset_t saved_mask;
  char *stack = NULL;
  *pid = 0;
  *pidfd = -1;
  if (copied || !memory_is_shared) {
    err = rota__os_pipe_above(fds, spawn->fd_count);
    if (err < 0 && copied)
      return err;
    if (err < 0)
      fds[0] = fds[1] = -1;
  }
  if (!copied && (stack = take_stack()) == NULL) {
    close_pipe(fds);
    return -ENOMEM;
  }
  attempt.pipe = fds[1];
  /* The child would act on a cancellation of this thread. */
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
  rota__os_signals_block(&saved_mask);
  *pid = copied ? make_fork(&attempt, pidfd) : make_clone(&attempt, stack, pidfd);
  err = *pid < 0 ? -errno : 0;
  rota__os_signals_restore(&saved_mask);
  if (*pid > 0)
    err = outcome_of(&attempt, fds);
  close_pipe(fds);
  pthread_setcancelstate(cancel_state, NULL);
  if (stack != NULL)
    give_stack_back(stack);
  if (*pid < 0) {
    *pid = 0;
  } else if (err < 0) {
    rota__os_child_reap(*pid);
    if (*pidfd >= 0)
      rota__os_close(*pidfd);
    *pidfd = -1;
  }
  errno = saved_errno;
  return err;
}

int rota__os_pidfd_kill(int pidfd, int signum) {
  return syscall(SYS_pidfd_send_signal, pidfd, signum, NULL, 0) == 0 ? 0 : -errno;
}

char **rota__os_environment(void) {
  return environ;
}

bool rota__os_cloexec_range(void) {
#ifdef SYS_close_range
  enum { RANGE_CLOEXEC = 1 << 2 };
  return syscall(SYS_close_range, 0u, ~0u, RANGE_CLOEXEC) == 0;
#else
  return false;
#endif
}
