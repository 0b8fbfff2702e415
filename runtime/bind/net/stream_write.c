/* Writing to streams: one call from JavaScript for a Buffer, a string or a list of either.
 *
 * A write is tried at once; usually it is complete then, and there is no request. The rest is written by a request,
 * which keeps the values whose memory it still reads, and owns the text that it had to encode. Requests of one handle
 * end in their order, so JavaScript needs no name for them. */
#include <stdlib.h>
#include <string.h>

#include "runtime/bind/net/stream.h"
#include "runtime/engine/value/text.h"

enum { SMALL_TEXT = 16384, SMALL_COUNT = 16 };

struct write_request {
  uv_write_t request;
  char *text;
  size_t kept_count;
  JSValueRef kept[];
};

/* Text encoded for a write; short text is on the caller's stack. */
struct text {
  char small[SMALL_TEXT];
  char *bytes;
  size_t length, room;
};

static bool text_reserve(struct text *text, size_t more) {
  if (text->bytes == NULL) {
    text->bytes = text->small;
    text->room = sizeof text->small;
  }
  if (text->room - text->length >= more)
    return true;
  size_t room = text->room * 2 > text->length + more ? text->room * 2 : text->length + more;
  char *bytes = malloc(room);
  if (bytes == NULL)
    return false;
  memcpy(bytes, text->bytes, text->length);
  if (text->bytes != text->small)
    free(text->bytes);
  text->bytes = bytes;
  text->room = room;
  return true;
}

static void text_free(struct text *text) {
  if (text->bytes != text->small)
    free(text->bytes);
}

/* Latin-1 that is the same in UTF-8. */
static bool is_plain(const unsigned char *bytes, size_t length) {
  size_t i = 0;
  for (; i + 8 <= length; i += 8) {
    uint64_t word;
    memcpy(&word, bytes + i, sizeof word);
    if ((word & 0x8080808080808080u) != 0)
      return false;
  }
  for (; i < length; i++)
    if (bytes[i] >= 0x80)
      return false;
  return true;
}

/* The string's own bytes, if they can be written as they are. They are valid until the engine is called again. */
static bool text_borrow(JSContextRef context, JSValueRef value, int encoding, uv_buf_t *buffer) {
  struct js_characters characters;
  if (!js_borrow_text(context, value, &characters) || characters.wide || encoding == JS_TEXT_ENCODING_UTF16)
    return false;
  if (encoding == JS_TEXT_ENCODING_UTF8 && !is_plain(characters.data, characters.length))
    return false;
  *buffer = uv_buf_init((char *)characters.data, (unsigned)characters.length);
  return true;
}

static bool text_add(JSContextRef context, struct text *text, JSValueRef value, int encoding) {
  struct js_characters characters;
  if (!js_borrow_text(context, value, &characters))
    return false;
  size_t count = characters.length;
  size_t size = encoding == JS_TEXT_ENCODING_UTF8    ? js_utf8_length(&characters)
                : encoding == JS_TEXT_ENCODING_UTF16 ? count * 2
                                                     : count;
  if (!text_reserve(text, size))
    return false;
  unsigned char *out = (unsigned char *)text->bytes + text->length;
  const unsigned char *narrow = characters.data;
  const JSChar *wide = characters.data;
  if (encoding == JS_TEXT_ENCODING_UTF8) {
    js_utf8_write(&characters, out, size);
  } else if (encoding == JS_TEXT_ENCODING_UTF16) {
    for (size_t i = 0; i < count; i++) {
      unsigned unit = characters.wide ? wide[i] : narrow[i];
      out[i * 2] = (unsigned char)unit;
      out[i * 2 + 1] = (unsigned char)(unit >> 8);
    }
  } else if (characters.wide) {
    for (size_t i = 0; i < count; i++)
      out[i] = (unsigned char)wide[i];
  } else {
    memcpy(out, narrow, count);
  }
  text->length += size;
  return true;
}

static void on_written(uv_write_t *request, int status) {
  struct js_env *env = js_env_here;
  struct write_request *own = (struct write_request *)request;
  struct js_socket *stream = (struct js_socket *)request->handle;
  for (size_t i = 0; i < own->kept_count; i++)
    JSValueUnprotect(env->context, own->kept[i]);
  free(own->text);
  free(own);
  JSValueRef argument = js_number(env->context, status);
  js_stream_call(stream, JS_STREAM_CALL_WRITTEN, 1, &argument);
}

