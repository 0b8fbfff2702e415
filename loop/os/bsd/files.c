/* Not of BSD alone: sunos uses it, too. */
#include "loop/os/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "loop/base/alloc.h"
#include "loop/os/file.h"

/* A change as it stands in rota_os_changes. */
struct told {
  int watch;
  unsigned short length; /* of the whole, with its name */
  bool contents, place, has_name;
  char name[];
};

/* ---- changes ---- */

bool rota__os_files_put(struct rota_os_changes *changes, const struct rota_os_change *change) {
  size_t name_size = change->name == NULL ? 0 : strlen(change->name) + 1;
  size_t size = sizeof(struct told) + name_size;
  size = (size + _Alignof(struct told) - 1) / _Alignof(struct told) * _Alignof(struct told);
  if (changes->end + size > sizeof(changes->bytes))
    return false;
  struct told *told = (struct told *)(void *)(changes->bytes + changes->end);
  *told = (struct told){
      .watch = change->watch,
      .length = (unsigned short)size,
      .contents = change->contents,
      .place = change->place,
      .has_name = change->name != NULL,
  };
  if (change->name != NULL)
    memcpy(told->name, change->name, name_size);
  changes->end += size;
  return true;
}

void rota__os_files_tell(struct rota_os_changes *changes, const struct rota_os_file *file, bool contents, bool place) {
  const struct rota_os_file *watch = file->parent == NULL ? file : file->parent;
  struct rota_os_change change = {.watch = watch->watch, .contents = contents, .place = place};
  change.name = file == watch ? NULL : file->name;
  if (changes != NULL) /* what finds no room is like an overflow of a kernel's queue */
    (void)rota__os_files_put(changes, &change);
}

bool rota__os_watch_next(struct rota_os_changes *changes, struct rota_os_change *change) {
  if (changes->at >= changes->end)
    return false;
  const struct told *told = (const struct told *)(const void *)(changes->bytes + changes->at);
  changes->at += told->length;
  *change = (struct rota_os_change){
      .watch = told->watch,
      .contents = told->contents,
      .place = told->place,
      .name = told->has_name ? told->name : NULL,
  };
  return true;
}

/* ---- files ---- */

static struct rota_os_file *file_make(const char *name, struct rota_os_file *parent) {
  size_t size = strlen(name) + 1;
  struct rota_os_file *file = rota__calloc(1, sizeof(*file) + size);
  if (file == NULL)
    return NULL;
  memcpy(file->name, name, size);
  file->parent = parent;
  file->fd = -1;
  return file;
}

static int file_start(struct rota_os_notifier *notifier, struct rota_os_file *file) {
  if (file->parent != NULL && notifier->entries_started >= notifier->entries_max)
    return 0;
  int err = rota__os_file_start(notifier, file);
  file->started = err == 0;
  notifier->entries_started += file->started && file->parent != NULL;
  return err;
}

static void file_stop(struct rota_os_notifier *notifier, struct rota_os_file *file) {
  if (!file->started)
    return;
  file->started = false;
  notifier->entries_started -= file->parent != NULL;
  rota__os_file_stop(notifier, file);
}

static void files_free(struct rota_os_notifier *notifier, struct rota_os_file *file) {
  while (file != NULL) {
    struct rota_os_file *next = file->next;
    files_free(notifier, file->entries);
    file_stop(notifier, file);
    rota__free(file);
    file = next;
  }
}

/* ---- directories ---- */

static struct rota_os_file *entry_find(struct rota_os_file *directory, const char *name) {
  struct rota_os_file *entry = directory->entries;
  while (entry != NULL && strcmp(entry->name, name) != 0)
    entry = entry->next;
  return entry;
}

