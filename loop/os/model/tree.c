/* The tree of files, and how a path leads to one. */
#include "loop/os/model/model.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "loop/base/check.h"
#include "loop/base/text.h"

enum { LINKS_MAX = 20 };

static struct {
  struct rota_model_inode *root;
  uint64_t last_number;
} tree;

/* ---- inodes ---- */

struct rota_model_inode *rota__model_inode(unsigned int mode) {
  struct rota_model_inode *inode = calloc(1, sizeof *inode);
  if (inode == NULL)
    abort();
  inode->refs = 1;
  inode->number = ++tree.last_number;
  inode->mode = mode;
  inode->born = inode->times[0] = inode->times[1] = inode->times[2] = rota__model_wall_seconds();
  return inode;
}

void rota__model_inode_drop(struct rota_model_inode *inode) {
  if (--inode->refs > 0)
    return;
  rota__check(inode->entries == NULL);
  free(inode->data);
  free(inode);
}

int rota__model_resize(struct rota_model_inode *inode, size_t size) {
  enum { LARGEST = 1 << 26 };
  if (size > LARGEST)
    return -EFBIG;
  if (size > inode->room) {
    size_t room = size + size / 2 + 64;
    char *data = realloc(inode->data, room);
    if (data == NULL)
      abort();
    inode->data = data;
    inode->room = room;
  }
  if (size > inode->size)
    memset(inode->data + inode->size, 0, size - inode->size);
  inode->size = size;
  inode->times[1] = inode->times[2] = rota__model_wall_seconds();
  return 0;
}

void rota__model_files_start(void) {
  tree.last_number = 0;
  tree.root = rota__model_inode(S_IFDIR | 0755);
  tree.root->parent = tree.root;
  tree.root->links = 2;
}

/* ---- names in directories ---- */

static struct rota_model_entry **entry_of(struct rota_model_inode *directory, const char *name) {
  struct rota_model_entry **entry = &directory->entries;
  while (*entry != NULL && strcmp((*entry)->name, name) != 0)
    entry = &(*entry)->next;
  return entry;
}

int rota__model_enter(struct rota_model_place *place, struct rota_model_inode *inode) {
  size_t size = strlen(place->name) + 1;
  struct rota_model_entry **end = entry_of(place->directory, place->name);
  rota__check(*end == NULL);
  struct rota_model_entry *entry = calloc(1, sizeof *entry + size);
  if (entry == NULL)
    abort();
  entry->inode = inode;
  entry->number = ++tree.last_number;
  memcpy(entry->name, place->name, size);
  *end = entry;
  inode->links++;
  if (S_ISDIR(inode->mode))
    inode->parent = place->directory;
  place->directory->times[1] = place->directory->times[2] = rota__model_wall_seconds();
  return 0;
}

void rota__model_leave(struct rota_model_inode *directory, const char *name) {
  struct rota_model_entry **link = entry_of(directory, name), *entry = *link;
  *link = entry->next;
  entry->inode->links--;
  rota__model_inode_drop(entry->inode);
  free(entry);
  directory->times[1] = directory->times[2] = rota__model_wall_seconds();
}

/* ---- paths ---- */

static int next_name(const char **path, char name[256]) {
  while (**path == '/')
    ++*path;
  size_t length = strcspn(*path, "/");
  if (length == 0)
    return 0;
  if (length > 255)
    return -ENAMETOOLONG;
  memcpy(name, *path, length);
  name[length] = '\0';
  *path += length;
  return 1;
}

static int walk(struct rota_model_inode *at, const char *path, bool follow, int links, struct rota_model_place *place);

static int walk_link(struct rota_model_place *place, const char *rest, bool follow, int links) {
  char path[2 * 4096];
  if (links == 0)
    return -ELOOP;
  if (place->inode->size + strlen(rest) >= sizeof path)
    return -ENAMETOOLONG;
  memcpy(path, place->inode->data, place->inode->size);
  rota__text_copy(path + place->inode->size, sizeof path - place->inode->size, rest);
  return walk(place->directory, path, follow, links - 1, place);
}

