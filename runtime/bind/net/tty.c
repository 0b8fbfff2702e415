/* The part of the binding `stream` for terminals. */
#include <signal.h>
#include <string.h>

#include "runtime/bind/net/stream.h"

static void reset_and_die(int number) {
  uv_tty_reset_mode();
  raise(number); /* by its default now, see SA_RESETHAND */
}

/* However the program ends, the terminal's mode is restored. Signals that the program handles itself are left to it. */
static void reset_in_the_end(void) {
  static bool prepared;
  if (prepared)
    return;
  prepared = true;
  static const int numbers[] = {SIGINT, SIGTERM};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    struct sigaction now, then;
    memset(&then, 0, sizeof then);
    then.sa_handler = reset_and_die;
    then.sa_flags = (int)SA_RESETHAND;
    if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
      sigaction(numbers[i], &then, NULL);
  }
}

/* ttyMode(id, mode): 0 normal, 1 raw */
static JSValueRef tty_mode(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  if (stream == NULL)
    return js_number(context, UV_EBADF);
  reset_in_the_end();
  return js_number(context, uv_tty_set_mode(&stream->uv.tty, (uv_tty_mode_t)js_int(context, frame, 1)));
}

/* ttySize(id, out): writes columns and rows into an array -> 0, or a negative error */
static JSValueRef tty_size(JSContextRef context, struct js_frame *frame) {
  struct js_socket *stream = js_stream_argument(context, frame, 0);
  if (stream == NULL)
    return js_number(context, UV_EBADF);
  int width = 0, height = 0;
  int err = uv_tty_get_winsize(&stream->uv.tty, &width, &height);
  JSObjectRef out = (JSObjectRef)js_arg(context, frame, 1);
  if (err == 0) {
    JSObjectSetPropertyAtIndex(context, out, 0, js_number(context, width), NULL);
    JSObjectSetPropertyAtIndex(context, out, 1, js_number(context, height), NULL);
  }
  return js_number(context, err);
}

static JSValueRef is_tty(JSContextRef context, struct js_frame *frame) {
  double fd = js_to_number(context, js_arg(context, frame, 0));
  return js_boolean(context, fd >= 0 && fd <= 2147483647 && uv_guess_handle((uv_file)fd) == UV_TTY);
}

/* kindOf(fd) -> one of stream_kind, or -1: unknown */
static JSValueRef kind_of(JSContextRef context, struct js_frame *frame) {
  switch (uv_guess_handle((uv_file)js_int(context, frame, 0))) {
  case UV_TCP:
    return js_number(context, JS_STREAM_KIND_TCP);
  case UV_NAMED_PIPE:
    return js_number(context, JS_STREAM_KIND_PIPE);
  case UV_TTY:
    return js_number(context, JS_STREAM_KIND_TTY);
  case UV_UDP:
    return js_number(context, JS_STREAM_KIND_UDP);
  case UV_FILE:
    return js_number(context, JS_STREAM_KIND_FILE);
  default:
    return js_number(context, -1);
  }
}

const struct js_method js_tty_methods[] = {
    {"ttyMode", tty_mode, 2}, {"ttySize", tty_size, 2}, {"isTTY", is_tty, 1}, {"kindOf", kind_of, 1}, {NULL, NULL, 0}};
