/* Copying: from one descriptor to another by reading and writing, and a whole file by the system's own function, which
 * copies attributes and further streams, too. */
#include <stdbool.h>

#include "loop/fs/request.h"
#include "loop/os/file.h"
#include "loop/os/windows/convert.h"

enum { CHUNK = 8192 }; /* on the stack: a synchronous call may come from a thread with a small one */

static ssize_t write_all(int out, const char *data, size_t length) {
  size_t done = 0;
  while (done < length) {
    ssize_t n = rota__os_write(out, data + done, length - done);
    if (n < 0)
      return n;
    done += (size_t)n;
  }
  return (ssize_t)done;
}

/* The request keeps the source in `flags` and the length in the first of its small buffers. */
ssize_t rota__fs_run_sendfile(uv_fs_t *req) {
  char chunk[CHUNK];
  size_t length = req->small_bufs[0].len, done = 0;
  ssize_t n = 0;
  while (done < length) {
    uv_buf_t buf = uv_buf_init(chunk, (unsigned int)(length - done < CHUNK ? length - done : CHUNK));
    n = rota__os_read_at(req->flags, &buf, 1, req->off < 0 ? -1 : req->off + (int64_t)done);
    if (n <= 0)
      break;
    n = write_all(req->file, chunk, (size_t)n);
    if (n < 0)
      break;
    done += (size_t)n;
  }
  return done > 0 ? (ssize_t)done : n;
}

static bool is_same_file(const char *path, const char *new_path) {
  uv_stat_t one, other;
  return rota__os_stat(path, ROTA_STAT_TARGET, &one) == 0 && rota__os_stat(new_path, ROTA_STAT_TARGET, &other) == 0 &&
         one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

ssize_t rota__fs_run_copyfile(uv_fs_t *req) {
  struct rota_os_wide path, new_path;
  if (req->flags & UV_FS_COPYFILE_FICLONE_FORCE)
    return UV_ENOSYS; /* the system shares blocks where it can, and does not tell whether it did */
  int err = rota__os_wide_path(&path, req->path);
  if (err < 0)
    return err;
  err = rota__os_wide_path(&new_path, req->new_path);
  if (err == 0) {
    if (!CopyFileW(path.text, new_path.text, (req->flags & UV_FS_COPYFILE_EXCL) != 0))
      err = rota__os_last_error();
    rota__os_wide_free(&new_path);
  }
  rota__os_wide_free(&path);
  /* A file that is copied onto itself is what it shall be. */
  if (err < 0 && err != UV_EEXIST && is_same_file(req->path, req->new_path))
    return 0;
  return err;
}
