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

#include "runtime/engine/engine.h"

#include <stdbool.h>
#include <stdint.h>

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

#endif
