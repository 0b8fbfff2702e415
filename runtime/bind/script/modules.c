/* The binding `modules`: file system functions for the module loaders, and compiling. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/bind/binding.h"
#include "runtime/permission/permission.h"

/* The file as text, or a negative error. */
static JSValueRef read_file(JSContextRef context, const char *path) {
  uv_fs_t request;
  char *bytes = NULL;
  size_t length = 0, room = 0;
  int fd = uv_fs_open(NULL, &request, path, UV_FS_O_RDONLY | O_CLOEXEC, 0, NULL);
  int err = fd;
  uv_fs_req_cleanup(&request);
  if (fd < 0)
    goto done;
  err = uv_fs_fstat(NULL, &request, fd, NULL);
  room = err == 0 ? (size_t)request.statbuf.st_size + 2 : 0;
  uv_fs_req_cleanup(&request);
  while (err >= 0) {
    if (bytes == NULL || length + 1 >= room) {
      room = bytes == NULL ? (room > 2 ? room : 4096) : room * 2;
      char *more = realloc(bytes, room);
      err = more == NULL ? UV_ENOMEM : 0;
      if (more == NULL)
        break;
      bytes = more;
    }
    uv_buf_t buffer = uv_buf_init(bytes + length, (unsigned)(room - length - 1));
    err = uv_fs_read(NULL, &request, fd, &buffer, 1, -1, NULL);
    uv_fs_req_cleanup(&request);
    if (err <= 0)
      break;
    length += (size_t)err;
  }
  uv_fs_close(NULL, &request, fd, NULL);
  uv_fs_req_cleanup(&request);
done:;
  JSValueRef result;
  if (err < 0) {
    result = js_number(context, err);
  } else {
    bytes[length] = 0;
    result = js_text(context, bytes, length);
  }
  free(bytes);
  return result;
}

static JSValueRef read_named(JSContextRef context, struct js_frame *frame, bool asks) {
  char *path = js_to_text(context, js_arg(context, frame, 0), NULL);
  if (path == NULL)
    return js_number(context, UV_ENOMEM);
  JSValueRef text = asks && js_refused(context, JS_SCOPE_READ, path) ? NULL : read_file(context, path);
  free(path);
  return text;
}

/* readText(path) -> the file as text, or a negative error */
static JSValueRef read_text(JSContextRef context, struct js_frame *frame) {
  return read_named(context, frame, true);
}

/* readPackage(path of a package.json, is for its scope) -> its text, or a negative error. The package of a module
 * is found without a check of permissions, as in Node. */
static JSValueRef read_package(JSContextRef context, struct js_frame *frame) {
  return read_named(context, frame, !js_to_boolean(context, js_arg(context, frame, 1)));
}

/* readEnvironmentFile(n) -> the file that the nth of the options --env-file and --env-file-if-exists names, as text, or
 * a negative error. It is read before permissions apply. */
static JSValueRef read_environment_file(JSContextRef context, struct js_frame *frame) {
  const struct js_option_words *words = &js_env_here->options->words;
  int64_t left = js_to_integer(context, js_arg(context, frame, 0));
  for (int i = 0; i < words->count; i++) {
    const char *word = words->texts[i], *value = strchr(word, '=');
    bool is_one = strncmp(word, "--env-file=", 11) == 0 || strncmp(word, "--env-file-if-exists=", 21) == 0;
    if (is_one && left-- == 0)
      return read_file(context, value + 1);
  }
  return js_number(context, UV_ENOENT);
}

/* statKind(path) -> 0 a file, 1 a directory, or a negative error */
static JSValueRef stat_kind(JSContextRef context, struct js_frame *frame) {
  char *path = js_to_text(context, js_arg(context, frame, 0), NULL);
  if (path == NULL)
    return js_number(context, UV_ENOMEM);
  uv_fs_t request;
  int result = uv_fs_stat(NULL, &request, path, NULL);
  if (result == 0)
    result = S_ISDIR(request.statbuf.st_mode) ? 1 : 0;
  uv_fs_req_cleanup(&request);
  free(path);
  return js_number(context, result);
}

/* realpath(path) -> the path without symbolic links, or a negative error; throws if one of them may not be read */
static JSValueRef real_path(JSContextRef context, struct js_frame *frame) {
  char *path = js_to_text(context, js_arg(context, frame, 0), NULL);
  if (path == NULL)
    return js_number(context, UV_ENOMEM);
  if (js_refused_links(context, path)) {
    free(path);
    return NULL;
  }
  uv_fs_t request;
  int err = uv_fs_realpath(NULL, &request, path, NULL);
  JSValueRef result = err < 0 ? js_number(context, err) : js_string(context, request.ptr);
  uv_fs_req_cleanup(&request);
  free(path);
  return result;
}

/* isPlain(path) -> whether it is there, and no symbolic link. With permissions that is not told: the links of a path
 * are asked about one by one. */
static JSValueRef is_plain(JSContextRef context, struct js_frame *frame) {
  char *path = js_permission_here != NULL ? NULL : js_to_text(context, js_arg(context, frame, 0), NULL);
  if (path == NULL)
    return js_boolean(context, false);
  uv_fs_t request;
  int err = uv_fs_readlink(NULL, &request, path, NULL);
  uv_fs_req_cleanup(&request);
  free(path);
  return js_boolean(context, err == UV_EINVAL);
}

/* evaluate(code, url, first line) -> the completion value; throws what the code throws. */
static JSValueRef evaluate(JSContextRef context, struct js_frame *frame) {
  JSStringRef code = JSValueToStringCopy(context, js_arg(context, frame, 0), NULL);
  JSStringRef url = JSValueToStringCopy(context, js_arg(context, frame, 1), NULL);
  int line = js_argc(frame) > 2 ? (int)js_to_integer(context, frame->arguments[2]) : 1;
  JSValueRef error = NULL;
  JSValueRef value = JSEvaluateScript(context, code, NULL, url, line, &error);
  JSStringRelease(code);
  JSStringRelease(url);
  return error != NULL ? js_throw(context, error) : value;
}

/* checkSyntax(code, url, first line) throws the SyntaxError, if there is one. */
static JSValueRef check_syntax(JSContextRef context, struct js_frame *frame) {
  JSStringRef code = JSValueToStringCopy(context, js_arg(context, frame, 0), NULL);
  JSStringRef url = JSValueToStringCopy(context, js_arg(context, frame, 1), NULL);
  JSValueRef error = NULL;
  int line = js_argc(frame) > 2 ? (int)js_to_integer(context, frame->arguments[2]) : 1;
  JSCheckScriptSyntax(context, code, url, line, &error);
  JSStringRelease(code);
  JSStringRelease(url);
  return error != NULL ? js_throw(context, error) : js_undefined(context);
}

JSObjectRef js_binding_modules(struct js_env *env) {
  static const struct js_method methods[] = {
      {"readText", read_text, 1},
      {"readPackage", read_package, 2},
      {"readEnvironmentFile", read_environment_file, 1},
      {"statKind", stat_kind, 1},
      {"realpath", real_path, 1},
      {"isPlain", is_plain, 1},
      {"rewrite", js_rewrite_text, 4},
      {"digest", js_digest_text, 1},
      {"isExpression", js_is_expression_text, 1},
      {"evaluate", evaluate, 3},
      {"checkSyntax", check_syntax, 3},
      {NULL, NULL, 0},
  };
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  return binding;
}
