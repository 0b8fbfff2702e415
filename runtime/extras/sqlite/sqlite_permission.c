/* Permissions for SQLite, which opens files itself: those of ATTACH, of VACUUM INTO, of a URI that names another VFS.
 * So each VFS checks before it opens a database. Journals and temporary files belong to a database
 * that was permitted. */
#include "runtime/extras/sqlite/sqlite.h"
#include "runtime/permission/permission.h"

#include <pthread.h>
#include <string.h>

enum { WAYS_MAX = 16 };

static struct {
  sqlite3_vfs *vfs;
  int (*open)(sqlite3_vfs *, const char *, sqlite3_file *, int, int *);
} ways[WAYS_MAX];
static int ways_count;

static int open_guarded(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
  int i = 0;
  while (i < ways_count && ways[i].vfs != vfs)
    i++;
  file->pMethods = NULL;
  if (i == ways_count)
    return SQLITE_CANTOPEN;
  if (name != NULL && (flags & SQLITE_OPEN_MAIN_DB) != 0 && js_permission_here != NULL) {
    bool writes = (flags & (SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) != 0;
    if (!js_permission_lets(JS_SCOPE_READ, name) || (writes && !js_permission_lets(JS_SCOPE_WRITE, name)))
      return SQLITE_PERM;
  }
  return ways[i].open(vfs, name, file, flags, out);
}

static void put_up(void) {
  sqlite3_initialize();
  for (sqlite3_vfs *vfs = sqlite3_vfs_find(NULL); vfs != NULL && ways_count < WAYS_MAX; vfs = vfs->pNext) {
    if (strcmp(vfs->zName, "memdb") == 0)
      continue; /* no files */
    ways[ways_count].vfs = vfs;
    ways[ways_count++].open = vfs->xOpen;
    vfs->xOpen = open_guarded;
  }
}

void js_sqlite_permission_begin(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (js_permission_here != NULL)
    pthread_once(&once, put_up);
}

bool js_sqlite_refused(JSContextRef context, const char *path, bool writes) {
  js_sqlite_permission_begin();
  if (path[0] == 0 || strcmp(path, ":memory:") == 0 || strncmp(path, "file:", 5) == 0)
    return false; /* the guard checks the file of a URI */
  return js_refused(context, JS_SCOPE_READ, path) || (writes && js_refused(context, JS_SCOPE_WRITE, path));
}
