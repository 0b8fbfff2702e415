/* The calls for descriptors and open files. */
#include "loop/os/file.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>

#include "loop/os/model/model.h"

static struct rota_model_open *called(const char *name, int fd) {
  rota__model_call(name, fd);
  return rota__model_open_of(fd);
}

/* ---- bytes ---- */

static ssize_t read_from(const char *name, int fd, const struct iovec *vector, int count, int64_t offset) {
  struct rota_model_open *open = called(name, fd);
  if (open == NULL || open->object->kind->read == NULL)
    return open == NULL ? -EBADF : -EINVAL;
  rota__model_keep(open); /* another thread may close it while this one waits */
  ssize_t n = open->object->kind->read(open, vector, count, offset);
  rota__model_drop_open(open);
  rota__model_log("      %zd bytes", n);
  return n;
}

static ssize_t write_to(const char *name, int fd, const struct iovec *vector, int count, int64_t offset) {
  struct rota_model_open *open = called(name, fd);
  if (open == NULL || open->object->kind->write == NULL)
    return open == NULL ? -EBADF : -EINVAL;
  rota__model_keep(open);
  ssize_t n = open->object->kind->write(open, vector, count, offset);
  rota__model_drop_open(open);
  rota__model_log("      %zd of %zu bytes", n, rota__model_vector_size(vector, count));
  return n;
}

ssize_t rota__os_read(int fd, void *buffer, size_t length) {
  struct iovec vector = {.iov_base = buffer, .iov_len = length};
  return read_from("read", fd, &vector, 1, -1);
}

ssize_t rota__os_write(int fd, const void *buffer, size_t length) {
  struct iovec vector = {.iov_base = (void *)(uintptr_t)buffer, .iov_len = length};
  return write_to("write", fd, &vector, 1, -1);
}

ssize_t rota__os_writev(int fd, const struct iovec *vector, int count) {
  return write_to("writev", fd, vector, count, -1);
}

_Static_assert(sizeof(uv_buf_t) == sizeof(struct iovec) && offsetof(uv_buf_t, base) == offsetof(struct iovec, iov_base),
               "a uv_buf_t is a struct iovec");

ssize_t rota__os_read_at(int fd, const uv_buf_t *bufs, int count, int64_t offset) {
  return read_from("pread", fd, (const struct iovec *)bufs, count, offset);
}

ssize_t rota__os_write_at(int fd, const uv_buf_t *bufs, int count, int64_t offset) {
  return write_to("pwrite", fd, (const struct iovec *)bufs, count, offset);
}

int rota__os_close(int fd) {
  rota__model_call("close", fd);
  return rota__model_remove(fd);
}

/* ---- flags ---- */

int rota__os_set_nonblocking(int fd, bool on) {
  struct rota_model_open *open = called("nonblocking", fd);
  if (open == NULL)
    return -EBADF;
  open->flags = (open->flags & ~O_NONBLOCK) | (on ? O_NONBLOCK : 0);
  return 0;
}

bool rota__os_is_nonblocking(int fd) {
  const struct rota_model_open *open = rota__model_open_of(fd);
  return open != NULL && (open->flags & O_NONBLOCK) != 0;
}

int rota__os_access_mode(int fd) {
  const struct rota_model_open *open = rota__model_open_of(fd);
  return open == NULL ? -EBADF : open->flags & O_ACCMODE;
}

bool rota__os_is_seekable(int fd) {
  return rota__model_inode_of(fd) != NULL;
}

void rota__os_forget(int fd) {
  (void)fd;
}

bool rota__os_is_fifo(int fd) {
  (void)fd;
  return false; /* the tree has none */
}

int rota__os_wait_for_writer(int fd, const char *path) {
  (void)fd, (void)path;
  return 0;
}

/* ---- open files ---- */

static int make_file(struct rota_model_place *place, int flags, unsigned int mode) {
  if (!(flags & O_CREAT))
    return -ENOENT;
  if (rota__model_chance(rota__model_options()->disk_errors))
    return -ENOSPC;
  place->inode = rota__model_inode(S_IFREG | (mode & 0777 & ~022u));
  return rota__model_enter(place, place->inode);
}

static int may_open(const struct rota_model_place *place, int flags) {
  bool writes = (flags & O_ACCMODE) != O_RDONLY;
  if (place->inode == NULL)
    return 0;
  if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
    return -EEXIST;
  if (S_ISLNK(place->inode->mode))
    return -ELOOP;
  if (S_ISSOCK(place->inode->mode))
    return -ENXIO;
  if (S_ISDIR(place->inode->mode))
    return writes || (flags & O_CREAT) ? -EISDIR : 0;
  return flags & O_DIRECTORY ? -ENOTDIR : 0;
}

static int find_or_make(int directory, const char *path, int flags, unsigned int mode, struct rota_model_place *place) {
  int err = rota__model_find(directory, path, !(flags & O_NOFOLLOW) && !(flags & O_EXCL), place);
  if (err == 0)
    err = may_open(place, flags);
  if (err == 0 && place->inode == NULL)
    err = make_file(place, flags, mode);
  return err;
}

