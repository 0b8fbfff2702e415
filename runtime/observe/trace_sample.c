/* Samples: JavaScript's stack inside of callbacks that take long, for the flame strip of the timeline (--samples).
 *
 * The engine's execution time limit interrupts the code that runs (trace_stack.c has more about it). The stack is taken
 * when the callback has run for the interval, and then each time the interval has passed again. What is short is never
 * looked at. */
#include "runtime/observe/trace.h"

#include "runtime/engine/limit/watch.h"

#include <rota.h>

enum { NAMES = 32, NS_PER_SECOND = 1000000000 };

static struct {
  uint64_t every_ns;
  uint64_t call, taken_ns; /* the last one */
} sampling;

/* On the thread that runs JavaScript. False: it goes on. */
static bool on_time(JSContextRef context, void *data) {
  struct js_env *env = data;
  uint32_t names[NAMES];
  uint64_t since_ns, now_ns = uv_hrtime(), call = rota_call_now(env->loop, &since_ns);
  uint64_t from_ns = call == sampling.call ? sampling.taken_ns : since_ns;
  if (call == 0 || now_ns < from_ns + sampling.every_ns)
    return false;
  unsigned count = js_stack_names(context, names, NAMES);
  if (count == 0)
    return false; /* between two promise jobs */
  sampling.call = call;
  sampling.taken_ns = now_ns;
  rota_trace_sample(env->loop, names, count);
  return false;
}

void js_sample_start(struct js_env *env, uint64_t every_ns) {
  static struct js_watch watch = {.look = on_time};
  sampling.every_ns = every_ns;
  watch.every_s = (double)every_ns / 2 / NS_PER_SECOND;
  watch.data = env;
  js_watch_start(env->group, &watch);
}
