/* What a file is: statx(2), which knows the time of birth, else stat(2). */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "loop/os/file.h"

static uv_timespec_t from_statx_time(const struct statx_timestamp *time) {
  return (uv_timespec_t){.tv_sec = (long)time->tv_sec, .tv_nsec = (long)time->tv_nsec};
}

static void from_statx(uv_stat_t *result, const struct statx *from) {
  *result = (uv_stat_t){
      .st_dev = makedev(from->stx_dev_major, from->stx_dev_minor),
      .st_mode = from->stx_mode,
      .st_nlink = from->stx_nlink,
      .st_uid = from->stx_uid,
      .st_gid = from->stx_gid,
      .st_rdev = makedev(from->stx_rdev_major, from->stx_rdev_minor),
      .st_ino = from->stx_ino,
      .st_size = from->stx_size,
      .st_blksize = from->stx_blksize,
      .st_blocks = from->stx_blocks,
      .st_atim = from_statx_time(&from->stx_atime),
      .st_mtim = from_statx_time(&from->stx_mtime),
      .st_ctim = from_statx_time(&from->stx_ctime),
      .st_birthtim = from_statx_time(&from->stx_btime),
  };
}

/* Kernels before 4.11 and some sandboxes have no statx: it fails with ENOSYS, or with EPERM, which stat never gives.
 * The answer is kept, so statx is tried once. */
static int try_statx(int directory, const char *path, int flags, uv_stat_t *result) {
  static _Atomic bool missing;
  struct statx found;
  if (atomic_load_explicit(&missing, memory_order_relaxed))
    return UV_ENOSYS;
  if (statx(directory, path, flags, STATX_BASIC_STATS | STATX_BTIME, &found) == 0) {
    from_statx(result, &found);
    return 0;
  }
  if (errno != ENOSYS && errno != EPERM)
    return -errno;
  if (errno == ENOSYS)
    atomic_store_explicit(&missing, true, memory_order_relaxed);
  return UV_ENOSYS;
}

int rota__os_stat(const char *path, enum rota_stat_of of, uv_stat_t *result) {
  int err = try_statx(AT_FDCWD, path, of == ROTA_STAT_LINK ? AT_SYMLINK_NOFOLLOW : 0, result);
  return err == UV_ENOSYS ? rota__os_plain_stat(path, of, result) : err;
}

int rota__os_stat_fd(int fd, uv_stat_t *result) {
  /* statx with AT_EMPTY_PATH takes AT_FDCWD for the working directory; fstat knows that it is no descriptor. */
  int err = fd < 0 ? UV_EBADF : try_statx(fd, "", AT_EMPTY_PATH, result);
  return err == UV_ENOSYS ? rota__os_plain_stat_fd(fd, result) : err;
}
