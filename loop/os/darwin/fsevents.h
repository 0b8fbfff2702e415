/* FSEvents: macOS tells what changes in a directory, and below it, by name. */
#ifndef ROTA_OS_DARWIN_FSEVENTS_H
#define ROTA_OS_DARWIN_FSEVENTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loop/os/files.h"
#include "loop/os/watch.h"

/* ---- streams of events; other systems have none ---- */

struct rota_os_fsevents;

#ifdef __APPLE__

/* When changes wait, the notifier's queue has a user event (EVFILT_USER) with the file. Null: there is no FSEvents
 * here, or it refuses. */
struct rota_os_fsevents *rota__os_fsevents_start(const struct rota_os_notifier *notifier,
                                                 struct rota_os_file *directory);
/* Also in a child process. After it, the queue has no such event any more. */
void rota__os_fsevents_stop(struct rota_os_fsevents *stream);
/* What waits, as far as there is room; for the rest there will be another event. */
void rota__os_fsevents_read(struct rota_os_fsevents *stream, int watch, struct rota_os_changes *changes);

#else

static inline struct rota_os_fsevents *rota__os_fsevents_start(const struct rota_os_notifier *notifier,
                                                               struct rota_os_file *directory) {
  (void)notifier, (void)directory;
  return NULL;
}

static inline void rota__os_fsevents_stop(struct rota_os_fsevents *stream) {
  (void)stream;
}

static inline void rota__os_fsevents_read(struct rota_os_fsevents *stream, int watch, struct rota_os_changes *changes) {
  (void)stream, (void)watch, (void)changes;
}

#endif

/* ---- events as changes of one watched directory ----
 *
 * What FSEvents tells of a tree of directories, as changes of one watched directory.
 *
 * The system tells paths and flags on a thread of its own; the loop's thread takes changes with names. Which event is
 * of this directory, what its flags mean, and the queue between the two threads are here. Nothing here needs macOS, so
 * that it is tested on other systems, too.
 *
 * Invariant: `pending` belongs to whoever holds the lock; `taken` belongs to the loop's thread alone. */

/* The flags of an event, as Apple's documentation of FSEvents has them. */
enum rota_os_tree_flag {
  ROTA_TREE_MUST_SCAN = 0x1, /* events were lost or merged: anything below the path may have changed */
  ROTA_TREE_HISTORY_DONE = 0x10,
  ROTA_TREE_MOUNT = 0x40,
  ROTA_TREE_UNMOUNT = 0x80,
  ROTA_TREE_CREATED = 0x100,
  ROTA_TREE_REMOVED = 0x200,
  ROTA_TREE_INODE_CHANGED = 0x400,
  ROTA_TREE_RENAMED = 0x800,
  ROTA_TREE_MODIFIED = 0x1000,
  ROTA_TREE_FINDER_CHANGED = 0x2000,
  ROTA_TREE_OWNER_CHANGED = 0x4000,
  ROTA_TREE_ATTRIBUTE_CHANGED = 0x8000,
  ROTA_TREE_IS_FILE = 0x10000,
  ROTA_TREE_IS_DIRECTORY = 0x20000,
};

/* Records: one character for the kind, then the name with its end. */
struct rota_os_tree_queue {
  char *bytes;
  size_t length, room;
  bool lost; /* changes that found no room */
};

struct rota_os_tree {
  pthread_mutex_t lock;
  struct rota_os_tree_queue pending, taken;
  size_t at; /* in what was taken */
  bool is_recursive;
  size_t root_length;
  char root[]; /* without a slash at its end, so "/" is empty */
};

/* `root` is the path by which the system calls the directory: absolute, without links. Null: no memory. */
struct rota_os_tree *rota__os_tree_make(const char *root, bool is_recursive);
void rota__os_tree_free(struct rota_os_tree *tree); /* the system tells nothing any more */

/* From the system's thread. True: there is something to take. */
bool rota__os_tree_tell(struct rota_os_tree *tree, const char *path, uint32_t flags);

/* From the loop's thread: the first change, which stays until it is dropped. Sets everything but `watch`. */
bool rota__os_tree_first(struct rota_os_tree *tree, struct rota_os_change *change);
void rota__os_tree_drop(struct rota_os_tree *tree);

#endif
