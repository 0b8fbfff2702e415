/* The calls for names: what has one, and directories. */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "loop/base/text.h"
#include "loop/os/file.h"
#include "loop/os/model/model.h"

/* ---- what a file is ---- */

static uv_timespec_t time_of(double seconds) {
  return (uv_timespec_t){.tv_sec = (long)seconds, .tv_nsec = (long)((seconds - (double)(long)seconds) * 1e9)};
}

static void tell(const struct rota_model_inode *inode, uv_stat_t *result) {
  *result = (uv_stat_t){
      .st_dev = 1,
      .st_mode = inode->mode,
      .st_nlink = inode->links,
      .st_uid = inode->uid,
      .st_gid = inode->gid,
      .st_ino = inode->number,
      .st_size = inode->size,
      .st_blksize = 4096,
      .st_blocks = (inode->size + 511) / 512,
      .st_atim = time_of(inode->times[0]),
      .st_mtim = time_of(inode->times[1]),
      .st_ctim = time_of(inode->times[2]),
      .st_birthtim = time_of(inode->born),
  };
}

int rota__os_stat(const char *path, enum rota_stat_of of, uv_stat_t *result) {
  struct rota_model_inode *inode;
  rota__model_call("stat", of);
  int err = rota__model_find_inode(path, of == ROTA_STAT_TARGET, &inode);
  if (err == 0)
    tell(inode, result);
  return err;
}

int rota__os_stat_fd(int fd, uv_stat_t *result) {
  rota__model_call("fstat", fd);
  const struct rota_model_inode *inode = rota__model_inode_of(fd);
  if (rota__model_open_of(fd) == NULL)
    return -EBADF;
  if (inode != NULL)
    tell(inode, result);
  else
    *result = (uv_stat_t){.st_mode = rota__model_socket_of(fd) != NULL ? S_IFSOCK | 0777 : S_IFCHR | 0666};
  return 0;
}

int rota__os_statfs(const char *path, uv_statfs_t *result) {
  struct rota_model_inode *inode;
  int err = rota__model_find_inode(path, true, &inode);
  if (err == 0)
    *result = (uv_statfs_t){.f_bsize = 4096, .f_blocks = 1 << 20, .f_bfree = 1 << 19, .f_bavail = 1 << 19};
  return err;
}

static int change(const char *name, const char *path, bool follow, struct rota_model_inode **inode) {
  rota__model_call(name, 0);
  return rota__model_find_inode(path, follow, inode);
}

int rota__os_access(const char *path, int mode) {
  struct rota_model_inode *inode;
  int err = change("access", path, true, &inode);
  return err == 0 && (mode & 1) && !(inode->mode & 0111) ? -EACCES : err;
}

int rota__os_chmod(const char *path, unsigned int mode) {
  struct rota_model_inode *inode;
  int err = change("chmod", path, true, &inode);
  if (err == 0)
    inode->mode = (inode->mode & S_IFMT) | (mode & 07777);
  return err;
}

static int own(const char *path, bool follow, uv_uid_t uid, uv_gid_t gid) {
  struct rota_model_inode *inode;
  int err = change("chown", path, follow, &inode);
  if (err == 0 && uid != (uv_uid_t)-1)
    inode->uid = uid;
  if (err == 0 && gid != (uv_gid_t)-1)
    inode->gid = gid;
  return err;
}

int rota__os_chown(const char *path, uv_uid_t uid, uv_gid_t gid) {
  return own(path, true, uid, gid);
}

int rota__os_chown_link(const char *path, uv_uid_t uid, uv_gid_t gid) {
  return own(path, false, uid, gid);
}

static void set_time(double *time, double wanted) {
  if (!isnan(wanted))
    *time = isinf(wanted) ? rota__model_wall_seconds() : wanted;
}

int rota__os_set_times(const char *path, enum rota_stat_of of, double atime, double mtime) {
  struct rota_model_inode *inode;
  int err = change("utimes", path, of == ROTA_STAT_TARGET, &inode);
  if (err < 0)
    return err;
  set_time(&inode->times[0], atime);
  set_time(&inode->times[1], mtime);
  return 0;
}

int rota__os_set_times_fd(int fd, double atime, double mtime) {
  struct rota_model_inode *inode = rota__model_inode_of(fd);
  rota__model_call("futimes", fd);
  if (inode == NULL)
    return rota__model_open_of(fd) == NULL ? -EBADF : -EINVAL;
  set_time(&inode->times[0], atime);
  set_time(&inode->times[1], mtime);
  return 0;
}

/* ---- names come and go ---- */

