/* What this process knows of itself, and its end. */
#include "loop/os/process.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/os/memory.h"
#include "loop/os/thread.h"
#include "loop/os/windows/convert.h"
#include "uv.h"

#include <shellapi.h>

enum { NAME_SIZE = 256 };

ssize_t rota__os_command_line(char *buffer, size_t size) {
  int count;
  size_t used = 0;
  WCHAR **arguments = CommandLineToArgvW(GetCommandLineW(), &count);
  if (arguments == NULL)
    return rota__os_last_error();
  for (int i = 0; i < count && used + 1 < size; i++) {
    size_t room = size - used;
    if (rota__os_narrow_give(arguments[i], -1, buffer + used, &room) == UV_ENOBUFS)
      room = strlen(buffer + used);
    used += room + 1;
  }
  LocalFree(arguments);
  return (ssize_t)used;
}

ssize_t rota__os_command_line_of(int process_id, char *buffer, size_t size) {
  (void)process_id;
  (void)buffer;
  (void)size;
  return UV_ENOTSUP;
}

ssize_t rota__os_program_path(char *buffer, size_t size) {
  size_t length = size; /* with the NUL, which is not counted */
  int err = uv_exepath(buffer, &length);
  return err < 0 ? err : (ssize_t)length;
}

/* Windows has no programs that have more rights than their user. The value is a block that stays, since the caller
 * keeps it; each variable is asked for once. The C library has the values in the code page of the system, where a path
 * may have no spelling. */
const char *rota__os_trusted_environment(const char *name) {
  WCHAR *wide_name, *value;
  char *text = NULL;
  if (rota__os_wide(name, &wide_name) < 0)
    return NULL;
  DWORD room = GetEnvironmentVariableW(wide_name, NULL, 0);
  value = room == 0 ? NULL : rota__malloc(room * sizeof(WCHAR));
  if (value != NULL && GetEnvironmentVariableW(wide_name, value, room) < room)
    (void)rota__os_narrow(value, -1, &text);
  rota__free(value);
  rota__free(wide_name);
  return text;
}

bool rota__os_program_exports(const char *name) {
  return GetProcAddress(GetModuleHandleW(NULL), name) != NULL;
}

const char *rota__os_program_name(void) {
  static char name[NAME_SIZE];
  WCHAR path[MAX_PATH];
  size_t size = NAME_SIZE;
  if (name[0] != '\0')
    return name;
  DWORD length = GetModuleFileNameW(NULL, path, MAX_PATH);
  const WCHAR *start = path + length;
  while (start > path && start[-1] != L'\\')
    start--;
  (void)rota__os_narrow_give(start, (ssize_t)(path + length - start), name, &size);
  return name;
}

int rota__os_process_id(void) {
  return (int)GetCurrentProcessId();
}

int rota__os_working_directory(char **path) {
  WCHAR wide[MAX_PATH + 1];
  DWORD length = GetCurrentDirectoryW(MAX_PATH + 1, wide);
  if (length == 0 || length > MAX_PATH)
    return length == 0 ? rota__os_last_error() : UV_ENAMETOOLONG;
  size_t size = uv_utf16_length_as_wtf8((const uint16_t *)wide, (ssize_t)length) + 1;
  *path = malloc(size);
  return *path == NULL ? UV_ENOMEM : rota__os_narrow_give(wide, (ssize_t)length, *path, &size);
}

bool rota__os_process_is_busy(pid_t pid) {
  (void)pid;
  return false;
}

/* No process becomes another program here. */
uint64_t rota__os_process_begun_ns(void) {
  return UINT64_MAX;
}

/* In no header: whether the process is being ended. */
BOOLEAN NTAPI RtlDllShutdownInProgress(void);

bool rota__os_threads_are_gone(void) {
  return RtlDllShutdownInProgress();
}

/* ---- functions that the process calls at its end ----
 *
 * The end of the process, while its threads still run.
 *
 * What a DLL gives to atexit is called when the DLL is unloaded: at the end of a process that is after the system has
 * ended all other threads, wherever they were, and a lock that one of them held is never released. So the functions are
 * given to the C libraries of the process themselves, whose exit calls them before. A program may have another C
 * library than this one, so all that are loaded are told. A program that ends without any of them (ExitProcess, a C
 * library of its own linked statically) ends as if it were killed.
 *
 * Invariant: the functions are called once, the last one first. */

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
