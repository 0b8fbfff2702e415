/* The checks of permissions for the files of the binding `fs`, and their errors. */
#include "runtime/bind/fs/fs.h"
#include "runtime/permission/permission.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

bool js_fs_refuses_open(JSContextRef context, const char *path, int flags) {
  int mode = flags & O_ACCMODE;
  if (mode != O_WRONLY && js_refused(context, JS_SCOPE_READ, path))
    return true;
  bool writes = mode != O_RDONLY || (flags & (O_CREAT | O_TRUNC | O_APPEND)) != 0;
  return writes && js_refused(context, JS_SCOPE_WRITE, path);
}

char *js_fs_path_to_open(JSContextRef context, JSValueRef value, int flags, char *room, size_t size, int *err) {
  char *path = js_copy_path(context, value, room, size);
  *err = UV_EINVAL;
  if (path == NULL)
    return NULL;
  if (!js_fs_refuses_open(context, path, flags)) {
    *err = UV_ENOMEM;
    return js_fs_settle(path, room);
  }
  if (path != room)
    free(path);
  *err = 0;
  return NULL;
}

char *js_fs_settle(char *path, const char *room) {
  char directory[4096];
  size_t size = sizeof directory;
  if (js_permission_here == NULL || path[0] == '/' || uv_cwd(directory, &size) != 0)
    return path;
  char *whole = malloc(size + strlen(path) + 2);
  if (whole != NULL)
    strcat(strcat(strcpy(whole, directory), "/"), path);
  if (path != room)
    free(path);
  return whole;
}
