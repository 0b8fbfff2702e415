/* The binding `fs`: every file operation of the loop's library, at once or through the loop.
 *
 * The first argument of each function is the number under which JavaScript keeps the callback, or -1: then the
 * operation is carried out before the function returns. A result below zero is an error code; JavaScript makes an Error
 * of it. A stat is written into shared words instead of an object.
 *
 * Invariant: the memory of an active request is pinned here and kept alive by the callback's closure in JavaScript. */
#include "runtime/bind/fs/fs.h"
#include "runtime/engine/limit/watch.h"
#include "runtime/permission/permission.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_ROOM = 1024, BUFFERS_ROOM = 16 };

_Thread_local struct js_fs_binding js_fs;

void js_fs_forget(void) {
  js_fs_requests_forget();
  js_fs_read_file_forget();
  js_fs_directories_forget();
  js_fs_close_tracked();
}

static void on_done(uv_fs_t *request) {
  struct js_fs_request *call = (struct js_fs_request *)request;
  JSContextRef context = js_fs.env->context;
  JSValueRef value = request->result >= 0 ? js_fs_value_of(context, request, call->as_bytes) : NULL;
  JSValueRef arguments[] = {js_number(context, call->id), js_number(context, (double)request->result), value};
  uv_fs_req_cleanup(request);
  js_fs_request_free(call);
  js_enter(js_fs.env, js_fs.calls[JS_FS_CALL_COMPLETE], NULL, value != NULL ? 3 : 2, arguments);
}

/* The parts of a call that all operations have in common. */
struct start {
  JSContextRef context;
  struct js_frame *frame;
  uv_loop_t *loop;
  uv_fs_t *request;
  uv_fs_cb done; /* NULL: synchronous */
  struct js_fs_request own;
  struct js_fs_request *call;
  char *paths[2];
  char rooms[2][PATH_ROOM];
  int err;
  bool thrown; /* it is not permitted; err is below zero, too */
};

static void begin(struct start *start, JSContextRef context, struct js_frame *frame) {
  start->context = context;
  start->frame = frame;
  start->loop = js_fs.env->loop;
  start->paths[0] = start->paths[1] = NULL;
  start->err = 0;
  start->thrown = false;
  int id = (int)js_to_integer(context, js_arg(context, frame, 0));
  start->done = id >= 0 ? on_done : NULL;
  start->call = id >= 0 ? js_fs_request_new(id) : NULL;
  if (start->call == NULL) {
    start->err = id >= 0 ? UV_ENOMEM : 0;
    start->call = &start->own;
    start->own.as_bytes = false;
    start->own.added = 0;
    start->own.request.fs_type = UV_FS_UNKNOWN;
  }
  start->request = &start->call->request;
}

static const char *path(struct start *start, int argument, int which) {
  start->paths[which] =
      js_copy_path(start->context, js_arg(start->context, start->frame, argument), start->rooms[which], PATH_ROOM);
  if (start->paths[which] == NULL && start->err == 0)
    start->err = UV_EINVAL;
  return start->paths[which];
}

static void refuse(struct start *start) {
  start->thrown = true;
  start->err = UV_EACCES;
}

static void settle(struct start *start, int which) {
  size_t length = strlen(start->paths[which]);
  if (start->done == NULL)
    return;
  start->paths[which] = js_fs_settle(start->paths[which], start->rooms[which]);
  if (start->paths[which] == NULL)
    start->err = UV_ENOMEM;
  else
    start->call->added = strlen(start->paths[which]) - length;
}

/* Whether the program has permission for this operation on that path. The check and the operation use the same copy of
 * the path. */
static const char *ask(struct start *start, enum js_scope scope, int which, const char *text) {
  if (js_permission_here != NULL && start->err == 0) {
    if (js_refused_text(start->context, scope, start->paths[which], text))
      refuse(start);
    else
      settle(start, which);
  }
  return start->paths[which];
}

static const char *path_to_write(struct start *start, int argument) {
  path(start, argument, 0);
  return ask(start, JS_SCOPE_WRITE, 0, NULL);
}

