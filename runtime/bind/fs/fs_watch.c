/* Watching: files and directories by inotify, or a file by polling its stat. A watcher is an object with a private
 * pointer while its handle is open; JavaScript knows it by a number. */
#include "runtime/bind/fs/fs.h"
#include "runtime/permission/permission.h"

#include <stdlib.h>
#include <string.h>

struct watcher {
  union {
    uv_handle_t handle;
    uv_fs_event_t event;
    uv_fs_poll_t poll;
  };
  int id;
  bool as_bytes;
};

static _Thread_local struct watcher **watchers;
static _Thread_local int watchers_count;

static int keep(struct watcher *watcher) {
  int i = 0;
  while (i < watchers_count && watchers[i] != NULL)
    i++;
  if (i == watchers_count) {
    struct watcher **more = realloc(watchers, (size_t)(watchers_count + 16) * sizeof *more);
    if (more == NULL)
      return UV_ENOMEM;
    watchers = more;
    memset(watchers + watchers_count, 0, 16 * sizeof *more);
    watchers_count += 16;
  }
  watchers[i] = watcher;
  watcher->id = i;
  return i;
}

static struct watcher *find(JSContextRef context, struct js_frame *frame) {
  int64_t id = js_to_integer(context, js_arg(context, frame, 0));
  return id >= 0 && id < watchers_count ? watchers[id] : NULL;
}

static void on_closed(uv_handle_t *handle) {
  free(handle);
}

static void forget(struct watcher *watcher) {
  watchers[watcher->id] = NULL;
  uv_close(&watcher->handle, on_closed);
}

static void on_event(uv_fs_event_t *handle, const char *name, int events, int status) {
  struct watcher *watcher = (struct watcher *)handle;
  JSContextRef context = js_fs.env->context;
  JSValueRef arguments[] = {js_number(context, watcher->id), js_number(context, status), js_number(context, events),
                            name != NULL ? js_fs_name(context, name, watcher->as_bytes) : js_null(context)};
  js_enter(js_fs.env, js_fs.calls[JS_FS_CALL_EVENT], NULL, 4, arguments);
}

static void on_fs_poll(uv_fs_poll_t *handle, int status, const uv_stat_t *before, const uv_stat_t *now) {
  struct watcher *watcher = (struct watcher *)handle;
  JSContextRef context = js_fs.env->context;
  js_fs_fill_stat(now, 0);
  js_fs_fill_stat(before, 1);
  JSValueRef arguments[] = {js_number(context, watcher->id), js_number(context, status)};
  js_enter(js_fs.env, js_fs.calls[JS_FS_CALL_EVENT], NULL, 2, arguments);
}

static int start_event(struct watcher *watcher, const char *path, JSContextRef context, JSValueRef as_bytes) {
  watcher->as_bytes = js_to_boolean(context, as_bytes);
  uv_fs_event_init(js_fs.env->loop, &watcher->event);
  return uv_fs_event_start(&watcher->event, on_event, path, 0);
}

static int start_fs_poll(struct watcher *watcher, const char *path, JSContextRef context, JSValueRef interval) {
  uv_fs_poll_init(js_fs.env->loop, &watcher->poll);
  return uv_fs_poll_start(&watcher->poll, on_fs_poll, path, (unsigned)js_to_integer(context, interval));
}

/* -> the number of a new watcher of this path, or a negative error */
static int add(JSContextRef context, struct js_frame *frame, const char *path,
               int (*start)(struct watcher *, const char *, JSContextRef, JSValueRef)) {
  struct watcher *watcher = path != NULL ? calloc(1, sizeof *watcher) : NULL;
  int err = watcher != NULL ? keep(watcher) : UV_ENOMEM;
  if (err < 0) {
    free(watcher);
    return err;
  }
  err = start(watcher, path, context, js_arg(context, frame, 1));
  if (err < 0)
    forget(watcher);
  return err < 0 ? err : watcher->id;
}

static JSValueRef watch_path(JSContextRef context, struct js_frame *frame,
                             int (*start)(struct watcher *, const char *, JSContextRef, JSValueRef)) {
  char room[1024];
  char *path = js_copy_path(context, js_arg(context, frame, 0), room, sizeof room);
  bool refused = path != NULL && js_refused(context, JS_SCOPE_READ, path);
  int result = refused ? 0 : add(context, frame, path, start);
  if (path != room)
    free(path);
  return refused ? NULL : js_number(context, result);
}

/* watch(path, as bytes) -> a number, or an error; event(number, status, 1 rename | 2 change, name) follows */
static JSValueRef watch(JSContextRef context, struct js_frame *frame) {
  return watch_path(context, frame, start_event);
}

/* poll(path, interval in ms) -> a number, or an error; event(number, status) follows, with both stats filled */
static JSValueRef fs_poll(JSContextRef context, struct js_frame *frame) {
  return watch_path(context, frame, start_fs_poll);
}

static JSValueRef unwatch(JSContextRef context, struct js_frame *frame) {
  struct watcher *watcher = find(context, frame);
  if (watcher != NULL)
    forget(watcher);
  return js_undefined(context);
}

/* watchRef(number, whether it keeps the loop alive) */
static JSValueRef watch_ref(JSContextRef context, struct js_frame *frame) {
  struct watcher *watcher = find(context, frame);
  bool keeps = js_to_boolean(context, js_arg(context, frame, 1));
  return watcher == NULL
             ? js_undefined(context)
             : js_handle_reference(context, &watcher->handle, keeps ? JS_REFERENCE_HOLD : JS_REFERENCE_DROP);
}

const struct js_method js_fs_watch_methods[] = {
    {"watch", watch, 2}, {"poll", fs_poll, 2}, {"unwatch", unwatch, 1}, {"watchRef", watch_ref, 2}, {NULL, NULL, 0},
};
