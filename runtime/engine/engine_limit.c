#include "runtime/engine/engine_limit.h"

#include "runtime/engine/engine_private.h"
#include "runtime/engine/engine_stop.h"
#include "runtime/engine/engine_watch.h"
#include "runtime/see/trace.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

/* The engine calls this at the end of each collection, on the thread that runs JavaScript. */
typedef void (*heap_finalizer)(JSContextGroupRef vm, void *data);
extern void JSContextGroupAddHeapFinalizer(JSContextGroupRef vm, heap_finalizer finalizer, void *data);

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

/* `--name=` at the beginning of a word, where underscores count as hyphens -> what follows, or null */
static const char *value_after(const char *word, const char *name) {
  for (; *name != 0; word++, name++)
    if (*word != *name && !(*name == '-' && *word == '_'))
      return NULL;
  return *word == '=' ? word + 1 : NULL;
}

static void read_word(const char *word, uint64_t memory, uint64_t *own) {
  const char *value = value_after(word, "--max-old-space-size");
  if (value == NULL)
    value = value_after(word, "--max-heap-size");
  if (value != NULL)
    *own = strtoull(value, NULL, 10) << 20;
  value = value_after(word, "--max-old-space-size-percentage");
  double percentage = value != NULL ? strtod(value, NULL) : 0;
  if (percentage > 0 && percentage <= 100)
    *own = (uint64_t)((double)memory * percentage / 100);
}

/* Of several the last one counts, and those of the command line come after NODE_OPTIONS. 0: none was given. */
static uint64_t read_options(const struct js_options *options, uint64_t memory) {
  uint64_t own = 0;
  const char *words = getenv("NODE_OPTIONS");
  for (const char *word = words; word != NULL && *word != 0; word += strcspn(word, " \t\n\"")) {
    word += strspn(word, " \t\n\"");
    read_word(word, memory, &own);
  }
  for (int i = 1; i < options->script_at; i++)
    read_word(options->argv[i], memory, &own);
  return own;
}

void js_limit_choose(const struct js_options *options) {
  uint64_t total = uv_get_total_memory(), allowed = uv_get_constrained_memory();
  bool constrained = allowed != 0 && allowed < total;
  uint64_t memory = constrained ? allowed : total;
  uint64_t most = memory >= 15 * gigabyte ? 4 * gigabyte : 2 * gigabyte;
  uint64_t own = read_options(options, memory);
  limit.bytes = own != 0 ? own : memory / 2 < most ? memory / 2 : most;
  if (limit.bytes < least)
    limit.bytes = least;
  limit.memory = own != 0 || constrained ? limit.bytes : 0;
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

static void give_up(JSContextRef context, size_t before, size_t after) {
  double at_ms = (double)(uv_hrtime() - js_env_here->started_ns) / 1e6;
  fprintf(stderr, "\n<--- Last few GCs --->\n\n[%d:%p] %8.0f ms: full collection %.1f -> %.1f MB, limit %.1f MB\n\n",
          (int)getpid(), (const void *)JSContextGetGroup(context), at_ms, megabytes(before), megabytes(after),
          megabytes(limit.bytes));
  fputs("FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n", stderr);
  char *stack = js_stack_text(context, "    ", false);
  if (stack != NULL && *stack != 0)
    fprintf(stderr, "----- JavaScript stack trace -----\n\n%s\n", stack);
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

static void on_collected(JSContextGroupRef vm, void *data) {
  (void)data;
  size_t now = limit.looking ? 0 : js_heap_size(vm);
  if (now <= limit.bytes)
    return;
  limit.looking = true;
  limit.before = now;
  js_watch_start(vm, &watch);
}

void js_limit_watch(JSGlobalContextRef context) {
  JSContextGroupAddHeapFinalizer(JSContextGetGroup(context), on_collected, NULL);
}