/* Permissions cannot be checked for a descriptor: these operations are always refused, as in Node. */
static void ask_for_descriptor(struct start *start, const char *text) {
  if (start->err == 0 && js_refused_text(start->context, JS_SCOPE_NONE, NULL, text))
    refuse(start);
}

static int integer(struct start *start, int argument) {
  return (int)js_to_integer(start->context, js_arg(start->context, start->frame, argument));
}

static double number(struct start *start, int argument) {
  return js_to_number(start->context, js_arg(start->context, start->frame, argument));
}

/* A position in a file: a number, a BigInt, or anything else for the current position. */
static int64_t position(struct start *start, int argument) {
  JSValueRef value = js_arg(start->context, start->frame, argument);
  if (JSValueIsNumber(start->context, value))
    return js_to_integer(start->context, value);
  if (!JSValueIsBigInt(start->context, value))
    return -1;
  char *digits = js_to_text(start->context, value, NULL);
  int64_t result = digits != NULL ? strtoll(digits, NULL, 10) : -1;
  free(digits);
  return result;
}

static JSValueRef end(struct start *start, int err) {
  for (int i = 0; i < 2; i++)
    if (start->paths[i] != start->rooms[i])
      free(start->paths[i]);
  if (start->done != NULL) {
    if (err >= 0)
      return js_undefined(start->context);
    if (start->call != &start->own)
      js_fs_request_free(start->call);
    return start->thrown ? NULL : js_number(start->context, err);
  }
  if (start->thrown)
    return NULL;
  if (start->request->fs_type == UV_FS_UNKNOWN)
    return js_number(start->context, err); /* it was never started */
  JSValueRef value = err >= 0 ? js_fs_value_of(start->context, start->request, start->call->as_bytes) : NULL;
  uv_fs_req_cleanup(start->request);
  return js_unless_ended(start->context, value != NULL ? value : js_number(start->context, err));
}

static JSValueRef fs_open(JSContextRef context, struct js_frame *frame) {
  struct start s;
  begin(&s, context, frame);
  int flags = integer(&s, 2);
  path(&s, 1, 0);
  if (s.err == 0 && js_fs_refuses_open(context, s.paths[0], flags))
    refuse(&s);
  if (s.err == 0)
    settle(&s, 0);
  if (s.err == 0)
    s.err = uv_fs_open(s.loop, s.request, s.paths[0], flags | O_CLOEXEC, integer(&s, 3), s.done);
  return end(&s, s.err);
}

static JSValueRef fs_close(JSContextRef context, struct js_frame *frame) {
  struct start s;
  begin(&s, context, frame);
  int fd = integer(&s, 1);
  if (s.err == 0)
    js_fs_closes(fd);
  return end(&s, s.err != 0 ? s.err : uv_fs_close(s.loop, s.request, fd, s.done));
}

static bool bytes_of(struct start *start, JSValueRef value, unsigned char **bytes, size_t *length) {
  return start->done != NULL ? js_pin_bytes(start->context, value, bytes, length)
                             : js_borrow_bytes(start->context, value, bytes, length);
}

typedef int (*transfer)(uv_loop_t *, uv_fs_t *, uv_file, const uv_buf_t[], unsigned, int64_t, uv_fs_cb);

/* (id, fd, bytes, offset, length, position) */
static JSValueRef one_buffer(JSContextRef context, struct js_frame *frame, transfer operation) {
  struct start s;
  begin(&s, context, frame);
  unsigned char *bytes;
  size_t room;
  if (s.err == 0 && !bytes_of(&s, js_arg(context, frame, 2), &bytes, &room))
    s.err = UV_EINVAL;
  if (s.err == 0) {
    double offset = number(&s, 3), length = number(&s, 4);
    if (!(offset >= 0 && length >= 0 && offset + length <= (double)room))
      return end(&s, UV_EINVAL);
    uv_buf_t buffer = uv_buf_init((char *)bytes + (size_t)offset, 0);
    buffer.len = (size_t)length;
    s.err = operation(s.loop, s.request, integer(&s, 1), &buffer, 1, position(&s, 5), s.done);
  }
  return end(&s, s.err);
}

