/* What the program without the runtime asks librota: it loads the one beside it. */
#include "command/internal.h"

#include <dlfcn.h>
#include <stdio.h>

/* Null: it is not there, which is said when a program is to be started. */
static void *library(void) {
  static struct program_paths paths;
  static void *loaded;
  char file[PATH_MAX + 16];
#ifdef __GLIBC__
  const bool for_musl = false;
#else
  const bool for_musl = true;
#endif
  if (loaded != NULL || !program_find_libraries(&paths, for_musl))
    return loaded;
  snprintf(file, sizeof file, "%s/libuv.so.1", paths.library);
  loaded = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  return loaded;
}

/* ISO C has no pointers to functions that come from pointers to data. */
static bool find(void *function, const char *name) {
  void *found = library() != NULL ? dlsym(library(), name) : NULL;
  *(void **)function = found;
  return found != NULL;
}

bool command_library_backend(char name[COMMAND_BACKEND_SIZE]) {
  int (*init)(uv_loop_t *), (*end)(uv_loop_t *);
  const char *(*backend)(const uv_loop_t *);
  uv_loop_t loop;
  if (!find(&init, "uv_loop_init") || !find(&end, "uv_loop_close") || !find(&backend, "rota_backend_name") ||
      init(&loop) != 0)
    return false;
  snprintf(name, COMMAND_BACKEND_SIZE, "%s", backend(&loop));
  end(&loop);
  return true;
}
