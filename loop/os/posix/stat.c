#include "loop/os/file.h"

#include <errno.h>
#include <sys/stat.h>

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