static JSValueRef fs_read(JSContextRef context, struct js_frame *frame) {
  return one_buffer(context, frame, uv_fs_read);
}

static JSValueRef fs_write(JSContextRef context, struct js_frame *frame) {
  return one_buffer(context, frame, uv_fs_write);
}

/* (id, fd, array of bytes, position) */
static JSValueRef many_buffers(JSContextRef context, struct js_frame *frame, transfer operation) {
  struct start s;
  begin(&s, context, frame);
  JSObjectRef list = (JSObjectRef)js_arg(context, frame, 2);
  unsigned count = (unsigned)js_to_integer(context, js_get(context, list, "length"));
  uv_buf_t room[BUFFERS_ROOM];
  uv_buf_t *buffers = count <= BUFFERS_ROOM ? room : malloc(count * sizeof *buffers);
  if (buffers == NULL)
    return end(&s, UV_ENOMEM);
  for (unsigned i = 0; i < count && s.err == 0; i++) {
    unsigned char *bytes;
    size_t length;
    if (!bytes_of(&s, JSObjectGetPropertyAtIndex(context, list, i, NULL), &bytes, &length)) {
      s.err = UV_EINVAL;
      break;
    }
    buffers[i] = uv_buf_init((char *)bytes, 0);
    buffers[i].len = length;
  }
  if (s.err == 0)
    s.err = operation(s.loop, s.request, integer(&s, 1), buffers, count, position(&s, 3), s.done);
  if (buffers != room)
    free(buffers);
  return end(&s, s.err);
}

static JSValueRef fs_readv(JSContextRef context, struct js_frame *frame) {
  return many_buffers(context, frame, uv_fs_read);
}

static JSValueRef fs_writev(JSContextRef context, struct js_frame *frame) {
  return many_buffers(context, frame, uv_fs_write);
}

/* (id, path) */
typedef int (*path_operation)(uv_loop_t *, uv_fs_t *, const char *, uv_fs_cb);

static JSValueRef with_path(JSContextRef context, struct js_frame *frame, path_operation operation, int bytes_flag_at,
                            enum js_scope scope) {
  struct start s;
  begin(&s, context, frame);
  path(&s, 1, 0);
  const char *name = ask(&s, scope, 0, operation == uv_fs_lstat ? JS_FS_PLAIN_REFUSAL : NULL);
  if (bytes_flag_at > 0)
    s.call->as_bytes = js_to_boolean(context, js_arg(context, frame, bytes_flag_at));
  if (s.err == 0)
    s.err = operation(s.loop, s.request, name, s.done);
  return end(&s, s.err);
}

static JSValueRef fs_unlink(JSContextRef context, struct js_frame *frame) {
  return with_path(context, frame, uv_fs_unlink, 0, JS_SCOPE_WRITE);
}
static JSValueRef fs_rmdir(JSContextRef context, struct js_frame *frame) {
  return with_path(context, frame, uv_fs_rmdir, 0, JS_SCOPE_WRITE);
}
static JSValueRef fs_stat(JSContextRef context, struct js_frame *frame) {
  return with_path(context, frame, uv_fs_stat, 0, JS_SCOPE_READ);
}
static JSValueRef fs_lstat(JSContextRef context, struct js_frame *frame) {
  return with_path(context, frame, uv_fs_lstat, 0, JS_SCOPE_READ);
}
static JSValueRef fs_statfs(JSContextRef context, struct js_frame *frame) {
  return with_path(context, frame, uv_fs_statfs, 0, JS_SCOPE_READ);
}
static JSValueRef fs_readlink(JSContextRef context, struct js_frame *frame) {
  return with_path(context, frame, uv_fs_readlink, 2, JS_SCOPE_READ);
}
static JSValueRef fs_realpath(JSContextRef context, struct js_frame *frame) {
  return with_path(context, frame, uv_fs_realpath, 2, JS_SCOPE_READ);
}
static JSValueRef fs_mkdtemp(JSContextRef context, struct js_frame *frame) {
  return with_path(context, frame, uv_fs_mkdtemp, 2, JS_SCOPE_WRITE);
}

