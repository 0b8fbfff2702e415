/* rota-graft.dll: replaces the libuv that is linked into Node for Windows by librota.
 *
 * The one that starts the program loads this library into it before its first instruction (start.c), and calls
 * graft_begin. The functions of libuv that the program exports get a jump to those of librota.dll, which is beside this
 * library: all of them, or none. What the program starts gets the library, too (hook.c). A shell has no libuv; only
 * what it starts is of interest.
 *
 * ROTA_GRAFT: 0 does nothing; say prints one line if a libuv was not replaced, with the reason; require makes that an
 * error and exits; verbose also prints what was done; probe does the same and ends the program before it begins. */
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "inject/windows/hook.h"
#include "inject/windows/plan.h"

enum { EXIT_REFUSED = 127, PATH_UNITS = 32768 };

static HMODULE own_module;
static struct graft_plan plan;

static bool how_is(const char *word) {
  char how[16];
  DWORD length = GetEnvironmentVariableA("ROTA_GRAFT", how, sizeof how);
  return length > 0 && length < sizeof how && strcmp(how, word) == 0;
}

/* The full path of a file beside this library, in a block that stays; null: it is not known. */
static WCHAR *beside(const WCHAR *file) {
  static WCHAR path[PATH_UNITS];
  DWORD length = GetModuleFileNameW(own_module, path, PATH_UNITS);
  WCHAR *slash = wcsrchr(path, L'\\');
  if (length == 0 || length >= PATH_UNITS || slash == NULL || (size_t)(slash - path) + wcslen(file) + 2 > PATH_UNITS)
    return NULL;
  wcscpy(slash + 1, file);
  return path;
}

static HMODULE open_library(void) {
  const WCHAR *path = beside(L"librota.dll");
  HMODULE library = path != NULL ? LoadLibraryExW(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH) : NULL;
  if (library == NULL)
    graft_plan_refuse(&plan, "librota.dll cannot be loaded from the directory of rota-graft.dll (error %lu)",
                      GetLastError());
  return library;
}

/* The program may read the clock before it makes a loop. If time is to be virtual, it begins here. */
static void begin_steering(HMODULE library) {
  unsigned int (*steering)(void) = (unsigned int (*)(void))(void *)GetProcAddress(library, "rota_steering");
  if (steering != NULL)
    (void)steering();
}

static bool replace(const struct graft_image *program) {
  struct graft_image library;
  HMODULE handle = open_library();
  if (handle == NULL)
    return false;
  bool ok = graft_image_read(&library, handle) && graft_plan_make(&plan, program, &library) &&
            graft_plan_write(&plan, program);
  if (!ok) {
    FreeLibrary(handle);
    return false;
  }
  graft_hook_end(GetModuleHandleW(NULL));
  graft_hook_children(handle);
  begin_steering(handle);
  return true;
}

/* The name of the program's file, in UTF-8. */
static void own_name(char *name, int size) {
  WCHAR path[MAX_PATH];
  DWORD length = GetModuleFileNameW(NULL, path, MAX_PATH);
  const WCHAR *slash = length > 0 ? wcsrchr(path, L'\\') : NULL;
  if (slash == NULL || WideCharToMultiByte(CP_UTF8, 0, slash + 1, -1, name, size, NULL, NULL) == 0)
    snprintf(name, (size_t)size, "program");
}

static void finish(bool ok) {
  char name[MAX_PATH];
  bool probes = how_is("probe");
  own_name(name, sizeof name);
  if (ok && (probes || how_is("verbose")))
    fprintf(stderr, "rota: graft: %s: libuv %u.%u.%u: %u functions are redirected to librota\n", name,
            plan.version >> 16, plan.version >> 8 & 0xff, plan.version & 0xff, (unsigned int)plan.count);
  if (!ok && GetEnvironmentVariableA("ROTA_GRAFT", NULL, 0) > 0)
    fprintf(stderr, "rota: graft: %s: it stays on its own libuv: %s\n", name, plan.reason);
  fflush(stderr);
  if (probes || (!ok && how_is("require")))
    TerminateProcess(GetCurrentProcess(), ok ? 0 : EXIT_REFUSED);
}

/* In a thread of its own, while the program is suspended. */
__declspec(dllexport) DWORD WINAPI graft_begin(void *unused) {
  struct graft_image program;
  (void)unused;
  if (how_is("0"))
    return 0;
  const WCHAR *path = beside(L"rota-graft.dll");
  if (path != NULL)
    graft_hook_begin(path);
  bool has_libuv = graft_image_read(&program, GetModuleHandleW(NULL)) && graft_image_find(&program, "uv_run") != NULL;
  graft_hook_children(GetModuleHandleW(NULL));
  if (has_libuv && graft_image_find(&program, "rota_version") == NULL)
    finish(replace(&program));
  return 0;
}

BOOL WINAPI DllMain(HINSTANCE module, DWORD reason, void *reserved) {
  (void)reserved;
  if (reason == DLL_PROCESS_ATTACH)
    own_module = module;
  return TRUE;
}
