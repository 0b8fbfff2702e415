/* Reading and writing: one call for a read, as many as needed for a write.
 *
 * Both take their buffers from req->bufs, and leave the array alone: a synchronous request uses the caller's own. A
 * write begins after the first req->result bytes, which a poller may have written already. */
#include <limits.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/limit.h"
#include "loop/fs/request.h"
#include "loop/os/file.h"

static int limited(unsigned int count) {
  return (int)(count < ROTA_VECTOR_MAX ? count : ROTA_VECTOR_MAX);
}

ssize_t rota__fs_run_read(uv_fs_t *req) {
  return rota__os_read_at(req->file, req->bufs, limited(req->nbufs), req->off);
}

/* Which buffer byte number `done` is in, and how many bytes of that buffer come before it. */
static unsigned int locate(const uv_buf_t *bufs, unsigned int nbufs, size_t done, size_t *before) {
  unsigned int i = 0;
  while (i < nbufs && bufs[i].len <= done)
    done -= bufs[i++].len;
  *before = done;
  return i;
}

ssize_t rota__fs_run_write(uv_fs_t *req) {
  ssize_t total = req->result;
  size_t before;
  unsigned int i = locate(req->bufs, req->nbufs, (size_t)total, &before);
  do {
    uv_buf_t rest;
    const uv_buf_t *bufs = req->bufs + i;
    int count = limited(req->nbufs - i);
    if (before > 0) {
      rest = req->bufs[i];
      rest.base += before;
      rest.len -= before;
      bufs = &rest;
      count = 1;
    }
    ssize_t n = rota__os_write_at(req->file, bufs, count, req->off < 0 ? -1 : req->off + total);
    if (n <= 0)
      return total > 0 ? total : n;
    total += n;
    i += locate(req->bufs + i, req->nbufs - i, before + (size_t)n, &before);
  } while (i < req->nbufs);
  return total;
}

static int start(uv_loop_t *loop, uv_fs_t *req, uv_fs_type type, uv_file file, const uv_buf_t bufs[],
                 unsigned int nbufs, int64_t offset, uv_fs_cb cb) {
  int err = rota__fs_init(loop, req, type, NULL, NULL, cb);
  if (err < 0)
    return err;
  if (bufs == NULL || nbufs == 0)
    return UV_EINVAL;

  req->file = file;
  req->off = offset;
  req->nbufs = nbufs;
  if (cb == NULL) {
    req->bufs = (uv_buf_t *)bufs;
    int result = rota__fs_start(req);
    req->bufs = NULL;
    return result;
  }

  size_t size = nbufs * sizeof(*bufs);
  req->bufs = req->small_bufs;
  if (size > sizeof(req->small_bufs))
    req->bufs = rota__malloc(size);
  if (req->bufs == NULL)
    return UV_ENOMEM;
  memcpy(req->bufs, bufs, size);
  return rota__fs_start(req);
}

int uv_fs_read(uv_loop_t *loop, uv_fs_t *req, uv_file file, const uv_buf_t bufs[], unsigned int nbufs, int64_t offset,
               uv_fs_cb cb) {
  return start(loop, req, UV_FS_READ, file, bufs, nbufs, offset, cb);
}

int uv_fs_write(uv_loop_t *loop, uv_fs_t *req, uv_file file, const uv_buf_t bufs[], unsigned int nbufs, int64_t offset,
                uv_fs_cb cb) {
  if (req == NULL)
    return UV_EINVAL;
  if (bufs != NULL && rota__io_is_too_large(bufs, nbufs)) {
    rota__fs_init(loop, req, UV_FS_WRITE, NULL, NULL, cb); /* so that it can be cleaned up */
    return UV_EINVAL;
  }
  return start(loop, req, UV_FS_WRITE, file, bufs, nbufs, offset, cb);
}