static int scan(uv_loop_t *loop, uv_fs_t *request, const char *name, uv_fs_cb done) {
  return uv_fs_scandir(loop, request, name, 0, done);
}
static JSValueRef fs_scandir(JSContextRef context, struct js_frame *frame) {
  return with_path(context, frame, scan, 2, JS_SCOPE_READ);
}

/* (id, path, integer) */
typedef int (*path_mode_operation)(uv_loop_t *, uv_fs_t *, const char *, int, uv_fs_cb);

static JSValueRef with_mode(JSContextRef context, struct js_frame *frame, path_mode_operation operation,
                            enum js_scope scope) {
  struct start s;
  begin(&s, context, frame);
  path(&s, 1, 0);
  const char *name = ask(&s, scope, 0, NULL);
  if (s.err == 0)
    s.err = operation(s.loop, s.request, name, integer(&s, 2), s.done);
  return end(&s, s.err);
}

static JSValueRef fs_access(JSContextRef context, struct js_frame *frame) {
  return with_mode(context, frame, uv_fs_access, JS_SCOPE_READ);
}
static JSValueRef fs_chmod(JSContextRef context, struct js_frame *frame) {
  return with_mode(context, frame, uv_fs_chmod, JS_SCOPE_WRITE);
}
static JSValueRef fs_mkdir(JSContextRef context, struct js_frame *frame) {
  return with_mode(context, frame, uv_fs_mkdir, JS_SCOPE_WRITE);
}

/* A symbolic link may point anywhere, so making one needs permission for everything; a hard link needs permission for
 * both names. */
static void ask_for_two(struct start *start, uv_fs_type type) {
  static const char whole[] = "fs.symlink API requires full fs.read and fs.write permissions.";
  if (js_permission_here == NULL || start->err != 0)
    return;
  if (type == UV_FS_SYMLINK) {
    if (!js_permission_lets(JS_SCOPE_READ, NULL) || !js_permission_lets(JS_SCOPE_WRITE, NULL))
      ask_for_descriptor(start, whole);
    if (start->err == 0)
      settle(start, 1);
    return;
  }
  ask(start, JS_SCOPE_READ, 0, NULL);
  if (type != UV_FS_COPYFILE)
    ask(start, JS_SCOPE_WRITE, 0, NULL);
  ask(start, JS_SCOPE_WRITE, 1, NULL);
}

/* (id, path, new path[, flags]) */
static JSValueRef two_paths(JSContextRef context, struct js_frame *frame, uv_fs_type type) {
  struct start s;
  begin(&s, context, frame);
  path(&s, 1, 0);
  path(&s, 2, 1);
  ask_for_two(&s, type);
  const char *name = s.paths[0], *new_name = s.paths[1];
  if (s.err != 0)
    return end(&s, s.err);
  switch (type) {
  case UV_FS_RENAME:
    return end(&s, uv_fs_rename(s.loop, s.request, name, new_name, s.done));
  case UV_FS_LINK:
    return end(&s, uv_fs_link(s.loop, s.request, name, new_name, s.done));
  case UV_FS_SYMLINK:
    return end(&s, uv_fs_symlink(s.loop, s.request, name, new_name, integer(&s, 3), s.done));
  default:
    return end(&s, uv_fs_copyfile(s.loop, s.request, name, new_name, integer(&s, 3), s.done));
  }
}

static JSValueRef fs_rename(JSContextRef context, struct js_frame *frame) {
  return two_paths(context, frame, UV_FS_RENAME);
}
static JSValueRef fs_link(JSContextRef context, struct js_frame *frame) {
  return two_paths(context, frame, UV_FS_LINK);
}
static JSValueRef fs_symlink(JSContextRef context, struct js_frame *frame) {
  return two_paths(context, frame, UV_FS_SYMLINK);
}
static JSValueRef fs_copyfile(JSContextRef context, struct js_frame *frame) {
  return two_paths(context, frame, UV_FS_COPYFILE);
}

