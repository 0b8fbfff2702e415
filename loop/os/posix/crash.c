#include "loop/os/signal.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include "loop/os/memory.h"

enum { STACK = 64 * 1024, PAUSE_NS = 2 * 1000 * 1000 };

static const struct {
  int signum;
  const char *name;
} faults[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGILL, "SIGILL"},
              {SIGFPE, "SIGFPE"},   {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"}};
enum { FAULTS = sizeof(faults) / sizeof(faults[0]) };

static struct sigaction former[FAULTS];
static void (*on_crash)(int signum);
static atomic_flag has_crashed = ATOMIC_FLAG_INIT;

static bool is_function(const struct sigaction *action) {
  return (action->sa_flags & SA_SIGINFO) != 0 || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

static bool is_default(int signum) {
  struct sigaction now;
  return sigaction(signum, NULL, &now) == 0 && !is_function(&now);
}

static void call(const struct sigaction *action, int signum, siginfo_t *info, void *context) {
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
    if (faults[i].signum != signum || !is_function(&former[i]))
      continue;
    is_asking = true;
    call(&former[i], signum, info, context);
    is_asking = false;
    return !is_default(signum);
  }
  return false;
}

static void handle(int signum, siginfo_t *info, void *context) {
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
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  struct sigaction now;
  on_crash = function;
  sigfillset(&action.sa_mask);
  give_stack();
  for (unsigned int i = 0; i < FAULTS; i++) {
    if (sigaction(faults[i].signum, NULL, &now) != 0 || (!is_function(&now) && now.sa_handler == SIG_IGN) ||
        ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handle))
      continue;
    former[i] = now;
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
