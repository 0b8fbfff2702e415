/* Paths of the process: its working directory, its program, the directory for temporary files. */
#include <stdlib.h>
#include <string.h>

#include "loop/base/text.h"
#include "loop/os/host.h"
#include "loop/os/process.h"
#include "uv.h"

int uv_cwd(char *buffer, size_t *size) {
  if (buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  char *path;
  int err = rota__os_working_directory(&path);
  if (err != 0)
    return err;
  err = rota__text_give(path, strlen(path), buffer, size);
  free(path);
  return err;
}

int uv_chdir(const char *dir) {
  return rota__os_change_directory(dir);
}

/* Unlike the others, a path that does not fit is cut off, and that is a success. */
int uv_exepath(char *buffer, size_t *size) {
  if (buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  ssize_t length = 0;
  if (*size > 1)
    length = rota__os_program_path(buffer, *size - 1);
  if (length < 0)
    return (int)length;
  buffer[length] = '\0';
  *size = (size_t)length;
  return 0;
}

int uv_os_tmpdir(char *buffer, size_t *size) {
  static const char *const variables[] = {"TMPDIR", "TMP", "TEMP", "TEMPDIR"};
  if (buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  const char *path = NULL;
  for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]) && path == NULL; i++)
    path = getenv(variables[i]);
  if (path == NULL)
    path = "/tmp";
  /* The slash at its end is taken off in the buffer, and so needs room, as in libuv. */
  int err = rota__text_give(path, strlen(path), buffer, size);
  if (err == 0 && *size > 1 && buffer[*size - 1] == '/')
    buffer[--*size] = '\0';
  return err;
}
