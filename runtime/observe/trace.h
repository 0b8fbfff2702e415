/* Seeing the loop from within the runtime (doc/TRACE.md): the names of JavaScript's callbacks for the trace and the
 * watchdog, its stacks for the watchdog and for what keeps the loop alive, its ticks and microtasks.
 *
 * None of this runs while the loop is not observed: the functions js_observe_... test one flag. They are the only place
 * where the runtime asks for it. */
#ifndef JS_TRACE_RUNTIME_H
#define JS_TRACE_RUNTIME_H

#include <rota.h>

#include "runtime/order/env.h"

/* Before the loop is made: what the options and the environment ask for. 0, or the exit code. */
int js_trace_begin(const struct js_options *options);
/* When the engine is there. */
void js_trace_attach(struct js_env *env);
/* At the end of the process, however it ends, with its exit code. */
void js_trace_end(int code);

/* The number of a function's name. `own` (may be null): whether it is the runtime's own code. */
uint32_t js_trace_name(JSContextRef context, JSValueRef function, bool *own);

/* From here on the time counts for the program: the runtime's own preparation does not. Null: the main script. */
void js_trace_script(struct js_env *env, const char *worker_file);
/* What JavaScript is told at its start of who observes and steers the loop: properties of `native`. */
void js_trace_introduce(struct js_env *env, JSObjectRef native);

/* While the loop is observed; the others call the functions below. */
void js_trace_enter(struct js_env *env, JSObjectRef function);
void js_trace_turn(struct js_env *env); /* another callback begins */
void js_trace_tick(struct js_env *env, JSValueRef function);
void js_trace_microtasks(struct js_env *env);
void js_trace_drained(struct js_env *env);
void js_trace_leave(struct js_env *env);
void js_trace_outside(struct js_env *env, const char *name);

/* ---- what the runtime reports, whether the loop is observed or not: if not, it costs the test of a flag ---- */

/* The outermost call into JavaScript begins, with this function, and ends. */
static inline void js_observe_enter(struct js_env *env, JSObjectRef function) {
  if (env->observed)
    js_trace_enter(env, function);
}

static inline void js_observe_leave(struct js_env *env) {
  if (env->observed)
    js_trace_leave(env);
}

/* Runs the microtasks. */
static inline void js_observe_microtasks(struct js_env *env) {
  if (env->observed)
    js_trace_microtasks(env);
  else
    js_enter_jobs(env);
}

/* The callback of the loop that runs does nothing for the program: it is not shown. */
static inline void js_observe_hidden(struct js_env *env) {
  if (env->observed)
    rota_name_call(env->loop, ROTA_NAME_NONE);
}

/* The next call into JavaScript belongs to the callback that has entered before. */
static inline void js_observe_same_callback(struct js_env *env) {
  env->entered = env->observed;
}

/* Code that no callback of the loop has called begins, and ends. */
static inline void js_observe_outside(struct js_env *env, const char *name) {
  if (env->observed)
    js_trace_outside(env, name);
}

static inline void js_observe_outside_end(struct js_env *env) {
  if (env->observed)
    rota_call_close(env->loop);
}

/* trace_stack.c: JavaScript's stack, for the watchdog's thread and for what is made. */
void js_stack_watch(struct js_env *env, uint64_t threshold_ms);
/* What a promise that is made now is for: "task, after sleep", with the place of the call in `task`. Its number. */
uint32_t js_stack_awaiting(JSContextRef context);
char *js_stack_text(JSContextRef context, const char *indent, bool of_maker);

/* trace_sample.c: stacks inside of long callbacks. */
void js_sample_start(struct js_env *env, uint64_t every_ns);

/* trace_stack.c. Names of the functions that run, the outermost first; the runtime's own outside of the program's are
 * left out. Returns how many. */
unsigned js_stack_names(JSContextRef context, uint32_t *names, unsigned names_max);

/* trace_alive.c: rota why. */
void js_alive_attach(struct js_env *env);
void js_alive_list(struct js_env *env); /* without places: for rota attach */
void js_alive_end(struct js_env *env);

#endif
