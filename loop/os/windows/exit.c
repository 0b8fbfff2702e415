/* The end of the process, while its threads still run.
 *
 * What a DLL gives to atexit is called when the DLL is unloaded: at the end of a process that is after the system has
 * ended all other threads, wherever they were, and a lock that one of them held is never released. So the functions are
 * given to the C libraries of the process themselves, whose exit calls them before. A program may have another C
 * library than this one, so all that are loaded are told. A program that ends without any of them (ExitProcess, a C
 * library of its own linked statically) ends as if it were killed.
 *
 * Invariant: the functions are called once, the last one first. */
#include "loop/os/process.h"

#include <stdatomic.h>

#include "loop/os/thread.h"
#include "uv.h"

enum { FUNCTIONS_MAX = 8 };

typedef int(__cdecl *exit_function)(void);
typedef void(__cdecl *exit_list)(exit_function function);

static void (*functions[FUNCTIONS_MAX])(void);
static _Atomic unsigned int count;

static int __cdecl run(void) {
  if (rota__os_threads_are_gone())
    return 0;
  for (unsigned int i = atomic_exchange(&count, 0); i > 0; i--)
    functions[i - 1]();
  return 0;
}

/* What takes a function for the end of the process, in each C library of Windows. */
static const struct {
  const WCHAR *library;
  const char *name;
} lists[] = {{L"msvcrt.dll", "_onexit"}, {L"ucrtbase.dll", "_crt_atexit"}, {L"ucrtbased.dll", "_crt_atexit"}};

static bool tell_libraries(void) {
  bool told = false;
  for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
    HMODULE library = GetModuleHandleW(lists[i].library);
    FARPROC list = library == NULL ? NULL : GetProcAddress(library, lists[i].name);
    if (list == NULL)
      continue;
    ((exit_list)(void (*)(void))list)(run);
    told = true;
  }
  return told;
}

int rota__os_at_exit(void (*function)(void)) {
  static SRWLOCK lock = SRWLOCK_INIT;
  static bool told;
  int err = UV_ENOMEM;
  AcquireSRWLockExclusive(&lock);
  unsigned int at = atomic_load(&count);
  if (!told) {
    told = tell_libraries();
    rota__os_stay_loaded();
  }
  if (at < FUNCTIONS_MAX) {
    functions[at] = function;
    atomic_store(&count, at + 1);
    err = told ? 0 : UV_ENOSYS;
  }
  ReleaseSRWLockExclusive(&lock);
  return err;
}
