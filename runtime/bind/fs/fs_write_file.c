/* writeFile and appendFile, of bytes to a path: rota_fs_write_file. JavaScript keeps the bytes until the callback. */
#include "runtime/bind/fs/fs.h"

#include <rota.h>
#include <stdlib.h>

static enum js_write_failure what_failed(const uv_fs_t *request) {
  switch (rota_fs_failed_step(request)) {
  case UV_FS_WRITE:
    return JS_WRITE_FAILURE_WRITE;
  case UV_FS_CLOSE:
    return JS_WRITE_FAILURE_CLOSE;
  default:
    return JS_WRITE_FAILURE_OPEN;
  }
}

static void on_done(uv_fs_t *request) {
  struct js_fs_request *call = (struct js_fs_request *)request;
  JSContextRef context = js_fs.env->context;
  JSValueRef arguments[] = {js_number(context, call->id), js_number(context, (double)request->result),
                            js_number(context, what_failed(request))};
  uv_fs_req_cleanup(request);
  js_fs_request_free(call);
  js_enter(js_fs.env, js_fs.calls[JS_FS_CALL_COMPLETE], NULL, 3, arguments);
}

static int start(JSContextRef context, struct js_frame *frame, const char *path, int flags) {
  unsigned char *bytes = NULL;
  size_t length = 0;
  int mode = (int)js_to_integer(context, js_arg(context, frame, 3));
  if (!js_pin_bytes(context, js_arg(context, frame, 4), &bytes, &length))
    return UV_EINVAL;
  uv_buf_t buffer = uv_buf_init((char *)bytes, 0);
  buffer.len = length;
  struct js_fs_request *call = js_fs_request_new((int)js_to_integer(context, js_arg(context, frame, 0)));
  if (call == NULL)
    return UV_ENOMEM;
  int err = rota_fs_write_file(js_fs.env->loop, &call->request, path, flags, mode, &buffer, on_done);
  if (err < 0)
    js_fs_request_free(call);
  return err;
}

/* writeFile(id, path, flags, mode, bytes): complete(id, length or error, what failed) follows */
static JSValueRef write_file(JSContextRef context, struct js_frame *frame) {
  char room[1024];
  int err, flags = (int)js_to_integer(context, js_arg(context, frame, 2));
  char *path = js_fs_path_to_open(context, js_arg(context, frame, 1), flags, room, sizeof room, &err);
  if (path == NULL)
    return err != 0 ? js_number(context, err) : NULL;
  err = start(context, frame, path, flags);
  if (path != room)
    free(path);
  return err < 0 ? js_number(context, err) : js_undefined(context);
}

const struct js_method js_fs_write_file_methods[] = {
    {"writeFile", write_file, 5},
    {NULL, NULL, 0},
};
