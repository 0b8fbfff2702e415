/* Interrupting JavaScript while it runs, to inspect or end it.
 *
 * The engine has one execution time limit, in processor time since it was set. Several parts of the runtime need it: a
 * worker that may be stopped, the watchdog that takes a stack, a script with a time limit. All of them use this file,
 * and no other code sets the limit.
 *
 * Invariant: the engine always has our callback. Removing a limit does not stop the engine's timer; if the timer
 * expires and finds no callback, it ends the code that runs then. */
#ifndef JS_ENGINE_WATCH_H
#define JS_ENGINE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/engine/engine.h"

/* One of this thread's; it belongs to its owner, from start to stop. */
struct js_watch {
  double every_s;                                 /* or more often, if another one wants so */
  bool (*look)(JSContextRef context, void *data); /* true: what runs ends, and nothing in JavaScript can catch that */
  void *data;
  struct js_watch *next;
};

/* An engine that was just made, before it runs. */
void js_watch_open(JSContextGroupRef vm);
void js_watch_start(JSContextGroupRef vm, struct js_watch *watch);
void js_watch_stop(JSContextGroupRef vm, struct js_watch *watch);

/* Calls the function. False: it took longer than that and was ended; `value` and `error` are as
 * JSObjectCallAsFunction's. Waiting counts as well. Calls may be nested: each ends what is inside of it. */
bool js_call_limited(JSContextRef context, JSObjectRef function, double limit_ms, JSValueRef *value, JSValueRef *error);
/* Whether a limit around what runs here has passed: then an error that a native passes on must not be catchable. */
bool js_limit_passed(void);

/* What a native that takes long returns: the value, or the end of the script if that was swallowed by the C API. */
JSValueRef js_unless_ended(JSContextRef context, JSValueRef value);

/* The same as js_limit_passed, and the clock is looked at first. */
bool js_limit_due(void);

/* A part of the probe of JS_USE_WAKING: a limit ends code that waits. */
int js_watch_check(JSContextRef context);

/* ---- stopping it from another thread (stop.c) ---- */

/* Stopping an engine from another thread, and its memory figures.
 *
 * Long-running code is interrupted by the engine's execution time limit (engine/limit/watch.h). This does not work for
 * promise jobs, because each is an entry of its own that restarts the clock, nor for Atomics.wait, which uses no time.
 * So jobs are drained inside one entry, and a wait is woken by the engine's termination flag, which the wait checks. */

/* A function for js_drain_within; it is hidden from stacks. */
JSObjectRef js_drain_function(JSContextRef context);
/* Runs the microtasks, all in one entry into the engine. */
void js_drain_within(JSContextRef context, JSObjectRef function);

/* From any thread, while the engine lives: a wait that is under way ends as if the engine were terminated. One that is
 * just about to begin is missed, so this is repeated until the thread has ended. Whether one was under way. */
bool js_engine_wake(JSContextGroupRef vm);
/* On the engine's own thread: it was not meant, or has done its work. */
void js_engine_unwake(JSContextGroupRef vm);

/* The thread has ended: promise jobs that wait do not run. The engine would run them when its lock is released. Without
 * the mark they run here, while the watch can still end them. */
void js_jobs_drop(JSContextRef context);

#endif
