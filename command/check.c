/* What is checked before a program is started: it may run for hours, and a mistake in the command would be seen late.
 * Each function prints what is wrong and what to do. */
#include "command/internal.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
static bool refuse(const char *command, const char *option, const char *name, const char *why) {
  fprintf(stderr, "rota%s%s: %s: %s name another file with %s\n", command != NULL ? " " : "",
          command != NULL ? command : "", name, why, option);
  return false;
}

bool command_may_write(const char *command, const char *option, const char *name) {
  char directory[PATH_MAX], why[256];
  if (names_script(name))
    return refuse(command, option, name, "a script would be overwritten;");
  if (is_directory(name))
    return refuse(command, option, name, "this is a directory;");
  snprintf(directory, sizeof directory, "%s", name);
  char *slash = strrchr(directory, '/');
  if (slash != NULL)
    slash[slash == directory] = 0;
  if (access(slash != NULL ? directory : ".", W_OK) == 0)
    return true;
  snprintf(why, sizeof why, errno == ENOENT ? "%s; create it, or" : "%s;", strerror(errno));
  return refuse(command, option, slash != NULL ? directory : "the current directory", why);
}

/* A script that is not executable is not a program: which Node should run it? */
void command_refuse_missing(const char *command, const char *name) {
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
