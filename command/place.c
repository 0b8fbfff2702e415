#include "command/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool graft_own_directory(char directory[PATH_MAX]) {
  ssize_t length = readlink("/proc/self/exe", directory, PATH_MAX - 1);
  if (length <= 0)
    return false;
  directory[length] = 0;
  *strrchr(directory, '/') = 0;
  return true;
}

static bool find_preloaded(char path[PATH_MAX], const char *directory, const char *name) {
  return snprintf(path, PATH_MAX, "%s/%s", directory, name) < PATH_MAX && access(path, R_OK) == 0;
}

static bool find_libraries_in(struct program_paths *paths, const char *own, const char *below) {
  char guess[PATH_MAX + 32];
  snprintf(guess, sizeof guess, "%s/../%s", own, below);
  if (realpath(guess, paths->library) == NULL)
    return false;
  snprintf(guess, sizeof guess, "%s/libuv.so.1", paths->library);
  return access(guess, R_OK) == 0 && find_preloaded(paths->graft, paths->library, "librota-graft.so") &&
         find_preloaded(paths->clock, paths->library, "librota-clock.so");
}

/* Beside this program. Debian's packages have a directory for what no other program may link with; a build and an
 * installation have them among the other libraries. */
bool graft_find_libraries(struct program_paths *paths) {
  char own[PATH_MAX];
  return graft_own_directory(own) &&
         (find_libraries_in(paths, own, "lib/rota") || find_libraries_in(paths, own, "lib"));
}
