/* The table of operations, and the operations that are a single system call. */
#include "loop/fs/request.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/check.h"
#include "loop/os/file.h"
#include "rota.h"

static ssize_t run_open(uv_fs_t *req) {
  if (req->file >= 0) { /* the poller opened a FIFO without waiting for a writer */
    int err = rota__os_wait_for_writer(req->file, req->path);
    if (err < 0)
      rota__os_close(req->file);
    return err < 0 ? err : req->file;
  }
  return rota__os_open(req->path, req->flags, req->mode);
}

static ssize_t run_close(uv_fs_t *req) {
  return rota__os_close(req->file);
}

static ssize_t run_fsync(uv_fs_t *req) {
  return rota__os_sync(req->file);
}

static ssize_t run_fdatasync(uv_fs_t *req) {
  return rota__os_sync_data(req->file);
}

static ssize_t run_ftruncate(uv_fs_t *req) {
  return rota__os_truncate(req->file, req->off);
}

static ssize_t stat_done(uv_fs_t *req, int err) {
  if (err == 0)
    req->ptr = &req->statbuf;
  return err;
}

static ssize_t run_stat(uv_fs_t *req) {
  return stat_done(req, rota__os_stat(req->path, ROTA_STAT_TARGET, &req->statbuf));
}

static ssize_t run_lstat(uv_fs_t *req) {
  return stat_done(req, rota__os_stat(req->path, ROTA_STAT_LINK, &req->statbuf));
}

static ssize_t run_fstat(uv_fs_t *req) {
  return stat_done(req, rota__os_stat_fd(req->file, &req->statbuf));
}

static ssize_t run_statfs(uv_fs_t *req) {
  uv_statfs_t found;
  int err = rota__os_statfs(req->path, &found);
  if (err < 0)
    return err;
  req->ptr = rota__malloc(sizeof(found));
  if (req->ptr == NULL)
    return UV_ENOMEM;
  memcpy(req->ptr, &found, sizeof(found));
  return 0;
}

static ssize_t run_utime(uv_fs_t *req) {
  return rota__os_set_times(req->path, ROTA_STAT_TARGET, req->atime, req->mtime);
}

static ssize_t run_lutime(uv_fs_t *req) {
  return rota__os_set_times(req->path, ROTA_STAT_LINK, req->atime, req->mtime);
}

static ssize_t run_futime(uv_fs_t *req) {
  return rota__os_set_times_fd(req->file, req->atime, req->mtime);
}

static ssize_t run_access(uv_fs_t *req) {
  return rota__os_access(req->path, req->flags);
}

static ssize_t run_chmod(uv_fs_t *req) {
  return rota__os_chmod(req->path, req->mode);
}

static ssize_t run_fchmod(uv_fs_t *req) {
  return rota__os_chmod_fd(req->file, req->mode);
}

static ssize_t run_chown(uv_fs_t *req) {
  return rota__os_chown(req->path, req->uid, req->gid);
}

static ssize_t run_lchown(uv_fs_t *req) {
  return rota__os_chown_link(req->path, req->uid, req->gid);
}

static ssize_t run_fchown(uv_fs_t *req) {
  return rota__os_chown_fd(req->file, req->uid, req->gid);
}

static ssize_t run_unlink(uv_fs_t *req) {
  return rota__os_unlink(req->path);
}

static ssize_t run_rename(uv_fs_t *req) {
  return rota__os_rename(req->path, req->new_path);
}

static ssize_t run_link(uv_fs_t *req) {
  return rota__os_link(req->path, req->new_path);
}

static ssize_t run_symlink(uv_fs_t *req) {
  return rota__os_symlink(req->path, req->new_path, req->flags);
}

/* The size that lstat gives for a link is not reliable (it is 0 in /proc), so buffers of growing size are tried. Nearly
 * all links fit into the first. */
static ssize_t run_readlink(uv_fs_t *req) {
  char small[256];
  char *buffer = small;
  char *large = NULL;
  size_t size = sizeof(small);
  ssize_t n;
  while ((n = rota__os_readlink(req->path, buffer, size)) == (ssize_t)size) {
    size *= 4;
    large = rota__realloc_or_free(large, size);
    if (large == NULL)
      return UV_ENOMEM;
    buffer = large;
  }
  if (n >= 0) {
    req->ptr = rota__strndup(buffer, (size_t)n);
    n = req->ptr == NULL ? UV_ENOMEM : 0;
  }
  rota__free(large);
  return n;
}

static ssize_t run_realpath(uv_fs_t *req) {
  char *found;
  int err = rota__os_realpath(req->path, &found);
  if (err < 0)
    return err;
  req->ptr = rota__strdup(found);
  rota__os_realpath_free(found);
  return req->ptr == NULL ? UV_ENOMEM : 0;
}

static ssize_t run_mkdir(uv_fs_t *req) {
  return rota__os_mkdir(req->path, req->mode);
}

static ssize_t run_rmdir(uv_fs_t *req) {
  return rota__os_rmdir(req->path);
}

