/* The part of the binding `stream` for pipes: unix sockets, with paths or with abstract names. */
#include "runtime/bind/net/stream.h"

#include <stdlib.h>

/* Reads (id, name). NULL: then *answer is the result of the call, or NULL if an error was thrown. */
static struct js_socket *read_name(JSContextRef context, struct js_frame *frame, char **name, size_t *length,
                                   JSValueRef *answer) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  *answer = NULL;
  if (stream == NULL)
    *answer = js_number(context, UV_EBADF);
  else if (!js_net_refused(context, js_arg(context, frame, 1))) {
    *name = js_to_text(context, js_arg(context, frame, 1), length);
    if (*name != NULL)
      return stream;
    *answer = js_number(context, UV_ENOMEM);
  }
  return NULL;
}

/* pipeBind(id, name) -> 0, or a negative error. A name that begins with a zero byte is abstract. */
static JSValueRef pipe_bind(JSContextRef context, struct js_frame *frame) {
  char *name;
  size_t length;
  JSValueRef answer;
  struct js_socket *stream = read_name(context, frame, &name, &length, &answer);
  if (stream == NULL)
    return answer;
  int err = uv_pipe_bind2(&stream->uv.pipe, name, length, UV_PIPE_NO_TRUNCATE);
  free(name);
  return js_number(context, err);
}

/* pipeConnect(id, name) -> 0 a callback will come, or a negative error */
static JSValueRef pipe_connect(JSContextRef context, struct js_frame *frame) {
  char *name;
  size_t length;
  JSValueRef answer;
  struct js_socket *stream = read_name(context, frame, &name, &length, &answer);
  if (stream == NULL)
    return answer;
  uv_connect_t *request = malloc(sizeof *request);
  int err = request != NULL
                ? uv_pipe_connect2(request, &stream->uv.pipe, name, length, UV_PIPE_NO_TRUNCATE, js_stream_connected)
                : UV_ENOMEM;
  if (err != 0)
    free(request);
  free(name);
  return js_number(context, err);
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
