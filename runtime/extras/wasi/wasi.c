/* WASI's operations on open descriptors, and on clocks. Memory is the guest's: an array buffer, offset and length. */
#include "runtime/extras/wasi/wasi.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int descriptor(JSContextRef context, struct js_frame *frame) {
  return (int)js_to_integer(context, js_arg(context, frame, 0));
}

static JSValueRef status(int result) {
  return js_integer(result < 0 ? -errno : result);
}

/* Arguments 1 to 3: memory, offset, length. */
static bool piece(JSContextRef context, struct js_frame *frame, unsigned char **bytes, size_t *length) {
  size_t all;
  double offset = js_to_number(context, js_arg(context, frame, 2)),
         wanted = js_to_number(context, js_arg(context, frame, 3));
  if (!js_borrow_bytes(context, js_arg(context, frame, 1), bytes, &all) ||
      !(offset >= 0 && wanted >= 0 && offset + wanted <= (double)all))
    return false;
  *bytes += (size_t)offset;
  *length = (size_t)wanted;
  return true;
}

static JSValueRef transfer(JSContextRef context, struct js_frame *frame, bool writes) {
  unsigned char *bytes;
  size_t length;
  double position = js_to_number(context, js_arg(context, frame, 4));
  if (!piece(context, frame, &bytes, &length))
    return js_integer(-EFAULT);
  int fd = descriptor(context, frame);
  ssize_t count;
  if (position < 0)
    count = writes ? write(fd, bytes, length) : read(fd, bytes, length);
  else
    count = writes ? pwrite(fd, bytes, length, (off_t)position) : pread(fd, bytes, length, (off_t)position);
  return js_number(context, count < 0 ? -errno : (double)count);
}

/* read(descriptor, memory, offset, length, position or -1) -> bytes */
static JSValueRef read_piece(JSContextRef context, struct js_frame *frame) {
  return transfer(context, frame, false);
}

/* write(descriptor, memory, offset, length, position or -1) -> bytes */
static JSValueRef write_piece(JSContextRef context, struct js_frame *frame) {
  return transfer(context, frame, true);
}

/* seek(descriptor, offset, whence of the system) -> position */
static JSValueRef seek(JSContextRef context, struct js_frame *frame) {
  off_t at = lseek(descriptor(context, frame), (off_t)js_to_number(context, js_arg(context, frame, 1)),
                   (int)js_to_integer(context, js_arg(context, frame, 2)));
  return js_number(context, at < 0 ? -errno : (double)at);
}

static JSValueRef close_descriptor(JSContextRef context, struct js_frame *frame) {
  int fd = descriptor(context, frame);
  js_wasi_forget(fd);
  return status(close(fd));
}

/* sync(descriptor, with the metadata of the file) */
static JSValueRef sync_file(JSContextRef context, struct js_frame *frame) {
  bool all = js_to_boolean(context, js_arg(context, frame, 1));
  return status(all ? fsync(descriptor(context, frame)) : fdatasync(descriptor(context, frame)));
}

static JSValueRef truncate_file(JSContextRef context, struct js_frame *frame) {
  return status(ftruncate(descriptor(context, frame), (off_t)js_to_number(context, js_arg(context, frame, 1))));
}

/* allocate(descriptor, offset, length) */
static JSValueRef allocate(JSContextRef context, struct js_frame *frame) {
  return js_integer(-posix_fallocate(descriptor(context, frame),
                                     (off_t)js_to_number(context, js_arg(context, frame, 1)),
                                     (off_t)js_to_number(context, js_arg(context, frame, 2))));
}

/* flags(descriptor[, new ones]) -> the system's flags */
static JSValueRef flags_of(JSContextRef context, struct js_frame *frame) {
  if (js_argc(frame) < 2)
    return status(fcntl(descriptor(context, frame), F_GETFL));
  return status(fcntl(descriptor(context, frame), F_SETFL, (int)js_to_integer(context, js_arg(context, frame, 1))));
}

