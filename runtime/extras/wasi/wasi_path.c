/* WASI's operations on paths, each beneath a directory (wasi.h). */
#include "runtime/extras/wasi/wasi.h"
#include "runtime/permission/permission.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* How a path is used. */
enum { FOLLOW = 4 };

/* The place of a path given by two arguments: a descriptor, and the path as text. */
static int find(JSContextRef context, struct js_frame *frame, int at, unsigned use, struct js_wasi_place *place) {
  int root = (int)js_to_integer(context, js_arg(context, frame, at));
  char *path = js_to_text(context, js_arg(context, frame, at + 1), NULL);
  int result = path == NULL                     ? -ENOMEM
               : !js_wasi_lets(root, path, use) ? -EACCES
                                                : js_wasi_find(root, path, (use & FOLLOW) != 0, place);
  free(path);
  return result;
}

static unsigned follow_if(bool follow) {
  return follow ? FOLLOW : 0;
}

/* Ends a call that used a place. */
static JSValueRef done(struct js_wasi_place *place, int result) {
  int error = result < 0 ? -errno : result;
  close(place->directory);
  return js_integer(error);
}

/* openRoot(path) -> descriptor of a directory for a guest; throws if it may not be read */
static JSValueRef open_root(JSContextRef context, struct js_frame *frame) {
  char *path = js_to_text(context, js_arg(context, frame, 0), NULL);
  if (path == NULL || js_refused(context, JS_SCOPE_READ, path)) {
    free(path);
    return NULL;
  }
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int error = fd < 0 ? -errno : 0;
  if (fd >= 0 && !js_wasi_keep_root(fd, path)) {
    close(fd);
    error = -ENOMEM;
  }
  free(path);
  return js_integer(error < 0 ? error : fd);
}

static unsigned use_of_flags(int flags) {
  int mode = flags & O_ACCMODE;
  bool changes = mode != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
  return (mode != O_WRONLY ? JS_WASI_READS : 0u) | (changes ? JS_WASI_WRITES : 0u);
}

/* A guest may name paths beneath a directory that it has opened. */
static int keep_directory(JSContextRef context, struct js_frame *frame, int fd) {
  char *path = js_to_text(context, js_arg(context, frame, 1), NULL);
  bool kept = path != NULL && js_wasi_keep(fd, (int)js_to_integer(context, js_arg(context, frame, 0)), path);
  free(path);
  if (kept)
    return fd;
  close(fd);
  errno = ENOMEM;
  return -1;
}

/* open(directory, path, follow, flags of the system, mode) -> descriptor */
static JSValueRef open_path(JSContextRef context, struct js_frame *frame) {
  struct js_wasi_place place;
  bool follow = js_to_boolean(context, js_arg(context, frame, 2));
  int flags = (int)js_to_integer(context, js_arg(context, frame, 3));
  /* A file that may be created must not be created through a link either. */
  int found = find(context, frame, 0, use_of_flags(flags) | follow_if(follow && (flags & O_EXCL) == 0), &place);
  if (found < 0)
    return js_integer(found);
  if (place.must_be_directory)
    flags |= O_DIRECTORY;
  int fd = openat(place.directory, place.name, flags | O_NOFOLLOW | O_CLOEXEC,
                  (mode_t)js_to_integer(context, js_arg(context, frame, 4)));
  struct stat stat;
  if (fd >= 0 && js_permission_here != NULL && fstat(fd, &stat) == 0 && S_ISDIR(stat.st_mode))
    fd = keep_directory(context, frame, fd);
  return done(&place, fd);
}

static JSValueRef make_directory(JSContextRef context, struct js_frame *frame) {
  struct js_wasi_place place;
  int found = find(context, frame, 0, JS_WASI_WRITES, &place);
  return found < 0 ? js_integer(found) : done(&place, mkdirat(place.directory, place.name, 0777));
}

/* remove(directory, path, is a directory) */
static JSValueRef remove_path(JSContextRef context, struct js_frame *frame) {
  struct js_wasi_place place;
  bool directory = js_to_boolean(context, js_arg(context, frame, 2));
  int found = find(context, frame, 0, JS_WASI_WRITES, &place);
  if (found < 0)
    return js_integer(found);
  return done(&place, unlinkat(place.directory, place.name, directory ? AT_REMOVEDIR : 0));
}

/* symlink(directory, path, target): the target may be outside; the guest cannot follow it */
static JSValueRef make_link(JSContextRef context, struct js_frame *frame) {
  struct js_wasi_place place;
  int found = find(context, frame, 0, JS_WASI_WRITES, &place);
  if (found < 0)
    return js_integer(found);
  char *target = js_to_text(context, js_arg(context, frame, 2), NULL);
  int result = symlinkat(target != NULL ? target : "", place.directory, place.name);
  JSValueRef value = done(&place, result);
  free(target);
  return value;
}

/* readlink(directory, path) -> text */
static JSValueRef read_link(JSContextRef context, struct js_frame *frame) {
  struct js_wasi_place place;
  char target[PATH_MAX];
  int found = find(context, frame, 0, JS_WASI_READS, &place);
  if (found < 0)
    return js_integer(found);
  ssize_t length = readlinkat(place.directory, place.name, target, sizeof target);
  JSValueRef status = done(&place, (int)length);
  return length < 0 ? status : js_text(context, target, (size_t)length);
}

