/* The binding `signals`: a watcher for each signal with a listener. They never keep the loop alive. */
#include "runtime/bind/binding.h"

#include <stdlib.h>

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
