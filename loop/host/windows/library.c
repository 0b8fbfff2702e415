/* Shared libraries, and what the system says when one cannot be loaded. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/os/windows/convert.h"
#include "uv.h"

/* The system's words; some name the file as %1. */
static char *message_of(DWORD code, const char *filename) {
  WCHAR *wide = NULL;
  char *text = NULL;
  FormatMessageW(FORMAT_MESSAGE_ALLOCATE_BUFFER | FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL,
                 code, MAKELANGID(LANG_NEUTRAL, SUBLANG_DEFAULT), (WCHAR *)&wide, 0, NULL);
  if (wide != NULL) {
    (void)rota__os_narrow(wide, -1, &text);
    LocalFree(wide);
  }
  const char *words = text != NULL ? text : "error";
  int length = snprintf(NULL, 0, "%s: %s (%lu)", filename, words, code);
  char *message = rota__malloc((size_t)length + 1);
  if (message != NULL)
    snprintf(message, (size_t)length + 1, "%s: %s (%lu)", filename, words, code);
  rota__free(text);
  return message;
}

static int remember(uv_lib_t *lib, const char *filename, DWORD code) {
  rota__free(lib->errmsg);
  lib->errmsg = code == ERROR_SUCCESS ? NULL : message_of(code, filename);
  return code == ERROR_SUCCESS ? 0 : -1;
}

int uv_dlopen(const char *filename, uv_lib_t *lib) {
  struct rota_os_wide path;
  lib->handle = NULL;
  lib->errmsg = NULL;
  /* As it is: a name without a folder is searched for. */
  int err = rota__os_wide_text(&path, filename);
  if (err < 0)
    return remember(lib, filename, err == UV_ENOMEM ? ERROR_NOT_ENOUGH_MEMORY : ERROR_INVALID_NAME);
  lib->handle = LoadLibraryExW(path.text, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
  DWORD code = lib->handle == NULL ? GetLastError() : ERROR_SUCCESS;
  rota__os_wide_free(&path);
  return remember(lib, filename, code);
}

void uv_dlclose(uv_lib_t *lib) {
  rota__free(lib->errmsg);
  lib->errmsg = NULL;
  if (lib->handle != NULL)
    FreeLibrary(lib->handle);
  lib->handle = NULL;
}

int uv_dlsym(uv_lib_t *lib, const char *name, void **ptr) {
  *ptr = __extension__(void *) GetProcAddress(lib->handle, name);
  return remember(lib, name, *ptr == NULL ? GetLastError() : ERROR_SUCCESS);
}

const char *uv_dlerror(const uv_lib_t *lib) {
  return lib->errmsg != NULL ? lib->errmsg : "no error";
}
