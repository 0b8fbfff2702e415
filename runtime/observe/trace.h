/* Seeing the loop from within the runtime (doc/TRACE.md): the names of JavaScript's callbacks for the trace and the
 * watchdog, its stacks for the watchdog and for what keeps the loop alive, its ticks and microtasks.
 *
 * None of this runs while the loop is not observed: js_enter tests one flag. */
#ifndef JS_TRACE_RUNTIME_H
#define JS_TRACE_RUNTIME_H

#include "runtime/order/env.h"

/* Before the loop is made: what the options and the environment ask for. 0, or the exit code. */
int js_trace_begin(const struct js_options *options);
/* When the engine is there. */
void js_trace_attach(struct js_env *env);
/* Whether rota attach may come later. */
bool js_trace_is_attachable(void);
/* At the end of the process, however it ends, with its exit code. */
void js_trace_end(int code);

/* The number of a function's name. `own` (may be null): whether it is the runtime's own code. */
uint32_t js_trace_name(JSContextRef context, JSValueRef function, bool *own);

/* Code that no callback of the loop has called; rota_call_close ends it. */
void js_trace_outside(struct js_env *env, const char *name);
/* From here on the time counts for the program: the runtime's own preparation does not. Null: the main script. */
void js_trace_script(struct js_env *env, const char *worker_file);

/* From enter.c, while observed. */
void js_trace_enter(struct js_env *env, JSObjectRef function);
void js_trace_turn(struct js_env *env); /* another callback begins */
void js_trace_tick(struct js_env *env, JSValueRef function);
void js_trace_microtasks(struct js_env *env);
void js_trace_drained(struct js_env *env);
void js_trace_leave(struct js_env *env);

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
