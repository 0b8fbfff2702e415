#include "inject/windows/hook.h"

#include <process.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "inject/windows/image.h"
#include "inject/windows/start.h"

enum { PATH_UNITS = 32768, EXIT_REFUSED = 127 };

static WCHAR own_path[PATH_UNITS];

void graft_hook_begin(const WCHAR *library) {
  wcsncpy(own_path, library, PATH_UNITS - 1);
}

/* The same function may be in kernel32.dll and, as modules import it that name another library, in kernelbase.dll. */
static void redirect(HMODULE module, const char *name, uintptr_t to) {
  static const WCHAR *const libraries[] = {L"kernel32.dll", L"kernelbase.dll"};
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
    HMODULE library = GetModuleHandleW(libraries[i]);
    uintptr_t from = library != NULL ? (uintptr_t)GetProcAddress(library, name) : 0;
    if (from != to)
      graft_image_replace_import(module, from, to);
  }
}

/* ---- its end ---- */

static void WINAPI end(UINT code) {
  _cexit();
  ExitProcess(code);
}

void graft_hook_end(HMODULE module) {
  redirect(module, "ExitProcess", (uintptr_t)end);
}

/* ---- its children ---- */

static void say_refused(const WCHAR *program, const char *reason) {
  char name[MAX_PATH];
  const WCHAR *slash = program != NULL ? wcsrchr(program, L'\\') : NULL;
  if (GetEnvironmentVariableA("ROTA_GRAFT", NULL, 0) == 0)
    return;
  if (program == NULL ||
      WideCharToMultiByte(CP_UTF8, 0, slash != NULL ? slash + 1 : program, -1, name, sizeof name, NULL, NULL) == 0)
    strcpy(name, "a child");
  fprintf(stderr, "rota: graft: %s: it stays on its own libuv: %s\n", name, reason);
  fflush(stderr);
}

static BOOL WINAPI create_process(const WCHAR *program, WCHAR *line, SECURITY_ATTRIBUTES *process_attributes,
                                  SECURITY_ATTRIBUTES *thread_attributes, BOOL inherits, DWORD flags, void *environment,
                                  const WCHAR *directory, STARTUPINFOW *startup, PROCESS_INFORMATION *information) {
  char reason[GRAFT_START_REASON_SIZE];
  if (!CreateProcessW(program, line, process_attributes, thread_attributes, inherits, flags | CREATE_SUSPENDED,
                      environment, directory, startup, information))
    return FALSE;
  if (graft_start(information->hProcess, own_path, reason) == GRAFT_START_REFUSED)
    say_refused(program, reason);
  if (!(flags & CREATE_SUSPENDED))
    ResumeThread(information->hThread);
  return TRUE;
}

void graft_hook_children(HMODULE module) {
  redirect(module, "CreateProcessW", (uintptr_t)create_process);
}
