/* The binding `stream`: TCP, pipes and terminals; this file has what they share.
 *
 * JavaScript holds a number (slots.h), which is invalid once the handle is closed. */
#include "runtime/bind/net/stream.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/bind/slots.h"
#include "runtime/permission/permission.h"

static _Thread_local struct js_slots streams;
static _Thread_local JSObjectRef callbacks[JS_STREAM_CALL_COUNT];

struct js_socket *js_stream_create(void) {
  struct js_socket *stream = calloc(1, sizeof *stream);
  if (stream == NULL)
    return NULL;
  stream->id = js_slots_add(&streams, stream);
  if (stream->id >= 0)
    return stream;
  free(stream);
  return NULL;
}

void js_stream_forget(struct js_socket *stream) {
  js_slots_remove(&streams, stream->id);
  if (stream->layer != NULL)
    stream->layer->release(stream);
  if (stream->object != NULL)
    JSValueUnprotect(js_env_here->context, stream->object);
  if (stream->own_buffer != NULL)
    JSValueUnprotect(js_env_here->context, stream->own_buffer);
  free(stream);
}

struct js_socket *js_stream_find(int id) {
  return js_slots_find(&streams, id);
}

struct js_socket *js_stream_argument(JSContextRef context, const struct js_frame *frame, int index) {
  struct js_socket *stream = js_stream_find(js_int(context, frame, index));
  return stream != NULL && !stream->closing ? stream : NULL;
}

void js_stream_adopt(struct js_socket *stream, JSObjectRef object) {
  JSValueProtect(js_env_here->context, object);
  stream->object = object;
}

JSValueRef js_stream_call(struct js_socket *stream, enum js_stream_call callback, size_t argc,
                          const JSValueRef argv[]) {
  if (stream->object == NULL || callbacks[callback] == NULL)
    return NULL;
  return js_enter(js_env_here, callbacks[callback], stream->object, argc, argv);
}

static void on_closed(uv_handle_t *handle) {
  struct js_socket *stream = (struct js_socket *)handle;
  js_stream_call(stream, JS_STREAM_CALL_CLOSED, 0, NULL);
  js_stream_forget(stream);
}

void js_stream_close(struct js_socket *stream) {
  if (stream->closing)
    return;
  stream->closing = true;
  uv_close(&stream->uv.handle, on_closed);
}

/* create(one of stream_kind, object[, fd or flags]) -> number, or a negative error */
static JSValueRef create(JSContextRef context, struct js_frame *frame) {
  uv_loop_t *loop = js_env_here->loop;
  struct js_socket *stream = js_stream_create();
  if (stream == NULL)
    return js_number(context, UV_ENOMEM);
  int kind = js_int(context, frame, 0), err;
  if (kind == JS_STREAM_KIND_TCP)
    err = uv_tcp_init(loop, &stream->uv.tcp);
  else if (kind == JS_STREAM_KIND_TTY)
    err = uv_tty_init(loop, &stream->uv.tty, js_int(context, frame, 2), 0);
  else if (kind == JS_STREAM_KIND_UDP)
    err = uv_udp_init_ex(loop, &stream->uv.udp, (unsigned)js_int(context, frame, 2));
  else
    err = uv_pipe_init(loop, &stream->uv.pipe, kind == JS_STREAM_KIND_IPC);
  stream->ipc = kind == JS_STREAM_KIND_IPC;
  if (err != 0) {
    js_stream_forget(stream);
    return js_number(context, err);
  }
  js_stream_adopt(stream, (JSObjectRef)js_arg(context, frame, 1));
  return js_number(context, stream->id);
}

/* adopt(id, object): the object of a handle that was made here, by accepting. */
static JSValueRef adopt(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  if (stream != NULL && stream->object == NULL)
    js_stream_adopt(stream, (JSObjectRef)js_arg(context, frame, 1));
  return js_undefined(context);
}

static JSValueRef close_stream(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  if (stream != NULL)
    js_stream_close(stream);
  return js_undefined(context);
}

/* reset(id) -> 0, or a negative error: closes with RST. */
static JSValueRef reset(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  if (stream == NULL)
    return js_number(context, UV_EBADF);
  int err = uv_tcp_close_reset(&stream->uv.tcp, on_closed);
  if (err == 0)
    stream->closing = true;
  return js_number(context, err);
}

/* reference(id, one of `reference`) -> whether it is held */
static JSValueRef reference(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  return stream == NULL ? js_boolean(context, false)
                        : js_handle_reference(context, &stream->uv.handle, js_int(context, frame, 1));
}

