#include "loop/os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "loop/base/alloc.h"
#include "loop/os/outcome.h"

/* ---- descriptors ---- */

enum { KNOWN_MAX = 4096, BITS = 64 };

static _Atomic uint64_t seekable[KNOWN_MAX / BITS]; /* a bit for each descriptor that is known to be */

static uint64_t bit(int fd) {
  return (uint64_t)1 << (fd % BITS);
}

static bool is_known(int fd) {
  return fd >= 0 && fd < KNOWN_MAX && (atomic_load_explicit(&seekable[fd / BITS], memory_order_relaxed) & bit(fd)) != 0;
}

void rota__os_forget(int fd) {
  if (is_known(fd))
    atomic_fetch_and_explicit(&seekable[fd / BITS], ~bit(fd), memory_order_relaxed);
}

bool rota__os_is_seekable(int fd) {
  if (is_known(fd))
    return true;
  if (lseek(fd, 0, SEEK_CUR) < 0)
    return false;
  if (fd < KNOWN_MAX)
    atomic_fetch_or_explicit(&seekable[fd / BITS], bit(fd), memory_order_relaxed);
  return true;
}

bool rota__os_is_nonblocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_NONBLOCK) != 0;
}

int rota__os_close(int fd) {
  int saved = errno;
  rota__os_forget(fd);
  int err = close(fd) == 0 ? 0 : -errno;
  errno = saved;
  if (err == -EINTR || err == -EINPROGRESS)
    return 0;
  return err;
}

