/* Stacks inside of callbacks that take long: for the trace (--samples says how often), and for the watchdog.
 *
 * V8 takes a stack when it looks up from its work: in JavaScript at once, after code of C++ when that is over. By then
 * the function that has called it may be over, too. So an answer that comes late counts only for functions that were
 * there before and are there still; what is called through a trampoline answers when it is left, from its place. */
#include <stdlib.h>
#include <string.h>

#include "inject/names/names.h"
#include "inject/names/v8.h"
#include "rota.h"

/* How often: for the watchdog, and for a trace for which nobody said it. A call that is shorter has none. */
enum {
  NS_PER_MS = 1000000,
  FRAMES = 32,
  EVERY_NS = 5 * NS_PER_MS,
  TRACED_NS = 10 * NS_PER_MS,
  LATE_NS = 2 * NS_PER_MS
};

struct names_sample {
  uint64_t call;     /* all below is of this one */
  uint64_t taken_ns; /* the last answer */
  uint64_t position; /* of the innermost function */
  unsigned int count;
  uint32_t names[FRAMES + 1]; /* the last answer that came at once */
};

/* How many of the functions are the same, from the outermost on. The innermost is only if it is at the same place: it
 * may have been called anew. */
static unsigned int count_common(const struct names_sample *last, const uint32_t *names, unsigned int count,
                                 uint64_t position) {
  unsigned int common = 0;
  while (common < last->count && common < count && last->names[common] == names[common])
    common++;
  bool is_all = common == count && common == last->count;
  if (common == count && !(is_all && last->position == position))
    common--;
  return common > 0 ? common : 1; /* the outermost is what the loop has called */
}

static bool prepare(struct names_env *env, uint64_t call) {
  if (env->sample == NULL && (env->sample = calloc(1, sizeof *env->sample)) == NULL)
    return false;
  if (env->sample->call != call)
    *env->sample = (struct names_sample){.call = call};
  return true;
}

/* All that was inside of this function, which began then, or since the last answer. */
static void tell_of_native(struct names_env *env, const struct names_stack *stack, const char *function,
                           uint64_t began_ns) {
  uint32_t names[FRAMES + 1];
  uint64_t now_ns = uv_hrtime(), taken_ns = env->sample->taken_ns;
  unsigned int count = names_stack_program(stack, names, FRAMES + 1, function);
  rota_watchdog_sample(env->loop, names, count, now_ns - (taken_ns > began_ns ? taken_ns : began_ns));
  rota_trace_sample(env->loop, names, count);
  env->sample->taken_ns = now_ns;
}

/* The trace has Node's own functions, too. */
static void trace_all(struct names_env *env, const struct names_stack *stack) {
  uint32_t names[FRAMES];
  rota_trace_sample(env->loop, names, names_stack_names(stack, names, FRAMES));
}

static void tell_of_javascript(struct names_env *env, const struct names_stack *stack) {
  uint32_t names[FRAMES];
  unsigned int count = names_stack_program(stack, names, FRAMES, NULL);
  uint64_t position = names_stack_position(stack);
  if (count == 0)
    return;
  uint64_t now_ns = uv_hrtime();
  struct names_sample *last = env->sample;
  uint64_t asked_ns = env->sampled_ns > last->taken_ns ? env->sampled_ns : last->taken_ns;
  uint64_t from_ns = last->taken_ns != 0 ? last->taken_ns : asked_ns - EVERY_NS;
  bool is_late = now_ns > asked_ns + LATE_NS;
  uint64_t took_ns = now_ns - from_ns;
  if (is_late && last->count > 0) {
    count = count_common(last, names, count, position);
  } else if (is_late) {
    count = 1;
    names[0] = names_stack_without_line(stack, names[0]);
  }
  if (!is_late && took_ns > 2 * EVERY_NS)
    took_ns = 2 * EVERY_NS; /* the alarm was late: nobody knows what ran */
  rota_watchdog_sample(env->loop, names, count, took_ns);
  last->taken_ns = now_ns;
  if (is_late) {
    rota_trace_sample(env->loop, names, count);
    return;
  }
  trace_all(env, stack);
  last->count = count;
  last->position = position;
  memcpy(last->names, names, count * sizeof names[0]);
}

static void on_sample(void *isolate, void *data) {
  struct names_env *env = data;
  napi_handle_scope scope;
  struct names_stack stack;
  (void)isolate;
  uint64_t call = rota_call_now(env->loop, NULL);
  if (call == env->sampled_call && prepare(env, call) && napi_open_handle_scope(env->env, &scope) == NAPI_OK) {
    names_stack_take(&stack, env->env, env->isolate, FRAMES);
    if (env->slow_name != NULL)
      tell_of_native(env, &stack, env->slow_name, env->slow_ns);
    else
      tell_of_javascript(env, &stack);
    napi_close_handle_scope(env->env, scope);
  }
  atomic_store(&env->sample_asked, false);
}

void names_sample_left(struct names_env *env, const char *function, uint64_t began_ns) {
  struct names_stack stack;
  napi_handle_scope scope;
  uint64_t call = rota_call_now(env->loop, NULL);
  if (!atomic_load(&env->sample_asked) || call == 0 || call != env->sampled_call || !prepare(env, call) ||
      napi_open_handle_scope(env->env, &scope) != NAPI_OK)
    return;
  names_stack_take(&stack, env->env, env->isolate, FRAMES);
  tell_of_native(env, &stack, function, began_ns);
  napi_close_handle_scope(env->env, scope);
}

void names_sample_look(struct names_env *env, uint64_t call, uint64_t since_ns, uint64_t now_ns) {
  uint64_t every_ns = rota_samples_ns(), from_ns = env->sampled_call == call ? env->sampled_ns : since_ns;
  unsigned int observing = rota_observing();
  if (observing & ROTA_OBSERVE_WATCHDOG && (every_ns == 0 || every_ns > EVERY_NS))
    every_ns = EVERY_NS;
  else if (observing & ROTA_OBSERVE_TRACE && every_ns == 0)
    every_ns = TRACED_NS;
  if (every_ns == 0 || call == 0 || now_ns < from_ns + every_ns || atomic_load(&env->sample_asked))
    return;
  env->sampled_call = call;
  env->sampled_ns = uv_hrtime(); /* this thread may have waited for a processor */
  atomic_store(&env->sample_asked, true);
  names_v8_interrupt(env->isolate, on_sample, env);
}
