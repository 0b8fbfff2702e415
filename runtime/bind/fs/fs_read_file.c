/* readFile and readFileSync: whole files, by rota_fs_read_file.
 *
 * Files that were read together are given to JavaScript together: it is entered once, fetches the further ones by
 * `nextFile`, and drains ticks and promise jobs between them as the loop does between callbacks. A callback that throws
 * ends that call; the remaining files get another one. */
#include "runtime/bind/fs/fs.h"
#include "runtime/permission/permission.h"

#include <rota.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 0x7FFFFFFF };

static _Thread_local struct js_fs_request *given; /* whose bytes `takeFile` gives */
static _Thread_local uv_fs_t *upcoming;           /* the file that `nextFile` gives */

static void release_given(void) {
  if (given == NULL)
    return;
  uv_fs_req_cleanup(&given->request);
  js_fs_request_free(given);
  given = NULL;
}

static const struct js_fs_request *take_next(void) {
  release_given();
  given = (struct js_fs_request *)upcoming;
  upcoming = rota_fs_read_file_next(js_fs.env->loop);
  return given;
}

/* One of read_failure in runtime/shared.table, or the size of a file that is too large. */
static double what_failed(const uv_fs_t *request) {
  switch (rota_fs_failed_step(request)) {
  case UV_FS_OPEN:
    return JS_READ_FAILURE_OPEN;
  case UV_FS_FSTAT:
    return (double)request->statbuf.st_size;
  default:
    return JS_READ_FAILURE_READ;
  }
}

static JSValueRef text_of(JSContextRef context, const uv_fs_t *request) {
  return js_string_utf8(context, request->ptr, (size_t)request->result);
}

/* Its text or its error; undefined if its bytes have to be taken. */
static JSValueRef value_of(JSContextRef context, const struct js_fs_request *call) {
  const uv_fs_t *request = &call->request;
  if (request->result < 0)
    return js_number(context, what_failed(request));
  return call->as_text ? text_of(context, request) : js_undefined(context);
}

static void on_file(uv_fs_t *request) {
  JSContextRef context = js_fs.env->context;
  upcoming = request;
  while (upcoming != NULL) {
    const struct js_fs_request *call = take_next();
    JSValueRef arguments[] = {js_number(context, call->id), js_number(context, (double)call->request.result),
                              value_of(context, call), js_boolean(context, upcoming != NULL)};
    js_enter(js_fs.env, js_fs.calls[JS_FS_CALL_FILE], NULL, 4, arguments);
  }
  release_given();
}

/* nextFile() -> the value of the next one; the first words of `stats` are its id, its result, and whether there are
 * more */
static JSValueRef next_file(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  const struct js_fs_request *call = take_next();
  js_fs.stats[0] = call->id;
  js_fs.stats[1] = (double)call->request.result;
  js_fs.stats[2] = upcoming != NULL;
  return value_of(context, call);
}

/* readFile(id, path, flags, as text): file(id, length or error, text or what failed, whether there are more) follows */
static JSValueRef read_file(JSContextRef context, struct js_frame *frame) {
  char room[1024];
  int err, flags = (int)js_to_integer(context, js_arg(context, frame, 2));
  char *path = js_fs_path_to_open(context, js_arg(context, frame, 1), flags, room, sizeof room, &err);
  if (path == NULL)
    return err != 0 ? js_number(context, err) : NULL;
  struct js_fs_request *call = js_fs_request_new((int)js_to_integer(context, js_arg(context, frame, 0)));
  err = UV_ENOMEM;
  if (call != NULL) {
    call->as_text = js_to_boolean(context, js_arg(context, frame, 3));
    err = rota_fs_read_file(js_fs.env->loop, &call->request, path, flags, MOST, on_file);
    if (err < 0)
      js_fs_request_free(call);
  }
  if (path != room)
    free(path);
  return err < 0 ? js_number(context, err) : js_undefined(context);
}

/* The purpose of reading a whole file: permissions depend on it. */
static bool is_refused(JSContextRef context, const char *path, int flags, enum js_read_purpose purpose) {
  if (purpose == JS_READ_PURPOSE_AUTHORITIES && js_permission_is_trusted(path))
    return false;
  return purpose == JS_READ_PURPOSE_KEY_STORE ? js_refused(context, JS_SCOPE_STORE, NULL)
                                              : js_fs_refuses_open(context, path, flags);
}

/* readFileNow(path, flags, as text[, purpose]) -> the text, or a count whose bytes `takeFile` gives, or an error of
 * which it tells what failed */
static JSValueRef read_file_now(JSContextRef context, struct js_frame *frame) {
  char room[1024];
  release_given();
  char *path = js_copy_path(context, js_arg(context, frame, 0), room, sizeof room);
  if (path == NULL)
    return js_number(context, UV_EINVAL);
  int flags = (int)js_to_integer(context, js_arg(context, frame, 1));
  enum js_read_purpose purpose = (enum js_read_purpose)js_to_integer(context, js_arg(context, frame, 3));
  bool refused = is_refused(context, path, flags, purpose);
  JSValueRef result = NULL;
  if (!refused && (given = js_fs_request_new(-1)) == NULL) {
    result = js_number(context, UV_ENOMEM);
  } else if (!refused) {
    uv_fs_t *request = &given->request;
    rota_fs_read_file(NULL, request, path, flags, MOST, NULL);
    bool as_text = request->result >= 0 && js_to_boolean(context, js_arg(context, frame, 2));
    result = as_text ? text_of(context, request) : js_number(context, (double)request->result);
    if (as_text)
      release_given();
  }
  if (path != room)
    free(path);
  return result;
}

/* takeFile(bytes): copies the bytes of the file that was given last; without an argument, into a new array buffer. Of a
 * file that could not be read: what failed. */
static JSValueRef take_file(JSContextRef context, struct js_frame *frame) {
  JSValueRef result = js_undefined(context);
  unsigned char *bytes;
  size_t length;
  if (given == NULL)
    return result;
  uv_fs_t *request = &given->request;
  if (request->result < 0) {
    result = js_number(context, what_failed(request));
  } else if (js_argc(frame) == 0) {
    char *taken = rota_fs_take_bytes(request);
    if (taken != NULL)
      result = js_buffer_adopt(context, taken, (size_t)request->result);
  } else if (js_borrow_bytes(context, frame->arguments[0], &bytes, &length) && length <= (size_t)request->result) {
    memcpy(bytes, request->ptr, length);
  }
  release_given();
  return result;
}

void js_fs_read_file_forget(void) {
  release_given();
}

const struct js_method js_fs_read_file_methods[] = {
    {"readFile", read_file, 4},
    {"readFileNow", read_file_now, 4},
    {"nextFile", next_file, 0},
    {"takeFile", take_file, 1},
    {NULL, NULL, 0},
};
