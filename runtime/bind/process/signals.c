/* The binding `signals`: a watcher for each signal with a listener. They never keep the loop alive. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/bind/binding.h"
#include "runtime/options/table.h"
#include "runtime/order/env.h"

struct watcher {
  uv_signal_t handle;
  JSObjectRef callback;
};

static void on_signal(uv_signal_t *handle, int number) {
  struct js_env *env = handle->loop->data;
  struct watcher *watcher = (struct watcher *)handle;
  JSValueRef argument = js_number(env->context, number);
  js_enter(env, watcher->callback, NULL, 1, &argument);
}

static void on_close(uv_handle_t *handle) {
  struct js_env *env = handle->loop->data;
  struct watcher *watcher = (struct watcher *)handle;
  JSValueUnprotect(env->context, watcher->callback);
  free(watcher);
}

/* start(number, callback) -> an id for stop, or a negative error */
static JSValueRef start(JSContextRef context, struct js_frame *frame) {
  struct js_env *env = js_env_here;
  struct watcher *watcher = calloc(1, sizeof *watcher);
  if (watcher == NULL)
    return js_number(context, UV_ENOMEM);
  watcher->callback = (JSObjectRef)js_arg(context, frame, 1);
  JSValueProtect(context, watcher->callback);
  int err = uv_signal_init(env->loop, &watcher->handle);
  if (err == 0)
    err = uv_signal_start(&watcher->handle, on_signal, (int)js_to_integer(context, js_arg(context, frame, 0)));
  uv_unref((uv_handle_t *)&watcher->handle);
  if (err != 0) {
    uv_close((uv_handle_t *)&watcher->handle, on_close);
    return js_number(context, err);
  }
  return js_number(context, (double)(uintptr_t)watcher);
}

static JSValueRef stop(JSContextRef context, struct js_frame *frame) {
  struct watcher *watcher = (struct watcher *)(uintptr_t)js_to_number(context, js_arg(context, frame, 0));
  uv_close((uv_handle_t *)&watcher->handle, on_close);
  return js_undefined(context);
}

JSObjectRef js_binding_signals(struct js_env *env) {
  static const struct js_method methods[] = {{"start", start, 2}, {"stop", stop, 1}, {NULL, NULL, 0}};
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  return binding;
}

/* ---- the signal of a debugger ---- */

/* SIGUSR1. Node starts its debugger when it gets this signal; senders rely on Node not ending. There is no debugger
 * here, but the signal must not end the program either: a line says so, unless --disable-sigusr1 was given.
 *
 * A listener of the program replaces this handler. A handler, unlike an ignored signal, is not inherited by child
 * processes. */

static bool silent;

static void on_debug_signal(int number) {
  static const char text[] = "rota: SIGUSR1 starts a debugger on Node; there is none here\n";
  int before = errno;
  (void)number;
  if (!silent && write(STDERR_FILENO, text, sizeof text - 1) < 0)
    silent = true; /* the error cannot be reported */
  errno = before;
}

void js_debug_signal_begin(const struct js_options *options) {
  silent = js_words_has(&options->words, "disable-sigusr1");
  struct sigaction action = {.sa_handler = on_debug_signal, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
}
