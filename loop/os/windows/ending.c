/* The end of a program that the console asks for: Ctrl-C, Ctrl-Break, a window that is closed. */
#include "loop/os/signal.h"

#include <stdatomic.h>
#include <stddef.h>

#include "uv.h"

static void (*on_ending)(void);
static atomic_flag is_ending = ATOMIC_FLAG_INIT;

/* On a thread that the system makes for it. FALSE: the handlers that came before are called, the last of which ends the
 * process. Handlers that come later are called first, and may keep the program alive. */
static BOOL WINAPI handle(DWORD event) {
  (void)event;
  if (!atomic_flag_test_and_set(&is_ending))
    on_ending();
  return FALSE;
}

void rota__os_ending_handle(void (*function)(void)) {
  on_ending = function;
  SetConsoleCtrlHandler(handle, TRUE);
}
