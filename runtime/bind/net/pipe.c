/* The part of the binding `stream` for pipes: unix sockets, with paths or with abstract names. */
#include <stdlib.h>

#include "runtime/bind/net/stream.h"

/* Reads (id, name) and calls `act`. Returns 0 or a negative error, or NULL if an error was thrown. A name that begins
 * with a zero byte is abstract. */
static JSValueRef with_name(JSContextRef context, struct js_frame *frame,
                            int (*act)(uv_pipe_t *pipe, const char *name, size_t length)) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  if (stream == NULL)
    return js_number(context, UV_EBADF);
  if (js_net_refused(context, js_arg(context, frame, 1)))
    return NULL;
  size_t length;
  char *name = js_to_text(context, js_arg(context, frame, 1), &length);
  int err = name != NULL ? act(&stream->uv.pipe, name, length) : UV_ENOMEM;
  free(name);
  return js_number(context, err);
}

static int bind_name(uv_pipe_t *pipe, const char *name, size_t length) {
  return uv_pipe_bind2(pipe, name, length, UV_PIPE_NO_TRUNCATE);
}

static int connect_name(uv_pipe_t *pipe, const char *name, size_t length) {
  uv_connect_t *request = malloc(sizeof *request);
  if (request == NULL)
    return UV_ENOMEM;
  int err = uv_pipe_connect2(request, pipe, name, length, UV_PIPE_NO_TRUNCATE, js_stream_connected);
  if (err != 0)
    free(request);
  return err;
}

/* pipeBind(id, name) -> 0, or a negative error */
static JSValueRef pipe_bind(JSContextRef context, struct js_frame *frame) {
  return with_name(context, frame, bind_name);
}

/* pipeConnect(id, name) -> 0 a callback will come, or a negative error */
static JSValueRef pipe_connect(JSContextRef context, struct js_frame *frame) {
  return with_name(context, frame, connect_name);
}

static JSValueRef pipe_open(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  return js_number(context, stream != NULL ? uv_pipe_open(&stream->uv.pipe, js_int(context, frame, 1)) : UV_EBADF);
}

/* pipeName(id, peer) -> text, or a negative error */
static JSValueRef pipe_name(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  if (stream == NULL)
    return js_number(context, UV_EBADF);
  char name[256];
  size_t length = sizeof name - 1;
  int err = js_to_boolean(context, js_arg(context, frame, 1)) ? uv_pipe_getpeername(&stream->uv.pipe, name, &length)
                                                              : uv_pipe_getsockname(&stream->uv.pipe, name, &length);
  if (err != 0)
    return js_number(context, err);
  name[length] = 0;
  return js_text(context, name, length);
}

/* pipeMode(id, mode) -> 0, or a negative error: which users may connect */
static JSValueRef pipe_mode(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  return js_number(context, stream != NULL ? uv_pipe_chmod(&stream->uv.pipe, js_int(context, frame, 1)) : UV_EBADF);
}

const struct js_method js_pipe_methods[] = {{"pipeBind", pipe_bind, 2}, {"pipeConnect", pipe_connect, 2},
                                            {"pipeOpen", pipe_open, 2}, {"pipeName", pipe_name, 2},
                                            {"pipeMode", pipe_mode, 2}, {NULL, NULL, 0}};
