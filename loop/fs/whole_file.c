/* rota_fs_read_file and rota_fs_write_file: opening, reading or writing, and closing a file as one operation.
 *
 * A file that is read is opened without waiting, and its beginning is read into a room of the caller's. Most files are
 * read whole by that. The rest of a regular file is read into a block of its size, which grows if the file does. A file
 * of another kind may block its reader: one that is read by itself blocks its thread; one that is read together with
 * others is continued by a job of its own (gather.c). */
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "loop/base/alloc.h"
#include "loop/fs/request.h"
#include "loop/fs/whole_file.h"
#include "loop/os/file.h"

enum {
  POOL_ROOM = 16 * 1024, /* on the stack of a thread of the pool, which may be small */
  OWN_ROOM = 64 * 1024,  /* on the stack of the program's own thread */
  LEAST = 64 * 1024,     /* of a block for a file whose size is not known */
};

static ssize_t failed_read(uv_fs_t *req, int64_t err) {
  return rota__fs_failed(req, UV_FS_READ, err);
}

/* Small files that were read together have their bytes in one block (gather.c). */
static void set_shared(uv_fs_t *req, char *place) {
  req->ptr = place;
  req->nbufs = 1;
}

static bool is_shared(const uv_fs_t *req) {
  return req->nbufs != 0;
}

static bool grow(uv_fs_t *req, size_t size) {
  void *more = rota__realloc(req->ptr, size);
  if (more != NULL)
    req->ptr = more;
  return more != NULL;
}

static bool is_too_large(uv_fs_t *req, uint64_t size) {
  req->statbuf.st_size = size;
  return req->off > 0 && size > (uint64_t)req->off;
}

/* The rest of a file of which there are `have` bytes, in a block that has more room. */
static ssize_t read_on(uv_fs_t *req, size_t have, size_t room) {
  for (;;) {
    ssize_t n = rota__os_read(req->file, (char *)req->ptr + have, room - have);
    if (n < 0)
      return failed_read(req, n);
    have += (size_t)n;
    if (n == 0)
      return (ssize_t)have;
    if (is_too_large(req, have))
      return rota__fs_failed(req, UV_FS_FSTAT, UV_EFBIG);
    if (have == room && !grow(req, room *= 2))
      return failed_read(req, UV_ENOMEM);
  }
}

/* For a file whose size is known, one byte more: the read that finds the end. */
static size_t room_for(uint64_t size, size_t have) {
  return size > have ? (size_t)size + 1 : have + LEAST;
}

/* An error of what was opened, which is closed. */
static ssize_t give_up(uv_fs_t *req, uv_fs_type step, int err) {
  if (req->file >= 0)
    rota__os_close(req->file);
  req->file = -1;
  return rota__fs_failed(req, step, err);
}

ssize_t rota__fs_read_rest(uv_fs_t *req, const rota_small_file_t *file, char *place) {
  if (file->result < 0)
    return rota__fs_failed(req, file->is_open_error ? UV_FS_OPEN : UV_FS_READ, file->result);
  size_t have = (size_t)file->result, room = have;
  req->file = file->fd;
  bool is_regular =
      file->fd >= 0 && rota__os_stat_fd(file->fd, &req->statbuf) == 0 && (req->statbuf.st_mode & S_IFMT) == S_IFREG;
  if (is_too_large(req, is_regular ? req->statbuf.st_size : have))
    return give_up(req, UV_FS_FSTAT, UV_EFBIG);
  if (is_regular)
    room = room_for(req->statbuf.st_size, have);
  if (file->fd < 0 && place != NULL)
    set_shared(req, place);
  else if (room > 0 && !grow(req, room))
    return give_up(req, UV_FS_READ, UV_ENOMEM);
  if (have > 0)
    memcpy(req->ptr, file->room, have);
  if (!is_regular)
    return (ssize_t)have;
  ssize_t result = read_on(req, have, room);
  rota__os_close(req->file);
  req->file = -1;
  return result;
}

/* The first writer of a FIFO is awaited, as by opening it. */
static ssize_t read_when_ready(uv_fs_t *req, size_t have) {
  if (have == 0 && rota__os_is_fifo(req->file)) {
    int err = rota__os_wait_for_writer(req->file, req->path);
    if (err < 0)
      return rota__fs_failed(req, UV_FS_OPEN, err);
  }
  rota__os_set_nonblocking(req->file, false);
  size_t room = have + LEAST;
  return grow(req, room) ? read_on(req, have, room) : failed_read(req, UV_ENOMEM);
}

ssize_t rota__fs_read_blocking(uv_fs_t *req) {
  ssize_t result = read_when_ready(req, (size_t)req->result);
  rota__os_close(req->file);
  req->file = -1;
  return result;
}

static ssize_t read_through(uv_fs_t *req, char *room, size_t size) {
  rota_small_file_t file = {.path = req->path, .directory = AT_FDCWD, .flags = req->flags, .room = room, .size = size};
  rota__fs_read_small_file(&file);
  req->result = rota__fs_read_rest(req, &file, NULL);
  return req->file >= 0 ? rota__fs_read_blocking(req) : req->result;
}

/* Each of its own, so that only the caller's thread needs the larger stack. */
static __attribute__((noinline)) ssize_t read_in_pool(uv_fs_t *req) {
  char room[POOL_ROOM];
  return read_through(req, room, sizeof(room));
}

static __attribute__((noinline)) ssize_t read_now(uv_fs_t *req) {
  char room[OWN_ROOM];
  return read_through(req, room, sizeof(room));
}

ssize_t rota__fs_run_read_file(uv_fs_t *req) {
  return req->cb == NULL ? read_now(req) : read_in_pool(req);
}

static int begin(uv_loop_t *loop, uv_fs_t *req, const char *path, int flags, int64_t limit, uv_fs_cb cb) {
  int err = rota__fs_init(loop, req, ROTA_FS_READ_FILE, path, NULL, cb);
  if (err < 0)
    return err;
  req->file = -1;
  req->flags = flags;
  req->off = limit > 0 ? limit : 0;
  return 0;
}

int rota_fs_read_file(uv_loop_t *loop, uv_fs_t *req, const char *path, int flags, int64_t limit, uv_fs_cb cb) {
  if (req == NULL || path == NULL)
    return UV_EINVAL;
  if (cb != NULL && begin(loop, req, NULL, flags, limit, cb) == 0 && rota__fs_gather(req, path))
    return 0;
  int err = begin(loop, req, path, flags, limit, cb);
  return err < 0 ? err : rota__fs_start(req);
}

uv_fs_type rota_fs_failed_step(const uv_fs_t *req) {
  return req->result < 0 && req->result != UV_ECANCELED ? (uv_fs_type)req->gid : UV_FS_UNKNOWN;
}

char *rota_fs_take_bytes(uv_fs_t *req) {
  char *bytes = req->ptr;
  if (bytes != NULL && is_shared(req)) {
    char *copy = rota__malloc((size_t)req->result);
    bytes = copy == NULL ? NULL : memcpy(copy, bytes, (size_t)req->result);
  }
  if (bytes != NULL)
    req->ptr = NULL;
  return bytes;
}

void rota__fs_release_file(uv_fs_t *req) {
  if (!is_shared(req))
    rota__free(req->ptr);
  if (req->new_path != NULL)
    rota__fs_gathered_release(req);
}

/* ---- writing ---- */

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
