/* How a program is started on librota: the environment makes it so, and the program takes the place of this process. On
 * Windows, command/windows/start.c does it otherwise. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/internal.h"
#include "loop/os/own_file.h"

/* ---- the environment of a program on librota ---- */

/* Prepends to a variable of the loader, unless the entry is there already. */
static void put_in_front(const char *variable, const char *value) {
  const char *before = getenv(variable);
  if (before == NULL || *before == 0) {
    setenv(variable, value, 1);
    return;
  }
  size_t length = strlen(value);
  if (strncmp(before, value, length) == 0 && (before[length] == 0 || before[length] == ':'))
    return;
  char *both = malloc(length + strlen(before) + 2);
  if (both == NULL)
    return;
  sprintf(both, "%s:%s", value, before);
  setenv(variable, both, 1);
  free(both);
}

/* The loader splits LD_PRELOAD at spaces. A library with one in its path goes by its name, and the loader looks for
 * that in LD_LIBRARY_PATH. */
static void preload(const char *path) {
  put_in_front("LD_PRELOAD", strchr(path, ' ') != NULL ? strrchr(path, '/') + 1 : path);
}

/* Null: not set, or empty. */
static const char *setting(enum rota_setting which) {
  const char *value = getenv(rota__settings[which].variable);
  return value == NULL || *value == 0 ? NULL : value;
}

/* As librota sees it: a schedule brings virtual time with it, unless that is refused. */
static bool wants_virtual_time(const struct command_values *values) {
  const char *time = values->of[COMMAND_OPTION_VIRTUAL_TIME];
  time = time != NULL ? time : setting(ROTA_SETTING_VIRTUAL_TIME);
  if (time != NULL)
    return strcmp(time, "0") != 0;
  return setting(ROTA_SETTING_SCHEDULE_SEED) != NULL || setting(ROTA_SETTING_SCHEDULE_REPLAY) != NULL;
}

/* Sets both variables, because children may need the other one. */
static void set_environment(const struct program_paths *paths, const struct command_values *values) {
  if (paths->search[0] != 0)
    put_in_front("LD_LIBRARY_PATH", paths->search);
  if (paths->other[0] != 0)
    setenv(rota__settings[ROTA_SETTING_OTHER_PARTS].variable, paths->other, 1);
  else
    unsetenv(rota__settings[ROTA_SETTING_OTHER_PARTS].variable);
  if (wants_virtual_time(values))
    preload(paths->clock);
  preload(paths->graft);
  setenv(rota__settings[ROTA_SETTING_GRAFT].variable, "say", 0);
}

/* ---- what is checked first: a program may run for hours, and a mistake would be seen late ---- */

