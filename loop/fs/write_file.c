/* rota_fs_write_file: opening, writing and closing a file as one operation. */
#include "loop/fs/operation.h"
#include "loop/fs/request.h"
#include "loop/fs/whole_file.h"
#include "loop/os/file.h"

static ssize_t write_all(uv_fs_t *req, int fd) {
  const uv_buf_t *buf = &req->small_bufs[0];
  for (size_t at = 0; at < buf->len;) {
    ssize_t n = rota__os_write(fd, buf->base + at, buf->len - at);
    if (n < 0)
      return rota__fs_failed(req, UV_FS_WRITE, n);
    at += (size_t)n;
  }
  return (ssize_t)buf->len;
}

ssize_t rota__fs_run_write_file(uv_fs_t *req) {
  int fd = rota__os_open(req->path, req->flags, req->mode);
  if (fd < 0)
    return rota__fs_failed(req, UV_FS_OPEN, fd);
  ssize_t result = write_all(req, fd);
  int err = rota__os_close(fd);
  return result >= 0 && err < 0 ? rota__fs_failed(req, UV_FS_CLOSE, err) : result;
}

int rota_fs_write_file(uv_loop_t *loop, uv_fs_t *req, const char *path, int flags, int mode, const uv_buf_t *buf,
                       uv_fs_cb cb) {
  if (req == NULL || path == NULL || buf == NULL)
    return UV_EINVAL;
  int err = rota__fs_init(loop, req, ROTA_FS_WRITE_FILE, path, NULL, cb);
  if (err < 0)
    return err;
  req->file = -1;
  req->flags = flags;
  req->mode = (mode_t)mode;
  req->small_bufs[0] = *buf;
  req->bufs = req->small_bufs;
  req->nbufs = 1;
  return rota__fs_start(req);
}