static int new_place(const char *name, const char *path, struct rota_model_place *place) {
  rota__model_call(name, 0);
  int err = rota__model_find(AT_FDCWD, path, false, place);
  if (err < 0)
    return err;
  if (place->inode != NULL)
    return -EEXIST;
  return rota__model_chance(rota__model_options()->disk_errors) ? -ENOSPC : 0;
}

static int old_place(const char *name, const char *path, struct rota_model_place *place) {
  rota__model_call(name, 0);
  int err = rota__model_find(AT_FDCWD, path, false, place);
  return err < 0 ? err : place->inode == NULL ? -ENOENT : place->inode == place->directory ? -EBUSY : 0;
}

int rota__os_link(const char *path, const char *new_path) {
  struct rota_model_place from, to;
  int err = old_place("link", path, &from);
  if (err == 0)
    err = new_place("link", new_path, &to);
  if (err < 0)
    return err;
  if (S_ISDIR(from.inode->mode))
    return -EPERM;
  from.inode->refs++;
  return rota__model_enter(&to, from.inode);
}

int rota__os_symlink(const char *target, const char *path, int flags) {
  struct rota_model_place place;
  (void)flags;
  int err = new_place("symlink", path, &place);
  if (err < 0)
    return err;
  struct rota_model_inode *inode = rota__model_inode(S_IFLNK | 0777);
  rota__model_resize(inode, strlen(target));
  memcpy(inode->data, target, strlen(target));
  return rota__model_enter(&place, inode);
}

ssize_t rota__os_readlink(const char *path, char *buffer, size_t size) {
  struct rota_model_place place;
  int err = old_place("readlink", path, &place);
  if (err < 0 || !S_ISLNK(place.inode->mode))
    return err < 0 && err != -EBUSY ? err : -EINVAL;
  size_t length = place.inode->size < size ? place.inode->size : size;
  memcpy(buffer, place.inode->data, length);
  return (ssize_t)length;
}

int rota__os_unlink(const char *path) {
  struct rota_model_place place;
  int err = old_place("unlink", path, &place);
  if (err == 0 && S_ISDIR(place.inode->mode))
    err = -EISDIR;
  if (err == 0)
    rota__model_leave(place.directory, place.name);
  return err;
}

int rota__os_mkdir(const char *path, unsigned int mode) {
  struct rota_model_place place;
  int err = new_place("mkdir", path, &place);
  if (err < 0)
    return err;
  struct rota_model_inode *inode = rota__model_inode(S_IFDIR | (mode & 07777 & ~022u));
  inode->links = 1;
  return rota__model_enter(&place, inode);
}

int rota__os_rmdir(const char *path) {
  struct rota_model_place place;
  int err = old_place("rmdir", path, &place);
  if (err < 0)
    return err;
  if (!S_ISDIR(place.inode->mode))
    return -ENOTDIR;
  if (place.inode->entries != NULL)
    return -ENOTEMPTY;
  rota__model_leave(place.directory, place.name);
  return 0;
}

static bool is_inside(const struct rota_model_inode *inode, const struct rota_model_inode *of) {
  for (;; inode = inode->parent) {
    if (inode == of)
      return true;
    if (inode == inode->parent)
      return false;
  }
}

int rota__os_rename(const char *path, const char *new_path) {
  struct rota_model_place from, to;
  int err = old_place("rename", path, &from);
  if (err == 0)
    err = rota__model_find(AT_FDCWD, new_path, false, &to);
  if (err < 0 || to.inode == from.inode)
    return err;
  bool is_directory = S_ISDIR(from.inode->mode);
  if (is_directory && is_inside(to.directory, from.inode))
    return -EINVAL;
  if (to.inode != NULL) {
    bool was_directory = S_ISDIR(to.inode->mode);
    if (was_directory != is_directory)
      return was_directory ? -EISDIR : -ENOTDIR;
    if (was_directory && (to.inode->entries != NULL || is_inside(from.directory, to.inode)))
      return -ENOTEMPTY;
    rota__model_leave(to.directory, to.name);
  }
  from.inode->refs++;
  rota__model_leave(from.directory, from.name);
  return rota__model_enter(&to, from.inode);
}

/* ---- whole paths ---- */

static void prepend(char *path, size_t *at, const char *name) {
  size_t length = strlen(name);
  *at -= length + 1;
  path[*at] = '/';
  for (size_t i = 0; i < length; i++)
    path[*at + 1 + i] = name[i];
}

static const char *name_of(const struct rota_model_inode *inode) {
  for (const struct rota_model_entry *entry = inode->parent->entries; entry != NULL; entry = entry->next)
    if (entry->inode == inode)
      return entry->name;
  return "";
}

