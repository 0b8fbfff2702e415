/* The public functions: each puts its parameters into the request, where its operation reads them. */
#include <stdbool.h>

#include "loop/base/check.h"
#include "loop/base/limit.h"
#include "loop/fs/request.h"

static int init_with_paths(uv_loop_t *loop, uv_fs_t *req, uv_fs_type type, const char *path, const char *new_path,
                           uv_fs_cb cb) {
  if (req == NULL)
    return UV_EINVAL;
  rota__check(path != NULL && new_path != NULL);
  return rota__fs_init(loop, req, type, path, new_path, cb);
}

static int init_with_path(uv_loop_t *loop, uv_fs_t *req, uv_fs_type type, const char *path, uv_fs_cb cb) {
  if (req == NULL)
    return UV_EINVAL;
  rota__check(path != NULL);
  return rota__fs_init(loop, req, type, path, NULL, cb);
}

static int init_with_file(uv_loop_t *loop, uv_fs_t *req, uv_fs_type type, uv_file file, uv_fs_cb cb) {
  int err = rota__fs_init(loop, req, type, NULL, NULL, cb);
  if (err == 0)
    req->file = file;
  return err;
}

static int start_with_path(uv_loop_t *loop, uv_fs_t *req, uv_fs_type type, const char *path, uv_fs_cb cb) {
  int err = init_with_path(loop, req, type, path, cb);
  return err < 0 ? err : rota__fs_start(req);
}

static int start_with_paths(uv_loop_t *loop, uv_fs_t *req, uv_fs_type type, const char *path, const char *new_path,
                            uv_fs_cb cb) {
  int err = init_with_paths(loop, req, type, path, new_path, cb);
  return err < 0 ? err : rota__fs_start(req);
}

static int start_with_file(uv_loop_t *loop, uv_fs_t *req, uv_fs_type type, uv_file file, uv_fs_cb cb) {
  int err = init_with_file(loop, req, type, file, cb);
  return err < 0 ? err : rota__fs_start(req);
}

/* ---- by descriptor ---- */

int uv_fs_open(uv_loop_t *loop, uv_fs_t *req, const char *path, int flags, int mode, uv_fs_cb cb) {
  int err = init_with_path(loop, req, UV_FS_OPEN, path, cb);
  if (err < 0)
    return err;
  req->file = -1;
  req->flags = flags;
  req->mode = (mode_t)mode;
  return rota__fs_start(req);
}

int uv_fs_close(uv_loop_t *loop, uv_fs_t *req, uv_file file, uv_fs_cb cb) {
  return start_with_file(loop, req, UV_FS_CLOSE, file, cb);
}

int uv_fs_fsync(uv_loop_t *loop, uv_fs_t *req, uv_file file, uv_fs_cb cb) {
  return start_with_file(loop, req, UV_FS_FSYNC, file, cb);
}

int uv_fs_fdatasync(uv_loop_t *loop, uv_fs_t *req, uv_file file, uv_fs_cb cb) {
  return start_with_file(loop, req, UV_FS_FDATASYNC, file, cb);
}

int uv_fs_ftruncate(uv_loop_t *loop, uv_fs_t *req, uv_file file, int64_t offset, uv_fs_cb cb) {
  int err = init_with_file(loop, req, UV_FS_FTRUNCATE, file, cb);
  if (err < 0)
    return err;
  req->off = offset;
  return rota__fs_start(req);
}

int uv_fs_fstat(uv_loop_t *loop, uv_fs_t *req, uv_file file, uv_fs_cb cb) {
  return start_with_file(loop, req, UV_FS_FSTAT, file, cb);
}

int uv_fs_fchmod(uv_loop_t *loop, uv_fs_t *req, uv_file file, int mode, uv_fs_cb cb) {
  int err = init_with_file(loop, req, UV_FS_FCHMOD, file, cb);
  if (err < 0)
    return err;
  req->mode = (mode_t)mode;
  return rota__fs_start(req);
}

