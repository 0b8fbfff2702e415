/* Processes that JavaScript waits for: they run on a loop of their own, which has only the child, its pipes and a
 * timer, and ends when all of them have ended. */
#include "runtime/bind/process/child.h"
#include "runtime/permission/permission.h"

#include <stdlib.h>
#include <string.h>

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
static void kill_child(struct sync_child *child) {
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
  kill_child(child);
}

static void on_exit_status(uv_process_t *process, int64_t status, int signal) {
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
    kill_child(child);
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
static void read_stdio(JSContextRef context, struct sync_child *child, struct js_child_options *options, int i) {
  struct sync_pipe *at = &child->pipes[i];
  int kind = js_child_stdio_kind(context, options, i);
  child->count++;
  options->stdio[i].flags = UV_IGNORE;
  if (kind == JS_CHILD_STDIO_FD) {
    options->stdio[i].flags = UV_INHERIT_FD;
    options->stdio[i].data.fd = (int)js_to_integer(context, js_child_stdio_value(context, options, i));
  } else if (kind == JS_CHILD_STDIO_PIPE) {
    unsigned char *bytes;
    size_t length;
    at->child = child;
    if (js_to_bytes(context, js_child_stdio_value(context, options, i), &bytes, &length))
      at->input = uv_buf_init((char *)bytes, (unsigned)length);
    child->err = uv_pipe_init(&child->loop, &at->pipe, 0);
    at->pipe.data = at;
    at->open = at->reads = child->err == 0;
    options->stdio[i].flags = UV_CREATE_PIPE | UV_READABLE_PIPE | UV_WRITABLE_PIPE;
    options->stdio[i].data.stream = (uv_stream_t *)&at->pipe;
  }
}

static void start(struct sync_child *child, struct js_child_options *options, uint64_t timeout_ms) {
  options->uv.exit_cb = on_exit_status;
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
  struct js_child_options options;
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
  child.err = js_child_options_read(context, frame, 3, &options);
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
    kill_child(&child);
  uv_run(&child.loop, UV_RUN_DEFAULT);
  JSValueRef value = refused ? NULL : result(context, &child);
  end(&child);
  js_child_options_free(&options);
  return value;
}

const struct js_method js_child_sync_methods[] = {{"spawnSync", spawn_sync, 12}, {NULL, NULL, 0}};
