#include "command/windows/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "inject/windows/start.h"
#include "loop/base/alloc.h"
#include "loop/os/windows/convert.h"
#include "loop/proc/windows/spawn.h"

enum { EXIT_REFUSED = 127 };

/* ---- where the program is ---- */

static bool ends_with(const WCHAR *text, const WCHAR *end) {
  size_t length = wcslen(text), end_length = wcslen(end);
  return length >= end_length && _wcsicmp(text + length - end_length, end) == 0;
}

static WCHAR *search(const WCHAR *name, const WCHAR *extension) {
  static WCHAR here[LAUNCH_PATH_UNITS];
  WCHAR *path = rota__environment_path(NULL), *found = NULL,
        *full = malloc((wcslen(name) + wcslen(extension) + 1) * sizeof *full);
  if (full != NULL && GetCurrentDirectoryW(LAUNCH_PATH_UNITS, here) > 0)
    found = rota__program_search(wcscat(wcscpy(full, name), extension), here, path, false);
  free(full);
  rota__free(path);
  return found;
}

/* As the shell does: a program first, then what the shell itself runs. */
static WCHAR *find(const WCHAR *name) {
  static const WCHAR *const extensions[] = {L"", L".cmd", L".bat"};
  WCHAR *found = NULL;
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions && found == NULL; i++)
    found = search(name, extensions[i]);
  return found;
}

/* ---- the command line ---- */

/* The shell replaces variables also between quotes, and a quote in an argument would end them. */
static bool may_go_to_shell(const char *command, char *const *arguments) {
  for (size_t i = 1; arguments[i] != NULL; i++)
    if (strpbrk(arguments[i], "\"%\r\n") != NULL) {
      fprintf(stderr,
              "rota %s: %s is a script of the shell, to which an argument with \" or %% or a line's end cannot be "
              "handed: %s\n",
              command, arguments[0], arguments[i]);
      return false;
    }
  return true;
}

static WCHAR *append_quoted(WCHAR *end, const WCHAR *argument) {
  size_t backslashes = 0, length = wcslen(argument);
  while (backslashes < length && argument[length - 1 - backslashes] == L'\\')
    backslashes++;
  end += swprintf(end, length + 3, L"\"%ls", argument);
  while (backslashes-- > 0)
    *end++ = L'\\';
  wcscpy(end, L"\"");
  return end + 1;
}

/* cmd /d /s /c ""script" "argument" ...": /s keeps what is between the outer quotes, /d runs nothing before. */
static bool make_shell_line(struct launch *launch, char *const *arguments) {
  size_t units = wcslen(launch->program) + 64;
  for (size_t i = 1; arguments[i] != NULL; i++)
    units += 2 * strlen(arguments[i]) + 8;
  launch->line = rota__malloc(units * sizeof *launch->line);
  if (launch->line == NULL)
    return false;
  WCHAR *end = append_quoted(launch->line + swprintf(launch->line, units, L"cmd.exe /d /s /c \""), launch->program);
  for (size_t i = 1; arguments[i] != NULL; i++) {
    WCHAR *wide;
    if (rota__os_wide(arguments[i], &wide) < 0)
      return false;
    *end++ = L' ';
    end = append_quoted(end, wide);
    rota__free(wide);
  }
  wcscpy(end, L"\"");
  return true;
}

static WCHAR *shell_path(void) {
  static const WCHAR name[] = L"\\cmd.exe";
  WCHAR *path = rota__malloc((MAX_PATH + sizeof name / sizeof *name) * sizeof *path);
  UINT length = path == NULL ? 0 : GetSystemDirectoryW(path, MAX_PATH);
  if (length > 0)
    wcscpy(path + length, name);
  return path;
}

static bool make_line(struct launch *launch, const char *command, char *const *arguments) {
  if (!launch->is_script)
    return rota__command_line_make(arguments, false, &launch->line) == 0;
  if (!may_go_to_shell(command, arguments) || !make_shell_line(launch, arguments))
    return false;
  rota__free(launch->program);
  launch->program = shell_path();
  return launch->program != NULL;
}

static bool names_script(const char *name) {
  static const char *const scripts[] = {".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"};
  const char *dot = strrchr(name, '.');
  for (size_t i = 0; dot != NULL && i < sizeof scripts / sizeof *scripts; i++)
    if (strcmp(dot, scripts[i]) == 0)
      return true;
  return false;
}

static void refuse_missing(const char *command, const char *name) {
  if (names_script(name))
    fprintf(stderr, "rota %s: %s: a script is not a program; to run it with your Node: rota %s -- node %s\n", command,
            name, command, name);
  else
    fprintf(stderr, "rota %s: %s: there is no such program%s\n", command, name,
            strpbrk(name, "/\\") != NULL ? "" : " in PATH: install it, or name it with its directory");
}

