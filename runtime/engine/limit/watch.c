#include "runtime/engine/limit/watch.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "runtime/engine/uses/probes.h"
#include "runtime/order/env.h"

static _Thread_local struct js_watch *watches;

static bool on_time(JSContextRef context, void *data);

static void arm(JSContextGroupRef vm) {
  double every_s = INFINITY;
  for (const struct js_watch *watch = watches; watch != NULL; watch = watch->next)
    if (watch->every_s < every_s)
      every_s = watch->every_s;
  JSContextGroupSetExecutionTimeLimit(vm, every_s, on_time, NULL);
}

/* The engine asks once, so it is asked to ask again. */
static bool on_time(JSContextRef context, void *data) {
  bool ends = false;
  (void)data;
  for (const struct js_watch *watch = watches; watch != NULL; watch = watch->next)
    ends |= watch->look(context, watch->data);
  arm(JSContextGetGroup(context));
  return ends;
}

/* A limit of time can only be set while JavaScript runs if there was one, even an endless one, before. */
void js_watch_open(JSContextGroupRef vm) {
  JSContextGroupSetExecutionTimeLimit(vm, INFINITY, on_time, NULL);
}

void js_watch_start(JSContextGroupRef vm, struct js_watch *watch) {
  watch->next = watches;
  watches = watch;
  arm(vm);
}

void js_watch_stop(JSContextGroupRef vm, struct js_watch *watch) {
  struct js_watch **at = &watches;
  while (*at != NULL && *at != watch)
    at = &(*at)->next;
  if (*at == NULL)
    return;
  *at = watch->next;
  arm(vm);
}

/* ---- limits ---- */

enum { SLICE_MS = 10, WAKE_EVERY_MS = 2, THREAD_STACK = 256 * 1024, SETTLE_MOST = 100 };

/* The engine counts processor time, and on a busy machine a program gets little of it. So the check runs often and
 * reads the real clock. Code that waits for other threads uses no processor time: a thread wakes it when the time is
 * over. */
struct limit {
  struct js_watch watch;
  struct timespec due;
  atomic_bool passed;
  struct limit *outer;
  JSContextGroupRef vm;
  pthread_t thread;
  bool has_thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool over; /* under the lock */
};
static _Thread_local struct limit *innermost;

static bool is_due(const struct timespec *due) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec != due->tv_sec ? now.tv_sec > due->tv_sec : now.tv_nsec >= due->tv_nsec;
}

static void add_ms(struct timespec *time, double ms) {
  double s = floor(ms / 1e3);
  time->tv_sec += (time_t)s;
  time->tv_nsec += (long)((ms - s * 1e3) * 1e6);
  if (time->tv_nsec >= 1000000000) {
    time->tv_nsec -= 1000000000;
    time->tv_sec++;
  }
}

/* Not while a module is loaded: a part of it would be there for good. */
static bool is_loading(void) {
  return js_env_here != NULL && js_env_here->loading > 0;
}

/* Once passed it stays so: code that was ended in a way that lets it go on (by a native of the engine's own that takes
 * the end for an error) is ended again. */
static bool time_is_up(JSContextRef context, void *data) {
  struct limit *limit = data;
  (void)context;
  if (is_loading())
    return false;
  if (!limit->passed && is_due(&limit->due))
    limit->passed = true;
  return limit->passed;
}

static void *wake_when_due(void *data) {
  struct limit *limit = data;
  struct timespec until = limit->due;
  pthread_mutex_lock(&limit->lock);
  while (!limit->over) {
    if (pthread_cond_timedwait(&limit->changed, &limit->lock, &until) != ETIMEDOUT || limit->over)
      continue;
    if (js_engine_wake(limit->vm))
      limit->passed = true; /* it is read after this thread has ended */
    clock_gettime(CLOCK_MONOTONIC, &until);
    add_ms(&until, WAKE_EVERY_MS);
  }
  pthread_mutex_unlock(&limit->lock);
  return NULL;
}

