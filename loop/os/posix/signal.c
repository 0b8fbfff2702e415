#include "loop/os/signal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include "loop/base/check.h"
#include "loop/os/memory.h"

/* ---- handlers and masks ---- */

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

/* ---- the signals that end a program ---- */

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof(signals) / sizeof(signals[0]) };

static struct sigaction former_endings[SIGNALS];
static void (*on_ending)(void);
static atomic_flag is_ending = ATOMIC_FLAG_INIT;

/* The signal is blocked while this runs: what is raised comes when it has returned, to the former_endings handler. */
static void handle_ending(int signum) {
  int saved = errno;
  if (!atomic_flag_test_and_set(&is_ending))
    on_ending();
  for (unsigned int i = 0; i < SIGNALS; i++)
    if (signals[i] == signum)
      sigaction(signum, &former_endings[i], NULL);
  raise(signum);
  errno = saved;
}

void rota__os_ending_handle(void (*function)(void)) {
  struct sigaction action = {.sa_handler = handle_ending, .sa_flags = SA_RESTART};
  on_ending = function;
  sigfillset(&action.sa_mask);
  for (unsigned int i = 0; i < SIGNALS; i++) {
    struct sigaction now;
    if (sigaction(signals[i], NULL, &now) != 0)
      continue;
    bool is_ours = !(now.sa_flags & SA_SIGINFO) && now.sa_handler == handle_ending;
    bool is_ignored = !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_IGN;
    if (is_ours || is_ignored)
      continue;
    former_endings[i] = now;
    sigaction(signals[i], &action, NULL);
  }
}

/* ---- crashes ---- */

enum { STACK = 64 * 1024, PAUSE_NS = 2 * 1000 * 1000 };

static const struct {
  int signum;
  const char *name;
} faults[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGILL, "SIGILL"},
              {SIGFPE, "SIGFPE"},   {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"}};
enum { FAULTS = sizeof(faults) / sizeof(faults[0]) };

static struct sigaction former_faults[FAULTS];
static void (*on_crash)(int signum);
static atomic_flag has_crashed = ATOMIC_FLAG_INIT;

static bool is_function(const struct sigaction *action) {
  return (action->sa_flags & SA_SIGINFO) != 0 || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

static bool is_default(int signum) {
  struct sigaction now;
  return sigaction(signum, NULL, &now) == 0 && !is_function(&now);
}

static void call_handler(const struct sigaction *action, int signum, siginfo_t *info, void *context) {
  if (action->sa_flags & SA_SIGINFO)
    action->sa_sigaction(signum, info, context);
  else
    action->sa_handler(signum);
}

/* Whether another handler takes it for its own. One that came after us, and that we came after again, calls us: it does
 * not. */
static bool is_taken(int signum, siginfo_t *info, void *context) {
  static _Thread_local bool is_asking;
  if (is_asking)
    return false;
  for (unsigned int i = 0; i < FAULTS; i++) {
    if (faults[i].signum != signum || !is_function(&former_faults[i]))
      continue;
    is_asking = true;
    call_handler(&former_faults[i], signum, info, context);
    is_asking = false;
    return !is_default(signum);
  }
  return false;
}

static void handle_fault(int signum, siginfo_t *info, void *context) {
  int saved = errno;
  if (is_taken(signum, info, context)) {
    errno = saved;
    return;
  }
  if (!atomic_flag_test_and_set(&has_crashed))
    on_crash(signum);
  /* A fault happens again when the handler has returned. What was sent does not. */
  signal(signum, SIG_DFL);
  if (info->si_code <= 0)
    raise(signum);
  errno = saved;
}

static void give_stack(void) {
  stack_t now;
  void *memory;
  if (sigaltstack(NULL, &now) == 0 && (now.ss_flags & SS_DISABLE) && rota__os_map(&memory, STACK) == 0) {
    now = (stack_t){.ss_sp = memory, .ss_size = STACK};
    sigaltstack(&now, NULL);
  }
}

void rota__os_crash_handle(void (*function)(int signum)) {
  struct sigaction action = {.sa_sigaction = handle_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  struct sigaction now;
  on_crash = function;
  sigfillset(&action.sa_mask);
  give_stack();
  for (unsigned int i = 0; i < FAULTS; i++) {
    if (sigaction(faults[i].signum, NULL, &now) != 0 || (!is_function(&now) && now.sa_handler == SIG_IGN) ||
        ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handle_fault))
      continue;
    former_faults[i] = now;
    sigaction(faults[i].signum, &action, NULL);
  }
}

int rota__os_on_exit(void (*function)(int status, void *data)) {
#if defined(__GLIBC__)
  return on_exit(function, NULL) == 0 ? 0 : -ENOMEM;
#else
  (void)function;
  return -ENOTSUP;
#endif
}

void rota__os_crash_pause(void) {
  const struct timespec pause = {.tv_nsec = PAUSE_NS};
  nanosleep(&pause, NULL);
}

const char *rota__os_crash_name(int signum) {
  for (unsigned int i = 0; i < FAULTS; i++)
    if (faults[i].signum == signum)
      return faults[i].name;
  return "a signal";
}