static JSValueRef get_fd(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  uv_os_fd_t fd = -1;
  if (stream != NULL && uv_fileno(&stream->uv.handle, &fd) != 0)
    fd = -1;
  return js_number(context, fd);
}

/* count(id, one of stream_count) */
static JSValueRef count(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_find(js_int(context, frame, 0));
  if (stream == NULL)
    return js_undefined(context);
  int which = js_int(context, frame, 1);
  return js_number(context, which == JS_STREAM_COUNT_READ ? (double)stream->bytes_read
                            : which == JS_STREAM_COUNT_WRITTEN
                                ? (double)stream->bytes_written
                                : (double)uv_stream_get_write_queue_size(&stream->uv.stream));
}

/* active() -> the objects of handles that may keep the loop alive: Node counts open handles, also idle ones */
static JSValueRef active(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  JSObjectRef list = js_array(context, 0, NULL);
  unsigned count = 0;
  for (int id = 0; id < streams.used; id++) {
    struct js_socket *stream = streams.things[id];
    if (stream == NULL || stream->object == NULL || stream->wireless || !uv_has_ref(&stream->uv.handle))
      continue;
    JSObjectSetPropertyAtIndex(context, list, count++, stream->object, NULL);
  }
  return list;
}

static void on_connection(uv_stream_t *server, int status) {
  struct js_env *env = js_env_here;
  struct js_socket *listener = (struct js_socket *)server;
  struct js_socket *client = NULL;
  if (status == 0) {
    client = js_stream_create();
    if (client == NULL) {
      status = UV_ENOMEM;
    } else {
      bool tcp = server->type == UV_TCP;
      status = tcp ? uv_tcp_init(env->loop, &client->uv.tcp) : uv_pipe_init(env->loop, &client->uv.pipe, 0);
      if (status != 0) {
        js_stream_forget(client);
        client = NULL;
      } else if ((status = uv_accept(server, &client->uv.stream)) != 0) {
        js_stream_close(client);
        client = NULL;
        if (status == UV_EAGAIN)
          return; /* another process took it */
      }
    }
  }
  JSValueRef arguments[] = {js_number(env->context, status), js_number(env->context, client != NULL ? client->id : -1)};
  js_stream_call(listener, JS_STREAM_CALL_CONNECTION, 2, arguments);
  if (client != NULL && client->object == NULL && !client->closing)
    js_stream_close(client);
}

void js_stream_connected(uv_connect_t *request, int status) {
  struct js_socket *stream = (struct js_socket *)request->handle;
  free(request);
  JSValueRef argument = js_number(js_env_here->context, status);
  js_stream_call(stream, JS_STREAM_CALL_CONNECTED, 1, &argument);
}

/* listen(id, backlog) -> 0, or a negative error */
static JSValueRef listen_stream(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  if (stream == NULL)
    return js_number(context, UV_EBADF);
  if (js_refused(context, JS_SCOPE_NET, NULL))
    return NULL;
  return js_number(context, uv_listen(&stream->uv.stream, js_int(context, frame, 1), on_connection));
}

/* setCallbacks({name: function}): by the names of stream_call in runtime/shared.table */
static JSValueRef set_callbacks(JSContextRef context, struct js_frame *frame) {
  static const char *const names[] = JS_STREAM_CALL_NAMES;
  js_set_callbacks(context, js_arg(context, frame, 0), JS_STREAM_CALL_COUNT, names, callbacks);
  return js_undefined(context);
}

JSObjectRef js_binding_stream(struct js_env *env) {
  static const struct js_method methods[] = {{"create", create, 3},
                                             {"adopt", adopt, 2},
                                             {"close", close_stream, 1},
                                             {"reset", reset, 1},
                                             {"reference", reference, 2},
                                             {"fd", get_fd, 1},
                                             {"active", active, 0},
                                             {"count", count, 2},
                                             {"listen", listen_stream, 2},
                                             {"setCallbacks", set_callbacks, 1},
                                             {NULL, NULL, 0}};
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  js_set_methods(env->context, binding, js_stream_read_methods);
  js_set_methods(env->context, binding, js_stream_write_methods);
  js_set_methods(env->context, binding, js_tcp_methods);
  js_set_methods(env->context, binding, js_pipe_methods);
  js_set_methods(env->context, binding, js_tty_methods);
  return binding;
}
