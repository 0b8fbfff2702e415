/* SIGUSR1. Node starts its debugger when it gets this signal; senders rely on Node not ending. There is no debugger
 * here, but the signal must not end the program either: a line says so, unless --disable-sigusr1 was given.
 *
 * A listener of the program replaces this handler. A handler, unlike an ignored signal, is not inherited by child
 * processes. */
#include "runtime/options/table.h"
#include "runtime/order/env.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static bool silent;

static void on_signal(int number) {
  static const char text[] = "rota: SIGUSR1 starts a debugger on Node; there is none here\n";
  int before = errno;
  (void)number;
  if (!silent && write(STDERR_FILENO, text, sizeof text - 1) < 0)
    silent = true; /* the error cannot be reported */
  errno = before;
}

void js_debug_signal_begin(const struct js_options *options) {
  silent = js_words_has(&options->words, "disable-sigusr1");
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
}
