/* The limit of the heap, looked at after each collection (heap.h). */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

#include "runtime/engine/engine.h"
#include "runtime/engine/limit/heap.h"
#include "runtime/engine/limit/watch.h"
#include "runtime/order/env.h"

/* The engine calls this at the end of each collection, on the thread that runs JavaScript. */
typedef void (*heap_finalizer)(JSContextGroupRef vm, void *data);
extern void JSContextGroupAddHeapFinalizer(JSContextGroupRef vm, heap_finalizer finalizer, void *data);

enum { STACK_FRAMES = 10, STACK_ROOM = 8192 };

static const size_t gigabyte = (size_t)1 << 30;
static const size_t least = 4 << 20; /* what the runtime itself needs, and a little */
static const double soon_s = 0.001;

static struct {
  size_t bytes;
  size_t memory;
  size_t before; /* what it held when the collection was asked for */
  bool looking;
} limit;

static bool look(JSContextRef context, void *data);
static struct js_watch watch = {.every_s = soon_s, .look = look};

/* 0: none was given. A percentage counts before a number, as on Node. */
static uint64_t read_values(const char *size, const char *percentage, uint64_t memory) {
  double part = percentage != NULL ? strtod(percentage, NULL) : 0;
  if (part > 0 && part <= 100)
    return (uint64_t)((double)memory * part / 100);
  return size != NULL ? strtoull(size, NULL, 10) << 20 : 0;
}

void js_limit_choose(const char *size, const char *percentage) {
  uint64_t total = uv_get_total_memory(), allowed = uv_get_constrained_memory();
  bool constrained = allowed != 0 && allowed < total;
  uint64_t memory = constrained ? allowed : total;
  uint64_t most = memory >= 15 * gigabyte ? 4 * gigabyte : 2 * gigabyte;
  uint64_t own = read_values(size, percentage, memory);
  limit.bytes = own != 0 ? own : memory / 2 < most ? memory / 2 : most;
  if (limit.bytes < least)
    limit.bytes = least;
  /* The engine lets its heap grow the faster the more memory it sees, and a program never gets more than the limit.
   * With all of the memory of a machine of 24 GB tsc had 1.4 times as much as with this, for 5 % of its processor time.
   */
  limit.memory = limit.bytes;
}

size_t js_limit_bytes(void) {
  return limit.bytes;
}

size_t js_limit_memory(void) {
  return limit.memory;
}

static double megabytes(size_t bytes) {
  return (double)bytes / (1 << 20);
}

static void print_stack(JSContextRef context) {
  JSStringRef stack = JSContextCreateBacktrace(context, STACK_FRAMES);
  static char text[STACK_ROOM]; /* nothing is asked for where there is too little */
  if (stack != NULL && JSStringGetUTF8CString(stack, text, sizeof text) > 1)
    fprintf(stderr, "----- JavaScript stack trace -----\n\n%s\n\n", text);
}

static void give_up(JSContextRef context, size_t before, size_t after) {
  double at_ms = (double)(uv_hrtime() - js_env_here->started_ns) / 1e6;
  fprintf(stderr, "\n<--- Last few GCs --->\n\n[%d:%p] %8.0f ms: full collection %.1f -> %.1f MB, limit %.1f MB\n\n",
          (int)getpid(), (const void *)JSContextGetGroup(context), at_ms, megabytes(before), megabytes(after),
          megabytes(limit.bytes));
  fputs("FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n", stderr);
  print_stack(context);
  fflush(NULL);
  uv_tty_reset_mode();
  signal(SIGABRT, SIG_DFL);
  abort();
}

/* Only a full collection tells what lives, and none can be made inside of another: JavaScript is interrupted soon after
 * for that. */
static bool look(JSContextRef context, void *data) {
  (void)data;
  js_watch_stop(JSContextGetGroup(context), &watch);
  JSSynchronousGarbageCollectForDebugging(context);
  size_t after = js_heap_size(JSContextGetGroup(context));
  if (after > limit.bytes)
    give_up(context, limit.before, after);
  limit.looking = false;
  return false;
}

/* Inside of a collection. Nothing may be allocated there, which asking the C API would: the whole process is more than
 * the heap, and who looks then asks again. */
static size_t size_at_most(JSContextGroupRef vm) {
  size_t resident = 0;
  if (js_uses(JS_USE_HEAP))
    return js_heap_size(vm);
  return uv_resident_set_memory(&resident) == 0 ? resident : 0;
}

static void on_collected(JSContextGroupRef vm, void *data) {
  (void)data;
  size_t now = limit.looking ? 0 : size_at_most(vm);
  if (now <= limit.bytes)
    return;
  limit.looking = true;
  limit.before = now;
  js_watch_start(vm, &watch);
}

void js_limit_watch(JSGlobalContextRef context) {
  JSContextGroupAddHeapFinalizer(JSContextGetGroup(context), on_collected, NULL);
}
