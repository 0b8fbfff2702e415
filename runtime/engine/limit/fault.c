/* SIGSEGV and SIGBUS. The engine has handlers of these, because its own code may fault on purpose. When a fault is not
 * its own and the program had no handler before, the engine resets the signal and returns: the faulting instruction
 * runs again, and ends the program. A signal that was sent (kill, process.kill) has no such instruction, so the program
 * went on as if nothing had come.
 *
 * A handler of ours that is there first is called by the engine instead. It ends the program in both cases. */
#include "runtime/engine/limit/fault.h"

#include <signal.h>
#include <stddef.h>

static void on_signal(int number, siginfo_t *info, void *place) {
  (void)place;
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigaction(number, &usual, NULL);
  if (info->si_code <= 0) /* it was sent: no instruction brings it again */
    raise(number);
}

void js_fault_signals_end_program(void) {
  static const int signals[] = {SIGSEGV, SIGBUS};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    struct sigaction before, ours = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
    if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL) /* a sanitizer's stays */
      sigaction(signals[i], &ours, NULL);
  }
}
