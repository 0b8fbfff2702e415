/* Garbage collection while the loop is idle.
 *
 * The engine collects after a certain number of allocated bytes. A program that works in bursts and then waits would
 * keep the garbage of its last burst while it waits. The engine has timers against that, but they need the run loop of
 * its own platform, which is not used here. So if a second has passed without a callback, and the heap has grown, it is
 * collected then, when nothing waits. This also allows more garbage between two collections than the engine's default.
 *
 * A large heap is not collected here: events that arrive meanwhile would have to wait too long. */
#include <rota.h>

#include "runtime/engine/limit/heap.h"
#include "runtime/observe/trace.h"

enum { IDLE_MS = 1000 };
static const double worth_bytes = 2 << 20, large_bytes = 64 << 20;

static double heap_bytes(struct js_env *env) {
  return (double)js_heap_size(env->group);
}

static void collect(struct js_env *env) {
  double bytes = heap_bytes(env);
  if (bytes < env->idle_gc_heap_bytes + worth_bytes || bytes > large_bytes)
    return;
  JSSynchronousGarbageCollectForDebugging(env->context);
  env->idle_gc_heap_bytes = heap_bytes(env);
}

static void on_timer(uv_timer_t *handle) {
  struct js_env *env = handle->loop->data;
  js_observe_hidden(env);
  env->idle_gc_watching = env->calls != env->idle_gc_calls;
  env->idle_gc_calls = env->calls;
  if (!env->idle_gc_watching) {
    uv_timer_stop(handle);
    collect(env);
  }
}

/* The next callback starts the check again. Not in virtual time: there the loop is never idle in real time, and each
 * jump of the clock would count as idle time. */
void js_idle_gc_watch(struct js_env *env) {
  env->idle_gc_watching = true;
  if (env->worker == NULL && !(rota_steering() & ROTA_STEER_TIME))
    uv_timer_start(&env->idle_gc, on_timer, IDLE_MS, IDLE_MS);
}

void js_idle_gc_open(struct js_env *env) {
  uv_timer_init(env->loop, &env->idle_gc);
  uv_unref((uv_handle_t *)&env->idle_gc);
}
