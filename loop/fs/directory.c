/* What is in a directory: all at once and sorted (scandir), or piece by piece (opendir, readdir, closedir).
 *
 * A scan reads the kernel's own entries into one block, which is the result: nothing is copied, names point into it. */
#include <stdlib.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/fs/request.h"
#include "loop/os/file.h"

enum { NAME_SIZE = 256 }; /* of the longest names of most file systems */

static uv_dirent_type_t from_kernel_type(unsigned char type) {
  switch (type) {
  case ROTA_DIRECTORY_FILE:
    return UV_DIRENT_FILE;
  case ROTA_DIRECTORY_FOLDER:
    return UV_DIRENT_DIR;
  case ROTA_DIRECTORY_LINK:
    return UV_DIRENT_LINK;
  case ROTA_DIRECTORY_FIFO:
    return UV_DIRENT_FIFO;
  case ROTA_DIRECTORY_SOCKET:
    return UV_DIRENT_SOCKET;
  case ROTA_DIRECTORY_CHARACTERS:
    return UV_DIRENT_CHAR;
  case ROTA_DIRECTORY_BLOCKS:
    return UV_DIRENT_BLOCK;
  default:
    return UV_DIRENT_UNKNOWN;
  }
}

static bool is_self_or_parent(const char *name) {
  return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

/* ---- scandir ---- */

struct listing {
  char *entries; /* struct rota_directory_entry, one after the other */
  size_t count;
  size_t next; /* what uv_fs_scandir_next gives next */
  const struct rota_directory_entry *sorted[];
};

/* Reads all entries into a block that grows; *used is how much of it they take. */
static ssize_t read_entries(int fd, char **block, size_t *used) {
  size_t capacity = 0;
  *block = NULL;
  *used = 0;
  for (;;) {
    /* Half a buffer is always free, so that the kernel is asked for many entries at a time. */
    if (capacity - *used < capacity / 2 || capacity == 0) {
      size_t larger = capacity == 0 ? 16 * 1024 : capacity * 2;
      char *moved = rota__realloc(*block, larger);
      if (moved == NULL)
        return UV_ENOMEM;
      *block = moved;
      capacity = larger;
    }
    size_t room = capacity - *used;
    ssize_t n = rota__os_directory_read(fd, *block + *used, room < INT32_MAX ? room : INT32_MAX);
    if (n <= 0)
      return n;
    *used += (size_t)n;
  }
}

static const struct rota_directory_entry *entry_at(const char *block, size_t offset) {
  return (const struct rota_directory_entry *)(const void *)(block + offset);
}

static size_t count_entries(const char *block, size_t used) {
  size_t count = 0;
  for (size_t at = 0; at < used; at += entry_at(block, at)->length)
    count += !is_self_or_parent(entry_at(block, at)->name);
  return count;
}

static int by_name(const void *a, const void *b) {
  const struct rota_directory_entry *const *first = a;
  const struct rota_directory_entry *const *second = b;
  return strcmp((*first)->name, (*second)->name);
}

ssize_t rota__fs_run_scandir(uv_fs_t *req) {
  char *block = NULL;
  size_t used;
  ssize_t result;

  int fd = rota__os_directory_open(req->path);
  if (fd < 0)
    return fd;
  result = read_entries(fd, &block, &used);
  rota__os_close(fd);
  if (result < 0)
    goto fail;

  size_t count = count_entries(block, used);
  if (count == 0)
    goto fail; /* an empty directory is no error, and there is no block to keep */
  struct listing *listing = rota__malloc(sizeof(*listing) + count * sizeof(const struct rota_directory_entry *));
  result = UV_ENOMEM;
  if (listing == NULL)
    goto fail;

  listing->entries = block;
  listing->count = 0;
  listing->next = 0;
  for (size_t at = 0; at < used; at += entry_at(block, at)->length)
    if (!is_self_or_parent(entry_at(block, at)->name))
      listing->sorted[listing->count++] = entry_at(block, at);
  qsort(listing->sorted, listing->count, sizeof(const struct rota_directory_entry *), by_name);
  req->ptr = listing;
  return (ssize_t)count;

fail:
  rota__free(block);
  return result;
}

void rota__fs_release_scandir(uv_fs_t *req) {
  struct listing *listing = req->ptr;
  rota__free(listing->entries);
  rota__free(listing);
}

int uv_fs_scandir(uv_loop_t *loop, uv_fs_t *req, const char *path, int flags, uv_fs_cb cb) {
  if (req == NULL)
    return UV_EINVAL;
  int err = rota__fs_init(loop, req, UV_FS_SCANDIR, path, NULL, cb);
  if (err < 0)
    return err;
  req->flags = flags;
  return rota__fs_start(req);
}

int uv_fs_scandir_next(uv_fs_t *req, uv_dirent_t *ent) {
  struct listing *listing = req->ptr;
  if (req->result < 0)
    return (int)req->result;
  if (listing == NULL)
    return UV_EOF;
  if (listing->next == listing->count) {
    /* Some programs that read to the end do not call uv_fs_req_cleanup. */
    rota__fs_release_scandir(req);
    req->ptr = NULL;
    return UV_EOF;
  }
  const struct rota_directory_entry *entry = listing->sorted[listing->next++];
  ent->name = entry->name;
  ent->type = from_kernel_type(entry->type);
  return 0;
}

/* ---- opendir, readdir, closedir ---- */

ssize_t rota__fs_run_opendir(uv_fs_t *req) {
  uv_dir_t *dir = rota__calloc(1, sizeof(*dir));
  if (dir == NULL)
    return UV_ENOMEM;
  void *stream;
  int err = rota__os_stream_open(req->path, &stream);
  if (err < 0) {
    rota__free(dir);
    return err;
  }
  dir->dir = stream;
  req->ptr = dir;
  return 0;
}

/* Makes room for `needed` bytes more. */
static int reserve(char **block, size_t *capacity, size_t used, size_t needed) {
  if (*capacity - used >= needed)
    return 0;
  size_t larger = *capacity * 2 > used + needed ? *capacity * 2 : used + 4 * needed;
  char *moved = rota__realloc(*block, larger);
  if (moved == NULL)
    return UV_ENOMEM;
  *block = moved;
  *capacity = larger;
  return 0;
}

/* The names of all entries are in one block, kept in new_path. The block moves while it grows, so a name is stored as
 * an offset and becomes a pointer at the end. An entry is read only if there is room for it, and entries that were read
 * are returned before an error: none is lost. */
ssize_t rota__fs_run_readdir(uv_fs_t *req) {
  uv_dir_t *dir = req->ptr;
  char *names = NULL;
  size_t used = 0, capacity = 0, count = 0;
  int err = 0;

  while (count < dir->nentries) {
    const char *name;
    uint8_t type;
    err = reserve(&names, &capacity, used, NAME_SIZE);
    if (err < 0)
      break;
    err = rota__os_stream_read(dir->dir, &name, &type);
    if (err < 0 || name == NULL)
      break;
    if (is_self_or_parent(name))
      continue;
    size_t size = strlen(name) + 1; /* a few file systems have longer names */
    err = reserve(&names, &capacity, used, size);
    if (err < 0)
      break;
    memcpy(names + used, name, size);
    dir->dirents[count].name = (const char *)(uintptr_t)used;
    dir->dirents[count].type = from_kernel_type(type);
    used += size;
    count++;
  }

  if (count == 0) {
    rota__free(names);
    return err;
  }
  for (size_t i = 0; i < count; i++)
    dir->dirents[i].name = names + (uintptr_t)dir->dirents[i].name;
  req->new_path = names;
  return (ssize_t)count;
}

void rota__fs_release_readdir(uv_fs_t *req) {
  rota__free((char *)req->new_path);
  req->new_path = NULL;
}

ssize_t rota__fs_run_closedir(uv_fs_t *req) {
  uv_dir_t *dir = req->ptr;
  req->ptr = NULL;
  int err = rota__os_stream_close(dir->dir);
  rota__free(dir);
  return err;
}

int uv_fs_opendir(uv_loop_t *loop, uv_fs_t *req, const char *path, uv_fs_cb cb) {
  if (req == NULL)
    return UV_EINVAL;
  int err = rota__fs_init(loop, req, UV_FS_OPENDIR, path, NULL, cb);
  return err < 0 ? err : rota__fs_start(req);
}

int uv_fs_readdir(uv_loop_t *loop, uv_fs_t *req, uv_dir_t *dir, uv_fs_cb cb) {
  int err = rota__fs_init(loop, req, UV_FS_READDIR, NULL, NULL, cb);
  if (err < 0)
    return err;
  if (dir == NULL || dir->dir == NULL || dir->dirents == NULL)
    return UV_EINVAL;
  req->ptr = dir;
  return rota__fs_start(req);
}

int uv_fs_closedir(uv_loop_t *loop, uv_fs_t *req, uv_dir_t *dir, uv_fs_cb cb) {
  int err = rota__fs_init(loop, req, UV_FS_CLOSEDIR, NULL, NULL, cb);
  if (err < 0)
    return err;
  if (dir == NULL)
    return UV_EINVAL;
  req->ptr = dir;
  return rota__fs_start(req);
}
