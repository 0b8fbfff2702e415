#include "loop/os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int outcome(int result) {
  return result < 0 ? -errno : result;
}

bool rota__os_path_is_absolute(const char *path) {
  return path[0] == '/';
}

int rota__os_access(const char *path, int mode) {
  return outcome(access(path, mode));
}

int rota__os_chmod(const char *path, unsigned int mode) {
  return outcome(chmod(path, (mode_t)mode));
}

int rota__os_chown(const char *path, uv_uid_t uid, uv_gid_t gid) {
  return outcome(chown(path, uid, gid));
}

int rota__os_chown_link(const char *path, uv_uid_t uid, uv_gid_t gid) {
  return outcome(lchown(path, uid, gid));
}

/* Whole nanoseconds, rounded towards 0. libuv before 1.52 had whole microseconds. */
static struct timespec from_seconds(double seconds) {
  struct timespec time = {0};
  if (isinf(seconds)) {
    time.tv_nsec = UTIME_NOW;
  } else if (isnan(seconds)) {
    time.tv_nsec = UTIME_OMIT;
  } else if (fabs(seconds) >= 0x1p63) {
    time.tv_nsec = -1; /* no time: the system refuses it */
  } else {
    time.tv_sec = (time_t)seconds;
    time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
    if (time.tv_nsec < 0) {
      time.tv_sec -= 1;
      time.tv_nsec += 1000 * 1000 * 1000;
    }
  }
  return time;
}

int rota__os_set_times(const char *path, enum rota_stat_of of, double atime, double mtime) {
  struct timespec times[2] = {from_seconds(atime), from_seconds(mtime)};
  return outcome(utimensat(AT_FDCWD, path, times, of == ROTA_STAT_LINK ? AT_SYMLINK_NOFOLLOW : 0));
}

int rota__os_set_times_fd(int fd, double atime, double mtime) {
  struct timespec times[2] = {from_seconds(atime), from_seconds(mtime)};
  return outcome(futimens(fd, times));
}

int rota__os_link(const char *path, const char *new_path) {
  return outcome(link(path, new_path));
}

int rota__os_symlink(const char *target, const char *path, int flags) {
  (void)flags;
  return outcome(symlink(target, path));
}

ssize_t rota__os_readlink(const char *path, char *buffer, size_t size) {
  ssize_t length = readlink(path, buffer, size);
  return length < 0 ? -errno : length;
}

int rota__os_rename(const char *path, const char *new_path) {
  return outcome(rename(path, new_path));
}

int rota__os_unlink(const char *path) {
  return outcome(unlink(path));
}

int rota__os_realpath(const char *path, char **result) {
  *result = realpath(path, NULL);
  return *result == NULL ? -errno : 0;
}

void rota__os_realpath_free(char *result) {
  free(result);
}

int rota__os_make_temporary_file(char *path) {
  return outcome(mkostemp(path, O_CLOEXEC));
}
