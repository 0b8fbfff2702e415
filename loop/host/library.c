/* Shared libraries.
 *
 * The loader keeps the text of an error for the thread's next call only, so each library keeps its own copy. */
#include <dlfcn.h>
#include <stddef.h>

#include "loop/base/alloc.h"
#include "uv.h"

static int remember_error(uv_lib_t *lib) {
  rota__free(lib->errmsg);
  lib->errmsg = NULL;
  const char *message = dlerror();
  if (message == NULL)
    return 0;
  lib->errmsg = rota__strdup(message);
  return -1;
}

int uv_dlopen(const char *filename, uv_lib_t *lib) {
  dlerror(); /* forget earlier ones */
  lib->errmsg = NULL;
  lib->handle = dlopen(filename, RTLD_LAZY);
  return lib->handle != NULL ? 0 : remember_error(lib);
}

void uv_dlclose(uv_lib_t *lib) {
  rota__free(lib->errmsg);
  lib->errmsg = NULL;
  if (lib->handle == NULL)
    return;
  dlclose(lib->handle);
  lib->handle = NULL;
}

/* The value of a symbol may be null, so only the loader's error text tells whether it was found. */
int uv_dlsym(uv_lib_t *lib, const char *name, void **ptr) {
  dlerror();
  *ptr = dlsym(lib->handle, name);
  if (*ptr != NULL)
    return 0;
  return remember_error(lib);
}

const char *uv_dlerror(const uv_lib_t *lib) {
  return lib->errmsg != NULL ? lib->errmsg : "no error";
}
