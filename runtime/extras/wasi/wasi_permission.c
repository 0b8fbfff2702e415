/* Permissions of a WASI guest (--permission), checked at each system call.
 *
 * A permission is for a path as text, and a guest names paths beneath a descriptor: so each descriptor of a directory
 * that the binding has opened is kept with its absolute path. Any other directory is refused. Without --permission
 * nothing is kept and nothing is checked.
 *
 * Invariant: an entry's descriptor is open, and was opened by this thread. */
#include "runtime/extras/wasi/wasi.h"
#include "runtime/permission/permission.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  struct entry *next;
  char *path;
  int fd;
};

static _Thread_local struct entry *entries;

static const char *path_of(int fd) {
  for (const struct entry *entry = entries; entry != NULL; entry = entry->next)
    if (entry->fd == fd)
      return entry->path;
  return NULL;
}

/* The absolute path beneath a directory; null: the directory is not known, or out of memory. */
static char *path_beneath(int root, const char *path) {
  const char *directory = path_of(root);
  size_t size = directory != NULL ? strlen(directory) + strlen(path) + 2 : 0;
  char *joined = size > 0 ? malloc(size) : NULL;
  if (joined == NULL)
    return NULL;
  snprintf(joined, size, "%s/%s", directory, path);
  char *absolute = js_path_absolute(joined);
  free(joined);
  return absolute;
}

bool js_wasi_lets(int root, const char *path, unsigned wants) {
  if (js_permission_here == NULL)
    return true;
  char *absolute = js_permission_lets(JS_SCOPE_WASI, NULL) ? path_beneath(root, path) : NULL;
  bool lets = absolute != NULL && ((wants & JS_WASI_READS) == 0 || js_permission_lets(JS_SCOPE_READ, absolute)) &&
              ((wants & JS_WASI_WRITES) == 0 || js_permission_lets(JS_SCOPE_WRITE, absolute));
  free(absolute);
  return lets;
}

/* Takes ownership of the path. */
static bool keep(int fd, char *path) {
  struct entry *entry = path != NULL ? malloc(sizeof *entry) : NULL;
  if (entry == NULL) {
    free(path);
    return false;
  }
  *entry = (struct entry){entries, path, fd};
  entries = entry;
  return true;
}

bool js_wasi_keep_root(int fd, const char *path) {
  return js_permission_here == NULL || keep(fd, js_path_absolute(path));
}

bool js_wasi_keep(int fd, int root, const char *path) {
  return js_permission_here == NULL || keep(fd, path_beneath(root, path));
}

void js_wasi_forget(int fd) {
  for (struct entry **place = &entries; *place != NULL; place = &(*place)->next) {
    struct entry *entry = *place;
    if (entry->fd != fd)
      continue;
    *place = entry->next;
    free(entry->path);
    free(entry);
    return;
  }
}
