/* Event ports: their system calls, and watching files with them. */
#include "loop/os/sunos/ports.h"

#include <errno.h>
#include <fcntl.h>
#include <port.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "loop/base/alloc.h"
#include "loop/base/units.h"
#include "loop/os/file.h"
#include "loop/os/files.h"

/* ---- system calls ---- */

int rota__os_port_open(void) {
  int port = port_create();
  if (port < 0)
    return -errno;
  int err = rota__os_set_cloexec(port, true);
  if (err < 0)
    rota__os_close(port);
  return err < 0 ? err : port;
}

int rota__os_port_watch(int port, int fd, int events) {
  return port_associate(port, PORT_SOURCE_FD, (uintptr_t)fd, events, NULL) < 0 ? -errno : 0;
}

int rota__os_port_forget(int port, int fd) {
  return port_dissociate(port, PORT_SOURCE_FD, (uintptr_t)fd) < 0 ? -errno : 0;
}

int rota__os_port_signal(int port) {
  int saved = errno;
  int err = port_send(port, 0, NULL) < 0 ? -errno : 0;
  errno = saved;
  return err;
}

int rota__os_port_wait(int port, port_event_t *events, int events_max, int64_t timeout_ns, const sigset_t *blocked) {
  struct timespec limit = {(time_t)(timeout_ns / NS_PER_SECOND), (long)(timeout_ns % NS_PER_SECOND)};
  unsigned int count = 1; /* so many are waited for */
  sigset_t mask;
  int saved = errno;
  if (blocked != NULL)
    pthread_sigmask(SIG_SETMASK, blocked, &mask);
  int result = port_getn(port, events, (unsigned int)events_max, &count, timeout_ns < 0 ? NULL : &limit);
  /* When the time is over, and after a signal, there may be events all the same. */
  if (result == 0 || errno == ETIME || (errno == EINTR && count > 0))
    result = (int)count;
  else
    result = -errno;
  if (blocked != NULL)
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
  errno = saved;
  return result;
}

/* ---- watching files ----
 *
 * Watching files with event ports: a file is watched by its name, and an event ends the watch, so it is begun again
 * with the times that the file had before its change was looked at. If they have changed since, the system tells at
 * once. */

enum { ENTRIES_MAX = 4096 };
enum { GONE = FILE_DELETE | FILE_RENAME_FROM | FILE_RENAME_TO };

int rota__os_notifier_init(struct rota_os_notifier *notifier) {
  notifier->entries_max = ENTRIES_MAX;
  notifier->fd = rota__os_port_open();
  return notifier->fd < 0 ? notifier->fd : 0;
}

void rota__os_notifier_release(struct rota_os_notifier *notifier) {
  rota__os_close(notifier->fd);
}

static file_obj_t *object_of(const struct rota_os_file *file) {
  return (file_obj_t *)file->system;
}

/* The whole path: the program may change its directory. */
static char *path_of(const struct rota_os_file *file) {
  if (file->parent == NULL)
    return realpath(file->name, NULL);
  const char *directory = object_of(file->parent)->fo_name;
  size_t size = strlen(directory) + 1 + strlen(file->name) + 1;
  char *path = malloc(size);
  if (path != NULL)
    snprintf(path, size, "%s/%s", directory, file->name);
  return path;
}

static int look(struct rota_os_file *file) {
  struct stat now;
  file_obj_t *object = object_of(file);
  if (stat(object->fo_name, &now) < 0)
    return -errno;
  object->fo_atime = now.st_atim;
  object->fo_mtime = now.st_mtim;
  object->fo_ctime = now.st_ctim;
  file->device = now.st_dev;
  file->inode = now.st_ino;
  file->is_directory = S_ISDIR(now.st_mode);
  return 0;
}

static int associate(struct rota_os_notifier *notifier, struct rota_os_file *file) {
  return port_associate(notifier->fd, PORT_SOURCE_FILE, (uintptr_t)file->system, FILE_MODIFIED | FILE_ATTRIB, file) < 0
             ? -errno
             : 0;
}

static void object_free(struct rota_os_file *file) {
  free(object_of(file)->fo_name);
  rota__free(file->system);
  file->system = NULL;
}

int rota__os_file_start(struct rota_os_notifier *notifier, struct rota_os_file *file) {
  file_obj_t *object = rota__calloc(1, sizeof(*object));
  if (object == NULL)
    return -ENOMEM;
  file->system = object;
  object->fo_name = path_of(file);
  int err = object->fo_name == NULL ? -errno : look(file);
  if (err == 0)
    err = associate(notifier, file);
  if (err < 0)
    object_free(file);
  return err;
}

void rota__os_file_stop(struct rota_os_notifier *notifier, struct rota_os_file *file) {
  port_dissociate(notifier->fd, PORT_SOURCE_FILE, (uintptr_t)file->system);
  object_free(file);
}

int rota__os_file_list(const struct rota_os_file *directory) {
  int fd = open(object_of(directory)->fo_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

/* What is gone from its name is not watched any more. */
static void take(struct rota_os_notifier *notifier, const port_event_t *event, struct rota_os_changes *changes) {
  struct rota_os_file *file = (struct rota_os_file *)event->portev_user;
  bool place = (event->portev_events & GONE) != 0;
  bool contents = (event->portev_events & (FILE_MODIFIED | FILE_ATTRIB)) != 0;
  bool is_entry = file->parent != NULL;
  if (!place && look(file) == 0)
    associate(notifier, file);
  if (!is_entry && file->is_directory && (event->portev_events & FILE_MODIFIED)) {
    rota__os_files_compare(notifier, file, changes);
    contents = false;
  }
  if (contents && !place) /* as on Linux, a directory's own changes count as both */
    rota__os_files_tell(changes, file, true, !is_entry && file->is_directory);
  if (place && !is_entry) /* of an entry, its directory tells */
    rota__os_files_tell(changes, file, false, true);
}

/* One event at a time: the next ones may be of files that this one frees. */
int rota__os_watch_read(struct rota_os_notifier *notifier, struct rota_os_changes *changes) {
  port_event_t event;
  int n = 0;
  changes->at = changes->end = 0;
  while (changes->end == 0 && (n = rota__os_port_wait(notifier->fd, &event, 1, 0, NULL)) > 0)
    take(notifier, &event, changes);
  return n == -EINTR ? 0 : n < 0 ? n : (int)changes->end;
}