static bool is_directory(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool names_script(const char *name) {
  static const char *const ends[] = {".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"};
  size_t length = strlen(name);
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
    if (length > strlen(ends[i]) && strcmp(name + length - strlen(ends[i]), ends[i]) == 0)
      return true;
  return false;
}

/* Why a file cannot be written, with what else could be done, if there is something. */
static bool refuse_file(const char *command, const char *option, const char *name, const char *why) {
  fprintf(stderr, "rota%s%s: %s: %s name another file with %s\n", command != NULL ? " " : "",
          command != NULL ? command : "", name, why, option);
  return false;
}

bool command_may_write(const char *command, const char *option, const char *name) {
  char directory[PATH_MAX], why[256];
  if (names_script(name))
    return refuse_file(command, option, name, "a script would be overwritten;");
  if (is_directory(name))
    return refuse_file(command, option, name, "this is a directory;");
  int err = rota__os_own_file_check(name);
  if (err < 0 && err != -ENOENT && err != -ENOTDIR) { /* the directory is looked at below */
    const char *fault = rota__os_own_file_fault(err);
    snprintf(why, sizeof why, "%s;", fault != NULL ? fault : strerror(-err));
    return refuse_file(command, option, name, why);
  }
  snprintf(directory, sizeof directory, "%s", name);
  char *slash = strrchr(directory, '/');
  if (slash != NULL)
    slash[slash == directory] = 0;
  if (access(slash != NULL ? directory : ".", W_OK) == 0)
    return true;
  snprintf(why, sizeof why, errno == ENOENT ? "%s; create it, or" : "%s;", strerror(errno));
  return refuse_file(command, option, slash != NULL ? directory : "the current directory", why);
}

/* Why there is no program of this name. A script that is not executable is not a program: which Node should run it? */
static void refuse_missing(const char *command, const char *name) {
  bool exists = access(name, F_OK) == 0, is_path = strchr(name, '/') != NULL;
  fprintf(stderr, "rota %s: %s: ", command, name);
  if (exists && names_script(name))
    fprintf(stderr, "a script is not a program; to run it with your Node: rota %s -- node %s\n", command, name);
  else if (exists && is_path && is_directory(name))
    fputs("this is a directory; name the program in it\n", stderr);
  else if (exists && is_path)
    fputs("the file may not be executed; see chmod(1)\n", stderr);
  else if (exists)
    fprintf(stderr, "there is no such program in PATH; the file here is ./%s\n", name);
  else
    fprintf(stderr, "there is no such program%s\n",
            is_path ? "" : " in PATH: install it, or name it with its directory");
}

/* ---- what is written ---- */

bool command_full_path(const char *name, char *path, size_t size) {
  char here[PATH_MAX];
  const char *folder = name[0] != '/' && getcwd(here, sizeof here) != NULL ? here : "";
  return (size_t)snprintf(path, size, "%s%s%s", folder, *folder != 0 ? "/" : "", name) < size;
}

/* exec keeps the number of the process. */
void command_trace_first(void) {
  char process[16];
  snprintf(process, sizeof process, "%ld", (long)getpid());
  setenv(rota__settings[ROTA_SETTING_TRACE_FIRST].variable, process, 1);
}

/* ---- the start ---- */

/* False: the libraries cannot be used, and a message says why. */
static bool find_libraries(struct program_paths *paths, struct program *program) {
  bool is_musl = program->elf.is_musl, has_other = false;
  if (!program_find_libraries(paths, is_musl) && !(has_other = program_find_libraries(paths, !is_musl))) {
    fputs("rota: librota-graft.so and libuv.so.1 are not in ../lib, as seen from rota: `make` builds them; `make "
          "install` and the package rota-graft install them\n",
          stderr);
    return false;
  }
  if (has_other && program->elf.has_loader && program->way != WAY_NOWHERE)
    program_lacks_libraries(program);
  if (strpbrk(paths->library, ":;\t") == NULL)
    return true;
  fprintf(stderr, "rota: %s: the loader cannot use a directory with : or ; in its name; move rota to another one\n",
          paths->library);
  return false;
}

/* A user who asked for an instrument and gets no output should learn why. */
static void warn(const struct command *command, const struct program *program) {
  if ((command->value != NULL || command->is_set) && program->way == WAY_LATER)
    fprintf(stderr,
            "rota: %s: it has no libuv; there is output only if it loads libuv.so.1 later, or "
            "starts a program that has libuv\n",
            program_file(program));
}

int command_start(const struct command *command, const struct command_values *values, char **arguments) {
  static struct program program;
  struct program_paths paths;
  char path[PATH_MAX];
  if (!program_find(arguments[0], path)) {
    refuse_missing(values->name, arguments[0]);
    return COMMAND_NOT_REACHED;
  }
  program_look(&program, path);
  if (!find_libraries(&paths, &program))
    return COMMAND_NOT_REACHED;
  set_environment(&paths, values);
  program_judge(&program, &paths);
  if (command->only_tells)
    return command_doctor(&program, &paths);
  if (program.way == WAY_NOWHERE) {
    fprintf(stderr, "rota: %s: %s\n", program_file(&program), program.reason);
    return COMMAND_NOT_REACHED;
  }
  warn(command, &program);
  command_options_apply(command, values);
  execv(path, arguments);
  fprintf(stderr, "rota: %s: %s\n", path, strerror(errno));
  return COMMAND_NOT_STARTED;
}