static ssize_t run_mkdtemp(uv_fs_t *req) {
  return rota__os_make_temporary_directory((char *)req->path);
}

static ssize_t run_mkstemp(uv_fs_t *req) {
  char *path = (char *)req->path;
  int fd = rota__os_make_temporary_file(path);
  if (fd < 0)
    path[0] = '\0'; /* there is no file, hence no name */
  return fd;
}

static void release_block(uv_fs_t *req) {
  rota__free(req->ptr);
}

/* Operations that go to the poller: those that the kernel does at once if the data is in memory (open, read, close),
 * and those that wait for the disk and need not occupy a thread of ours meanwhile (fsync). Not stat and not writing:
 * the kernel would hand them to a thread of its own, which takes longer than handing them to one of ours. */
static const struct rota_fs_operation operations[] = {
    [UV_FS_CUSTOM] = {.name = "custom"},
    [UV_FS_OPEN] = {.name = "open", .run = run_open, .by_poller = true},
    [UV_FS_CLOSE] = {.name = "close", .run = run_close, .by_poller = true},
    [UV_FS_READ] = {.name = "read", .run = rota__fs_run_read, .by_poller = true},
    [UV_FS_WRITE] = {.name = "write", .run = rota__fs_run_write},
    [UV_FS_SENDFILE] = {.name = "sendfile", .run = rota__fs_run_sendfile},
    [UV_FS_STAT] = {.name = "stat", .run = run_stat},
    [UV_FS_LSTAT] = {.name = "lstat", .run = run_lstat},
    [UV_FS_FSTAT] = {.name = "fstat", .run = run_fstat},
    [UV_FS_FTRUNCATE] = {.name = "ftruncate", .run = run_ftruncate},
    [UV_FS_UTIME] = {.name = "utime", .run = run_utime},
    [UV_FS_FUTIME] = {.name = "futime", .run = run_futime},
    [UV_FS_ACCESS] = {.name = "access", .run = run_access},
    [UV_FS_CHMOD] = {.name = "chmod", .run = run_chmod},
    [UV_FS_FCHMOD] = {.name = "fchmod", .run = run_fchmod},
    [UV_FS_FSYNC] = {.name = "fsync", .run = run_fsync},
    [UV_FS_FDATASYNC] = {.name = "fdatasync", .run = run_fdatasync},
    [UV_FS_UNLINK] = {.name = "unlink", .run = run_unlink},
    [UV_FS_RMDIR] = {.name = "rmdir", .run = run_rmdir},
    [UV_FS_MKDIR] = {.name = "mkdir", .run = run_mkdir},
    [UV_FS_MKDTEMP] = {.name = "mkdtemp", .run = run_mkdtemp, .own_path = true},
    [UV_FS_RENAME] = {.name = "rename", .run = run_rename},
    [UV_FS_SCANDIR] = {.name = "scandir", .run = rota__fs_run_scandir, .release = rota__fs_release_scandir},
    [UV_FS_LINK] = {.name = "link", .run = run_link},
    [UV_FS_SYMLINK] = {.name = "symlink", .run = run_symlink},
    [UV_FS_READLINK] = {.name = "readlink", .run = run_readlink, .release = release_block},
    [UV_FS_CHOWN] = {.name = "chown", .run = run_chown},
    [UV_FS_FCHOWN] = {.name = "fchown", .run = run_fchown},
    [UV_FS_REALPATH] = {.name = "realpath", .run = run_realpath, .release = release_block},
    [UV_FS_COPYFILE] = {.name = "copyfile", .run = rota__fs_run_copyfile},
    [UV_FS_LCHOWN] = {.name = "lchown", .run = run_lchown},
    [UV_FS_OPENDIR] = {.name = "opendir", .run = rota__fs_run_opendir},
    [UV_FS_READDIR] = {.name = "readdir", .run = rota__fs_run_readdir, .release = rota__fs_release_readdir},
    [UV_FS_CLOSEDIR] = {.name = "closedir", .run = rota__fs_run_closedir},
    [UV_FS_STATFS] = {.name = "statfs", .run = run_statfs, .release = release_block},
    [UV_FS_MKSTEMP] = {.name = "mkstemp", .run = run_mkstemp, .own_path = true},
    [UV_FS_LUTIME] = {.name = "lutime", .run = run_lutime},
    [ROTA_FS_READ_FILE] = {.name = "readFile",
                           .run = rota__fs_run_read_file,
                           .release = rota__fs_release_file,
                           .always_release = true},
    [ROTA_FS_WRITE_FILE] = {.name = "writeFile", .run = rota__fs_run_write_file},
};

/* A request that was never started has the row of UV_FS_CUSTOM: cleaning it up does no harm. */
const struct rota_fs_operation *rota__fs_operation(uv_fs_type type) {
  int row = (int)type;
  if (row < 0 || row >= (int)(sizeof(operations) / sizeof(operations[0])) || operations[row].name == NULL)
    row = UV_FS_CUSTOM;
  return &operations[row];
}
