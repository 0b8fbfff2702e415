/* Watched files, and what is known of watched directories: for systems that tell that a directory has changed, but not
 * what.
 *
 * The list of a directory's entries is kept, and compared with the new one: entries that came and went have names. So
 * that changes of the entries themselves are heard of, each of them is watched, too, up to a limit. Beyond the limit,
 * only coming and going is told.
 *
 * Invariant: a started file is known to the system by its struct. A file is freed when its watch is removed, or when
 * its directory has lost it. What one read has brought stays in rota_os_changes with its names, so a file may go before
 * its change is told. */
#ifndef ROTA_OS_FILES_H
#define ROTA_OS_FILES_H

#include <stdbool.h>
#include <sys/types.h>

#include "loop/os/watch.h"

struct rota_os_file {
  struct rota_os_file *next;   /* of the same notifier, or of the same directory */
  struct rota_os_file *parent; /* null: it is a watch */
  struct rota_os_file *entries;
  int watch;
  int fd;       /* where the system wants an open file; else -1 */
  void *system; /* what the system wants to have */
  bool started;
  dev_t device;
  ino_t inode;
  bool is_directory;
  bool is_recursive;  /* what is below it was asked for, too */
  bool names_entries; /* the system tells its entries by name: they are neither compared nor watched */
  bool seen;          /* while a directory is compared */
  char name[];        /* of an entry in its directory; of a watch, its path */
};

struct rota_os_notifier {
  int fd;
  int process; /* that made it, where a child process does not inherit it */
  int next_watch;
  int entries_started;
  int entries_max;
  struct rota_os_file *files;
};

/* What each system does. */
int rota__os_notifier_init(struct rota_os_notifier *notifier); /* sets fd and entries_max */
void rota__os_notifier_release(struct rota_os_notifier *notifier);
int rota__os_file_start(struct rota_os_notifier *notifier, struct rota_os_file *file); /* sets the file's identity */
void rota__os_file_stop(struct rota_os_notifier *notifier, struct rota_os_file *file);
int rota__os_file_list(const struct rota_os_file *directory); /* a descriptor to read its entries from */

/* For the system's reader. */
bool rota__os_files_put(struct rota_os_changes *changes, const struct rota_os_change *change); /* false: no room */
void rota__os_files_tell(struct rota_os_changes *changes, const struct rota_os_file *file, bool contents, bool place);
/* Compares the directory with what is known of it, and tells the differences. */
void rota__os_files_compare(struct rota_os_notifier *notifier, struct rota_os_file *directory,
                            struct rota_os_changes *changes);

#endif
