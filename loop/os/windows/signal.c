/* Signals: events of the console, which come on a thread that the system makes for each of them.
 *
 * Other signals can be watched and never come, as with libuv. There are no masks, and no forks. */
#include "loop/os/signal.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

#include "uv.h"

/* ---- signals ---- */

static _Atomic(rota_os_signal_function) functions[ROTA_OS_SIGNAL_MAX + 1];
static _Atomic bool once[ROTA_OS_SIGNAL_MAX + 1];

static bool deliver(int signum) {
  rota_os_signal_function function = atomic_load(&functions[signum]);
  if (function == NULL)
    return false;
  if (atomic_load(&once[signum]))
    atomic_store(&functions[signum], NULL);
  function(signum);
  return true;
}

/* False: the next handler is asked, and the last one ends the process. */
static BOOL WINAPI on_event(DWORD event) {
  switch (event) {
  case CTRL_C_EVENT:
    return deliver(SIGINT);
  case CTRL_BREAK_EVENT:
    return deliver(SIGBREAK);
  case CTRL_CLOSE_EVENT:
    if (!deliver(SIGHUP))
      return FALSE;
    /* The process ends when this returns, or after some seconds: the loop has these. */
    Sleep(INFINITE);
    return TRUE;
  default: /* the user logs off: programs get no time for that */
    return FALSE;
  }
}

static void install(void) {
  SetConsoleCtrlHandler(on_event, TRUE);
}

int rota__os_signal_handle(int signum, rota_os_signal_function function, bool is_once) {
  static uv_once_t installed = UV_ONCE_INIT;
  uv_once(&installed, install);
  atomic_store(&once[signum], is_once);
  atomic_store(&functions[signum], function);
  return 0;
}

int rota__os_signal_default(int signum) {
  atomic_store(&functions[signum], NULL);
  return 0;
}

bool rota__os_signal_is_default(int signum) {
  return atomic_load(&functions[signum]) == NULL;
}

int rota__os_signal_keep_children(void) {
  return 0;
}

void rota__os_signals_block(sigset_t *saved) {
  *saved = 0;
}

void rota__os_signals_restore(const sigset_t *saved) {
  (void)saved;
}

/* It is held for some hundred instructions. */
void rota__os_signal_lock(struct rota_os_signal_lock *lock, sigset_t *saved) {
  if (saved != NULL)
    *saved = 0;
  while (atomic_exchange_explicit(&lock->state, 1, memory_order_acquire) != 0)
    SwitchToThread();
}

void rota__os_signal_unlock(struct rota_os_signal_lock *lock, const sigset_t *saved) {
  (void)saved;
  atomic_store_explicit(&lock->state, 0, memory_order_release);
}

int rota__os_signal_of_profilers(int signum, const sigset_t **set) {
  (void)signum;
  (void)set;
  return UV_ENOSYS;
}

void rota__os_at_fork(struct rota_os_fork_handler *handler) {
  (void)handler; /* no process is a copy of another */
}

void rota__os_finish_fork(void) {
}

/* ---- the end of a program ----
 *
 * The end of a program that the console asks for: Ctrl-C, Ctrl-Break, a window that is closed. */

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

/* ---- crashes ----
 *
 * Faults that end a process: the system's filter for exceptions that nobody handles. */

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
