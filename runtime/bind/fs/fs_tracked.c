/* The descriptors that a worker opens by fs.open: those that it leaves open are closed when it ends, as in Node. A
 * descriptor that was closed behind the worker's back may belong to somebody else by then, so the program is warned
 * when the numbers do not add up.
 *
 * Invariant: the set holds each descriptor from the end of its open, or its arrival, until its close begins. Without
 * memory for the set a descriptor is not tracked, and stays open. */
#include "runtime/bind/fs/fs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BITS = 64 };

static _Thread_local struct {
  bool on;
  JSObjectRef warn; /* a function of a text */
  uint64_t *words;
  int word_count;
} tracked;

static bool has(int fd) {
  int word = fd / WORD_BITS;
  return word < tracked.word_count && (tracked.words[word] >> (fd % WORD_BITS) & 1) != 0;
}

static bool make_room(int fd) {
  int wanted = fd / WORD_BITS + 1;
  if (wanted <= tracked.word_count)
    return true;
  uint64_t *words = realloc(tracked.words, (size_t)wanted * sizeof *words);
  if (words == NULL)
    return false;
  memset(words + tracked.word_count, 0, (size_t)(wanted - tracked.word_count) * sizeof *words);
  tracked.words = words;
  tracked.word_count = wanted;
  return true;
}

static void warn(const char *format, int fd) {
  char text[96];
  struct js_env *env = js_fs.env;
  snprintf(text, sizeof text, format, fd);
  JSValueRef argument = js_string(env->context, text);
  if (!env->stopping)
    JSObjectCallAsFunction(env->context, tracked.warn, NULL, 1, &argument, NULL);
}

void js_fs_opened(int fd) {
  if (!tracked.on || fd < 0 || !make_room(fd))
    return;
  if (has(fd))
    warn("File descriptor %d opened in unmanaged mode twice", fd);
  tracked.words[fd / WORD_BITS] |= (uint64_t)1 << (fd % WORD_BITS);
}

void js_fs_closes(int fd) {
  if (!tracked.on || fd < 0)
    return;
  if (has(fd))
    tracked.words[fd / WORD_BITS] &= ~((uint64_t)1 << (fd % WORD_BITS));
  else
    warn("File descriptor %d closed but not opened in unmanaged mode", fd);
}

void js_fs_close_tracked(void) {
  uv_fs_t request;
  for (int fd = 0; fd < tracked.word_count * WORD_BITS; fd++) {
    if (!has(fd))
      continue;
    uv_fs_close(NULL, &request, fd, NULL);
    uv_fs_req_cleanup(&request);
  }
  free(tracked.words);
  if (tracked.warn != NULL)
    JSValueUnprotect(js_fs.env->context, tracked.warn);
  memset(&tracked, 0, sizeof tracked);
}

/* trackDescriptors(warn): from now on, on this thread */
static JSValueRef track_descriptors(JSContextRef context, struct js_frame *frame) {
  tracked.warn = (JSObjectRef)js_arg(context, frame, 0);
  JSValueProtect(context, tracked.warn);
  tracked.on = true;
  return js_undefined(context);
}

/* arrived(fd), gone(fd): with a FileHandle, from or to another thread */
static JSValueRef arrived(JSContextRef context, struct js_frame *frame) {
  js_fs_opened((int)js_to_integer(context, js_arg(context, frame, 0)));
  return js_undefined(context);
}

static JSValueRef gone(JSContextRef context, struct js_frame *frame) {
  js_fs_closes((int)js_to_integer(context, js_arg(context, frame, 0)));
  return js_undefined(context);
}

const struct js_method js_fs_tracked_methods[] = {
    {"trackDescriptors", track_descriptors, 1},
    {"arrived", arrived, 1},
    {"gone", gone, 1},
    {NULL, NULL, 0},
};