static int walk(struct rota_model_inode *at, const char *path, bool follow, int links, struct rota_model_place *place) {
  place->directory = place->inode = path[0] == '/' ? tree.root : at;
  place->name[0] = '\0';
  int more;
  while ((more = next_name(&path, place->name)) > 0) {
    if (place->inode == NULL)
      return -ENOENT;
    if (!S_ISDIR(place->inode->mode))
      return -ENOTDIR;
    place->directory = place->inode;
    if (strcmp(place->name, ".") == 0)
      continue;
    if (strcmp(place->name, "..") == 0) {
      place->inode = place->directory = place->directory->parent;
      continue;
    }
    struct rota_model_entry *entry = *entry_of(place->directory, place->name);
    place->inode = entry == NULL ? NULL : entry->inode;
    if (place->inode != NULL && S_ISLNK(place->inode->mode) && (follow || *path != '\0'))
      return walk_link(place, path, follow, links);
  }
  return more;
}

int rota__model_find(int directory, const char *path, bool follow, struct rota_model_place *place) {
  struct rota_model_inode *from = directory == AT_FDCWD ? tree.root : rota__model_inode_of(directory);
  place->directory = place->inode = NULL;
  if (path[0] == '\0')
    return -ENOENT;
  if (strlen(path) >= 4096)
    return -ENAMETOOLONG;
  if (from == NULL && path[0] != '/')
    return rota__model_open_of(directory) == NULL ? -EBADF : -ENOTDIR;
  return walk(from, path, follow, LINKS_MAX, place);
}

int rota__model_find_inode(const char *path, bool follow, struct rota_model_inode **inode) {
  struct rota_model_place place;
  int err = rota__model_find(AT_FDCWD, path, follow, &place);
  *inode = place.inode;
  return err < 0 ? err : place.inode == NULL ? -ENOENT : 0;
}

/* ---- open files ---- */

static struct rota_model_inode *inode_of(const struct rota_model_open *open) {
  return rota__container_of(open->object, struct rota_model_file, base)->inode;
}

struct rota_model_inode *rota__model_inode_of(int fd) {
  struct rota_model_file *file = rota__model_object_of(fd, &rota__model_file_kind);
  return file == NULL ? NULL : file->inode;
}

static ssize_t file_read(struct rota_model_open *open, const struct iovec *vector, int count, int64_t offset) {
  struct rota_model_inode *inode = inode_of(open);
  size_t at = (size_t)(offset < 0 ? open->position : offset), done = 0;
  if ((open->flags & O_ACCMODE) == O_WRONLY)
    return -EBADF;
  if (S_ISDIR(inode->mode))
    return -EISDIR;
  if (rota__model_chance(rota__model_options()->disk_errors))
    return -EIO;
  size_t left = at < inode->size ? inode->size - at : 0, size = rota__model_vector_size(vector, count);
  left = rota__model_shorten(left < size ? left : size);
  for (int i = 0; i < count && left > 0; i++) {
    size_t n = vector[i].iov_len < left ? vector[i].iov_len : left;
    memcpy(vector[i].iov_base, inode->data + at + done, n);
    done += n;
    left -= n;
  }
  if (offset < 0)
    open->position += (int64_t)done;
  return (ssize_t)done;
}

static ssize_t file_write(struct rota_model_open *open, const struct iovec *vector, int count, int64_t offset) {
  struct rota_model_inode *inode = inode_of(open);
  if ((open->flags & O_ACCMODE) == O_RDONLY)
    return -EBADF;
  if (rota__model_chance(rota__model_options()->disk_errors))
    return rota__model_below(2) ? -ENOSPC : -EIO;
  size_t at = (size_t)(offset < 0 ? open->position : offset), done = 0;
  if (open->flags & O_APPEND)
    at = inode->size;
  size_t left = rota__model_shorten(rota__model_vector_size(vector, count));
  if (left > 0 && at + left > inode->size && rota__model_resize(inode, at + left) < 0)
    return -EFBIG;
  for (int i = 0; i < count && left > 0; i++) {
    size_t n = vector[i].iov_len < left ? vector[i].iov_len : left;
    if (n > 0)
      memcpy(inode->data + at + done, vector[i].iov_base, n);
    done += n;
    left -= n;
  }
  if (offset < 0)
    open->position = (int64_t)(at + done);
  return (ssize_t)done;
}

static void file_release(struct rota_model_object *object) {
  struct rota_model_inode *inode = rota__container_of(object, struct rota_model_file, base)->inode;
  if (inode != NULL)
    rota__model_inode_drop(inode);
  free(object);
}

const struct rota_model_kind rota__model_file_kind = {
    .name = "file", .read = file_read, .write = file_write, .release = file_release};