ssize_t rota__os_read(int fd, void *buffer, size_t length) {
  ssize_t n;
  do
    n = read(fd, buffer, length);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

ssize_t rota__os_write(int fd, const void *buffer, size_t length) {
  ssize_t n;
  do
    n = write(fd, buffer, length);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

ssize_t rota__os_writev(int fd, const struct iovec *vector, int count) {
  ssize_t n;
  do
    n = writev(fd, vector, count);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

int rota__os_set_nonblocking(int fd, bool on) {
  int flag = on;
  return ioctl(fd, FIONBIO, &flag) < 0 ? -errno : 0;
}

int rota__os_set_cloexec(int fd, bool on) {
  return ioctl(fd, on ? FIOCLEX : FIONCLEX) < 0 ? -errno : 0;
}

int rota__os_open_cloexec(const char *path, int flags) {
  int fd;
  do
    fd = open(path, flags | O_CLOEXEC);
  while (fd < 0 && errno == EINTR);
  return fd < 0 ? -errno : fd;
}

int rota__os_dup_cloexec(int fd) {
  int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  return copy < 0 ? -errno : copy;
}

int rota__os_dup_high(int fd) {
  int copy = fcntl(fd, F_DUPFD_CLOEXEC, 200);
  return copy < 0 ? -errno : copy;
}

int rota__os_pipe(int fds[2], int flags) {
#ifdef __APPLE__ /* it lacks pipe2: a child that another thread starts now may inherit them */
  if (pipe(fds) < 0)
    return -errno;
  for (int i = 0; i < 2; i++) {
    rota__os_set_cloexec(fds[i], true);
    if (flags & O_NONBLOCK)
      rota__os_set_nonblocking(fds[i], true);
  }
  return 0;
#else
  return pipe2(fds, flags | O_CLOEXEC) < 0 ? -errno : 0;
#endif
}

int rota__os_pipe_above(int fds[2], int above) {
  int err = rota__os_pipe(fds, 0);
  if (err < 0 || fds[1] >= above)
    return err;
  int moved = fcntl(fds[1], F_DUPFD_CLOEXEC, above);
  err = moved < 0 ? -errno : 0;
  rota__os_close(fds[1]);
  fds[1] = moved;
  if (err < 0)
    rota__os_close(fds[0]);
  return err;
}

int rota__os_access_mode(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags < 0 ? -errno : flags & O_ACCMODE;
}

/* ---- files by descriptor ---- */

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

/* ---- small text files ---- */

enum { FIRST_SIZE = 4096 };

/* Files of /proc and /sys have no size that could be asked, and may come in pieces. */
static ssize_t read_until_full(int fd, char *buffer, size_t room) {
  size_t length = 0;
  while (length < room) {
    ssize_t n = rota__os_read(fd, buffer + length, room - length);
    if (n < 0)
      return n;
    if (n == 0)
      break;
    length += (size_t)n;
  }
  return (ssize_t)length;
}

ssize_t rota__os_read_text(const char *path, char *buffer, size_t size) {
  int fd = rota__os_open_cloexec(path, O_RDONLY);
  if (fd < 0)
    return fd;
  ssize_t length = read_until_full(fd, buffer, size - 1);
  rota__os_close(fd);
  if (length >= 0)
    buffer[length] = '\0';
  return length;
}

ssize_t rota__os_read_whole(const char *path, char **text) {
  size_t capacity = FIRST_SIZE;
  size_t length = 0;
  ssize_t result = -ENOMEM;
  char *buffer = NULL;

  int fd = rota__os_open_cloexec(path, O_RDONLY);
  if (fd < 0)
    return fd;
  for (;;) {
    char *larger = rota__realloc(buffer, capacity);
    if (larger == NULL) {
      result = -ENOMEM;
      goto fail;
    }
    buffer = larger;
    result = read_until_full(fd, buffer + length, capacity - 1 - length);
    if (result < 0)
      goto fail;
    length += (size_t)result;
    if (length < capacity - 1)
      break;
    capacity *= 2;
  }
  rota__os_close(fd);
  buffer[length] = '\0';
  *text = buffer;
  return (ssize_t)length;

fail:
  rota__free(buffer);
  rota__os_close(fd);
  return result;
}

/* ---- terminals ---- */

static bool is_master(int fd) {
#ifdef TIOCGPTN
  unsigned int number;
  return ioctl(fd, TIOCGPTN, &number) == 0;
#else
  return ptsname(fd) != NULL;
#endif
}

static int copy_to(int fd, int to) {
#ifdef __APPLE__ /* it lacks dup3 */
  if (fd == to) {
    errno = EINVAL;
    return -1;
  }
  int n = dup2(fd, to);
  if (n >= 0)
    rota__os_set_cloexec(n, true);
  return n;
#else
  return dup3(fd, to, O_CLOEXEC);
#endif
}

int rota__os_tty_reopen(int fd, int mode) {
  char path[256];
  if (is_master(fd))
    return -ENXIO; /* opening its name would open the other side */
  int err = ttyname_r(fd, path, sizeof path);
  if (err != 0)
    return -err;
  int copy = rota__os_open_cloexec(path, mode | O_NOCTTY);
  if (copy < 0)
    return copy;
  int n;
  do
    n = copy_to(copy, fd);
  while (n < 0 && (errno == EINTR || errno == EBUSY));
  if (n < 0 && errno != EINVAL) { /* EINVAL: fd has been closed meanwhile, and copy took its number */
    err = -errno;
    rota__os_close(copy);
    return err;
  }
  return copy;
}

int rota__os_tty_get(int fd, struct termios *attributes) {
  return tcgetattr(fd, attributes) < 0 ? -errno : 0;
}

int rota__os_tty_set(int fd, int when, const struct termios *attributes) {
  int saved = errno;
  int n;
  do
    n = tcsetattr(fd, when, attributes);
  while (n < 0 && errno == EINTR);
  int err = n < 0 ? -errno : 0;
  errno = saved;
  return err;
}

int rota__os_tty_size(int fd, int *width, int *height) {
  struct winsize size;
  int n;
  do
    n = ioctl(fd, TIOCGWINSZ, &size);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    return -errno;
  *width = size.ws_col;
  *height = size.ws_row;
  return 0;
}
