#include "loop/os/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert((int)ROTA_DIRECTORY_FILE == DT_REG && (int)ROTA_DIRECTORY_FOLDER == DT_DIR &&
                   (int)ROTA_DIRECTORY_LINK == DT_LNK,
               "the types of entries");

int rota__os_mkdir(const char *path, unsigned int mode) {
  return mkdir(path, (mode_t)mode) < 0 ? -errno : 0;
}

int rota__os_rmdir(const char *path) {
  return rmdir(path) < 0 ? -errno : 0;
}

int rota__os_make_temporary_directory(char *path) {
  return mkdtemp(path) == NULL ? -errno : 0;
}

int rota__os_directory_open(const char *path) {
  return rota__os_open(path, O_RDONLY | O_DIRECTORY, 0);
}

int rota__os_stream_open(const char *path, void **result) {
  *result = opendir(path);
  return *result == NULL ? -errno : 0;
}

int rota__os_stream_read(void *stream, const char **name, uint8_t *type) {
  /* Null is returned at the end and for an error: only errno tells them apart. */
  errno = 0;
  const struct dirent *entry = readdir(stream);
  *name = entry == NULL ? NULL : entry->d_name;
  *type = entry == NULL ? 0 : entry->d_type;
  return entry == NULL ? -errno : 0;
}

int rota__os_stream_close(void *stream) {
  int err = closedir(stream) < 0 ? -errno : 0;
  return err == -EINTR ? 0 : err;
}
