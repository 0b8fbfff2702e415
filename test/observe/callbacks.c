/* For test/observe/live_trace.test.js: the callbacks that the handles of this loop have, as libuv 1.44 to 1.52 keeps
 * them; who they are of, the test finds out. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "inject/names/node_api.h"
#include "uv.h"

static void print(FILE *out, const void *handle, size_t offset) {
  uintptr_t callback;
  memcpy(&callback, (const char *)handle + offset, sizeof callback);
  fprintf(out, " %zx", (size_t)callback);
}

static void on_handle(uv_handle_t *handle, void *out) {
  fprintf(out, "%d", (int)handle->type);
  if (handle->type == UV_TCP || handle->type == UV_NAMED_PIPE || handle->type == UV_TTY) {
    print(out, handle, 112);
    print(out, handle, 224);
  } else if (handle->type == UV_UDP) {
    print(out, handle, 120);
  } else {
    print(out, handle, handle->type == UV_FS_EVENT ? 104 : 96);
  }
  fputc('\n', out);
}

static napi_value list(napi_env env, napi_callback_info info) {
  static char text[1 << 20];
  uv_loop_t *loop;
  napi_value result = NULL;
  FILE *out = fmemopen(text, sizeof text, "w");
  (void)info;
  if (out == NULL || napi_get_uv_event_loop(env, &loop) != NAPI_OK)
    return NULL;
  uv_walk(loop, on_handle, out);
  fputs("pool", out);
  print(out, loop, 136 + sizeof(pthread_mutex_t) + 96);
  fclose(out);
  napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &result);
  return result;
}

napi_value napi_register_module_v1(napi_env env, napi_value exports);

napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  napi_value function;
  (void)exports;
  napi_create_function(env, "list", NAPI_AUTO_LENGTH, list, NULL, &function);
  return function;
}