int rota__os_realpath(const char *path, char **result) {
  enum { SIZE = 8192 };
  struct rota_model_place place;
  rota__model_call("realpath", 0);
  int err = rota__model_find(AT_FDCWD, path, true, &place);
  if (err < 0 || place.inode == NULL)
    return err < 0 ? err : -ENOENT;
  char *whole = malloc(SIZE);
  if (whole == NULL)
    return -ENOMEM;
  size_t at = SIZE - 1;
  whole[at] = '\0';
  const struct rota_model_inode *directory = place.inode;
  if (!S_ISDIR(place.inode->mode)) {
    prepend(whole, &at, place.name);
    directory = place.directory;
  }
  for (; directory->parent != directory; directory = directory->parent)
    prepend(whole, &at, name_of(directory));
  if (at == SIZE - 1)
    whole[--at] = '/';
  memmove(whole, whole + at, SIZE - at);
  *result = whole;
  return 0;
}

void rota__os_realpath_free(char *result) {
  free(result);
}

bool rota__os_path_is_absolute(const char *path) {
  return path[0] == '/';
}

/* ---- names that are made up ---- */

static void make_name(char *end) {
  for (int i = 0; i < 6; i++)
    end[i] = (char)('a' + rota__model_below(26));
}

static char *template_end(char *path) {
  size_t length = strlen(path);
  return length < 6 || strcmp(path + length - 6, "XXXXXX") != 0 ? NULL : path + length - 6;
}

int rota__os_make_temporary_file(char *path) {
  char *end = template_end(path);
  if (end == NULL)
    return -EINVAL;
  make_name(end);
  return rota__os_open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
}

int rota__os_make_temporary_directory(char *path) {
  char *end = template_end(path);
  if (end == NULL)
    return -EINVAL;
  make_name(end);
  return rota__os_mkdir(path, 0700);
}

/* ---- directories ----
 *
 * The position is the number of the last entry that was told: entries that come or go do not disturb the others. */

int rota__os_directory_open(const char *path) {
  return rota__os_open(path, O_RDONLY | O_DIRECTORY, 0);
}

static uint8_t type_of(const struct rota_model_inode *inode) {
  return (uint8_t)((inode->mode & S_IFMT) >> 12);
}

static const struct rota_model_entry *entry_after(const struct rota_model_inode *directory, int64_t number) {
  const struct rota_model_entry *found = NULL;
  for (const struct rota_model_entry *entry = directory->entries; entry != NULL; entry = entry->next)
    if ((int64_t)entry->number > number && (found == NULL || entry->number < found->number))
      found = entry;
  return found;
}

ssize_t rota__os_directory_read(int fd, void *buffer, size_t size) {
  struct rota_model_open *open = rota__model_open_of(fd);
  const struct rota_model_inode *inode = rota__model_inode_of(fd);
  const struct rota_model_entry *entry;
  size_t length = 0;
  rota__model_call("getdents", fd);
  if (inode == NULL)
    return open == NULL ? -EBADF : -ENOTDIR;
  if (!S_ISDIR(inode->mode))
    return -ENOTDIR;
  while ((entry = entry_after(inode, open->position)) != NULL) {
    struct rota_directory_entry *told = (void *)((char *)buffer + length);
    size_t needed = (offsetof(struct rota_directory_entry, name) + strlen(entry->name) + 8) / 8 * 8;
    if (needed > size - length)
      return length == 0 ? -EINVAL : (ssize_t)length;
    told->inode = entry->inode->number;
    told->offset = (int64_t)entry->number;
    told->length = (uint16_t)needed;
    told->type = type_of(entry->inode);
    rota__text_copy(told->name, size - length - offsetof(struct rota_directory_entry, name), entry->name);
    open->position = (int64_t)entry->number;
    length += needed;
    if (rota__model_chance(rota__model_options()->shortened))
      break;
  }
  return (ssize_t)length;
}

struct stream {
  int fd;
  char name[256];
};

int rota__os_stream_open(const char *path, void **result) {
  int fd = rota__os_directory_open(path);
  if (fd < 0)
    return fd;
  struct stream *stream = malloc(sizeof *stream);
  if (stream == NULL)
    abort();
  stream->fd = fd;
  *result = stream;
  return 0;
}

int rota__os_stream_read(void *stream, const char **name, uint8_t *type) {
  struct stream *self = stream;
  struct rota_model_open *open = rota__model_open_of(self->fd);
  const struct rota_model_entry *entry = entry_after(rota__model_inode_of(self->fd), open->position);
  rota__model_call("readdir", self->fd);
  *name = NULL;
  if (entry == NULL)
    return 0;
  rota__text_copy(self->name, sizeof self->name, entry->name);
  *name = self->name;
  *type = type_of(entry->inode);
  open->position = (int64_t)entry->number;
  return 0;
}

int rota__os_stream_close(void *stream) {
  struct stream *self = stream;
  rota__os_close(self->fd);
  free(self);
  return 0;
}
