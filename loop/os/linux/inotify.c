/* Watching files with inotify. The kernel gives one watch descriptor for each file, whatever it is called. */
#include <errno.h>
#include <stdint.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "loop/os/fd.h"
#include "loop/os/watch.h"

enum {
  CONTENTS = IN_ATTRIB | IN_MODIFY,
  PLACE = IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_MOVED_FROM | IN_MOVED_TO,
};

int rota__os_watch_open(void) {
  int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

int rota__os_watch_add(int notifier, const char *path) {
  int watch = inotify_add_watch(notifier, path, CONTENTS | PLACE);
  return watch < 0 ? -errno : watch;
}

int rota__os_watch_remove(int notifier, int watch) {
  return inotify_rm_watch(notifier, watch) < 0 ? -errno : 0;
}

int rota__os_watch_read(int notifier, struct rota_os_changes *changes) {
  ssize_t n = rota__os_read(notifier, changes->bytes, sizeof(changes->bytes));
  changes->at = 0;
  changes->end = n > 0 ? (size_t)n : 0;
  return n == -EAGAIN ? 0 : (int)n;
}

bool rota__os_watch_next(struct rota_os_changes *changes, struct rota_os_change *change) {
  if (changes->at >= changes->end)
    return false;
  const struct inotify_event *event = (const struct inotify_event *)(const void *)(changes->bytes + changes->at);
  changes->at += sizeof(*event) + event->len;
  *change = (struct rota_os_change){
      .watch = event->wd,
      .contents = (event->mask & CONTENTS) != 0,
      .place = (event->mask & ~(uint32_t)CONTENTS) != 0, /* a lost watch (IN_IGNORED) or queue counts, too */
      .name = event->len > 0 ? event->name : NULL,
  };
  return true;
}