/* The descriptor comes first: without one no file is made. */
int rota__os_open_at(int directory, const char *path, int flags, unsigned int mode) {
  struct rota_model_place place;
  rota__model_call(path, flags);
  struct rota_model_file *file = rota__model_object(&rota__model_file_kind, sizeof *file);
  int fd = rota__model_install(&file->base, flags & (O_ACCMODE | O_APPEND | O_NONBLOCK));
  if (fd < 0)
    return fd;
  int err = find_or_make(directory, path, flags, mode, &place);
  if (err < 0) {
    rota__model_remove(fd);
    return err;
  }
  if ((flags & O_TRUNC) && S_ISREG(place.inode->mode))
    rota__model_resize(place.inode, 0);
  file->inode = place.inode;
  file->inode->refs++;
  return fd;
}

int rota__os_open(const char *path, int flags, unsigned int mode) {
  return rota__os_open_at(AT_FDCWD, path, flags, mode);
}

int64_t rota__os_seek(int fd, int64_t offset, int whence) {
  struct rota_model_open *open = called("lseek", fd);
  const struct rota_model_inode *inode = rota__model_inode_of(fd);
  if (inode == NULL)
    return open == NULL ? -EBADF : -ESPIPE;
  int64_t from = whence == SEEK_CUR ? open->position : whence == SEEK_END ? (int64_t)inode->size : 0;
  if (from + offset < 0)
    return -EINVAL;
  return open->position = from + offset;
}

static int of_file(int fd, struct rota_model_inode **inode) {
  *inode = rota__model_inode_of(fd);
  if (*inode != NULL)
    return 0;
  return rota__model_open_of(fd) == NULL ? -EBADF : -EINVAL;
}

int rota__os_truncate(int fd, int64_t length) {
  struct rota_model_open *open = called("ftruncate", fd);
  struct rota_model_inode *inode;
  int err = of_file(fd, &inode);
  if (err < 0)
    return err;
  if (length < 0 || S_ISDIR(inode->mode) || (open->flags & O_ACCMODE) == O_RDONLY)
    return -EINVAL;
  return rota__model_resize(inode, (size_t)length);
}

int rota__os_sync(int fd) {
  struct rota_model_inode *inode;
  (void)called("fsync", fd);
  int err = of_file(fd, &inode);
  return err == 0 && rota__model_chance(rota__model_options()->disk_errors) ? -EIO : err;
}

int rota__os_sync_data(int fd) {
  return rota__os_sync(fd);
}

int rota__os_chmod_fd(int fd, unsigned int mode) {
  struct rota_model_inode *inode;
  (void)called("fchmod", fd);
  int err = of_file(fd, &inode);
  if (err == 0)
    inode->mode = (inode->mode & S_IFMT) | (mode & 07777);
  return err;
}

int rota__os_chown_fd(int fd, uv_uid_t uid, uv_gid_t gid) {
  struct rota_model_inode *inode;
  (void)called("fchown", fd);
  int err = of_file(fd, &inode);
  if (err == 0 && uid != (uv_uid_t)-1)
    inode->uid = uid;
  if (err == 0 && gid != (uv_gid_t)-1)
    inode->gid = gid;
  return err;
}

/* ---- copying ---- */

/* Through a small buffer, as much as is moved at once. */
static ssize_t copy(int out, int in, int64_t *offset, size_t length) {
  char bytes[4096];
  if (*offset < 0)
    return -EINVAL;
  ssize_t n = rota__os_read_at(in, &(uv_buf_t){.base = bytes, .len = length < sizeof bytes ? length : sizeof bytes}, 1,
                               *offset);
  if (n <= 0)
    return n;
  ssize_t written = rota__os_write(out, bytes, (size_t)n);
  if (written > 0)
    *offset += written;
  return written;
}

ssize_t rota__os_copy_range(int out, int in, int64_t *offset, size_t length) {
  if (rota__model_inode_of(out) == NULL || rota__model_inode_of(in) == NULL)
    return -EINVAL;
  return copy(out, in, offset, length);
}

ssize_t rota__os_sendfile(int out, int in, int64_t *offset, size_t length) {
  if (rota__model_open_of(in) != NULL && rota__model_inode_of(in) == NULL)
    return -EINVAL;
  return copy(out, in, offset, length);
}

int rota__os_clone(int out, int in) {
  (void)out, (void)in;
  return -ENOTSUP;
}

/* ---- terminals: there is none ---- */

int rota__os_tty_reopen(int fd, int mode) {
  (void)fd, (void)mode;
  return -ENOTTY;
}

int rota__os_tty_get(int fd, struct termios *attributes) {
  (void)fd, (void)attributes;
  return -ENOTTY;
}

int rota__os_tty_set(int fd, int when, const struct termios *attributes) {
  (void)fd, (void)when, (void)attributes;
  return -ENOTTY;
}

int rota__os_tty_size(int fd, int *width, int *height) {
  (void)fd, (void)width, (void)height;
  return -ENOTTY;
}
