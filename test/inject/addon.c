/* An addon that uses the loop of the program that loads it, by libuv's names: timers, a thread that wakes the loop. */
#include <node_api.h>
#include <uv.h>

static uv_async_t async;
static uv_timer_t timer;
static uv_thread_t thread;
static napi_env env;
static napi_ref callback;
static int steps;

static void done(uv_handle_t *handle) {
  (void)handle;
  if (++steps < 4)
    return;
  napi_handle_scope scope;
  napi_value function, receiver;
  napi_open_handle_scope(env, &scope);
  napi_get_reference_value(env, callback, &function);
  napi_get_global(env, &receiver);
  napi_make_callback(env, NULL, receiver, function, 0, NULL, NULL);
  napi_close_handle_scope(env, scope);
}

static void on_async(uv_async_t *handle) {
  steps++;
  uv_close((uv_handle_t *)handle, done);
}

static void on_timer(uv_timer_t *handle) {
  steps++;
  uv_close((uv_handle_t *)handle, done);
}

static void in_thread(void *unused) {
  (void)unused;
  uv_async_send(&async);
}

static napi_value start(napi_env here, napi_callback_info info) {
  size_t count = 1;
  napi_value function, same;
  uv_loop_t *loop;
  env = here;
  napi_get_cb_info(here, info, &count, &function, NULL, NULL);
  napi_create_reference(here, function, 1, &callback);
  napi_get_uv_event_loop(here, &loop);
  uv_async_init(loop, &async, on_async);
  uv_timer_init(loop, &timer);
  uv_timer_start(&timer, on_timer, 5, 0);
  uv_thread_create(&thread, in_thread, NULL);
  uv_thread_join(&thread);
  napi_get_boolean(here, loop == uv_default_loop(), &same);
  return same;
}

NAPI_MODULE_INIT() {
  napi_value function;
  napi_create_function(env, "start", NAPI_AUTO_LENGTH, start, NULL, &function);
  (void)exports;
  return function;
}