/* For two places: link(directory, path, directory, path, follow), rename(directory, path, directory, path) */
static JSValueRef with_two(JSContextRef context, struct js_frame *frame, bool follow, bool renames) {
  struct js_wasi_place from, to;
  int found = find(context, frame, 0, JS_WASI_READS | JS_WASI_WRITES | follow_if(follow), &from);
  if (found < 0)
    return js_integer(found);
  found = find(context, frame, 2, JS_WASI_WRITES, &to);
  if (found < 0) {
    close(from.directory);
    return js_integer(found);
  }
  int result = renames ? renameat(from.directory, from.name, to.directory, to.name)
                       : linkat(from.directory, from.name, to.directory, to.name, 0);
  JSValueRef value = done(&from, result);
  close(to.directory);
  return value;
}

static JSValueRef link_path(JSContextRef context, struct js_frame *frame) {
  return with_two(context, frame, js_to_boolean(context, js_arg(context, frame, 4)), false);
}

static JSValueRef rename_path(JSContextRef context, struct js_frame *frame) {
  return with_two(context, frame, false, true);
}

static uint64_t nanoseconds(struct timespec time) {
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* The order of runtime/extras/wasi/lib/wasi/memory.js. */
static JSValueRef tell(JSContextRef context, JSValueRef out, const struct stat *stat) {
  unsigned char *bytes;
  size_t length;
  uint64_t values[] = {stat->st_dev,
                       stat->st_ino,
                       stat->st_mode,
                       stat->st_nlink,
                       (uint64_t)stat->st_size,
                       nanoseconds(stat->st_atim),
                       nanoseconds(stat->st_mtim),
                       nanoseconds(stat->st_ctim)};
  if (!js_borrow_bytes(context, out, &bytes, &length) || length < sizeof values)
    return js_integer(-EINVAL);
  memcpy(bytes, values, sizeof values);
  return js_integer(0);
}

/* stat(directory, path, follow, BigUint64Array of 8) */
static JSValueRef stat_path(JSContextRef context, struct js_frame *frame) {
  struct js_wasi_place place;
  struct stat stat;
  unsigned follow = follow_if(js_to_boolean(context, js_arg(context, frame, 2)));
  int found = find(context, frame, 0, JS_WASI_READS | follow, &place);
  if (found < 0)
    return js_integer(found);
  int result = fstatat(place.directory, place.name, &stat, AT_SYMLINK_NOFOLLOW);
  JSValueRef status = done(&place, result);
  return result < 0 ? status : tell(context, js_arg(context, frame, 3), &stat);
}

/* fstat(descriptor, BigUint64Array of 8) */
static JSValueRef stat_descriptor(JSContextRef context, struct js_frame *frame) {
  struct stat stat;
  if (fstat((int)js_to_integer(context, js_arg(context, frame, 0)), &stat) < 0)
    return js_integer(-errno);
  return tell(context, js_arg(context, frame, 1), &stat);
}

/* Seconds and nanoseconds of a time in two arguments; -1 seconds: now, -2: unchanged. */
static struct timespec time_of(JSContextRef context, struct js_frame *frame, int at) {
  double seconds = js_to_number(context, js_arg(context, frame, at));
  struct timespec time = {.tv_sec = (time_t)seconds,
                          .tv_nsec = (long)js_to_number(context, js_arg(context, frame, at + 1))};
  if (seconds < 0)
    time = (struct timespec){.tv_nsec = seconds == -1 ? UTIME_NOW : UTIME_OMIT};
  return time;
}

/* utimes(directory, path, follow, accessed (2 numbers), modified (2 numbers)) */
static JSValueRef set_times(JSContextRef context, struct js_frame *frame) {
  struct js_wasi_place place;
  struct timespec times[] = {time_of(context, frame, 3), time_of(context, frame, 5)};
  unsigned follow = follow_if(js_to_boolean(context, js_arg(context, frame, 2)));
  int found = find(context, frame, 0, JS_WASI_WRITES | follow, &place);
  if (found < 0)
    return js_integer(found);
  return done(&place, utimensat(place.directory, place.name, times, AT_SYMLINK_NOFOLLOW));
}

/* futimes(descriptor, accessed (2 numbers), modified (2 numbers)) */
static JSValueRef set_own_times(JSContextRef context, struct js_frame *frame) {
  struct timespec times[] = {time_of(context, frame, 1), time_of(context, frame, 3)};
  int result = futimens((int)js_to_integer(context, js_arg(context, frame, 0)), times);
  return js_integer(result < 0 ? -errno : 0);
}

const struct js_method js_wasi_path_methods[] = {
    {"open", open_path, 5},
    {"makeDirectory", make_directory, 2},
    {"remove", remove_path, 3},
    {"symlink", make_link, 3},
    {"readlink", read_link, 2},
    {"link", link_path, 5},
    {"rename", rename_path, 4},
    {"stat", stat_path, 4},
    {"fstat", stat_descriptor, 2},
    {"utimes", set_times, 7},
    {"futimes", set_own_times, 5},
    {"openRoot", open_root, 1},
    {NULL, NULL, 0},
};
