/* The binding `child`: processes. A number for each, and a function to call when it ends. */
#include "runtime/bind/process/child.h"
#include "runtime/bind/net/stream.h"
#include "runtime/permission/permission.h"

#include <stdlib.h>
#include <string.h>

struct child {
  uv_process_t process;
  JSObjectRef on_exit;
  int id;
  bool closing;
};

static _Thread_local struct {
  struct child **children;
  int count;
} table;

static char **read_list(JSContextRef context, JSValueRef value) {
  JSObjectRef list = (JSObjectRef)value;
  size_t count = (size_t)js_to_integer(context, js_get(context, list, "length"));
  char **texts = calloc(count + 1, sizeof *texts);
  for (size_t i = 0; texts != NULL && i < count; i++)
    texts[i] = js_to_text(context, JSObjectGetPropertyAtIndex(context, list, (unsigned)i, NULL), NULL);
  return texts;
}

static void free_list(char **texts) {
  for (char **at = texts; at != NULL && *at != NULL; at++)
    free(*at);
  free(texts);
}

int js_child_options_read(JSContextRef context, struct js_frame *frame, int first, struct js_child_options *options) {
  memset(options, 0, sizeof *options);
  uv_process_options_t *uv = &options->uv;
  uv->file = js_to_text(context, js_arg(context, frame, first), NULL);
  uv->args = read_list(context, js_arg(context, frame, first + 1));
  JSValueRef environment = js_arg(context, frame, first + 2), directory = js_arg(context, frame, first + 3);
  if (JSValueIsObject(context, environment))
    uv->env = read_list(context, environment);
  if (JSValueIsString(context, directory))
    uv->cwd = js_to_text(context, directory, NULL);
  uv->flags = (unsigned)js_int(context, frame, first + 4);
  uv->uid = (uv_uid_t)js_to_integer(context, js_arg(context, frame, first + 5));
  uv->gid = (uv_gid_t)js_to_integer(context, js_arg(context, frame, first + 6));
  options->kinds = (JSObjectRef)js_arg(context, frame, first + 7);
  options->values = (JSObjectRef)js_arg(context, frame, first + 8);
  uv->stdio_count = (int)js_to_integer(context, js_get(context, options->kinds, "length"));
  options->stdio = calloc((size_t)uv->stdio_count + 1, sizeof *options->stdio);
  uv->stdio = options->stdio;
  return uv->file != NULL && uv->args != NULL && options->stdio != NULL ? 0 : UV_ENOMEM;
}

void js_child_options_free(struct js_child_options *options) {
  free((char *)options->uv.file);
  free((char *)options->uv.cwd);
  free_list(options->uv.args);
  free_list(options->uv.env);
  free(options->stdio);
}

int js_child_stdio_kind(JSContextRef context, const struct js_child_options *options, int index) {
  return (int)js_to_integer(context, JSObjectGetPropertyAtIndex(context, options->kinds, (unsigned)index, NULL));
}

JSValueRef js_child_stdio_value(JSContextRef context, const struct js_child_options *options, int index) {
  return JSObjectGetPropertyAtIndex(context, options->values, (unsigned)index, NULL);
}

static void on_closed(uv_handle_t *handle) {
  struct child *child = (struct child *)handle;
  JSValueUnprotect(js_env_here->context, child->on_exit);
  free(child);
}

static void on_exit_status(uv_process_t *process, int64_t status, int signal) {
  struct js_env *env = js_env_here;
  struct child *child = (struct child *)process;
  JSValueRef arguments[] = {js_number(env->context, (double)status), js_number(env->context, signal)};
  js_enter(env, child->on_exit, NULL, 2, arguments);
}

static struct child *enlist(void) {
  struct child *child = calloc(1, sizeof *child);
  if (child == NULL)
    return NULL;
  int id = 0;
  while (id < table.count && table.children[id] != NULL)
    id++;
  if (id == table.count) {
    struct child **children = realloc(table.children, (size_t)(table.count + 1) * sizeof *children);
    if (children == NULL) {
      free(child);
      return NULL;
    }
    table.children = children;
    table.count++;
  }
  child->id = id;
  table.children[id] = child;
  return child;
}