/* From now on the value's bytes do not move; this call may move them once. */
static void pin(JSContextRef context, JSValueRef value, uv_buf_t *buffers, unsigned count) {
  unsigned char *before, *after;
  size_t length;
  if (!js_borrow_bytes(context, value, &before, &length) || !js_pin_bytes(context, value, &after, &length))
    return;
  for (unsigned i = 0; i < count; i++) {
    unsigned char *base = (unsigned char *)buffers[i].base;
    if (before != after && base >= before && base + buffers[i].len <= before + length)
      buffers[i].base = (char *)after + (base - before);
  }
}

/* Writes the rest by a request. -> 1, or a negative error */
static int write_rest(struct js_socket *stream, uv_buf_t *buffers, unsigned count, struct text *text,
                      const JSValueRef values[], size_t value_count, struct js_socket *passed) {
  JSContextRef context = js_env_here->context;
  struct write_request *own = malloc(sizeof *own + value_count * sizeof *own->kept);
  if (own == NULL)
    return UV_ENOMEM;
  own->text = NULL;
  own->kept_count = 0;
  for (size_t i = 0; i < value_count; i++)
    pin(context, values[i], buffers, count);
  if (text->length > 0 && text->bytes == text->small) {
    /* The caller's stack frame ends before the write does. */
    char *copy = malloc(text->length);
    if (copy == NULL) {
      free(own);
      return UV_ENOMEM;
    }
    memcpy(copy, text->small, text->length);
    for (unsigned i = 0; i < count; i++)
      if (buffers[i].base >= text->small && buffers[i].base <= text->small + text->length)
        buffers[i].base = copy + (buffers[i].base - text->small);
    own->text = copy;
  } else if (text->length > 0) {
    own->text = text->bytes;
    text->bytes = text->small;
  }
  int err = passed != NULL
                ? uv_write2(&own->request, &stream->uv.stream, buffers, count, &passed->uv.stream, on_written)
                : uv_write(&own->request, &stream->uv.stream, buffers, count, on_written);
  if (err != 0) {
    free(own->text);
    free(own);
    return err;
  }
  for (size_t i = 0; i < value_count; i++) {
    JSValueProtect(context, values[i]);
    own->kept[own->kept_count++] = values[i];
  }
  return 1;
}

/* -> 0 all is written, 1 a callback will come, or a negative error. The bytes are counted either way. */
static int write_buffers(struct js_socket *stream, uv_buf_t *buffers, unsigned count, struct text *text,
                         const JSValueRef values[], size_t value_count, struct js_socket *passed) {
  if (stream->layer != NULL)
    return stream->layer->write(stream, buffers, count, true);
  size_t total = 0;
  for (unsigned i = 0; i < count; i++)
    total += buffers[i].len;
  if (passed == NULL && !stream->ipc) {
    int n = uv_try_write(&stream->uv.stream, buffers, count);
    if (n < 0 && n != UV_EAGAIN && n != UV_ENOSYS)
      return n;
    stream->bytes_written += total;
    size_t done = n > 0 ? (size_t)n : 0;
    if (done == total)
      return 0;
    while (count > 1 && done >= buffers->len) {
      done -= buffers->len;
      buffers++;
      count--;
    }
    buffers->base += done;
    buffers->len -= done;
  } else {
    stream->bytes_written += total;
  }
  return write_rest(stream, buffers, count, text, values, value_count, passed);
}

int js_stream_write_bytes(struct js_socket *stream, const char *bytes, size_t length) {
  struct text text;
  text.bytes = NULL;
  text.length = text.room = 0;
  if (!text_reserve(&text, length))
    return UV_ENOMEM;
  memcpy(text.bytes, bytes, length);
  text.length = length;
  uv_buf_t buffer = uv_buf_init(text.bytes, (unsigned)length);
  int result = write_buffers(stream, &buffer, 1, &text, NULL, 0, NULL);
  text_free(&text);
  return result;
}

/* write(id, Buffer or string[, encoding[, id of a handle to pass on]]): see write_buffers. */
static JSValueRef write_one(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  if (stream == NULL)
    return js_number(context, UV_EBADF);
  JSValueRef value = js_arg(context, frame, 1);
  struct js_socket *passed = js_argc(frame) > 3 ? js_stream_argument(context, frame, 3) : NULL;
  unsigned char *bytes;
  size_t length;
  struct text text;
  text.bytes = NULL;
  text.length = text.room = 0;
  uv_buf_t buffer;
  int result;
  if (JSValueIsString(context, value)) {
    int encoding = js_int(context, frame, 2);
    size_t done = 0;
    if (passed == NULL && !stream->ipc && text_borrow(context, value, encoding, &buffer)) {
      if (stream->layer != NULL)
        return js_number(context, stream->layer->write(stream, &buffer, 1, true));
      result = uv_try_write(&stream->uv.stream, &buffer, 1);
      if (result < 0 && result != UV_EAGAIN && result != UV_ENOSYS)
        return js_number(context, result);
      done = result > 0 ? (size_t)result : 0;
      stream->bytes_written += done;
      if (done == buffer.len)
        return js_number(context, 0);
    }
    if (!text_add(context, &text, value, encoding))
      return js_number(context, UV_ENOMEM);
    buffer = uv_buf_init(text.bytes + done, (unsigned)(text.length - done));
    result = write_buffers(stream, &buffer, 1, &text, NULL, 0, passed);
    text_free(&text);
  } else if (js_borrow_bytes(context, value, &bytes, &length)) {
    buffer = uv_buf_init((char *)bytes, (unsigned)length);
    result = write_buffers(stream, &buffer, 1, &text, &value, 1, passed);
  } else {
    result = UV_EINVAL;
  }
  return js_number(context, result);
}

