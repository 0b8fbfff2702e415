#include "loop/os/signal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

#include "loop/base/check.h"

static _Atomic(rota_os_signal_function) handler_function;

/* The interrupted code may read errno next. */
static void handle(int signum) {
  int saved = errno;
  rota_os_signal_function function = atomic_load_explicit(&handler_function, memory_order_acquire);
  if (function != NULL)
    function(signum);
  errno = saved;
}

int rota__os_signal_handle(int signum, rota_os_signal_function function, bool once) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART | (once ? (int)SA_RESETHAND : 0)};
  atomic_store_explicit(&handler_function, function, memory_order_release);
  sigfillset(&action.sa_mask);
  return sigaction(signum, &action, NULL) == 0 ? 0 : -errno;
}

int rota__os_signal_default(int signum) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigemptyset(&action.sa_mask);
  return sigaction(signum, &action, NULL) == 0 ? 0 : -errno;
}

bool rota__os_signal_is_default(int signum) {
  struct sigaction action;
  return sigaction(signum, NULL, &action) == 0 && !(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_DFL;
}

int rota__os_signal_keep_children(void) {
  struct sigaction action;
  if (sigaction(SIGCHLD, NULL, &action) != 0)
    return -errno;
  if (action.sa_handler != SIG_IGN && !(action.sa_flags & SA_NOCLDWAIT))
    return 0;
  if (action.sa_handler == SIG_IGN)
    action.sa_handler = SIG_DFL;
  action.sa_flags &= ~SA_NOCLDWAIT;
  return sigaction(SIGCHLD, &action, NULL) == 0 ? 0 : -errno;
}

int rota__os_kill(pid_t pid, int signum) {
  return kill(pid, signum) == 0 ? 0 : -errno;
}

void rota__os_signals_block(sigset_t *saved) {
  sigset_t all;
  sigfillset(&all);
  rota__check(pthread_sigmask(SIG_SETMASK, &all, saved) == 0);
}

void rota__os_signals_restore(const sigset_t *saved) {
  rota__check(pthread_sigmask(SIG_SETMASK, saved, NULL) == 0);
}

int rota__os_signal_of_profilers(int signum, const sigset_t **set) {
  static sigset_t profiling;
  if (signum != SIGPROF)
    return -EINVAL;
  sigemptyset(&profiling);
  sigaddset(&profiling, SIGPROF);
  *set = &profiling;
  return 0;
}
