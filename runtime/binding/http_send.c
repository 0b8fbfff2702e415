/* A whole message in one write: its head and its body lie where the engine has them, and the system takes both at once.
 *
 * This is for the message that finds its stream idle and fits into the socket's buffer, which is nearly every one. What
 * the system does not take goes back to JavaScript, as bytes, and on its way through the socket's own queue. */
#include "../engine_text.h"
#include "http.h"

#include <stdlib.h>
#include <string.h>

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

static bool text_part(const struct rota_characters *text, bool latin1, struct part *part) {
  if (!text->wide && (latin1 || is_ascii(text->data, text->length))) {
    *part = (struct part){text->data, text->length, NULL};
    return true;
  }
  size_t length = latin1 ? text->length : rota_utf8_length(text);
  char *bytes = malloc(length + 1);
  if (bytes == NULL)
    return false;
  if (latin1) {
    const uint16_t *units = text->data;
    for (size_t i = 0; i < length; i++)
      bytes[i] = (char)units[i];
  } else {
    rota_utf8_write(text, (unsigned char *)bytes, length);
  }
  *part = (struct part){bytes, length, bytes};
  return true;
}

/* The bytes behind the first `done`, as memory of their own. */
static JSValueRef rest_of(JSContextRef context, const struct part parts[2], size_t done) {
  size_t total = parts[0].length + parts[1].length;
  char *bytes = malloc(total - done);
  if (bytes == NULL)
    return rota_number(context, UV_ENOMEM);
  size_t head = done < parts[0].length ? parts[0].length - done : 0;
  if (head > 0)
    memcpy(bytes, parts[0].bytes + done, head);
  size_t skipped = done > parts[0].length ? done - parts[0].length : 0;
  if (parts[1].length > skipped)
    memcpy(bytes + head, parts[1].bytes + skipped, parts[1].length - skipped);
  return rota_buffer_adopt(context, bytes, total - done);
}

/* send(stream, head, body or undefined, encoding of a body that is text: 0 UTF-8, 1 Latin-1)
 * -> undefined when all is written, an ArrayBuffer with the rest, or a negative error */
JSValueRef rota_http_send(JSContextRef context, struct rota_frame *frame) {
  struct rota_socket *stream = rota_stream_argument(context, frame, 0);
  struct rota_characters text;
  struct part parts[2] = {{NULL, 0, NULL}, {NULL, 0, NULL}};
  if (stream == NULL)
    return rota_number(context, UV_EBADF);
  if (!rota_borrow_text(context, rota_arg(context, frame, 1), &text) || !text_part(&text, true, &parts[0]))
    return rota_number(context, UV_ENOMEM);
  JSValueRef body = rota_arg(context, frame, 2);
  unsigned char *bytes;
  size_t length;
  JSValueRef result = rota_undefined(context);
  if (rota_borrow_text(context, body, &text)) {
    if (!text_part(&text, rota_int(context, frame, 3) == 1, &parts[1])) {
      result = rota_number(context, UV_ENOMEM);
      goto done;
    }
  } else if (rota_borrow_bytes(context, body, &bytes, &length)) {
    parts[1] = (struct part){(const char *)bytes, length, NULL};
  }
  uv_buf_t buffers[] = {uv_buf_init((char *)parts[0].bytes, (unsigned)parts[0].length),
                        uv_buf_init((char *)parts[1].bytes, (unsigned)parts[1].length)};
  int n = uv_try_write(&stream->uv.stream, buffers, parts[1].length > 0 ? 2 : 1);
  if (n < 0 && n != UV_EAGAIN && n != UV_ENOSYS) {
    result = rota_number(context, n);
    goto done;
  }
  size_t written = n > 0 ? (size_t)n : 0;
  stream->bytes_written += written;
  if (written < parts[0].length + parts[1].length)
    result = rest_of(context, parts, written);
done:
  free(parts[0].owned);
  free(parts[1].owned);
  return result;
}
