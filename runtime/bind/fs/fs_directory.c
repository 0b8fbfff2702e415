/* Open directories, read in batches of entries. JavaScript knows each by a number. */
#include "runtime/bind/fs/fs.h"
#include "runtime/permission/permission.h"

#include <stdlib.h>
#include <string.h>

struct directory {
  uv_fs_t request;
  uv_dir_t *open;
  uv_dirent_t *entries;
  int id; /* the callback that waits; -1: none */
  bool as_bytes;
};

static _Thread_local struct directory **directories;
static _Thread_local int directories_count;

static int keep(struct directory *directory) {
  for (int i = 0; i < directories_count; i++)
    if (directories[i] == NULL) {
      directories[i] = directory;
      return i;
    }
  struct directory **more = realloc(directories, (size_t)(directories_count + 8) * sizeof *more);
  if (more == NULL)
    return UV_ENOMEM;
  directories = more;
  memset(directories + directories_count, 0, 8 * sizeof *more);
  directories_count += 8;
  directories[directories_count - 8] = directory;
  return directories_count - 8;
}

static struct directory *find(JSContextRef context, struct js_frame *frame) {
  int64_t which = js_to_integer(context, js_arg(context, frame, 1));
  return which >= 0 && which < directories_count ? directories[which] : NULL;
}

static void release(struct directory *directory) {
  for (int i = 0; i < directories_count; i++)
    if (directories[i] == directory)
      directories[i] = NULL;
  free(directory->entries);
  free(directory);
}

static JSValueRef opened(struct directory *directory) {
  JSContextRef context = js_fs.env->context;
  int result = (int)directory->request.result;
  if (result >= 0) {
    directory->open = directory->request.ptr;
    result = keep(directory);
  }
  uv_fs_req_cleanup(&directory->request);
  if (result < 0)
    free(directory);
  return js_number(context, result);
}

static void on_opened(uv_fs_t *request) {
  struct directory *directory = (struct directory *)request;
  JSContextRef context = js_fs.env->context;
  JSValueRef arguments[] = {js_number(context, directory->id), NULL};
  directory->id = -1;
  arguments[1] = opened(directory);
  js_enter(js_fs.env, js_fs.calls[JS_FS_CALL_COMPLETE], NULL, 2, arguments);
}

/* opendir(id, path) -> a number */
static JSValueRef open_directory(JSContextRef context, struct js_frame *frame) {
  char room[1024];
  struct directory *directory = calloc(1, sizeof *directory);
  char *path = js_copy_path(context, js_arg(context, frame, 1), room, sizeof room);
  int err = UV_ENOMEM;
  if (directory == NULL || path == NULL)
    goto fail;
  if (js_refused(context, JS_SCOPE_READ, path)) {
    err = 0;
    goto fail;
  }
  path = js_fs_settle(path, room);
  if (path == NULL)
    goto fail;
  directory->id = (int)js_to_integer(context, js_arg(context, frame, 0));
  err = uv_fs_opendir(js_fs.env->loop, &directory->request, path, directory->id >= 0 ? on_opened : NULL);
  if (directory->id >= 0 && err < 0)
    goto fail;
  if (path != room)
    free(path);
  return directory->id >= 0 ? js_undefined(context) : opened(directory);
fail:
  if (path != room)
    free(path);
  free(directory);
  return err != 0 ? js_number(context, err) : NULL; /* thrown */
}

/* A flat list: name, kind, name, kind, ...; or an error */
static JSValueRef listed(struct directory *directory) {
  JSContextRef context = js_fs.env->context;
  int count = (int)directory->request.result;
  JSObjectRef list = js_array(context, 0, NULL);
  for (int i = 0; i < count; i++) {
    JSValueRef name = js_fs_name(context, directory->entries[i].name, directory->as_bytes);
    JSObjectSetPropertyAtIndex(context, list, (unsigned)i * 2, name, NULL);
    JSObjectSetPropertyAtIndex(context, list, (unsigned)i * 2 + 1, js_number(context, directory->entries[i].type),
                               NULL);
  }
  uv_fs_req_cleanup(&directory->request);
  return count < 0 ? js_number(context, count) : list;
}

static void on_read(uv_fs_t *request) {
  struct directory *directory = (struct directory *)request;
  JSContextRef context = js_fs.env->context;
  double result = (double)request->result;
  JSValueRef arguments[] = {js_number(context, directory->id), js_number(context, result), NULL};
  directory->id = -1;
  arguments[2] = listed(directory);
  js_enter(js_fs.env, js_fs.calls[JS_FS_CALL_COMPLETE], NULL, 3, arguments);
}

/* readdir(id, directory, how many, as bytes) */
static JSValueRef read_directory(JSContextRef context, struct js_frame *frame) {
  struct directory *directory = find(context, frame);
  int64_t count = js_to_integer(context, js_arg(context, frame, 2));
  if (directory == NULL || count < 1)
    return js_number(context, UV_EBADF);
  uv_dirent_t *entries = realloc(directory->entries, (size_t)count * sizeof *entries);
  if (entries == NULL)
    return js_number(context, UV_ENOMEM);
  directory->entries = entries;
  directory->as_bytes = js_to_boolean(context, js_arg(context, frame, 3));
  directory->open->dirents = entries;
  directory->open->nentries = (size_t)count;
  directory->id = (int)js_to_integer(context, js_arg(context, frame, 0));
  int err = uv_fs_readdir(js_fs.env->loop, &directory->request, directory->open, directory->id >= 0 ? on_read : NULL);
  if (directory->id >= 0)
    return err < 0 ? js_number(context, err) : js_undefined(context);
  return listed(directory);
}

static void on_closed(uv_fs_t *request) {
  struct directory *directory = (struct directory *)request;
  JSContextRef context = js_fs.env->context;
  JSValueRef arguments[] = {js_number(context, directory->id), js_number(context, (double)request->result)};
  uv_fs_req_cleanup(request);
  release(directory);
  js_enter(js_fs.env, js_fs.calls[JS_FS_CALL_COMPLETE], NULL, 2, arguments);
}

/* closedir(id, directory) */
static JSValueRef close_directory(JSContextRef context, struct js_frame *frame) {
  struct directory *directory = find(context, frame);
  if (directory == NULL)
    return js_number(context, UV_EBADF);
  directory->id = (int)js_to_integer(context, js_arg(context, frame, 0));
  int err =
      uv_fs_closedir(js_fs.env->loop, &directory->request, directory->open, directory->id >= 0 ? on_closed : NULL);
  if (directory->id >= 0)
    return err < 0 ? js_number(context, err) : js_undefined(context);
  uv_fs_req_cleanup(&directory->request);
  release(directory);
  return js_number(context, err);
}

void js_fs_directories_forget(void) {
  for (int i = 0; i < directories_count; i++) {
    struct directory *directory = directories[i];
    if (directory == NULL)
      continue;
    uv_fs_closedir(NULL, &directory->request, directory->open, NULL);
    uv_fs_req_cleanup(&directory->request);
    release(directory);
  }
  free(directories);
  directories = NULL;
  directories_count = 0;
}

const struct js_method js_fs_directory_methods[] = {
    {"opendir", open_directory, 2},
    {"readdir", read_directory, 4},
    {"closedir", close_directory, 2},
    {NULL, NULL, 0},
};
