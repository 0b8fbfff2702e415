/* Copying: from one descriptor to another, and a whole file.
 *
 * The kernel can copy in several ways. None works for all pairs of files, and it is not known beforehand which one
 * does. They are tried from the fastest to the simplest; the last, reading and writing, always works. */
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "loop/fs/request.h"
#include "loop/os/file.h"
#include "loop/os/socket.h"

/* If a socket's buffer is full, this waits: the caller asked for a copy, not for an attempt. What is written before an
 * error counts in *done, too: it must not be written again. */
static ssize_t write_all(int out, const char *data, size_t length, size_t *done) {
  while (length > 0) {
    ssize_t n = rota__os_write(out, data, length);
    if (n == UV_EAGAIN)
      n = rota__os_wait_writable(out);
    if (n < 0)
      return n;
    data += n;
    length -= (size_t)n;
    *done += (size_t)n;
  }
  return 0;
}

/* A file without offsets (a pipe) is read sequentially. */
static ssize_t read_chunk(int in, int64_t offset, void *buffer, size_t length) {
  uv_buf_t buf = uv_buf_init(buffer, (unsigned int)length);
  ssize_t n = rota__os_read_at(in, &buf, 1, offset);
  return n == UV_ESPIPE ? rota__os_read_at(in, &buf, 1, -1) : n;
}

static ssize_t copy_by_hand(int out, int in, int64_t offset, size_t length) {
  char buffer[8192]; /* on the stack, so small: a synchronous call may come from a thread with a small stack */
  size_t done = 0;
  ssize_t n = 0;
  while (done < length) {
    size_t rest = length - done;
    n = read_chunk(in, offset + (int64_t)done, buffer, rest < sizeof(buffer) ? rest : sizeof(buffer));
    if (n <= 0)
      break;
    n = write_all(out, buffer, (size_t)n, &done);
    if (n < 0)
      break;
  }
  return done > 0 ? (ssize_t)done : n;
}

/* These say that the pair of files does not suit sendfile, not that the copy failed. */
static bool is_unsuitable(ssize_t err) {
  return err == UV_EINVAL || err == UV_EIO || err == UV_ENOTSOCK || err == UV_EXDEV || err == UV_ENOSYS ||
         err == UV_ENOTSUP || err == UV_ESPIPE;
}

static bool is_directory(int fd) {
  uv_stat_t found;
  return rota__os_stat_fd(fd, &found) == 0 && S_ISDIR(found.st_mode);
}

/* Copies some bytes, at most `length`; 0 at the end of the file. */
static ssize_t copy_some(int out, int in, int64_t *offset, size_t length) {
  /* 0 may mean the end, or a file of /proc, whose size is not known. sendfile handles both, and returns any error
   * again. */
  ssize_t n = rota__os_copy_range(out, in, offset, length);
  if (n > 0 || n == UV_EISDIR)
    return n;
  n = rota__os_sendfile(out, in, offset, length);
  if (n == UV_EBADF && is_directory(out)) /* sendfile says of a directory only that it cannot be written */
    return UV_EISDIR;
  if (!is_unsuitable(n))
    return n;
  n = copy_by_hand(out, in, *offset, length);
  if (n > 0)
    *offset += n;
  return n;
}

/* The request keeps the source in `flags` and the length in the first of its small buffers. */
ssize_t rota__fs_run_sendfile(uv_fs_t *req) {
  int64_t offset = req->off;
  if (offset < 0)
    return UV_EINVAL; /* here it does not mean the file's own position */
  return copy_some(req->file, req->flags, &offset, req->small_bufs[0].len);
}

/* Copies as many bytes as the file had at the beginning, so that copying a growing file ends. A file of /proc has size
 * 0 and may still have bytes. */
static ssize_t copy_content(int out, int in, const uv_stat_t *source) {
  bool size_is_known = source->st_size > 0;
  uint64_t left = source->st_size;
  int64_t offset = 0;
  if (!size_is_known && !S_ISREG(source->st_mode))
    return 0;
  while (!size_is_known || left > 0) {
    ssize_t n = copy_some(out, in, &offset, size_is_known && left < (1u << 30) ? (size_t)left : 1u << 30);
    if (n <= 0)
      return n;
    left -= (uint64_t)n;
  }
  return 0;
}

/* The destination has been opened for writing and is not the source. */
static ssize_t fill(int out, int in, const uv_stat_t *source, const uv_stat_t *target, int flags) {
  ssize_t err;
  if (S_ISREG(target->st_mode)) {
    err = rota__os_truncate(out, 0);
    if (err < 0)
      return err;
    /* The umask removed bits from the mode of a new file, and an existing file has its own mode. Some network file
     * systems refuse to change a mode, and only the owner may change that of an existing file: then the copy still
     * counts as done. */
    err = rota__os_chmod_fd(out, source->st_mode & 07777);
    if (err < 0 && err != UV_EPERM)
      return err;
  }
  if (flags & (UV_FS_COPYFILE_FICLONE | UV_FS_COPYFILE_FICLONE_FORCE)) {
    err = rota__os_clone(out, in);
    if (err == 0 || (flags & UV_FS_COPYFILE_FICLONE_FORCE))
      return err;
  }
  return copy_content(out, in, source);
}

/* An error of the destination (it cannot be opened, or exists and must not) comes first. Opening a FIFO there does not
 * wait. */
static ssize_t refuse_directory(const uv_fs_t *req) {
  bool must_be_new = (req->flags & UV_FS_COPYFILE_EXCL) != 0;
  int out = rota__os_open(req->new_path, O_WRONLY | O_NONBLOCK | (must_be_new ? O_CREAT | O_EXCL : 0), 0600);
  if (out < 0)
    return out == UV_ENOENT || out == UV_ENXIO ? UV_EISDIR : out;
  rota__os_close(out);
  if (must_be_new)
    rota__os_unlink(req->new_path);
  return UV_EISDIR;
}

ssize_t rota__fs_run_copyfile(uv_fs_t *req) {
  uv_stat_t source, target;
  ssize_t result;
  int out = -1;
  bool failed_half_way = false;

  int in = rota__os_open(req->path, O_RDONLY, 0);
  if (in < 0)
    return in;
  result = rota__os_stat_fd(in, &source);
  if (result == 0 && S_ISDIR(source.st_mode))
    result = refuse_directory(req);
  if (result < 0)
    goto done;

  /* Not O_TRUNC: source and destination may be the same file. */
  int open_flags = O_WRONLY | O_CREAT | (req->flags & UV_FS_COPYFILE_EXCL ? O_EXCL : 0);
  out = rota__os_open(req->new_path, open_flags, source.st_mode & 0777);
  if (out < 0) {
    result = out;
    goto done;
  }
  result = rota__os_stat_fd(out, &target);
  if (result < 0)
    goto done;
  if (source.st_dev == target.st_dev && source.st_ino == target.st_ino)
    goto done;

  result = fill(out, in, &source, &target, req->flags);
  failed_half_way = result < 0 && S_ISREG(target.st_mode);

done:
  if (out >= 0) {
    int err = rota__os_close(out);
    if (result == 0 && err < 0) {
      result = err; /* a network file system may report a full disk only now */
      failed_half_way = S_ISREG(target.st_mode);
    }
  }
  rota__os_close(in);
  /* A half copied file is removed, but a device is not. */
  if (failed_half_way)
    rota__os_unlink(req->new_path);
  return result;
}
