/* Watching files with kqueue's events of files (vnodes).
 *
 * A watched file is an open descriptor. A watched directory tells only that its list of entries has changed, so the
 * list is kept, and compared with the new one: entries that came and went have names. So that changes of the entries
 * themselves are heard of, each of them is open, too, up to a limit: descriptors are scarce. Beyond the limit, only
 * coming and going is told.
 *
 * Invariant: each open file has one event in the queue, whose udata is its struct file. A file is freed when its watch
 * is removed, or when its directory has lost it. Events that one read has brought stay in a queue of changes, which own
 * their names, so a file may go before its change is told. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loop/base/alloc.h"
#include "loop/os/fd.h"
#include "loop/os/host.h"
#include "loop/os/kqueue.h"
#include "loop/os/watch.h"

enum { ENTRIES_OPEN_MAX = 256, SHARE_OF_DESCRIPTORS = 8 };
enum { NOTES = NOTE_DELETE | NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB | NOTE_LINK | NOTE_RENAME | NOTE_REVOKE };

#ifndef O_EVTONLY
#define O_EVTONLY O_RDONLY /* macOS: does not keep the volume from being unmounted */
#endif

struct file {
  struct file *next;   /* of the same notifier, or of the same directory */
  struct file *parent; /* null: it is a watch */
  struct file *entries;
  int watch;
  int fd; /* -1: an entry beyond the limit */
  dev_t device;
  ino_t inode;
  bool is_directory;
  bool seen;   /* while a directory is compared */
  char name[]; /* of an entry */
};

struct rota_os_notifier {
  int fd;
  int process; /* that made the queue: a child process does not inherit it */
  int next_watch;
  int entries_open;
  int entries_open_max;
  struct file *files;
};

/* A change as it stands in rota_os_changes. */
struct told {
  int watch;
  unsigned short length; /* of the whole, with its name */
  bool contents, place, has_name;
  char name[];
};

int rota__os_watch_open(struct rota_os_notifier **notifier) {
  struct rota_os_notifier *self = rota__calloc(1, sizeof(*self));
  struct rlimit limit;
  if (self == NULL)
    return -ENOMEM;
  self->fd = rota__os_kqueue_open();
  if (self->fd < 0) {
    int err = self->fd;
    rota__free(self);
    return err;
  }
  self->process = rota__os_process_id();
  self->next_watch = 1;
  self->entries_open_max = ENTRIES_OPEN_MAX;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur / SHARE_OF_DESCRIPTORS < ENTRIES_OPEN_MAX)
    self->entries_open_max = (int)(limit.rlim_cur / SHARE_OF_DESCRIPTORS);
  *notifier = self;
  return 0;
}

int rota__os_watch_fd(const struct rota_os_notifier *notifier) {
  return notifier->fd;
}

/* ---- files ---- */

static struct file *file_make(const char *name) {
  size_t size = strlen(name) + 1;
  struct file *file = rota__calloc(1, sizeof(*file) + size);
  if (file == NULL)
    return NULL;
  memcpy(file->name, name, size);
  file->fd = -1;
  return file;
}

/* Closing removes the event. */
static void file_free(struct rota_os_notifier *notifier, struct file *file) {
  while (file->entries != NULL) {
    struct file *entry = file->entries;
    file->entries = entry->next;
    file_free(notifier, entry);
  }
  if (file->fd >= 0) {
    notifier->entries_open -= file->parent != NULL;
    rota__os_close(file->fd);
  }
  rota__free(file);
}

