/* What the commands do on Windows, where it differs: rota-graft.dll is loaded into the program by launch.c, and this
 * process waits. */
#include <direct.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/internal.h"
#include "command/windows/launch.h"
#include "loop/os/own_file.h"
#include "uv.h"

int setenv(const char *name, const char *value, int replaces) {
  char unused[1];
  size_t size = sizeof unused;
  if (!replaces && uv_os_getenv(name, unused, &size) != UV_ENOENT)
    return 0;
  return uv_os_setenv(name, value);
}

bool command_full_path(const char *name, char *path, size_t size) {
  WCHAR wide[PATH_MAX], full[PATH_MAX];
  int length = MultiByteToWideChar(CP_UTF8, 0, name, -1, wide, PATH_MAX);
  DWORD units = length > 0 ? GetFullPathNameW(wide, PATH_MAX, full, NULL) : 0;
  return units > 0 && units < PATH_MAX && WideCharToMultiByte(CP_UTF8, 0, full, -1, path, (int)size, NULL, NULL) > 0;
}

/* The first process that has a loop takes the name (observe/trace). */
void command_trace_first(void) {
}

/* ---- what is checked first ---- */

static bool has_directory(const char *name) {
  char path[4 * PATH_MAX];
  uv_fs_t request;
  if (!command_full_path(name, path, sizeof path))
    return true; /* too long to be looked at */
  char *slash = strrchr(path, '\\');
  if (slash != NULL)
    slash[slash[-1] == ':'] = 0; /* of a drive's root it stays */
  int err = uv_fs_stat(NULL, &request, path, NULL);
  bool is_directory = err == 0 && (request.statbuf.st_mode & S_IFMT) == S_IFDIR;
  uv_fs_req_cleanup(&request);
  return is_directory;
}

bool command_may_write(const char *command, const char *option, const char *name) {
  static const char *const ends[] = {".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"};
  const char *dot = strrchr(name, '.'), *why = NULL;
  uv_fs_t request;
  for (size_t i = 0; dot != NULL && i < sizeof ends / sizeof *ends; i++)
    if (strcmp(dot, ends[i]) == 0)
      why = "a script would be overwritten";
  if (uv_fs_stat(NULL, &request, name, NULL) == 0 && (request.statbuf.st_mode & S_IFMT) == S_IFDIR)
    why = "this is a directory";
  uv_fs_req_cleanup(&request);
  if (why == NULL && !has_directory(name))
    why = "its directory is not there; create it, or";
  int err = rota__os_own_file_check(name);
  if (why == NULL && err < 0 && err != UV_ENOENT)
    why = rota__os_own_file_fault(err) != NULL ? rota__os_own_file_fault(err) : uv_strerror(err);
  if (why == NULL)
    return true;
  fprintf(stderr, "rota%s%s: %s: %s; name another file with %s\n", command != NULL ? " " : "",
          command != NULL ? command : "", name, why, option);
  return false;
}

/* ---- starting ---- */

static const WCHAR *graft_path(void) {
  static WCHAR *path;
  if (path == NULL)
    path = launch_own_file(L"..\\lib\\rota-graft.dll");
  if (path == NULL)
    fputs("rota: rota-graft.dll and librota.dll are not in ..\\lib, as seen from rota: install rota again\n", stderr);
  return path;
}

/* Who asked for an instrument that names functions should learn why it names others. */
static void lack_names(const struct command *command, const struct command_values *values) {
  const char *names = values->of[COMMAND_OPTION_NAMES];
  setenv(rota__settings[ROTA_SETTING_NAMES].variable, "0", true);
  if ((command->options >> COMMAND_OPTION_NAMES & 1) && (names == NULL || strcmp(names, "off") != 0))
    fprintf(stderr,
            "rota %s: functions of JavaScript have no names on Windows: those of C++ are shown, by their place in the "
            "program\n",
            values->name);
}

int command_start(const struct command *command, const struct command_values *values, char **arguments) {
  struct launch launch;
  DWORD code = 0;
  const WCHAR *library = graft_path();
  if (library == NULL || !launch_prepare(&launch, values->name, arguments))
    return COMMAND_NOT_REACHED;
  command_options_apply(command, values);
  lack_names(command, values);
  setenv(rota__settings[ROTA_SETTING_GRAFT].variable, command->only_tells ? "probe" : "say", command->only_tells);
  bool started = launch_run(&launch, values->name, library, &code);
  launch_release(&launch);
  return started ? (int)code : COMMAND_NOT_STARTED;
}

bool command_alerts_start(const struct command_values *values) {
  if (values->of[COMMAND_OPTION_EXEC] == NULL && values->of[COMMAND_OPTION_POST] == NULL)
    return true;
  fprintf(stderr, "rota %s: --exec and --post are not there on Windows\n", values->name);
  return false;
}

int command_attach(const struct command *command, int argc, char **argv) {
  (void)command, (void)argc, (void)argv;
  fputs("rota: attaching to a program that runs is not there on Windows\n", stderr);
  return COMMAND_NOT_REACHED;
}

int command_detach(const struct command *command, int argc, char **argv) {
  return command_attach(command, argc, argv);
}