/* (id, fd) */
static JSValueRef fs_fstat(JSContextRef context, struct js_frame *frame) {
  struct start s;
  begin(&s, context, frame);
  return end(&s, s.err != 0 ? s.err : uv_fs_fstat(s.loop, s.request, integer(&s, 1), s.done));
}
static JSValueRef fs_fsync(JSContextRef context, struct js_frame *frame) {
  struct start s;
  begin(&s, context, frame);
  ask_for_descriptor(&s, "fsync API is disabled when Permission Model is enabled.");
  return end(&s, s.err != 0 ? s.err : uv_fs_fsync(s.loop, s.request, integer(&s, 1), s.done));
}
static JSValueRef fs_fdatasync(JSContextRef context, struct js_frame *frame) {
  struct start s;
  begin(&s, context, frame);
  ask_for_descriptor(&s, "fdatasync API is disabled when Permission Model is enabled.");
  return end(&s, s.err != 0 ? s.err : uv_fs_fdatasync(s.loop, s.request, integer(&s, 1), s.done));
}
static JSValueRef fs_ftruncate(JSContextRef context, struct js_frame *frame) {
  struct start s;
  begin(&s, context, frame);
  return end(&s, s.err != 0 ? s.err : uv_fs_ftruncate(s.loop, s.request, integer(&s, 1), position(&s, 2), s.done));
}
static JSValueRef fs_fchmod(JSContextRef context, struct js_frame *frame) {
  struct start s;
  begin(&s, context, frame);
  ask_for_descriptor(&s, "fchmod API is disabled when Permission Model is enabled.");
  return end(&s, s.err != 0 ? s.err : uv_fs_fchmod(s.loop, s.request, integer(&s, 1), integer(&s, 2), s.done));
}

static unsigned owner(struct start *s, int argument) {
  return (unsigned)js_to_integer(s->context, js_arg(s->context, s->frame, argument));
}

static JSValueRef fs_fchown(JSContextRef context, struct js_frame *frame) {
  struct start s;
  begin(&s, context, frame);
  ask_for_descriptor(&s, "fchown API is disabled when Permission Model is enabled.");
  return end(&s,
             s.err != 0 ? s.err : uv_fs_fchown(s.loop, s.request, integer(&s, 1), owner(&s, 2), owner(&s, 3), s.done));
}
static JSValueRef fs_chown(JSContextRef context, struct js_frame *frame) {
  struct start s;
  begin(&s, context, frame);
  const char *name = path_to_write(&s, 1);
  return end(&s, s.err != 0 ? s.err : uv_fs_chown(s.loop, s.request, name, owner(&s, 2), owner(&s, 3), s.done));
}
static JSValueRef fs_lchown(JSContextRef context, struct js_frame *frame) {
  struct start s;
  begin(&s, context, frame);
  const char *name = path_to_write(&s, 1);
  return end(&s, s.err != 0 ? s.err : uv_fs_lchown(s.loop, s.request, name, owner(&s, 2), owner(&s, 3), s.done));
}
static JSValueRef fs_utime(JSContextRef context, struct js_frame *frame) {
  struct start s;
  begin(&s, context, frame);
  const char *name = path_to_write(&s, 1);
  return end(&s, s.err != 0 ? s.err : uv_fs_utime(s.loop, s.request, name, number(&s, 2), number(&s, 3), s.done));
}
static JSValueRef fs_lutime(JSContextRef context, struct js_frame *frame) {
  struct start s;
  begin(&s, context, frame);
  const char *name = path_to_write(&s, 1);
  return end(&s, s.err != 0 ? s.err : uv_fs_lutime(s.loop, s.request, name, number(&s, 2), number(&s, 3), s.done));
}
static JSValueRef fs_futime(JSContextRef context, struct js_frame *frame) {
  struct start s;
  begin(&s, context, frame);
  ask_for_descriptor(&s, "futimes API is disabled when Permission Model is enabled.");
  return end(&s, s.err != 0 ? s.err
                            : uv_fs_futime(s.loop, s.request, integer(&s, 1), number(&s, 2), number(&s, 3), s.done));
}

