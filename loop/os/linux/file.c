/* What Linux has for files: entries of directories as the kernel writes them, copying inside the kernel, statx(2), and
 * waiting for the writer of a FIFO. */
#include "loop/os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#ifndef STATX_BTIME
#define WITHOUT_STATX /* musl has this function since 1.2.4 */
#include <linux/stat.h>
#endif

#include "loop/os/outcome.h"

/* ---- what a file is ----
 *
 * statx(2), which knows the time of birth, else stat(2). */

#ifdef WITHOUT_STATX
static int statx(int directory, const char *path, int flags, unsigned int wanted, struct statx *found) {
  return (int)syscall(SYS_statx, directory, path, flags, wanted, found);
}
#endif

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

/* ---- entries of a directory ---- */

_Static_assert(offsetof(struct rota_directory_entry, name) == 19, "the kernel's struct linux_dirent64");

ssize_t rota__os_directory_read(int fd, void *buffer, size_t size) {
  long n;
  do
    n = syscall(SYS_getdents64, fd, buffer, size);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

/* ---- copying inside the kernel ---- */

ssize_t rota__os_sendfile(int out, int in, int64_t *offset, size_t length) {
  off_t position = *offset;
  ssize_t n;
  do
    n = sendfile(out, in, &position, length);
  while (rota__os_interrupted(n));
  *offset = position;
  return rota__os_outcome(n);
}

int rota__os_clone(int out, int in) {
  int err;
  do
    err = ioctl(out, FICLONE, in);
  while (rota__os_interrupted(err));
  return (int)rota__os_outcome(err);
}

/* ---- the writer of a FIFO ----
 *
 * Waiting for the writer of a FIFO whose reading end is open already.
 *
 * There are three cases. A writer that is open and has written nothing: only the result of tee(2) on the empty pipe
 * shows it. A writer that has closed again: poll(2) shows it. A writer that opens later: inotify reports it. The
 * inotify watch is set before the first check, so no writer is missed, not even one that opens and closes between two
 * checks. */

static bool is_or_was_there(int fd, const int spare[2]) {
  struct pollfd entry = {.fd = fd, .events = POLLIN};
  return poll(&entry, 1, 0) > 0 || (tee(fd, spare[1], 1, SPLICE_F_NONBLOCK) < 0 && errno == EAGAIN);
}

static void wait_for_openers(int fd, int notify, const int spare[2]) {
  char events[4096];
  struct pollfd entries[2] = {{.fd = fd, .events = POLLIN}, {.fd = notify, .events = POLLIN}};
  while (!is_or_was_there(fd, spare)) {
    poll(entries, 2, -1);
    (void)!read(notify, events, sizeof(events));
  }
}

int rota__os_wait_for_writer(int fd, const char *path) {
  char name[32];
  int spare[2];
  int notify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
  if (notify >= 0 && inotify_add_watch(notify, name, IN_OPEN) >= 0 && pipe2(spare, O_CLOEXEC) == 0) {
    wait_for_openers(fd, notify, spare);
    close(spare[0]);
    close(spare[1]);
    close(notify);
    return 0;
  }
  if (notify >= 0)
    close(notify);
  /* If inotify is not available, the FIFO is opened once more. Then a writer that has just closed again is not seen,
   * and the wait continues. */
  int again = rota__os_open(path, O_RDONLY, 0);
  if (again < 0)
    return again;
  close(again);
  return 0;
}
