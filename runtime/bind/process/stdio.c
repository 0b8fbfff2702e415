/* The binding `stdio`: synchronous writing, for output before a stream exists or while the program dies. */
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/bind/binding.h"

/* writeSync(fd, text or bytes) -> 0, or a negative error. It waits if a pipe is full. */
static JSValueRef write_sync(JSContextRef context, struct js_frame *frame) {
  int fd = (int)js_to_integer(context, js_arg(context, frame, 0));
  JSValueRef value = js_arg(context, frame, 1);
  unsigned char *bytes;
  char *text = NULL;
  size_t length;
  if (!js_to_bytes(context, value, &bytes, &length)) {
    text = js_to_text(context, value, &length);
    if (text == NULL)
      return js_number(context, UV_ENOMEM);
    bytes = (unsigned char *)text;
  }
  int err = 0;
  for (size_t done = 0; done < length && err == 0;) {
    uv_fs_t request;
    uv_buf_t buffer = uv_buf_init((char *)bytes + done, (unsigned)(length - done));
    int n = uv_fs_write(NULL, &request, fd, &buffer, 1, -1, NULL);
    uv_fs_req_cleanup(&request);
    if (n >= 0) {
      done += (size_t)n;
    } else if (n == UV_EAGAIN) {
      struct pollfd full = {.fd = fd, .events = POLLOUT};
      poll(&full, 1, -1);
    } else if (n != UV_EINTR) {
      err = n;
    }
  }
  free(text);
  return js_number(context, err);
}

/* kind(fd) -> 'TTY', 'FILE', 'PIPE', 'TCP', 'UDP' or 'UNKNOWN' */
static JSValueRef kind(JSContextRef context, struct js_frame *frame) {
  static const char *const names[UV_HANDLE_TYPE_MAX] = {
      [UV_TTY] = "TTY", [UV_FILE] = "FILE", [UV_NAMED_PIPE] = "PIPE", [UV_TCP] = "TCP", [UV_UDP] = "UDP",
  };
  uv_handle_type type = uv_guess_handle((uv_file)js_to_integer(context, js_arg(context, frame, 0)));
  return js_string(context, names[type] != NULL ? names[type] : "UNKNOWN");
}

/* readSync(fd) -> all that is left, as text */
static JSValueRef read_all(JSContextRef context, struct js_frame *frame) {
  int fd = (int)js_to_integer(context, js_arg(context, frame, 0));
  size_t length = 0, room = 65536;
  char *bytes = malloc(room);
  while (bytes != NULL) {
    uv_fs_t request;
    uv_buf_t buffer = uv_buf_init(bytes + length, (unsigned)(room - length - 1));
    int n = uv_fs_read(NULL, &request, fd, &buffer, 1, -1, NULL);
    uv_fs_req_cleanup(&request);
    if (n == UV_EAGAIN) {
      struct pollfd empty = {.fd = fd, .events = POLLIN};
      poll(&empty, 1, -1);
      continue;
    }
    if (n <= 0)
      break;
    length += (size_t)n;
    if (room - length < 4096) {
      char *more = realloc(bytes, room *= 2);
      if (more == NULL)
        break;
      bytes = more;
    }
  }
  if (bytes == NULL)
    return js_undefined(context);
  bytes[length] = 0;
  JSValueRef text = js_text(context, bytes, length);
  free(bytes);
  return text;
}

JSObjectRef js_binding_stdio(struct js_env *env) {
  static const struct js_method methods[] = {
      {"writeSync", write_sync, 2}, {"kind", kind, 1}, {"readAll", read_all, 1}, {NULL, NULL, 0}};
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  return binding;
}