static JSValueRef element(JSContextRef context, JSValueRef list, unsigned index) {
  return JSObjectGetPropertyAtIndex(context, (JSObjectRef)list, index, NULL);
}

/* writeMany(id, list, count): the list is chunk, encoding, chunk, encoding ... with `count` chunks. */
static JSValueRef write_many(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  if (stream == NULL)
    return js_number(context, UV_EBADF);
  JSValueRef list = js_arg(context, frame, 1);
  unsigned count = (unsigned)js_int(context, frame, 2);
  uv_buf_t small_buffers[SMALL_COUNT];
  JSValueRef small_values[SMALL_COUNT];
  uv_buf_t *buffers = count <= SMALL_COUNT ? small_buffers : malloc(count * sizeof *buffers);
  JSValueRef *values = count <= SMALL_COUNT ? small_values : malloc(count * sizeof *values);
  struct text text;
  text.bytes = NULL;
  text.length = text.room = 0;
  int result = buffers == NULL || values == NULL ? UV_ENOMEM : 0;
  size_t value_count = 0;
  /* Text moves while it grows, so its buffers are set at the end. */
  for (unsigned i = 0; i < count && result == 0; i++) {
    JSValueRef value = element(context, list, i * 2);
    unsigned char *bytes;
    size_t length;
    if (JSValueIsString(context, value)) {
      size_t before = text.length;
      if (!text_add(context, &text, value, (int)js_to_integer(context, element(context, list, i * 2 + 1)))) {
        result = UV_ENOMEM;
        break;
      }
      buffers[i] = uv_buf_init(NULL, (unsigned)(text.length - before));
    } else if (js_borrow_bytes(context, value, &bytes, &length)) {
      static char nothing;
      buffers[i] = uv_buf_init(bytes != NULL ? (char *)bytes : &nothing, (unsigned)length);
      values[value_count++] = value;
    } else {
      result = UV_EINVAL;
    }
  }
  if (result == 0) {
    char *at = text.bytes;
    for (unsigned i = 0; i < count; i++)
      if (buffers[i].base == NULL) {
        buffers[i].base = at;
        at += buffers[i].len;
      }
    result = write_buffers(stream, buffers, count, &text, values, value_count, NULL);
  }
  text_free(&text);
  if (buffers != small_buffers)
    free(buffers);
  if (values != small_values)
    free(values);
  return js_number(context, result);
}

static void on_shut(uv_shutdown_t *request, int status) {
  struct js_socket *stream = (struct js_socket *)request->handle;
  free(request);
  JSValueRef argument = js_number(js_env_here->context, status);
  js_stream_call(stream, JS_STREAM_CALL_SHUT, 1, &argument);
}

/* -> 1 a callback will come, or a negative error */
int js_stream_shutdown(struct js_socket *stream) {
  uv_shutdown_t *request = malloc(sizeof *request);
  if (request == NULL)
    return UV_ENOMEM;
  int err = uv_shutdown(request, &stream->uv.stream, on_shut);
  if (err != 0)
    free(request);
  return err != 0 ? err : 1;
}

/* shutdown(id): see above */
static JSValueRef shutdown_stream(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  if (stream == NULL)
    return js_number(context, UV_EBADF);
  return js_number(context, stream->layer != NULL ? stream->layer->shut(stream) : js_stream_shutdown(stream));
}

static JSValueRef set_blocking(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  if (stream == NULL)
    return js_number(context, UV_EBADF);
  return js_number(context,
                   uv_stream_set_blocking(&stream->uv.stream, js_to_boolean(context, js_arg(context, frame, 1))));
}

const struct js_method js_stream_write_methods[] = {{"write", write_one, 4},
                                                    {"writeMany", write_many, 3},
                                                    {"shutdown", shutdown_stream, 1},
                                                    {"setBlocking", set_blocking, 2},
                                                    {NULL, NULL, 0}};
