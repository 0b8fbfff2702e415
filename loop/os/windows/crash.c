/* Faults that end a process: the system's filter for exceptions that nobody handles. */
#include "loop/os/signal.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

#include "uv.h"

static const struct {
  DWORD code;
  int signum;
  const char *name;
} faults[] = {
    {EXCEPTION_ACCESS_VIOLATION, SIGSEGV, "SIGSEGV"},    {EXCEPTION_STACK_OVERFLOW, SIGSEGV, "SIGSEGV"},
    {EXCEPTION_ILLEGAL_INSTRUCTION, SIGILL, "SIGILL"},   {EXCEPTION_INT_DIVIDE_BY_ZERO, SIGFPE, "SIGFPE"},
    {EXCEPTION_FLT_INVALID_OPERATION, SIGFPE, "SIGFPE"}, {0, SIGABRT, "SIGABRT"},
};

enum { FAULTS = sizeof(faults) / sizeof(faults[0]), PAUSE_MS = 2 };

static void (*on_crash)(int signum);
static LPTOP_LEVEL_EXCEPTION_FILTER former;
static atomic_flag has_crashed = ATOMIC_FLAG_INIT;

static LONG WINAPI filter(EXCEPTION_POINTERS *exception) {
  int signum = SIGABRT;
  for (int i = 0; i < FAULTS; i++)
    if (faults[i].code == exception->ExceptionRecord->ExceptionCode)
      signum = faults[i].signum;
  if (!atomic_flag_test_and_set(&has_crashed))
    on_crash(signum);
  return former == NULL ? EXCEPTION_CONTINUE_SEARCH : former(exception);
}

void rota__os_crash_handle(void (*function)(int signum)) {
  on_crash = function;
  LPTOP_LEVEL_EXCEPTION_FILTER now = SetUnhandledExceptionFilter(filter);
  if (now != filter)
    former = now;
}

int rota__os_on_exit(void (*function)(int status, void *data)) {
  (void)function;
  return UV_ENOTSUP;
}

void rota__os_crash_pause(void) {
  Sleep(PAUSE_MS);
}

const char *rota__os_crash_name(int signum) {
  for (int i = 0; i < FAULTS; i++)
    if (faults[i].signum == signum)
      return faults[i].name;
  return "a signal";
}
