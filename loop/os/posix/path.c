/* Files by name, and directories. */
#include "loop/os/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/vfs.h>
#elif defined(__NetBSD__)
#include <sys/statvfs.h>
#else
#include <sys/param.h>

/* It needs what <sys/param.h> defines. */
#include <sys/mount.h>
#endif

#include "loop/os/outcome.h"

/* ---- names ---- */

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

/* ---- what a file is ---- */

#if defined(__APPLE__) || defined(__NetBSD__)
#define TIME_OF(stat, kind) (stat)->st_##kind##timespec
#else
#define TIME_OF(stat, kind) (stat)->st_##kind##tim
#endif
/* Where the time of birth is not known, the last change of the inode is the closest value. */
#if defined(__APPLE__) || defined(__NetBSD__) || defined(__FreeBSD__)
#define BIRTH_OF(stat) TIME_OF(stat, birth)
#else
#define BIRTH_OF(stat) (stat)->st_ctim
#endif

static uv_timespec_t from_time(struct timespec time) {
  return (uv_timespec_t){.tv_sec = (long)time.tv_sec, .tv_nsec = time.tv_nsec};
}

static void from_stat(uv_stat_t *result, const struct stat *from) {
  *result = (uv_stat_t){
      .st_dev = (uint64_t)from->st_dev,
      .st_mode = from->st_mode,
      .st_nlink = from->st_nlink,
      .st_uid = from->st_uid,
      .st_gid = from->st_gid,
      .st_rdev = (uint64_t)from->st_rdev,
      .st_ino = from->st_ino,
      .st_size = (uint64_t)from->st_size,
      .st_blksize = (uint64_t)from->st_blksize,
      .st_blocks = (uint64_t)from->st_blocks,
#ifndef __linux__
      .st_flags = from->st_flags,
      .st_gen = from->st_gen,
#endif
      .st_atim = from_time(TIME_OF(from, a)),
      .st_mtim = from_time(TIME_OF(from, m)),
      .st_ctim = from_time(TIME_OF(from, c)),
      .st_birthtim = from_time(BIRTH_OF(from)),
  };
}

int rota__os_plain_stat(const char *path, enum rota_stat_of of, uv_stat_t *result) {
  struct stat found;
  if ((of == ROTA_STAT_LINK ? lstat(path, &found) : stat(path, &found)) < 0)
    return -errno;
  from_stat(result, &found);
  return 0;
}

int rota__os_plain_stat_fd(int fd, uv_stat_t *result) {
  struct stat found;
  if (fstat(fd, &found) < 0)
    return -errno;
  from_stat(result, &found);
  return 0;
}

/* ---- file systems ---- */

#ifdef __NetBSD__
#define statfs statvfs /* the structure and the call */
#endif
#if defined(__NetBSD__) || defined(__OpenBSD__)
#define TYPE_OF(found) 0
#else
#define TYPE_OF(found) (uint64_t)(found).f_type
#endif
#if defined(__NetBSD__) || defined(__linux__)
#define FRAGMENT_OF(found) (uint64_t)(found).f_frsize
#else
#define FRAGMENT_OF(found) (uint64_t)(found).f_bsize
#endif

int rota__os_statfs(const char *path, uv_statfs_t *result) {
  struct statfs found;
  int err;
  do
    err = statfs(path, &found);
  while (rota__os_interrupted(err));
  if (err < 0)
    return -errno;
  *result = (uv_statfs_t){
      .f_type = TYPE_OF(found),
      .f_bsize = (uint64_t)found.f_bsize,
      .f_blocks = (uint64_t)found.f_blocks,
      .f_bfree = (uint64_t)found.f_bfree,
      .f_bavail = (uint64_t)found.f_bavail,
      .f_files = (uint64_t)found.f_files,
      .f_ffree = (uint64_t)found.f_ffree,
      .f_frsize = FRAGMENT_OF(found),
  };
  return 0;
}

/* ---- directories ---- */

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
