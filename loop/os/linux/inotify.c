/* Watching files with inotify. The kernel gives one watch descriptor for each file, whatever it is called. */
#include <errno.h>
#include <stdint.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "loop/base/alloc.h"
#include "loop/os/file.h"
#include "loop/os/watch.h"

enum {
  CONTENTS = IN_ATTRIB | IN_MODIFY,
  PLACE = IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_MOVED_FROM | IN_MOVED_TO,
};

struct rota_os_notifier {
  int fd;
};

int rota__os_watch_open(struct rota_os_notifier **notifier) {
  struct rota_os_notifier *self = rota__malloc(sizeof(*self));
  if (self == NULL)
    return -ENOMEM;
  self->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (self->fd < 0) {
    int err = -errno;
    rota__free(self);
    return err;
  }
  *notifier = self;
  return 0;
}

int rota__os_watch_fd(const struct rota_os_notifier *notifier) {
  return notifier->fd;
}

void rota__os_watch_close(struct rota_os_notifier *notifier) {
  rota__os_close(notifier->fd);
  rota__free(notifier);
}

int rota__os_watch_add(struct rota_os_notifier *notifier, const char *path, bool is_recursive) {
  (void)is_recursive;
  int watch = inotify_add_watch(notifier->fd, path, CONTENTS | PLACE);
  return watch < 0 ? -errno : watch;
}

int rota__os_watch_remove(struct rota_os_notifier *notifier, int watch) {
  return inotify_rm_watch(notifier->fd, watch) < 0 ? -errno : 0;
}

int rota__os_watch_read(struct rota_os_notifier *notifier, struct rota_os_changes *changes) {
  ssize_t n = rota__os_read(notifier->fd, changes->bytes, sizeof(changes->bytes));
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
