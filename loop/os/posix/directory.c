#include "loop/os/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loop/os/file.h"

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

int rota__os_stream_open(const char *path, DIR **result) {
  *result = opendir(path);
  return *result == NULL ? -errno : 0;
}

int rota__os_stream_read(DIR *stream, struct dirent **result) {
  /* Null is returned at the end and for an error: only errno tells them apart. */
  errno = 0;
  *result = readdir(stream);
  return *result == NULL ? -errno : 0;
}

int rota__os_stream_close(DIR *stream) {
  int err = closedir(stream) < 0 ? -errno : 0;
  return err == -EINTR ? 0 : err;
}
