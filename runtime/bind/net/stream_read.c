/* Reading from streams: into a block, or into memory of the program; one call into JavaScript for each piece.
 *
 * A small piece is copied by a call from JavaScript: compiled code makes a small typed array faster than the engine
 * makes a view. */
#include <string.h>

#include "runtime/bind/net/stream.h"
#include "runtime/engine/value/text.h"

static _Thread_local struct {
  const char *bytes; /* until `take` is called */
  size_t length;
  JSObjectRef like; /* a Buffer */
} small;

void js_stream_show(const char *bytes, size_t length) {
  small.bytes = bytes;
  small.length = length;
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  (void)suggested;
  struct js_socket *stream = (struct js_socket *)handle;
  unsigned char *bytes;
  size_t length;
  if (stream->layer != NULL)
    stream->layer->offer(buffer);
  else if (stream->own_buffer != NULL && js_pin_bytes(js_env_here->context, stream->own_buffer, &bytes, &length) &&
           length > 0)
    *buffer = uv_buf_init((char *)bytes, (unsigned)length);
  else
    js_block_offer(buffer);
}

/* A handle that came with the bytes: accepted at once, so that it cannot be lost. */
static int accept_pending(struct js_socket *stream, int *kind) {
  uv_handle_type type = uv_pipe_pending_type(&stream->uv.pipe);
  struct js_socket *received = type == UV_UNKNOWN_HANDLE ? NULL : js_stream_create();
  if (received == NULL)
    return -1;
  uv_loop_t *loop = js_env_here->loop;
  int err;
  if (type == UV_TCP) {
    *kind = JS_STREAM_KIND_TCP;
    err = uv_tcp_init(loop, &received->uv.tcp);
  } else if (type == UV_UDP) {
    *kind = JS_STREAM_KIND_UDP;
    err = uv_udp_init(loop, &received->uv.udp);
  } else {
    *kind = JS_STREAM_KIND_PIPE;
    err = uv_pipe_init(loop, &received->uv.pipe, 0);
  }
  if (err != 0) {
    js_stream_forget(received);
    return -1;
  }
  err = uv_accept(&stream->uv.stream, &received->uv.stream);
  if (err != 0) {
    js_stream_close(received);
    return -1;
  }
  return received->id;
}

void js_stream_deliver(struct js_socket *stream, ssize_t nread, const uv_buf_t *buffer) {
  JSContextRef context = js_env_here->context;
  JSValueRef arguments[5] = {js_number(context, (double)nread)};
  size_t argc = 1;
  if (nread > 0 && nread <= JS_SMALL_BYTES && stream->own_buffer == NULL && !stream->ipc) {
    js_stream_show(buffer->base, (size_t)nread);
    arguments[1] = js_number(context, 0);
    argc = 2;
  } else if (nread > 0 && stream->own_buffer == NULL) {
    arguments[1] = js_number(context, 0);
    arguments[2] = js_block_take(context, buffer, (size_t)nread);
    argc = 3;
    if (stream->ipc && uv_pipe_pending_count(&stream->uv.pipe) > 0) {
      int kind = 0;
      arguments[3] = js_number(context, accept_pending(stream, &kind));
      arguments[4] = js_number(context, kind);
      argc = 5;
    }
  }
  js_stream_call(stream, JS_STREAM_CALL_READ, argc, arguments);
}

void js_stream_pass(struct js_socket *stream, ssize_t nread, const uv_buf_t *buffer) {
  if (nread > 0)
    stream->bytes_read += (uint64_t)nread;
  if (stream->reader != NULL)
    stream->reader(stream, nread, buffer);
  else
    js_stream_deliver(stream, nread, buffer);
}

static void on_read(uv_stream_t *handle, ssize_t nread, const uv_buf_t *buffer) {
  struct js_socket *stream = (struct js_socket *)handle;
  if (nread != 0 && stream->layer != NULL)
    stream->layer->received(stream, nread, buffer);
  else if (nread != 0)
    js_stream_pass(stream, nread, buffer);
  js_block_end(buffer);
}

int js_stream_read_start(struct js_socket *stream) {
  return stream->wireless ? 0 : uv_read_start(&stream->uv.stream, on_alloc, on_read);
}

int js_stream_read_stop(struct js_socket *stream) {
  return stream->wireless ? 0 : uv_read_stop(&stream->uv.stream);
}

static JSValueRef read_start(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  if (stream != NULL && stream->layer != NULL)
    return js_number(context, stream->layer->read(stream, true));
  return js_number(context, stream != NULL ? js_stream_read_start(stream) : UV_EBADF);
}

static JSValueRef read_stop(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  if (stream != NULL && stream->layer != NULL)
    return js_number(context, stream->layer->read(stream, false));
  return js_number(context, stream != NULL ? js_stream_read_stop(stream) : UV_EBADF);
}

/* useBuffer(id, bytes): from now on reads go into this memory. */
static JSValueRef use_buffer(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  if (stream == NULL)
    return js_undefined(context);
  JSValueRef value = js_arg(context, frame, 1);
  if (stream->own_buffer != NULL)
    JSValueUnprotect(context, stream->own_buffer);
  stream->own_buffer = JSValueIsObject(context, value) ? (JSObjectRef)value : NULL;
  if (stream->own_buffer != NULL)
    JSValueProtect(context, stream->own_buffer);
  return js_undefined(context);
}

/* setBuffer(like): the class of small pieces */
static JSValueRef set_buffer(JSContextRef context, struct js_frame *frame) {
  small.like = (JSObjectRef)js_arg(context, frame, 0);
  JSValueProtect(context, small.like);
  return js_undefined(context);
}

/* take(array) -> the array as a Buffer, with the small piece that has arrived */
static JSValueRef take(JSContextRef context, struct js_frame *frame) {
  JSValueRef array = js_arg(context, frame, 0);
  unsigned char *bytes;
  size_t length;
  if (js_borrow_bytes(context, array, &bytes, &length) && length == small.length) {
    memcpy(bytes, small.bytes, length);
    js_view_become(array, small.like);
  }
  return array;
}

const struct js_method js_stream_read_methods[] = {
    {"readStart", read_start, 1}, {"readStop", read_stop, 1}, {"useBuffer", use_buffer, 2},
    {"setBuffer", set_buffer, 1}, {"take", take, 1},          {NULL, NULL, 0}};
