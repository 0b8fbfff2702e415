/* kqueue: its system calls, and watching files with it. */
#include "loop/os/bsd/kqueue.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "loop/base/alloc.h"
#include "loop/base/units.h"
#include "loop/os/darwin/fsevents.h"
#include "loop/os/file.h"
#include "loop/os/files.h"
#include "loop/os/host.h"
#include "loop/os/process.h"

/* ---- system calls ---- */

int rota__os_kqueue_open(void) {
  int fd = kqueue();
  if (fd < 0)
    return -errno;
  int err = rota__os_set_cloexec(fd, true);
  if (err < 0)
    rota__os_close(fd);
  return err < 0 ? err : fd;
}

int rota__os_kqueue_change(int kqueue_fd, const struct kevent *changes, int count) {
  int saved = errno;
  int result;
  /* Without room for events, an error of a change is the error of the call. */
  do
    result = kevent(kqueue_fd, changes, count, NULL, 0, NULL);
  while (result < 0 && errno == EINTR);
  if (result < 0)
    result = -errno;
  errno = saved;
  return result;
}

int rota__os_kqueue_wait(int kqueue_fd, struct kevent *events, int events_max, int64_t timeout_ns,
                         const sigset_t *blocked) {
  /* Some systems refuse a longer time; the caller looks at its deadline and waits again. */
  enum { LONGEST_S = 24 * 60 * 60 };
  struct timespec limit = {LONGEST_S, 0};
  sigset_t mask;
  int saved = errno;
  if (timeout_ns >= 0 && timeout_ns < LONGEST_S * (int64_t)NS_PER_SECOND)
    limit = (struct timespec){(time_t)(timeout_ns / NS_PER_SECOND), (long)(timeout_ns % NS_PER_SECOND)};
  if (blocked != NULL)
    pthread_sigmask(SIG_SETMASK, blocked, &mask);
  int n = kevent(kqueue_fd, NULL, 0, events, events_max, timeout_ns < 0 ? NULL : &limit);
  if (n < 0)
    n = -errno;
  if (blocked != NULL)
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
  errno = saved;
  return n;
}

/* ---- events of files (vnodes) ----
 *
 * Watching files with kqueue's events of files (vnodes): each watched file is an open descriptor. Descriptors are
 * scarce, so the entries of directories have a limit. On macOS, a stream of FSEvents tells of a directory's entries
 * instead, and vnode events tell of the directory itself. The queue belongs to the process that made it: a child does
 * not inherit it, and its number may be another file's there. */

enum { ENTRIES_MAX = 256, SHARE_OF_DESCRIPTORS = 8 };
enum { NOTES_OF_ITSELF = NOTE_DELETE | NOTE_ATTRIB | NOTE_RENAME | NOTE_REVOKE };
enum { NOTES = NOTE_DELETE | NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB | NOTE_LINK | NOTE_RENAME | NOTE_REVOKE };

#ifndef O_EVTONLY
#define O_EVTONLY O_RDONLY /* macOS: does not keep the volume from being unmounted */
#endif

int rota__os_notifier_init(struct rota_os_notifier *notifier) {
  struct rlimit limit;
  notifier->process = rota__os_process_id();
  notifier->entries_max = ENTRIES_MAX;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur / SHARE_OF_DESCRIPTORS < ENTRIES_MAX)
    notifier->entries_max = (int)(limit.rlim_cur / SHARE_OF_DESCRIPTORS);
  notifier->fd = rota__os_kqueue_open();
  return notifier->fd < 0 ? notifier->fd : 0;
}

void rota__os_notifier_release(struct rota_os_notifier *notifier) {
  if (notifier->process == rota__os_process_id())
    rota__os_close(notifier->fd);
}

int rota__os_file_start(struct rota_os_notifier *notifier, struct rota_os_file *file) {
  struct kevent event;
  struct stat stat;
  /* A FIFO must not make us wait. */
  int fd = openat(file->parent == NULL ? AT_FDCWD : file->parent->fd, file->name, O_EVTONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return -errno;
  if (fstat(fd, &stat) < 0) {
    int err = -errno;
    rota__os_close(fd);
    return err;
  }
  file->fd = fd;
  file->device = stat.st_dev;
  file->inode = stat.st_ino;
  file->is_directory = S_ISDIR(stat.st_mode);
  file->system = file->parent == NULL && file->is_directory ? rota__os_fsevents_start(notifier, file) : NULL;
  file->names_entries = file->system != NULL;
  EV_SET(&event, (uintptr_t)fd, EVFILT_VNODE, EV_ADD | EV_CLEAR, file->names_entries ? NOTES_OF_ITSELF : NOTES, 0,
         (void *)file);
  int err = rota__os_kqueue_change(notifier->fd, &event, 1);
  if (err < 0)
    rota__os_file_stop(notifier, file);
  return err;
}

/* Closing removes the event. */
void rota__os_file_stop(struct rota_os_notifier *notifier, struct rota_os_file *file) {
  (void)notifier;
  if (file->system != NULL)
    rota__os_fsevents_stop(file->system);
  file->system = NULL;
  rota__os_close(file->fd);
  file->fd = -1;
}

int rota__os_file_list(const struct rota_os_file *directory) {
  int fd = openat(directory->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

static void take(struct rota_os_notifier *notifier, const struct kevent *event, struct rota_os_changes *changes) {
  struct rota_os_file *file = (struct rota_os_file *)event->udata;
  if (event->filter == EVFILT_USER) {
    rota__os_fsevents_read(file->system, file->watch, changes);
    return;
  }
  bool place = (event->fflags & (NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE)) != 0;
  bool contents = (event->fflags & (NOTE_ATTRIB | NOTE_WRITE | NOTE_EXTEND)) != 0;
  if (file->parent != NULL) {
    /* Its directory tells that an entry has gone. */
    if (contents)
      rota__os_files_tell(changes, file, true, false);
    return;
  }
  if (file->is_directory && (event->fflags & (NOTE_WRITE | NOTE_EXTEND | NOTE_LINK))) {
    rota__os_files_compare(notifier, file, changes);
    contents = (event->fflags & NOTE_ATTRIB) != 0;
  }
  if (contents) /* as on Linux, a directory's own changes count as both */
    rota__os_files_tell(changes, file, true, file->is_directory);
  if (place)
    rota__os_files_tell(changes, file, false, true);
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