/* spawn(on exit, ...options) -> number, or a negative error */
static JSValueRef spawn(JSContextRef context, struct js_frame *frame) {
  struct js_child_options options;
  int err = js_child_options_read(context, frame, 1, &options);
  if (js_refused(context, JS_SCOPE_CHILD, options.uv.file)) {
    js_child_options_free(&options);
    return NULL;
  }
  for (int i = 0; err == 0 && i < options.uv.stdio_count; i++) {
    uv_stdio_container_t *at = &options.stdio[i];
    int kind = js_child_stdio_kind(context, &options, i);
    int value = (int)js_to_integer(context, js_child_stdio_value(context, &options, i));
    struct js_socket *stream =
        kind == JS_CHILD_STDIO_PIPE || kind == JS_CHILD_STDIO_STREAM ? js_stream_find(value) : NULL;
    at->flags = UV_IGNORE;
    if (kind == JS_CHILD_STDIO_FD) {
      at->flags = UV_INHERIT_FD;
      at->data.fd = value;
    } else if (stream != NULL) {
      at->flags =
          kind == JS_CHILD_STDIO_PIPE ? UV_CREATE_PIPE | UV_READABLE_PIPE | UV_WRITABLE_PIPE : UV_INHERIT_STREAM;
      at->data.stream = &stream->uv.stream;
    } else if (kind != JS_CHILD_STDIO_IGNORE) {
      err = UV_EBADF;
    }
  }
  struct child *child = err == 0 ? enlist() : NULL;
  if (err == 0 && child == NULL)
    err = UV_ENOMEM;
  int id = -1;
  if (child != NULL) {
    id = child->id;
    child->on_exit = (JSObjectRef)js_arg(context, frame, 0);
    JSValueProtect(context, child->on_exit);
    options.uv.exit_cb = on_exit_status;
    err = uv_spawn(js_env_here->loop, &child->process, &options.uv);
    if (err != 0) {
      table.children[id] = NULL;
      child->closing = true;
      uv_close((uv_handle_t *)&child->process, on_closed);
    }
  }
  js_child_options_free(&options);
  return js_number(context, err != 0 ? err : id);
}

static struct child *find(JSContextRef context, struct js_frame *frame) {
  int id = js_int(context, frame, 0);
  return id >= 0 && id < table.count ? table.children[id] : NULL;
}

static JSValueRef pid(JSContextRef context, struct js_frame *frame) {
  struct child *child = find(context, frame);
  return js_number(context, child != NULL ? uv_process_get_pid(&child->process) : 0);
}

static JSValueRef kill_child(JSContextRef context, struct js_frame *frame) {
  struct child *child = find(context, frame);
  return js_number(context, child != NULL ? uv_process_kill(&child->process, js_int(context, frame, 1)) : UV_ESRCH);
}

static JSValueRef close_child(JSContextRef context, struct js_frame *frame) {
  struct child *child = find(context, frame);
  if (child != NULL) {
    table.children[child->id] = NULL;
    uv_close((uv_handle_t *)&child->process, on_closed);
  }
  return js_undefined(context);
}

/* reference(id, one of `reference`) -> whether it is held */
static JSValueRef reference(JSContextRef context, struct js_frame *frame) {
  struct child *child = find(context, frame);
  return child == NULL ? js_boolean(context, false)
                       : js_handle_reference(context, (uv_handle_t *)&child->process, js_int(context, frame, 1));
}

JSObjectRef js_binding_child(struct js_env *env) {
  static const struct js_method methods[] = {{"spawn", spawn, 10},        {"pid", pid, 1},
                                             {"kill", kill_child, 2},     {"close", close_child, 1},
                                             {"reference", reference, 2}, {NULL, NULL, 0}};
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  js_set_methods(env->context, binding, js_child_sync_methods);
  return binding;
}
