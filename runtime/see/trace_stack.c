/* JavaScript's stack while it runs.
 *
 * No other thread can walk it. But the engine can be told to look up now and then: its limit for the time of execution
 * makes the running code, even an endless loop, call back on its own thread, where the stack can be taken. The limit is
 * short; the stack is taken when somebody waits for it, and ahead once half of the threshold has passed, as what is
 * reported may be over soon after. */
#include "runtime/see/trace.h"

#include "runtime/engine/limit/watch.h"

#include <pthread.h>
#include <rota.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FRAMES = 24, PATIENCE_MS = 400, LATE_NS = 30 * 1000000 };

static struct {
  pthread_mutex_t lock;
  _Atomic uint64_t wanted; /* the turn whose stack somebody waits for, plus 1; 0: nobody does */
  uint64_t ahead_ns;       /* after so long, without being asked */
  uint64_t turn;           /* of the text */
  uint64_t taken_ns;       /* when */
  char *text;              /* null: none */
} stack = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_native(const char *place) {
  return *place == ':' || strncmp(place, "[native", 7) == 0 || strncmp(place, "node:internal/trace/", 20) == 0;
}

/* A line of the engine's, "#0 name() at file:line", as Node would write it. False: it is nothing to show. */
static bool put_frame(FILE *out, char *line, const char *indent, bool *own) {
  char *name = strchr(line, ' '), *place = strstr(line, " at ");
  if (name == NULL || place == NULL || is_native(place + 4))
    return false;
  name++;
  *place = 0;
  place += 4;
  char *bracket = strrchr(name, '(');
  if (bracket != NULL)
    *bracket = 0;
  *own = strncmp(place, "node:", 5) == 0;
  if (strcmp(name, "__rota_module__") == 0)
    fprintf(out, "%sat Object.<anonymous> (%s)\n", indent, place);
  else if (*name == 0 || strcmp(name, "anonymous") == 0)
    fprintf(out, "%sat %s\n", indent, place);
  else
    fprintf(out, "%sat %s (%s)\n", indent, name, place);
  fflush(out);
  return true;
}

/* Frames of the runtime's own at the outer end are left out, and, if somebody wants to know who made something, those
 * at the inner end but the last. */
char *js_stack_text(JSContextRef context, const char *indent, bool of_maker) {
  JSStringRef string = JSContextCreateBacktrace(context, FRAMES);
  if (string == NULL)
    return NULL;
  size_t size = JSStringGetMaximumUTF8CStringSize(string), length = 0, first = 0, last = 0;
  char *lines = malloc(size), *text = NULL;
  FILE *out = lines == NULL ? NULL : open_memstream(&text, &length);
  if (out != NULL) {
    JSStringGetUTF8CString(string, lines, size);
    char *rest = lines, *line;
    bool own, met = false;
    size_t before = 0;
    while ((line = strsep(&rest, "\n")) != NULL) {
      if (!put_frame(out, line, indent, &own))
        continue;
      if (!own && !met) {
        met = true;
        first = before;
      }
      if (!met)
        before = last;
      if (!own || !met)
        last = length;
    }
    fclose(out);
    if (text != NULL) {
      text[last] = 0;
      if (of_maker)
        memmove(text, text + first, last - first + 1);
    }
  }
  free(lines);
  JSStringRelease(string);
  return text;
}

/* On the thread that runs JavaScript. False: it goes on. */
static bool on_time(JSContextRef context, void *data) {
  struct js_env *env = data;
  uint64_t wanted = atomic_load_explicit(&stack.wanted, memory_order_acquire);
  uint64_t turn = atomic_load_explicit(&env->turn, memory_order_relaxed);
  if (wanted != turn + 1 && uv_hrtime() - env->turn_ns < stack.ahead_ns)
    return false;
  char *text = js_stack_text(context, "    ", false);
  if (text == NULL || *text == 0) {
    free(text); /* between two promise jobs: the next look may find one of them */
    return false;
  }
  pthread_mutex_lock(&stack.lock);
  atomic_store(&stack.wanted, 0);
  free(stack.text);
  stack.text = text;
  stack.turn = turn;
  stack.taken_ns = uv_hrtime();
  pthread_mutex_unlock(&stack.lock);
  return false;
}

static char *take(uint64_t turn, uint64_t *taken_ns) {
  pthread_mutex_lock(&stack.lock);
  char *text = stack.turn == turn ? stack.text : NULL;
  if (text != NULL)
    stack.text = NULL;
  *taken_ns = stack.taken_ns;
  pthread_mutex_unlock(&stack.lock);
  return text;
}

/* On the watchdog's thread. The engine counts the time of the processor, so that it may take a while on a busy machine;
 * and it only looks up when native code, such as JSON's, has returned: a late stack shows where it went on. When
 * something else runs, it is too late. */
static void on_blocked(uv_loop_t *loop, FILE *report, void *data) {
  struct js_env *env = data;
  const struct timespec pause = {.tv_nsec = 1000000};
  uint64_t turn = atomic_load_explicit(&env->turn, memory_order_acquire);
  if (loop != env->loop)
    return; /* a worker's */
  uint64_t asked_ns = uv_hrtime(), taken_ns;
  char *text = take(turn, &taken_ns);
  if (text == NULL) {
    atomic_store(&stack.wanted, turn + 1);
    for (int i = 0; i < PATIENCE_MS && atomic_load(&stack.wanted) != 0; i++) {
      if (atomic_load_explicit(&env->turn, memory_order_acquire) != turn)
        break;
      nanosleep(&pause, NULL);
    }
    atomic_store(&stack.wanted, 0);
    text = take(turn, &taken_ns);
  }
  if (text != NULL && *text != 0 && taken_ns > asked_ns + LATE_NS)
    fprintf(report, "  in JavaScript, %u ms later:\n%s", (unsigned)((taken_ns - asked_ns) / 1000000), text);
  else if (text != NULL && *text != 0)
    fprintf(report, "  in JavaScript:\n%s", text);
  free(text);
}

void js_stack_watch(struct js_env *env, uint64_t threshold_ms) {
  stack.ahead_ns = threshold_ms * 1000000 / 2;
  static struct js_watch watch = {.look = on_time};
  watch.every_s = (double)(threshold_ms < 16 ? 4 : threshold_ms > 200 ? 50 : threshold_ms / 4) / 1000;
  watch.data = env;
  js_watch_start(env->group, &watch);
  rota_watchdog_start(threshold_ms, on_blocked, env);
}