static bool has_contents(int directory, const char *name) {
  struct stat stat;
  return fstatat(directory, name, &stat, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(stat.st_mode) && stat.st_size > 0;
}

static bool is_among(const struct rota_os_file *files, ino_t inode) {
  while (files != NULL && files->inode != inode)
    files = files->next;
  return files != NULL;
}

/* The entry has come, or is another file now by the same name. */
static void entry_came(struct rota_os_notifier *notifier, struct rota_os_file *entry, ino_t inode,
                       struct rota_os_changes *changes) {
  file_stop(notifier, entry);
  file_start(notifier, entry);
  entry->inode = inode; /* the one that the directory tells: it may be a link */
  rota__os_files_tell(changes, entry, false, true);
}

static void entry_seen(struct rota_os_notifier *notifier, struct rota_os_file *directory, DIR *stream,
                       const struct dirent *found, const struct rota_os_file *gone, struct rota_os_changes *changes) {
  struct rota_os_file *entry = entry_find(directory, found->d_name);
  if (entry != NULL && entry->inode == found->d_ino)
    return;
  if (entry == NULL) {
    entry = file_make(found->d_name, directory);
    if (entry == NULL)
      return;
    entry->next = directory->entries;
    directory->entries = entry;
  }
  entry_came(notifier, entry, found->d_ino, changes);
  /* What was written before it was watched; a renamed file has not changed. */
  if (changes != NULL && !is_among(gone, found->d_ino) && has_contents(dirfd(stream), found->d_name))
    rota__os_files_tell(changes, entry, true, false);
}

/* Takes out what is not there any more. */
static struct rota_os_file *take_gone(struct rota_os_file *directory, DIR *stream, struct rota_os_changes *changes) {
  const struct dirent *found;
  struct rota_os_file *gone = NULL;
  for (struct rota_os_file *entry = directory->entries; entry != NULL; entry = entry->next)
    entry->seen = false;
  while ((found = readdir(stream)) != NULL) {
    struct rota_os_file *entry = entry_find(directory, found->d_name);
    if (entry != NULL)
      entry->seen = true;
  }
  for (struct rota_os_file **place = &directory->entries; *place != NULL;) {
    struct rota_os_file *entry = *place;
    if (entry->seen) {
      place = &entry->next;
      continue;
    }
    rota__os_files_tell(changes, entry, false, true);
    *place = entry->next;
    entry->next = gone;
    gone = entry;
  }
  return gone;
}

void rota__os_files_compare(struct rota_os_notifier *notifier, struct rota_os_file *directory,
                            struct rota_os_changes *changes) {
  int fd = rota__os_file_list(directory);
  DIR *stream = fd < 0 ? NULL : fdopendir(fd);
  const struct dirent *found;
  if (stream == NULL) {
    if (fd >= 0)
      rota__os_close(fd);
    return;
  }
  /* What has gone is told first, like a file that was renamed: first from where, then to where. */
  struct rota_os_file *gone = take_gone(directory, stream, changes);
  rewinddir(stream);
  while ((found = readdir(stream)) != NULL)
    if (strcmp(found->d_name, ".") != 0 && strcmp(found->d_name, "..") != 0)
      entry_seen(notifier, directory, stream, found, gone, changes);
  closedir(stream);
  files_free(notifier, gone);
}

/* ---- watches ---- */

int rota__os_watch_open(struct rota_os_notifier **notifier) {
  struct rota_os_notifier *self = rota__calloc(1, sizeof(*self));
  if (self == NULL)
    return -ENOMEM;
  self->next_watch = 1;
  int err = rota__os_notifier_init(self);
  if (err < 0)
    rota__free(self);
  else
    *notifier = self;
  return err;
}

int rota__os_watch_fd(const struct rota_os_notifier *notifier) {
  return notifier->fd;
}

static struct rota_os_file *watch_of(const struct rota_os_notifier *notifier, const struct stat *stat,
                                     bool is_recursive) {
  struct rota_os_file *file = notifier->files;
  while (file != NULL &&
         (file->device != stat->st_dev || file->inode != stat->st_ino || file->is_recursive != is_recursive))
    file = file->next;
  return file;
}

int rota__os_watch_add(struct rota_os_notifier *notifier, const char *path, bool is_recursive) {
  struct stat now;
  if (stat(path, &now) < 0)
    return -errno;
  struct rota_os_file *file = watch_of(notifier, &now, is_recursive);
  if (file != NULL)
    return file->watch;
  file = file_make(path, NULL);
  if (file == NULL)
    return -ENOMEM;
  file->is_recursive = is_recursive;
  int err = file_start(notifier, file);
  if (err < 0) {
    rota__free(file);
    return err;
  }
  file->watch = notifier->next_watch++;
  if (file->is_directory && !file->names_entries)
    rota__os_files_compare(notifier, file, NULL);
  file->next = notifier->files;
  notifier->files = file;
  return file->watch;
}

int rota__os_watch_remove(struct rota_os_notifier *notifier, int watch) {
  struct rota_os_file **place = &notifier->files;
  while (*place != NULL && (*place)->watch != watch)
    place = &(*place)->next;
  if (*place == NULL)
    return -EINVAL;
  struct rota_os_file *file = *place;
  *place = file->next;
  file->next = NULL;
  files_free(notifier, file);
  return 0;
}

void rota__os_watch_close(struct rota_os_notifier *notifier) {
  files_free(notifier, notifier->files);
  rota__os_notifier_release(notifier);
  rota__free(notifier);
}