/* list(descriptor) -> [name, inode, the system's type, ...] of all entries but . and .. */
static JSValueRef list(JSContextRef context, struct js_frame *frame) {
  int fd = openat(descriptor(context, frame), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *directory = fd < 0 ? NULL : fdopendir(fd);
  if (directory == NULL) {
    int error = -errno;
    if (fd >= 0)
      close(fd);
    return js_integer(error);
  }
  JSObjectRef entries = js_array(context, 0, NULL);
  unsigned at = 0;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
      continue;
    JSObjectSetPropertyAtIndex(context, entries, at++, js_string(context, entry->d_name), NULL);
    JSObjectSetPropertyAtIndex(context, entries, at++, js_number(context, (double)entry->d_ino), NULL);
    JSObjectSetPropertyAtIndex(context, entries, at++, js_integer(entry->d_type), NULL);
  }
  closedir(directory);
  return entries;
}

/* clock(number, its resolution, Float64Array of 2: seconds and nanoseconds) */
static JSValueRef read_clock(JSContextRef context, struct js_frame *frame) {
  static const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID,
                                     CLOCK_THREAD_CPUTIME_ID};
  unsigned char *bytes;
  size_t length;
  struct timespec time;
  int64_t which = js_to_integer(context, js_arg(context, frame, 0));
  if (which < 0 || which > 3 || !js_borrow_bytes(context, js_arg(context, frame, 2), &bytes, &length) || length < 16)
    return js_integer(-EINVAL);
  bool resolution = js_to_boolean(context, js_arg(context, frame, 1));
  if ((resolution ? clock_getres : clock_gettime)(clocks[which], &time) < 0)
    return js_integer(-errno);
  double values[] = {(double)time.tv_sec, (double)time.tv_nsec};
  memcpy(bytes, values, sizeof values);
  return js_integer(0);
}

/* poll(Int32Array of descriptors and the system's events alternating, milliseconds or -1): the events are replaced by
 * those that occurred -> how many */
static JSValueRef poll_descriptors(JSContextRef context, struct js_frame *frame) {
  enum { MOST = 256 };
  unsigned char *bytes;
  size_t length;
  struct pollfd polled[MOST];
  int32_t pairs[2 * MOST];
  double wait_ms = js_to_number(context, js_arg(context, frame, 1));
  if (!js_borrow_bytes(context, js_arg(context, frame, 0), &bytes, &length) || length > sizeof pairs)
    return js_integer(-EINVAL);
  memcpy(pairs, bytes, length);
  size_t count = length / (2 * sizeof *pairs);
  for (size_t i = 0; i < count; i++)
    polled[i] = (struct pollfd){pairs[2 * i], (short)pairs[2 * i + 1], 0};
  uint64_t end_ns = uv_hrtime() + (uint64_t)(wait_ms > 0 ? wait_ms * 1e6 : 0);
  int ready = poll(polled, count, (int)wait_ms);
  while (ready < 0 && errno == EINTR) { /* the collector uses signals of its own */
    uint64_t now_ns = uv_hrtime();
    uint64_t left_ms = now_ns < end_ns ? (end_ns - now_ns + 999999) / 1000000 : 0;
    ready = poll(polled, count, wait_ms < 0 ? -1 : (int)left_ms);
  }
  if (ready < 0)
    return js_integer(-errno);
  for (size_t i = 0; i < count; i++)
    pairs[2 * i + 1] = polled[i].revents;
  memcpy(bytes, pairs, length);
  return js_integer(ready);
}

static const struct js_method methods[] = {
    {"read", read_piece, 5},        {"write", write_piece, 5},     {"seek", seek, 3},
    {"close", close_descriptor, 1}, {"sync", sync_file, 2},        {"truncate", truncate_file, 2},
    {"allocate", allocate, 3},      {"flags", flags_of, 2},        {"list", list, 1},
    {"clock", read_clock, 3},       {"poll", poll_descriptors, 2}, {NULL, NULL, 0},
};

JSObjectRef js_binding_wasi(struct js_env *env) {
  JSObjectRef binding = js_object(env->context);
  js_set(env->context, binding, "outside", js_integer(JS_WASI_OUTSIDE));
  js_set_methods(env->context, binding, methods);
  js_set_methods(env->context, binding, js_wasi_path_methods);
  return binding;
}