int uv_fs_fchown(uv_loop_t *loop, uv_fs_t *req, uv_file file, uv_uid_t uid, uv_gid_t gid, uv_fs_cb cb) {
  int err = init_with_file(loop, req, UV_FS_FCHOWN, file, cb);
  if (err < 0)
    return err;
  req->uid = uid;
  req->gid = gid;
  return rota__fs_start(req);
}

int uv_fs_futime(uv_loop_t *loop, uv_fs_t *req, uv_file file, double atime, double mtime, uv_fs_cb cb) {
  int err = init_with_file(loop, req, UV_FS_FUTIME, file, cb);
  if (err < 0)
    return err;
  req->atime = atime;
  req->mtime = mtime;
  return rota__fs_start(req);
}

/* ---- by path ---- */

int uv_fs_stat(uv_loop_t *loop, uv_fs_t *req, const char *path, uv_fs_cb cb) {
  return start_with_path(loop, req, UV_FS_STAT, path, cb);
}

int uv_fs_lstat(uv_loop_t *loop, uv_fs_t *req, const char *path, uv_fs_cb cb) {
  return start_with_path(loop, req, UV_FS_LSTAT, path, cb);
}

int uv_fs_statfs(uv_loop_t *loop, uv_fs_t *req, const char *path, uv_fs_cb cb) {
  return start_with_path(loop, req, UV_FS_STATFS, path, cb);
}

int uv_fs_access(uv_loop_t *loop, uv_fs_t *req, const char *path, int mode, uv_fs_cb cb) {
  int err = init_with_path(loop, req, UV_FS_ACCESS, path, cb);
  if (err < 0)
    return err;
  req->flags = mode;
  return rota__fs_start(req);
}

int uv_fs_chmod(uv_loop_t *loop, uv_fs_t *req, const char *path, int mode, uv_fs_cb cb) {
  int err = init_with_path(loop, req, UV_FS_CHMOD, path, cb);
  if (err < 0)
    return err;
  req->mode = (mode_t)mode;
  return rota__fs_start(req);
}

static int start_chown(uv_loop_t *loop, uv_fs_t *req, uv_fs_type type, const char *path, uv_uid_t uid, uv_gid_t gid,
                       uv_fs_cb cb) {
  int err = init_with_path(loop, req, type, path, cb);
  if (err < 0)
    return err;
  req->uid = uid;
  req->gid = gid;
  return rota__fs_start(req);
}

int uv_fs_chown(uv_loop_t *loop, uv_fs_t *req, const char *path, uv_uid_t uid, uv_gid_t gid, uv_fs_cb cb) {
  return start_chown(loop, req, UV_FS_CHOWN, path, uid, gid, cb);
}

int uv_fs_lchown(uv_loop_t *loop, uv_fs_t *req, const char *path, uv_uid_t uid, uv_gid_t gid, uv_fs_cb cb) {
  return start_chown(loop, req, UV_FS_LCHOWN, path, uid, gid, cb);
}

static int start_utime(uv_loop_t *loop, uv_fs_t *req, uv_fs_type type, const char *path, double atime, double mtime,
                       uv_fs_cb cb) {
  int err = init_with_path(loop, req, type, path, cb);
  if (err < 0)
    return err;
  req->atime = atime;
  req->mtime = mtime;
  return rota__fs_start(req);
}

int uv_fs_utime(uv_loop_t *loop, uv_fs_t *req, const char *path, double atime, double mtime, uv_fs_cb cb) {
  return start_utime(loop, req, UV_FS_UTIME, path, atime, mtime, cb);
}

int uv_fs_lutime(uv_loop_t *loop, uv_fs_t *req, const char *path, double atime, double mtime, uv_fs_cb cb) {
  return start_utime(loop, req, UV_FS_LUTIME, path, atime, mtime, cb);
}

/* ---- names ---- */

