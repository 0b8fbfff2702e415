/* Watching files: the kernel tells what changes. A notifier has a descriptor that is readable while changes wait.
 * As everywhere in loop/os: a result >= 0, or a negated errno; interrupted calls are repeated. */
#ifndef ROTA_OS_WATCH_H
#define ROTA_OS_WATCH_H

#include <stdbool.h>
#include <stddef.h>

struct rota_os_notifier;

int rota__os_watch_open(struct rota_os_notifier **notifier);
int rota__os_watch_fd(const struct rota_os_notifier *notifier); /* non-blocking, close-on-exec */
/* Also in a child process, which may not have inherited the descriptor: its number may be another file's there. */
void rota__os_watch_close(struct rota_os_notifier *notifier);
/* Returns the number of the watch. A system may give one number for one file, by whatever name it is watched.
 * `is_recursive` asks for what is below a directory, too; only macOS can do it. */
int rota__os_watch_add(struct rota_os_notifier *notifier, const char *path, bool is_recursive);
int rota__os_watch_remove(struct rota_os_notifier *notifier, int watch);

struct rota_os_change {
  int watch;
  bool contents;    /* the file's contents or attributes */
  bool place;       /* created, removed, renamed */
  const char *name; /* relative to the watched directory; null: it is the watched file itself */
};

/* What one read has brought. Only loop/os looks inside. */
struct rota_os_changes {
  size_t at;
  size_t end;
  _Alignas(8) char bytes[4096];
};

/* 0: nothing waits. */
int rota__os_watch_read(struct rota_os_notifier *notifier, struct rota_os_changes *changes);
/* Takes the next one; its name is valid until the next read. */
bool rota__os_watch_next(struct rota_os_changes *changes, struct rota_os_change *change);

#endif
