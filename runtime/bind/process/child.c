/* The binding `child`: processes. A number for each, and a function to call when it ends. */
#include <stdlib.h>
#include <string.h>

#include "runtime/bind/binding.h"
#include "runtime/bind/net/stream.h"
#include "runtime/permission/permission.h"

/* ---- processes of the loop ---- */

struct child_options {
  uv_process_options_t uv;
  uv_stdio_container_t *stdio;
  JSObjectRef kinds, values; /* two arrays: js_child_stdio, and a number or bytes */
};

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

static int read_options(JSContextRef context, struct js_frame *frame, int first, struct child_options *options) {
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

static void free_options(struct child_options *options) {
  free((char *)options->uv.file);
  free((char *)options->uv.cwd);
  free_list(options->uv.args);
  free_list(options->uv.env);
  free(options->stdio);
}

static int stdio_kind(JSContextRef context, const struct child_options *options, int index) {
  return (int)js_to_integer(context, JSObjectGetPropertyAtIndex(context, options->kinds, (unsigned)index, NULL));
}

static JSValueRef stdio_value(JSContextRef context, const struct child_options *options, int index) {
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
  struct child_options options;
  int err = read_options(context, frame, 1, &options);
  if (js_refused(context, JS_SCOPE_CHILD, options.uv.file)) {
    free_options(&options);
    return NULL;
  }
  for (int i = 0; err == 0 && i < options.uv.stdio_count; i++) {
    uv_stdio_container_t *at = &options.stdio[i];
    int kind = stdio_kind(context, &options, i);
    int value = (int)js_to_integer(context, stdio_value(context, &options, i));
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
  free_options(&options);
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

/* ---- processes that JavaScript waits for ---- */

/* Processes that JavaScript waits for: they run on a loop of their own, which has only the child, its pipes and a
 * timer, and ends when all of them have ended. */

struct sync_child;

struct sync_pipe {
  uv_pipe_t pipe;
  uv_write_t write;
  uv_shutdown_t shutdown;
  struct sync_child *child;
  uv_buf_t input;
  char *output;
  size_t length, room;
  bool open, reads;
};

struct sync_child {
  uv_loop_t loop;
  uv_process_t process;
  uv_timer_t timer;
  struct sync_pipe *pipes; /* one for each descriptor, used or not */
  int count;
  double most; /* bytes that one pipe may give; negative: any */
  int signal_to_send;
  int err, pipe_err;
  int64_t status;
  int signal;
  bool exited, killed;
};

static void close_pipe(struct sync_pipe *at) {
  if (at->open && !uv_is_closing((uv_handle_t *)&at->pipe))
    uv_close((uv_handle_t *)&at->pipe, NULL);
}

/* The forced end: the pipes are closed, too, since a grandchild may hold them. */
static void sync_kill(struct sync_child *child) {
  if (child->killed)
    return;
  child->killed = true;
  if (!child->exited && child->process.pid != 0) {
    int err = uv_process_kill(&child->process, child->signal_to_send);
    if (err != 0 && err != UV_ESRCH) {
      if (child->err == 0)
        child->err = err;
      uv_process_kill(&child->process, 9);
    }
  }
  for (int i = 0; i < child->count; i++)
    close_pipe(&child->pipes[i]);
  if (!uv_is_closing((uv_handle_t *)&child->timer))
    uv_close((uv_handle_t *)&child->timer, NULL);
}

static void on_timeout(uv_timer_t *timer) {
  struct sync_child *child = timer->data;
  if (child->err == 0)
    child->err = UV_ETIMEDOUT;
  sync_kill(child);
}

static void sync_on_exit(uv_process_t *process, int64_t status, int signal) {
  struct sync_child *child = process->data;
  child->exited = true;
  child->status = status;
  child->signal = signal;
  uv_close((uv_handle_t *)process, NULL);
  if (!uv_is_closing((uv_handle_t *)&child->timer))
    uv_close((uv_handle_t *)&child->timer, NULL);
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  struct sync_pipe *at = handle->data;
  (void)suggested;
  if (at->room - at->length < 16384) {
    size_t room = at->room == 0 ? 65536 : at->room * 2;
    char *output = realloc(at->output, room);
    if (output == NULL) {
      *buffer = uv_buf_init(NULL, 0);
      return;
    }
    at->output = output;
    at->room = room;
  }
  *buffer = uv_buf_init(at->output + at->length, (unsigned)(at->room - at->length));
}

static void on_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buffer) {
  struct sync_pipe *at = stream->data;
  struct sync_child *child = at->child;
  (void)buffer;
  if (nread < 0) {
    if (nread != UV_EOF && child->pipe_err == 0)
      child->pipe_err = (int)nread;
    close_pipe(at);
    return;
  }
  at->length += (size_t)nread;
  if (child->most >= 0 && (double)at->length > child->most) {
    if (child->err == 0)
      child->err = UV_ENOBUFS;
    sync_kill(child);
  }
}

static void on_shut(uv_shutdown_t *request, int status) {
  struct sync_pipe *at = request->data;
  (void)status;
  if (!at->reads)
    close_pipe(at);
}

static void on_written(uv_write_t *request, int status) {
  struct sync_pipe *at = request->data;
  if (status < 0 && status != UV_ECANCELED && status != UV_EPIPE && at->child->pipe_err == 0)
    at->child->pipe_err = status;
}

static int start_pipe(struct sync_pipe *at) {
  int err = 0;
  if (at->reads) {
    at->write.data = at->shutdown.data = at;
    if (at->input.len > 0)
      err = uv_write(&at->write, (uv_stream_t *)&at->pipe, &at->input, 1, on_written);
    if (err == 0)
      err = uv_shutdown(&at->shutdown, (uv_stream_t *)&at->pipe, on_shut);
    if (err == 0)
      err = uv_read_start((uv_stream_t *)&at->pipe, on_alloc, on_read);
  }
  return err;
}

static void free_output(void *bytes, void *data) {
  (void)data;
  free(bytes);
}

static JSValueRef result(JSContextRef context, struct sync_child *child) {
  JSObjectRef object = js_object(context);
  int err = child->err != 0 ? child->err : child->pipe_err;
  js_set(context, object, "pid", js_number(context, child->process.pid));
  if (err != 0)
    js_set(context, object, "error", js_number(context, err));
  js_set(context, object, "status",
         child->exited && child->signal == 0 ? js_number(context, (double)child->status) : js_null(context));
  js_set(context, object, "signal", child->signal > 0 ? js_number(context, child->signal) : js_null(context));
  if (!child->exited)
    return object;
  JSObjectRef output = js_array(context, 0, NULL);
  for (int i = 0; i < child->count; i++) {
    struct sync_pipe *at = &child->pipes[i];
    JSValueRef value = js_null(context);
    if (at->reads && i > 0) {
      char *bytes = at->output != NULL ? at->output : malloc(1);
      at->output = NULL;
      value = JSObjectMakeArrayBufferWithBytesNoCopy(context, bytes, at->length, free_output, NULL, NULL);
    }
    JSObjectSetPropertyAtIndex(context, output, (unsigned)i, value, NULL);
  }
  js_set(context, object, "output", output);
  return object;
}

/* What the child gets as descriptor i. */
static void read_stdio(JSContextRef context, struct sync_child *child, struct child_options *options, int i) {
  struct sync_pipe *at = &child->pipes[i];
  int kind = stdio_kind(context, options, i);
  child->count++;
  options->stdio[i].flags = UV_IGNORE;
  if (kind == JS_CHILD_STDIO_FD) {
    options->stdio[i].flags = UV_INHERIT_FD;
    options->stdio[i].data.fd = (int)js_to_integer(context, stdio_value(context, options, i));
  } else if (kind == JS_CHILD_STDIO_PIPE) {
    unsigned char *bytes;
    size_t length;
    at->child = child;
    if (js_to_bytes(context, stdio_value(context, options, i), &bytes, &length))
      at->input = uv_buf_init((char *)bytes, (unsigned)length);
    child->err = uv_pipe_init(&child->loop, &at->pipe, 0);
    at->pipe.data = at;
    at->open = at->reads = child->err == 0;
    options->stdio[i].flags = UV_CREATE_PIPE | UV_READABLE_PIPE | UV_WRITABLE_PIPE;
    options->stdio[i].data.stream = (uv_stream_t *)&at->pipe;
  }
}

static void start(struct sync_child *child, struct child_options *options, uint64_t timeout_ms) {
  options->uv.exit_cb = sync_on_exit;
  child->process.data = child;
  child->err = uv_spawn(&child->loop, &child->process, &options->uv);
  child->process.data = child;
  if (child->err != 0) {
    child->process.pid = 0;
    uv_close((uv_handle_t *)&child->process, NULL);
    return;
  }
  if (timeout_ms > 0)
    uv_timer_start(&child->timer, on_timeout, timeout_ms, 0);
  for (int i = 0; i < child->count && child->err == 0; i++)
    child->err = start_pipe(&child->pipes[i]);
}

static void end(struct sync_child *child) {
  for (int i = 0; i < child->count; i++) {
    free(child->pipes[i].output);
    close_pipe(&child->pipes[i]);
  }
  if (!uv_is_closing((uv_handle_t *)&child->timer))
    uv_close((uv_handle_t *)&child->timer, NULL);
  uv_run(&child->loop, UV_RUN_DEFAULT);
  uv_loop_close(&child->loop);
  free(child->pipes);
}

/* spawnSync(timeout in ms or 0, most bytes or -1, signal, ...options) -> { pid, status, signal, error, output } */
static JSValueRef spawn_sync(JSContextRef context, struct js_frame *frame) {
  struct child_options options;
  struct sync_child child;
  memset(&child, 0, sizeof child);
  child.signal_to_send = (int)js_to_integer(context, js_arg(context, frame, 2));
  child.most = js_to_number(context, js_arg(context, frame, 1));
  uint64_t timeout_ms = (uint64_t)js_to_integer(context, js_arg(context, frame, 0));
  child.err = uv_loop_init(&child.loop);
  if (child.err != 0)
    return result(context, &child);
  uv_timer_init(&child.loop, &child.timer);
  child.timer.data = &child;
  child.err = read_options(context, frame, 3, &options);
  bool refused = js_refused(context, JS_SCOPE_CHILD, options.uv.file);
  if (refused)
    child.err = UV_EACCES;
  child.pipes = calloc((size_t)options.uv.stdio_count + 1, sizeof *child.pipes);
  if (child.pipes == NULL)
    child.err = UV_ENOMEM;
  for (int i = 0; child.err == 0 && i < options.uv.stdio_count; i++)
    read_stdio(context, &child, &options, i);
  if (child.err == 0)
    start(&child, &options, timeout_ms);
  if (child.err != 0)
    sync_kill(&child);
  uv_run(&child.loop, UV_RUN_DEFAULT);
  JSValueRef value = refused ? NULL : result(context, &child);
  end(&child);
  free_options(&options);
  return value;
}

static const struct js_method sync_methods[] = {{"spawnSync", spawn_sync, 12}, {NULL, NULL, 0}};

JSObjectRef js_binding_child(struct js_env *env) {
  static const struct js_method methods[] = {{"spawn", spawn, 10},        {"pid", pid, 1},
                                             {"kill", kill_child, 2},     {"close", close_child, 1},
                                             {"reference", reference, 2}, {NULL, NULL, 0}};
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  js_set_methods(env->context, binding, sync_methods);
  return binding;
}
