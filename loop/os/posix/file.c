#include "loop/os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "loop/os/outcome.h"

_Static_assert(sizeof(uv_buf_t) == sizeof(struct iovec) &&
                   offsetof(uv_buf_t, base) == offsetof(struct iovec, iov_base) &&
                   offsetof(uv_buf_t, len) == offsetof(struct iovec, iov_len),
               "a uv_buf_t is a struct iovec");

int rota__os_open_at(int directory, const char *path, int flags, unsigned int mode) {
  int fd;
  do
    fd = openat(directory, path, flags | O_CLOEXEC, (mode_t)mode);
  while (rota__os_interrupted(fd));
  return (int)rota__os_outcome(fd);
}

int rota__os_open(const char *path, int flags, unsigned int mode) {
  return rota__os_open_at(AT_FDCWD, path, flags, mode);
}

int64_t rota__os_seek(int fd, int64_t offset, int whence) {
  return rota__os_outcome(lseek(fd, offset, whence));
}

ssize_t rota__os_read_at(int fd, const uv_buf_t *bufs, int count, int64_t offset) {
  const struct iovec *vector = (const struct iovec *)bufs;
  ssize_t n;
  do {
    if (offset < 0)
      n = count == 1 ? read(fd, vector->iov_base, vector->iov_len) : readv(fd, vector, count);
    else
      n = count == 1 ? pread(fd, vector->iov_base, vector->iov_len, offset) : preadv(fd, vector, count, offset);
  } while (rota__os_interrupted(n));
  return rota__os_outcome(n);
}

ssize_t rota__os_write_at(int fd, const uv_buf_t *bufs, int count, int64_t offset) {
  const struct iovec *vector = (const struct iovec *)bufs;
  ssize_t n;
  do {
    if (offset < 0)
      n = count == 1 ? write(fd, vector->iov_base, vector->iov_len) : writev(fd, vector, count);
    else
      n = count == 1 ? pwrite(fd, vector->iov_base, vector->iov_len, offset) : pwritev(fd, vector, count, offset);
  } while (rota__os_interrupted(n));
  return rota__os_outcome(n);
}

#if defined(__linux__) || defined(__FreeBSD__)
ssize_t rota__os_copy_range(int out, int in, int64_t *offset, size_t length) {
  off_t position = *offset;
  ssize_t n;
  do
    n = copy_file_range(in, &position, out, NULL, length, 0);
  while (rota__os_interrupted(n));
  *offset = position;
  return rota__os_outcome(n);
}
#else
/* The caller copies by hand. */
ssize_t rota__os_copy_range(int out, int in, int64_t *offset, size_t length) {
  (void)out;
  (void)in;
  (void)offset;
  (void)length;
  return -ENOSYS;
}
#endif

bool rota__os_is_fifo(int fd) {
  struct stat stat;
  return fstat(fd, &stat) == 0 && S_ISFIFO(stat.st_mode);
}

int rota__os_is_stored(int fd) {
  struct stat stat;
  if (fstat(fd, &stat) < 0)
    return -errno;
  return S_ISREG(stat.st_mode) || S_ISDIR(stat.st_mode);
}

#ifdef __APPLE__
/* fsync leaves the bytes in the disk's own memory. Not every file system can do more. */
static int sync_all(int fd) {
  return fcntl(fd, F_FULLFSYNC) == 0 ? 0 : fsync(fd);
}

static int sync_contents(int fd) {
  return sync_all(fd);
}
#else
static int sync_all(int fd) {
  return fsync(fd);
}

static int sync_contents(int fd) {
  return fdatasync(fd);
}
#endif

int rota__os_sync(int fd) {
  int err;
  do
    err = sync_all(fd);
  while (rota__os_interrupted(err));
  return (int)rota__os_outcome(err);
}

int rota__os_sync_data(int fd) {
  int err;
  do
    err = sync_contents(fd);
  while (rota__os_interrupted(err));
  return (int)rota__os_outcome(err);
}

int rota__os_truncate(int fd, int64_t length) {
  int err;
  do
    err = ftruncate(fd, length);
  while (rota__os_interrupted(err));
  return (int)rota__os_outcome(err);
}

int rota__os_chmod_fd(int fd, unsigned int mode) {
  return (int)rota__os_outcome(fchmod(fd, (mode_t)mode));
}

int rota__os_chown_fd(int fd, uv_uid_t uid, uv_gid_t gid) {
  return (int)rota__os_outcome(fchown(fd, uid, gid));
}

int rota__os_lock_file(int fd) {
  int result;
  do
    result = flock(fd, LOCK_EX | LOCK_NB);
  while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : 0;
}

void rota__os_file_identify(int fd, struct rota_os_file_identity *identity) {
  struct stat stat;
  *identity = (struct rota_os_file_identity){0, 0};
  if (fstat(fd, &stat) == 0)
    *identity = (struct rota_os_file_identity){stat.st_dev, stat.st_ino};
}

bool rota__os_file_is(int fd, const struct rota_os_file_identity *identity) {
  struct rota_os_file_identity now;
  rota__os_file_identify(fd, &now);
  return now.device == identity->device && now.inode == identity->inode;
}