bool launch_prepare(struct launch *launch, const char *command, char *const *arguments) {
  WCHAR *name;
  *launch = (struct launch){0};
  if (!names_script(arguments[0]) && rota__os_wide(arguments[0], &name) == 0) {
    launch->program = find(name);
    rota__free(name);
  }
  if (launch->program == NULL) {
    refuse_missing(command, arguments[0]);
    return false;
  }
  launch->is_script = ends_with(launch->program, L".cmd") || ends_with(launch->program, L".bat");
  return make_line(launch, command, arguments);
}

void launch_release(struct launch *launch) {
  rota__free(launch->program);
  rota__free(launch->line);
}

void launch_name(const struct launch *launch, char *name, int size) {
  const WCHAR *slash = wcsrchr(launch->program, L'\\');
  if (WideCharToMultiByte(CP_UTF8, 0, slash != NULL ? slash + 1 : launch->program, -1, name, size, NULL, NULL) == 0)
    snprintf(name, (size_t)size, "program");
}

/* ---- running it ---- */

/* The console tells every process of Ctrl-C: the program decides what comes of it. */
static BOOL WINAPI leave_to_program(DWORD event) {
  return event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
}

/* Only the program itself: what it starts leaves the job at once. */
static void end_with_us(HANDLE process) {
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {
      .BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK | JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
  };
  HANDLE job = CreateJobObjectW(NULL, NULL); /* closed when this process ends */
  if (job != NULL && SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits))
    (void)AssignProcessToJobObject(job, process);
}

/* What this process has, descriptors of the C library included. */
static STARTUPINFOW own_startup(void) {
  STARTUPINFOW own, startup = {.cb = sizeof startup, .dwFlags = STARTF_USESTDHANDLES};
  static const DWORD standard[] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
  HANDLE *const handles[] = {&startup.hStdInput, &startup.hStdOutput, &startup.hStdError};
  GetStartupInfoW(&own);
  startup.cbReserved2 = own.cbReserved2;
  startup.lpReserved2 = own.lpReserved2;
  for (size_t i = 0; i < 3; i++) {
    *handles[i] = GetStdHandle(standard[i]);
    if (*handles[i] != NULL && *handles[i] != INVALID_HANDLE_VALUE)
      SetHandleInformation(*handles[i], HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
  }
  return startup;
}

static bool is_required(void) {
  char how[16];
  DWORD length = GetEnvironmentVariableA("ROTA_GRAFT", how, sizeof how);
  return length > 0 && length < sizeof how && strcmp(how, "require") == 0;
}

/* False: the program may not run without it. */
static bool graft(const struct launch *launch, HANDLE process, const WCHAR *library) {
  char reason[GRAFT_START_REASON_SIZE], name[MAX_PATH];
  if (graft_start(process, library, reason) != GRAFT_START_REFUSED)
    return true;
  launch_name(launch, name, sizeof name);
  fprintf(stderr, "rota: graft: %s: it stays on its own libuv: %s\n", name, reason);
  return !is_required();
}

bool launch_run(const struct launch *launch, const char *command, const WCHAR *library, DWORD *code) {
  STARTUPINFOW startup = own_startup();
  PROCESS_INFORMATION child;
  SetConsoleCtrlHandler(leave_to_program, TRUE);
  if (!CreateProcessW(launch->program, launch->line, NULL, NULL, TRUE, CREATE_SUSPENDED, NULL, NULL, &startup,
                      &child)) {
    DWORD err = GetLastError();
    char name[MAX_PATH];
    launch_name(launch, name, sizeof name);
    fprintf(stderr, "rota %s: %s: %s\n", command, name, uv_strerror(uv_translate_sys_error((int)err)));
    return false;
  }
  end_with_us(child.hProcess);
  if (library != NULL && !graft(launch, child.hProcess, library))
    TerminateProcess(child.hProcess, EXIT_REFUSED);
  ResumeThread(child.hThread);
  WaitForSingleObject(child.hProcess, INFINITE);
  *code = 1;
  GetExitCodeProcess(child.hProcess, code);
  CloseHandle(child.hThread);
  CloseHandle(child.hProcess);
  return true;
}

WCHAR *launch_own_file(const WCHAR *name) {
  static WCHAR path[LAUNCH_PATH_UNITS];
  DWORD length = GetModuleFileNameW(NULL, path, LAUNCH_PATH_UNITS);
  WCHAR *slash = wcsrchr(path, L'\\');
  if (length == 0 || length == LAUNCH_PATH_UNITS || slash == NULL ||
      (size_t)(slash - path) + wcslen(name) + 2 > LAUNCH_PATH_UNITS)
    return NULL;
  wcscpy(slash + 1, name);
  return GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES ? _wcsdup(path) : NULL;
}
