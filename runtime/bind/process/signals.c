/* The binding `signals`: a watcher for each signal that somebody listens to. They never keep the loop alive. */
#include "runtime/bind/binding.h"

#include <stdlib.h>

struct watcher {
  uv_signal_t handle;
  JSObjectRef callback;
};

static void on_signal(uv_signal_t *handle, int number) {
  struct rota_env *env = handle->loop->data;
  struct watcher *watcher = (struct watcher *)handle;
  JSValueRef argument = rota_number(env->context, number);
  rota_door_call(env, watcher->callback, NULL, 1, &argument);
}

static void on_close(uv_handle_t *handle) {
  struct rota_env *env = handle->loop->data;
  struct watcher *watcher = (struct watcher *)handle;
  JSValueUnprotect(env->context, watcher->callback);
  free(watcher);
}

/* start(number, callback) -> an id for stop, or a negative error */
static JSValueRef start(JSContextRef context, struct rota_frame *frame) {
  struct rota_env *env = rota_env_here;
  struct watcher *watcher = calloc(1, sizeof *watcher);
  if (watcher == NULL)
    return rota_number(context, UV_ENOMEM);
  watcher->callback = (JSObjectRef)rota_arg(context, frame, 1);
  JSValueProtect(context, watcher->callback);
  int err = uv_signal_init(env->loop, &watcher->handle);
  if (err == 0)
    err = uv_signal_start(&watcher->handle, on_signal, (int)rota_to_integer(context, rota_arg(context, frame, 0)));
  uv_unref((uv_handle_t *)&watcher->handle);
  if (err != 0) {
    uv_close((uv_handle_t *)&watcher->handle, on_close);
    return rota_number(context, err);
  }
  return rota_number(context, (double)(uintptr_t)watcher);
}

static JSValueRef stop(JSContextRef context, struct rota_frame *frame) {
  struct watcher *watcher = (struct watcher *)(uintptr_t)rota_to_number(context, rota_arg(context, frame, 0));
  uv_close((uv_handle_t *)&watcher->handle, on_close);
  return rota_undefined(context);
}

JSObjectRef rota_binding_signals(struct rota_env *env) {
  static const struct rota_method methods[] = {{"start", start, 2}, {"stop", stop, 1}, {NULL, NULL, 0}};
  JSObjectRef binding = rota_object(env->context);
  rota_set_methods(env->context, binding, methods);
  return binding;
}