static int file_open(struct rota_os_notifier *notifier, struct file *file, int directory, const char *path) {
  struct kevent event;
  struct stat stat;
  int err;
  /* A FIFO must not make us wait. */
  int fd = openat(directory, path, O_EVTONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return -errno;
  EV_SET(&event, (uintptr_t)fd, EVFILT_VNODE, EV_ADD | EV_CLEAR, NOTES, 0, (void *)file);
  err = fstat(fd, &stat) < 0 ? -errno : rota__os_kqueue_change(notifier->fd, &event, 1);
  if (err < 0) {
    rota__os_close(fd);
    return err;
  }
  file->fd = fd;
  file->device = stat.st_dev;
  file->inode = stat.st_ino;
  file->is_directory = S_ISDIR(stat.st_mode);
  return 0;
}

/* ---- changes, while they are collected ---- */

static void tell(struct rota_os_changes *changes, const struct file *file, bool contents, bool place) {
  const struct file *watch = file->parent == NULL ? file : file->parent;
  size_t size = sizeof(struct told) + (file == watch ? 0 : strlen(file->name)) + 1;
  size = (size + _Alignof(struct told) - 1) / _Alignof(struct told) * _Alignof(struct told);
  if (changes == NULL || changes->end + size > sizeof(changes->bytes))
    return; /* it is like an overflow of the kernel's own queue */
  struct told *told = (struct told *)(void *)(changes->bytes + changes->end);
  *told = (struct told){.watch = watch->watch, .length = (unsigned short)size, .contents = contents, .place = place};
  told->has_name = file != watch;
  if (told->has_name)
    memcpy(told->name, file->name, strlen(file->name) + 1);
  changes->end += size;
}

/* ---- directories ---- */

static struct file *entry_find(struct file *directory, const char *name) {
  struct file *entry = directory->entries;
  while (entry != NULL && strcmp(entry->name, name) != 0)
    entry = entry->next;
  return entry;
}

static void entry_watch(struct rota_os_notifier *notifier, struct file *entry) {
  if (notifier->entries_open >= notifier->entries_open_max)
    return;
  notifier->entries_open += file_open(notifier, entry, entry->parent->fd, entry->name) == 0;
}

static bool is_empty_file(const struct file *entry) {
  struct stat stat;
  return entry->fd < 0 || fstat(entry->fd, &stat) < 0 || !S_ISREG(stat.st_mode) || stat.st_size == 0;
}

/* The entry is there. If it is another file now by the same name, it has come anew. */
static void entry_seen(struct rota_os_notifier *notifier, struct file *directory, const struct dirent *found,
                       const struct file *gone, struct rota_os_changes *changes) {
  struct file *entry = entry_find(directory, found->d_name);
  if (entry != NULL && entry->inode == found->d_ino) {
    entry->seen = true;
    return;
  }
  if (entry == NULL) {
    entry = file_make(found->d_name);
    if (entry == NULL)
      return;
    entry->parent = directory;
    entry->next = directory->entries;
    directory->entries = entry;
  } else if (entry->fd >= 0) {
    notifier->entries_open--;
    rota__os_close(entry->fd);
    entry->fd = -1;
  }
  entry->inode = found->d_ino;
  entry->seen = true;
  entry_watch(notifier, entry);
  tell(changes, entry, false, true);
  /* What was written before it was watched; a renamed file has not changed. */
  while (gone != NULL && gone->inode != entry->inode)
    gone = gone->next;
  if (changes != NULL && gone == NULL && !is_empty_file(entry))
    tell(changes, entry, true, false);
}

static struct file *entries_take_unseen(struct file *directory, struct rota_os_changes *changes) {
  struct file *gone = NULL;
  for (struct file **place = &directory->entries; *place != NULL;) {
    struct file *entry = *place;
    if (entry->seen) {
      place = &entry->next;
      continue;
    }
    tell(changes, entry, false, true);
    *place = entry->next;
    entry->next = gone;
    gone = entry;
  }
  return gone;
}

static void mark_unseen(struct file *directory) {
  for (struct file *entry = directory->entries; entry != NULL; entry = entry->next)
    entry->seen = false;
}

/* Compares the directory with what is known of it. Without changes to write to, nothing is told. */
static void directory_compare(struct rota_os_notifier *notifier, struct file *directory,
                              struct rota_os_changes *changes) {
  int fd = openat(directory->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = fd < 0 ? NULL : fdopendir(fd);
  const struct dirent *found;
  if (stream == NULL) {
    if (fd >= 0)
      rota__os_close(fd);
    return;
  }
  mark_unseen(directory);
  /* What has gone is told first, like a file that was renamed: first from where, then to where. */
  while ((found = readdir(stream)) != NULL) {
    struct file *entry = entry_find(directory, found->d_name);
    if (entry != NULL)
      entry->seen = true;
  }
  struct file *gone = entries_take_unseen(directory, changes);
  rewinddir(stream);
  while ((found = readdir(stream)) != NULL)
    if (strcmp(found->d_name, ".") != 0 && strcmp(found->d_name, "..") != 0)
      entry_seen(notifier, directory, found, gone, changes);
  closedir(stream);
  while (gone != NULL) {
    struct file *entry = gone;
    gone = entry->next;
    file_free(notifier, entry);
  }
}

/* ---- watches ---- */

static struct file *file_of(struct rota_os_notifier *notifier, dev_t device, ino_t inode) {
  struct file *file = notifier->files;
  while (file != NULL && (file->device != device || file->inode != inode))
    file = file->next;
  return file;
}

int rota__os_watch_add(struct rota_os_notifier *notifier, const char *path) {
  struct stat stat_now;
  if (stat(path, &stat_now) < 0)
    return -errno;
  struct file *file = file_of(notifier, stat_now.st_dev, stat_now.st_ino);
  if (file != NULL)
    return file->watch;
  file = file_make("");
  if (file == NULL)
    return -ENOMEM;
  int err = file_open(notifier, file, AT_FDCWD, path);
  if (err < 0) {
    rota__free(file);
    return err;
  }
  file->watch = notifier->next_watch++;
  if (file->is_directory)
    directory_compare(notifier, file, NULL);
  file->next = notifier->files;
  notifier->files = file;
  return file->watch;
}

int rota__os_watch_remove(struct rota_os_notifier *notifier, int watch) {
  struct file **place = &notifier->files;
  while (*place != NULL && (*place)->watch != watch)
    place = &(*place)->next;
  if (*place == NULL)
    return -EINVAL;
  struct file *file = *place;
  *place = file->next;
  file_free(notifier, file);
  return 0;
}

void rota__os_watch_close(struct rota_os_notifier *notifier) {
  while (notifier->files != NULL)
    rota__os_watch_remove(notifier, notifier->files->watch);
  if (notifier->process == rota__os_process_id())
    rota__os_close(notifier->fd);
  rota__free(notifier);
}

/* ---- reading ---- */

static void take(struct rota_os_notifier *notifier, const struct kevent *event, struct rota_os_changes *changes) {
  struct file *file = (struct file *)event->udata;
  bool place = (event->fflags & (NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE)) != 0;
  bool contents = (event->fflags & (NOTE_ATTRIB | NOTE_WRITE | NOTE_EXTEND)) != 0;
  if (file->parent != NULL) {
    /* Its directory tells that an entry has gone. */
    if (contents)
      tell(changes, file, true, false);
    return;
  }
  if (file->is_directory && (event->fflags & (NOTE_WRITE | NOTE_EXTEND | NOTE_LINK))) {
    directory_compare(notifier, file, changes);
    contents = (event->fflags & NOTE_ATTRIB) != 0;
  }
  if (contents)
    tell(changes, file, true, file->is_directory); /* as on Linux, where a directory's own changes count as both */
  if (place)
    tell(changes, file, false, true);
}

/* One event at a time: the next ones may be of files that this one frees. */
int rota__os_watch_read(struct rota_os_notifier *notifier, struct rota_os_changes *changes) {
  struct kevent event;
  int n = 0;
  changes->at = changes->end = 0;
  while (changes->end == 0 && (n = rota__os_kqueue_wait(notifier->fd, &event, 1, 0, NULL)) > 0)
    take(notifier, &event, changes);
  return n == -EINTR ? 0 : n < 0 ? n : (int)changes->end;
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