static void start(struct limit *limit, JSContextGroupRef vm, double limit_ms) {
  *limit = (struct limit){
      .watch = {.every_s = (limit_ms < SLICE_MS ? limit_ms : SLICE_MS) / 1e3, .look = time_is_up, .data = limit},
      .vm = vm,
      .outer = innermost};
  clock_gettime(CLOCK_MONOTONIC, &limit->due);
  add_ms(&limit->due, limit_ms);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&limit->changed, &attributes);
  pthread_condattr_destroy(&attributes);
  pthread_mutex_init(&limit->lock, NULL);
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, THREAD_STACK);
  limit->has_thread = pthread_create(&limit->thread, &small, wake_when_due, limit) == 0;
  pthread_attr_destroy(&small);
  innermost = limit;
  js_watch_start(vm, &limit->watch);
}

static void stop(struct limit *limit) {
  js_watch_stop(limit->vm, &limit->watch);
  innermost = limit->outer;
  pthread_mutex_lock(&limit->lock);
  limit->over = true;
  pthread_cond_signal(&limit->changed);
  pthread_mutex_unlock(&limit->lock);
  if (limit->has_thread)
    pthread_join(limit->thread, NULL);
  pthread_mutex_destroy(&limit->lock);
  pthread_cond_destroy(&limit->changed);
}

bool js_limit_passed(void) {
  for (const struct limit *limit = innermost; limit != NULL; limit = limit->outer)
    if (limit->passed)
      return true;
  return false;
}

JSValueRef js_unless_ended(JSContextRef context, JSValueRef value) {
  return !is_loading() && js_limit_due() ? js_throw_end(context) : value;
}

bool js_limit_due(void) {
  for (struct limit *limit = innermost; limit != NULL; limit = limit->outer)
    limit->passed = limit->passed || is_due(&limit->due);
  return js_limit_passed();
}

/* The engine may have put the end off (while it was in a hook of an object of ours, say): then something harmless meets
 * it. */
static void settle(JSContextRef context, JSContextGroupRef vm) {
  JSStringRef harmless = JSStringCreateWithUTF8CString("for (let i = 0; i < 2; i++);");
  for (int i = 0; i < SETTLE_MOST; i++) {
    JSValueRef error = NULL;
    js_engine_unwake(vm);
    JSEvaluateScript(context, harmless, NULL, NULL, 1, &error);
    if (error == NULL)
      break;
  }
  JSStringRelease(harmless);
}

bool js_call_limited(JSContextRef context, JSObjectRef function, double limit_ms, JSValueRef *value,
                     JSValueRef *error) {
  struct limit limit;
  start(&limit, JSContextGetGroup(context), limit_ms);
  *error = NULL;
  *value = JSObjectCallAsFunction(context, function, NULL, 0, NULL, error);
  stop(&limit);
  if (limit.passed)
    settle(context, limit.vm);
  return !limit.passed;
}

/* ---- probes ---- */

/* True: it was ended or not as it should be. The mark must be gone now: the engine looks at it when a script begins. */
static JSValueRef limited(JSContextRef context, struct js_frame *frame) {
  JSValueRef value, error;
  bool done = js_call_limited(context, (JSObjectRef)js_arg(context, frame, 0), 3, &value, &error);
  bool gone = js_check_evaluate(context, "1") != NULL;
  return js_boolean(context, gone && done == js_to_boolean(context, js_arg(context, frame, 1)));
}

static int check(JSContextRef context, const char *code) {
  js_set(context, JSContextGetGlobalObject(context), "limited", js_function(context, limited, 2));
  JSValueRef value = js_check_evaluate(context, code);
  if (value == NULL)
    return 95;
  return js_to_integer(context, value) == 7 ? 0 : 96;
}

int js_watch_check(JSContextRef context) {
  return check(context, "const word = new Int32Array(new SharedArrayBuffer(4));"
                        "limited(() => Atomics.wait(word, 0, 0, 20000), false) ? 7 : 8");
}

int js_probe_mark(JSGlobalContextRef context) {
  return check(context, "let caught = false;"
                        "const good = limited(() => 1, true) &&"
                        "  limited(() => { for (;;) try { for (;;); } catch { caught = true } }, false);"
                        "for (const from = Date.now(); Date.now() - from < 9;);"
                        "good && !caught ? 7 : 8");
}
