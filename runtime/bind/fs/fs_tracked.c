/* The descriptors that a worker opens by fs.open: those that it leaves open are closed when it ends, as in Node. A
 * descriptor that was closed behind the worker's back may belong to somebody else by then, so the program is warned
 * when the numbers do not add up. Descriptors of FileHandles are closed in any case, and nobody is warned.
 *
 * Invariant: a set holds each descriptor from the end of its open, or its arrival, until its close begins. Without
 * memory for the set a descriptor is not tracked, and stays open. */
#include "runtime/bind/fs/fs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BITS = 64 };

struct set {
  uint64_t *words;
  int word_count;
};

static _Thread_local struct {
  bool on;
  JSObjectRef warn; /* a function of a text */
  struct set plain; /* while it is on */
  struct set handles;
} tracked;

static bool has(const struct set *set, int fd) {
  int word = fd / WORD_BITS;
  return fd >= 0 && word < set->word_count && (set->words[word] >> (fd % WORD_BITS) & 1) != 0;
}

static void add(struct set *set, int fd) {
  int wanted = fd / WORD_BITS + 1;
  if (wanted > set->word_count) {
    uint64_t *words = realloc(set->words, (size_t)wanted * sizeof *words);
    if (words == NULL)
      return;
    memset(words + set->word_count, 0, (size_t)(wanted - set->word_count) * sizeof *words);
    set->words = words;
    set->word_count = wanted;
  }
  set->words[fd / WORD_BITS] |= (uint64_t)1 << (fd % WORD_BITS);
}

/* Whether it was there. */
static bool take(struct set *set, int fd) {
  if (!has(set, fd))
    return false;
  set->words[fd / WORD_BITS] &= ~((uint64_t)1 << (fd % WORD_BITS));
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
  if (!tracked.on || fd < 0)
    return;
  if (has(&tracked.plain, fd))
    warn("File descriptor %d opened in unmanaged mode twice", fd);
  add(&tracked.plain, fd);
}

void js_fs_closes(int fd) {
  if (!take(&tracked.handles, fd) && tracked.on && fd >= 0 && !take(&tracked.plain, fd))
    warn("File descriptor %d closed but not opened in unmanaged mode", fd);
}

/* Those of the main thread end with the process. */
void js_fs_handle_opened(int fd) {
  if (fd < 0 || js_env_here->worker == NULL)
    return;
  take(&tracked.plain, fd);
  add(&tracked.handles, fd);
}

void js_fs_close_now(int fd) {
  uv_fs_t request;
  uv_fs_close(NULL, &request, fd, NULL);
  uv_fs_req_cleanup(&request);
}

static void close_all(struct set *set) {
  for (int fd = 0; fd < set->word_count * WORD_BITS; fd++)
    if (has(set, fd))
      js_fs_close_now(fd);
  free(set->words);
}

void js_fs_close_tracked(void) {
  close_all(&tracked.plain);
  close_all(&tracked.handles);
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

/* handleOpened(fd), handleGone(fd): a FileHandle has the descriptor; it has been sent to somebody else */
static JSValueRef handle_opened(JSContextRef context, struct js_frame *frame) {
  js_fs_handle_opened((int)js_to_integer(context, js_arg(context, frame, 0)));
  return js_undefined(context);
}

static JSValueRef handle_gone(JSContextRef context, struct js_frame *frame) {
  take(&tracked.handles, (int)js_to_integer(context, js_arg(context, frame, 0)));
  return js_undefined(context);
}

const struct js_method js_fs_tracked_methods[] = {
    {"trackDescriptors", track_descriptors, 1},
    {"handleOpened", handle_opened, 1},
    {"handleGone", handle_gone, 1},
    {NULL, NULL, 0},
};