int uv_fs_unlink(uv_loop_t *loop, uv_fs_t *req, const char *path, uv_fs_cb cb) {
  return start_with_path(loop, req, UV_FS_UNLINK, path, cb);
}

int uv_fs_rename(uv_loop_t *loop, uv_fs_t *req, const char *path, const char *new_path, uv_fs_cb cb) {
  return start_with_paths(loop, req, UV_FS_RENAME, path, new_path, cb);
}

int uv_fs_link(uv_loop_t *loop, uv_fs_t *req, const char *path, const char *new_path, uv_fs_cb cb) {
  return start_with_paths(loop, req, UV_FS_LINK, path, new_path, cb);
}

int uv_fs_symlink(uv_loop_t *loop, uv_fs_t *req, const char *path, const char *new_path, int flags, uv_fs_cb cb) {
  int err = init_with_paths(loop, req, UV_FS_SYMLINK, path, new_path, cb);
  if (err < 0)
    return err;
  req->flags = flags;
  return rota__fs_start(req);
}

int uv_fs_readlink(uv_loop_t *loop, uv_fs_t *req, const char *path, uv_fs_cb cb) {
  return start_with_path(loop, req, UV_FS_READLINK, path, cb);
}

int uv_fs_realpath(uv_loop_t *loop, uv_fs_t *req, const char *path, uv_fs_cb cb) {
  return start_with_path(loop, req, UV_FS_REALPATH, path, cb);
}

int uv_fs_mkdir(uv_loop_t *loop, uv_fs_t *req, const char *path, int mode, uv_fs_cb cb) {
  int err = init_with_path(loop, req, UV_FS_MKDIR, path, cb);
  if (err < 0)
    return err;
  req->mode = (mode_t)mode;
  return rota__fs_start(req);
}

int uv_fs_rmdir(uv_loop_t *loop, uv_fs_t *req, const char *path, uv_fs_cb cb) {
  return start_with_path(loop, req, UV_FS_RMDIR, path, cb);
}

int uv_fs_mkdtemp(uv_loop_t *loop, uv_fs_t *req, const char *tpl, uv_fs_cb cb) {
  return start_with_path(loop, req, UV_FS_MKDTEMP, tpl, cb);
}

int uv_fs_mkstemp(uv_loop_t *loop, uv_fs_t *req, const char *tpl, uv_fs_cb cb) {
  return start_with_path(loop, req, UV_FS_MKSTEMP, tpl, cb);
}

/* ---- copying ---- */

/* The request keeps the source in `flags` and the length in the first of its small buffers. */
int uv_fs_sendfile(uv_loop_t *loop, uv_fs_t *req, uv_file out_fd, uv_file in_fd, int64_t in_offset, size_t length,
                   uv_fs_cb cb) {
  int err = rota__fs_init(loop, req, UV_FS_SENDFILE, NULL, NULL, cb);
  if (err < 0)
    return err;
  if (length > ROTA_IO_MAX)
    return UV_EINVAL;
  req->file = out_fd;
  req->flags = in_fd;
  req->off = in_offset;
  req->small_bufs[0].len = length;
  return rota__fs_start(req);
}

int uv_fs_copyfile(uv_loop_t *loop, uv_fs_t *req, const char *path, const char *new_path, int flags, uv_fs_cb cb) {
  int known = UV_FS_COPYFILE_EXCL | UV_FS_COPYFILE_FICLONE | UV_FS_COPYFILE_FICLONE_FORCE;
  bool is_valid = (flags & ~known) == 0;
  if (req == NULL)
    return UV_EINVAL;
  rota__check(!is_valid || (path != NULL && new_path != NULL));
  int err = rota__fs_init(loop, req, UV_FS_COPYFILE, is_valid ? path : NULL, is_valid ? new_path : NULL, cb);
  if (err < 0)
    return err;
  if (!is_valid)
    return UV_EINVAL;
  req->flags = flags;
  return rota__fs_start(req);
}
