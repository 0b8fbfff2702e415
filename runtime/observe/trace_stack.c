/* JavaScript's stack while it runs.
 *
 * No other thread can walk it. But the engine's execution time limit makes the running code, even an endless loop, call
 * back on its own thread, where the stack can be taken. The limit is short. The stack is taken when the watchdog waits
 * for it, and in advance when half of the threshold has passed, because the callback may end soon after the report. */
#include "runtime/observe/trace.h"

#include "runtime/engine/limit/watch.h"

#include <pthread.h>
#include <rota.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FRAMES = 24, FRAMES_OF_WAITING = 32, PATIENCE_MS = 400, LATE_NS = 30 * 1000000 };

static struct {
  pthread_mutex_t lock;
  _Atomic uint64_t wanted; /* the turn whose stack the watchdog waits for, plus 1; 0: none */
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

/* The runtime's own frames at the outer end are left out. If the question is where something was made, those at the
 * inner end are left out too, except the last. */
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

/* A frame of the engine's backtrace, "#0 name() at file:line". */
struct stack_frame {
  char *name; /* may be empty */
  char *file;
  int line;
  bool own; /* the runtime's */
};

/* False: it is native, or no frame. */
static bool read_frame(char *line, struct stack_frame *frame) {
  char *name = strchr(line, ' '), *place = strstr(line, " at ");
  if (name == NULL || place == NULL || is_native(place + 4))
    return false;
  *place = 0;
  frame->name = name + 1;
  frame->file = place + 4;
  char *bracket = strrchr(frame->name, '('), *colon = strrchr(frame->file, ':');
  if (bracket != NULL)
    *bracket = 0;
  if (strcmp(frame->name, "anonymous") == 0)
    *frame->name = 0;
  if (strcmp(frame->name, "__rota_module__") == 0)
    frame->name = "main script";
  frame->line = colon != NULL ? atoi(colon + 1) : 0;
  if (colon != NULL)
    *colon = 0;
  frame->own = strncmp(frame->file, "node:", 5) == 0;
  return true;
}

/* The function of the program's that goes on later. A function that only makes the promise, `(ms) => new Promise(...)`
 * for one, is what its caller waits for: between it and us stands the promise's executor, which has no name. */
static uint32_t name_of_waiting(const struct stack_frame *frames, int count) {
  char text[128];
  int at = 0;
  while (at < count && (frames[at].own || *frames[at].name == 0))
    at++;
  if (at == count)
    return 0;
  const char *after = at > 0 && frames[at - 1].own && *frames[at - 1].name != 0 ? frames[at - 1].name : "await";
  if (at > 0 && !frames[at - 1].own && at + 1 < count && !frames[at + 1].own && *frames[at + 1].name != 0) {
    after = frames[at].name;
    at++;
  }
  snprintf(text, sizeof text, "%s, after %s", frames[at].name, after);
  return rota_name(text, frames[at].file, frames[at].line);
}

/* The stack, innermost first. `lines` holds the frames' text, and is freed by the caller. */
static int read_stack(JSContextRef context, struct stack_frame frames[FRAMES_OF_WAITING], char **lines) {
  JSStringRef string = JSContextCreateBacktrace(context, FRAMES_OF_WAITING);
  size_t size = string == NULL ? 0 : JSStringGetMaximumUTF8CStringSize(string);
  char *rest = *lines = size == 0 ? NULL : malloc(size), *line;
  int count = 0;
  if (*lines != NULL)
    JSStringGetUTF8CString(string, *lines, size);
  while (*lines != NULL && count < FRAMES_OF_WAITING && (line = strsep(&rest, "\n")) != NULL) {
    bool known = read_frame(line, &frames[count]);
    /* An async function has two frames: one that makes its promise, and its body. */
    bool twice = known && count > 0 && strcmp(frames[count].name, frames[count - 1].name) == 0 &&
                 strcmp(frames[count].file, frames[count - 1].file) == 0;
    count += known && !twice;
  }
  if (string != NULL)
    JSStringRelease(string);
  return count;
}

uint32_t js_stack_awaiting(JSContextRef context) {
  struct stack_frame frames[FRAMES_OF_WAITING];
  char *lines;
  int count = read_stack(context, frames, &lines);
  uint32_t name = name_of_waiting(frames, count);
  free(lines);
  return name;
}

unsigned js_stack_names(JSContextRef context, uint32_t *names, unsigned names_max) {
  struct stack_frame frames[FRAMES_OF_WAITING];
  char *lines;
  int at = read_stack(context, frames, &lines);
  unsigned count = 0;
  while (at > 0 && frames[at - 1].own)
    at--;
  while (at-- > 0 && count < names_max)
    names[count++] =
        rota_name(*frames[at].name != 0 ? frames[at].name : "(anonymous)", frames[at].file, frames[at].line);
  free(lines);
  return count;
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

/* On the watchdog's thread. The engine counts processor time, so this may take long on a busy machine; and it only
 * checks after native code, such as JSON.parse, has returned: a late stack shows the place after that. If something
 * else runs by then, there is no stack. */
static void on_blocked(uv_loop_t *loop, FILE *report, void *data) {
  struct js_env *env = data;
  const struct timespec pause = {.tv_nsec = 1000000};
  uint64_t turn = atomic_load_explicit(&env->turn, memory_order_acquire);
  uint64_t reported = rota_watchdog_call(), now = rota_call_now(loop, NULL);
  if (loop != env->loop)
    return; /* a worker's */
  if (reported != 0 && now != 0 && now != reported)
    return; /* it is over, and the turn may be another's */
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
