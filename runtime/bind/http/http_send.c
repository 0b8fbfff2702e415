/* A whole message in one write: its head and its body stay in the engine's memory, and one system call writes both.
 *
 * This is for a message whose stream is idle and that fits into the socket's buffer, as nearly every one does. The
 * bytes that the system does not accept are returned to JavaScript, and go through the socket's own queue. A layer
 * accepts a whole message or nothing: a message that is large, or would have to wait, takes the other path from the
 * start. */
#include <stdlib.h>
#include <string.h>

#include "runtime/bind/http/http.h"
#include "runtime/engine/value/text.h"

enum { LAYER_MOST = 65536 };

struct part {
  const char *bytes;
  size_t length;
  char *owned; /* what had to be encoded */
};

static bool is_ascii(const unsigned char *bytes, size_t length) {
  unsigned char seen = 0;
  for (size_t i = 0; i < length; i++)
    seen |= bytes[i];
  return seen < 0x80;
}

static bool text_part(const struct js_characters *text, bool latin1, struct part *part) {
  if (!text->wide && (latin1 || is_ascii(text->data, text->length))) {
    *part = (struct part){text->data, text->length, NULL};
    return true;
  }
  size_t length = latin1 ? text->length : js_utf8_length(text);
  char *bytes = malloc(length + 1);
  if (bytes == NULL)
    return false;
  if (latin1) {
    const uint16_t *units = text->data;
    for (size_t i = 0; i < length; i++)
      bytes[i] = (char)units[i];
  } else {
    js_utf8_write(text, (unsigned char *)bytes, length);
  }
  *part = (struct part){bytes, length, bytes};
  return true;
}

/* A message: its head, and its body, which may be sent as a single chunk. */
enum { HEAD, SIZE_LINE, BODY, LAST_CHUNK, PARTS };
enum { ROOM = 2 * sizeof(size_t) + 2 }; /* for the line with a chunk's size */

static size_t length_of(const struct part parts[PARTS]) {
  size_t total = 0;
  for (int i = 0; i < PARTS; i++)
    total += parts[i].length;
  return total;
}

/* The bytes after the first `done`, as memory of their own. */
static JSValueRef rest_of(JSContextRef context, const struct part parts[PARTS], size_t done) {
  size_t rest = length_of(parts) - done;
  char *bytes = malloc(rest);
  if (bytes == NULL)
    return js_number(context, UV_ENOMEM);
  char *end = bytes;
  for (int i = 0; i < PARTS; i++) {
    size_t skipped = done < parts[i].length ? done : parts[i].length;
    done -= skipped;
    if (parts[i].length > skipped)
      end = mempcpy(end, parts[i].bytes + skipped, parts[i].length - skipped);
  }
  return js_buffer_adopt(context, bytes, rest);
}

/* -> the number of bytes that the system accepted, or a negative error */
static int write_parts(struct js_socket *stream, const struct part parts[PARTS]) {
  uv_buf_t buffers[PARTS];
  unsigned count = 0;
  for (int i = 0; i < PARTS; i++)
    if (parts[i].length > 0)
      buffers[count++] = uv_buf_init((char *)parts[i].bytes, (unsigned)parts[i].length);
  if (stream->layer != NULL) {
    size_t total = length_of(parts);
    if (total > LAYER_MOST || uv_stream_get_write_queue_size(&stream->uv.stream) > 0)
      return UV_EAGAIN;
    int err = stream->layer->write(stream, buffers, count, false);
    return err < 0 ? err : (int)total;
  }
  int n = uv_try_write(&stream->uv.stream, buffers, count);
  if (n > 0)
    stream->bytes_written += (uint64_t)n;
  return n;
}

/* -> its length */
static size_t write_size_line(char line[ROOM], size_t size) {
  int digits = 1;
  while (digits < ROOM - 2 && size >> digits * 4 != 0)
    digits++;
  for (int i = 0; i < digits; i++)
    line[i] = "0123456789abcdef"[size >> (digits - 1 - i) * 4 & 15];
  line[digits] = '\r';
  line[digits + 1] = '\n';
  return (size_t)digits + 2;
}

/* send(stream, head, body or undefined, encoding of a body that is text: 0 UTF-8, 1 Latin-1, whether in chunks)
 * -> undefined when all is written, an ArrayBuffer with the rest, or a negative error */
JSValueRef js_http_send(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  struct js_characters text;
  struct part parts[PARTS] = {{NULL, 0, NULL}};
  char size_line[ROOM];
  if (stream == NULL)
    return js_number(context, UV_EBADF);
  if (!js_borrow_text(context, js_arg(context, frame, 1), &text) || !text_part(&text, true, &parts[HEAD]))
    return js_number(context, UV_ENOMEM);
  JSValueRef body = js_arg(context, frame, 2);
  unsigned char *bytes;
  size_t length;
  JSValueRef result = js_undefined(context);
  if (js_borrow_text(context, body, &text)) {
    if (!text_part(&text, js_int(context, frame, 3) == 1, &parts[BODY])) {
      result = js_number(context, UV_ENOMEM);
      goto done;
    }
  } else if (js_borrow_bytes(context, body, &bytes, &length)) {
    parts[BODY] = (struct part){(const char *)bytes, length, NULL};
  }
  if (js_to_boolean(context, js_arg(context, frame, 4))) {
    static const char last[] = "\r\n0\r\n\r\n";
    if (parts[BODY].length > 0) {
      parts[SIZE_LINE] = (struct part){size_line, write_size_line(size_line, parts[BODY].length), NULL};
      parts[LAST_CHUNK] = (struct part){last, sizeof last - 1, NULL};
    } else {
      parts[LAST_CHUNK] = (struct part){last + 2, sizeof last - 3, NULL};
    }
  }
  int n = write_parts(stream, parts);
  if (n < 0 && n != UV_EAGAIN && n != UV_ENOSYS) {
    result = js_number(context, n);
    goto done;
  }
  size_t written = n > 0 ? (size_t)n : 0;
  if (written < length_of(parts))
    result = rest_of(context, parts, written);
done:
  free(parts[HEAD].owned);
  free(parts[BODY].owned);
  return result;
}
