#include "loop/os/signal.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof(signals) / sizeof(signals[0]) };

static struct sigaction former[SIGNALS];
static void (*on_ending)(void);
static atomic_flag is_ending = ATOMIC_FLAG_INIT;

/* The signal is blocked while this runs: what is raised comes when it has returned, to the former handler. */
static void handle(int signum) {
  int saved = errno;
  if (!atomic_flag_test_and_set(&is_ending))
    on_ending();
  for (unsigned int i = 0; i < SIGNALS; i++)
    if (signals[i] == signum)
      sigaction(signum, &former[i], NULL);
  raise(signum);
  errno = saved;
}

void rota__os_ending_handle(void (*function)(void)) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
  on_ending = function;
  sigfillset(&action.sa_mask);
  for (unsigned int i = 0; i < SIGNALS; i++) {
    struct sigaction now;
    if (sigaction(signals[i], NULL, &now) != 0)
      continue;
    bool is_ours = !(now.sa_flags & SA_SIGINFO) && now.sa_handler == handle;
    bool is_ignored = !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_IGN;
    if (is_ours || is_ignored)
      continue;
    former[i] = now;
    sigaction(signals[i], &action, NULL);
  }
}