/* setCallbacks({name: function}): by the names of fs_call in runtime/shared.table */
static JSValueRef set_callbacks(JSContextRef context, struct js_frame *frame) {
  static const char *const names[] = JS_FS_CALL_NAMES;
  js_set_callbacks(context, js_arg(context, frame, 0), JS_FS_CALL_COUNT, names, js_fs.calls);
  return js_undefined(context);
}

static const struct js_method methods[] = {
    {"open", fs_open, 4},
    {"close", fs_close, 2},
    {"read", fs_read, 6},
    {"write", fs_write, 6},
    {"readv", fs_readv, 4},
    {"writev", fs_writev, 4},
    {"unlink", fs_unlink, 2},
    {"rmdir", fs_rmdir, 2},
    {"stat", fs_stat, 2},
    {"lstat", fs_lstat, 2},
    {"fstat", fs_fstat, 2},
    {"statfs", fs_statfs, 2},
    {"readlink", fs_readlink, 3},
    {"realpath", fs_realpath, 3},
    {"mkdtemp", fs_mkdtemp, 3},
    {"scandir", fs_scandir, 3},
    {"access", fs_access, 3},
    {"chmod", fs_chmod, 3},
    {"mkdir", fs_mkdir, 3},
    {"rename", fs_rename, 3},
    {"link", fs_link, 3},
    {"symlink", fs_symlink, 4},
    {"copyfile", fs_copyfile, 4},
    {"fsync", fs_fsync, 2},
    {"fdatasync", fs_fdatasync, 2},
    {"ftruncate", fs_ftruncate, 3},
    {"fchmod", fs_fchmod, 3},
    {"fchown", fs_fchown, 4},
    {"chown", fs_chown, 4},
    {"lchown", fs_lchown, 4},
    {"utime", fs_utime, 4},
    {"lutime", fs_lutime, 4},
    {"futime", fs_futime, 4},
    {"setCallbacks", set_callbacks, 1},
    {NULL, NULL, 0},
};

static void free_nothing(void *bytes, void *context) {
  (void)bytes;
  (void)context;
}

static void on_too_large(int number) {
  (void)number;
}

/* If a file grows beyond the limit, the write fails and the program goes on. SIGXFSZ gets an empty handler: unlike an
 * ignored signal, it is not inherited by child processes. */
static void survive_large_files(void) {
  struct sigaction now;
  if (sigaction(SIGXFSZ, NULL, &now) == 0 && now.sa_handler == SIG_DFL) {
    struct sigaction action = {.sa_handler = on_too_large, .sa_flags = SA_RESTART};
    sigaction(SIGXFSZ, &action, NULL);
  }
}

JSObjectRef js_binding_fs(struct js_env *env) {
  JSContextRef context = env->context;
  survive_large_files();
  JSObjectRef binding = js_object(context);
  js_fs.env = env;
  js_fs.stats = calloc(2 * JS_FS_STAT_WORDS, sizeof *js_fs.stats);
  js_fs.exact_stats = calloc(2 * JS_FS_STAT_WORDS, sizeof *js_fs.exact_stats);
  if (js_fs.stats == NULL || js_fs.exact_stats == NULL)
    return binding;
  js_set_methods(context, binding, methods);
  js_set_methods(context, binding, js_fs_read_file_methods);
  js_set_methods(context, binding, js_fs_write_file_methods);
  js_set_methods(context, binding, js_fs_watch_methods);
  js_set_methods(context, binding, js_fs_directory_methods);
  js_set_methods(context, binding, js_fs_tracked_methods);
  js_set(context, binding, "stats",
         JSObjectMakeTypedArrayWithBytesNoCopy(context, kJSTypedArrayTypeFloat64Array, js_fs.stats,
                                               2 * JS_FS_STAT_WORDS * sizeof(double), free_nothing, NULL, NULL));
  js_set(context, binding, "exactStats",
         JSObjectMakeTypedArrayWithBytesNoCopy(context, kJSTypedArrayTypeBigInt64Array, js_fs.exact_stats,
                                               2 * JS_FS_STAT_WORDS * sizeof(int64_t), free_nothing, NULL, NULL));
  return binding;
}
