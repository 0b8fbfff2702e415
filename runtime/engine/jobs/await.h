/* Asynchronous context through promises: the value of AsyncLocalStorage must be restored when a reaction runs.
 *
 * The engine has no hook for `await`, but it looks up `constructor` of each promise that is awaited or has `then`
 * called: JavaScript puts an accessor there (lib/internal/async_promises.js), which gives each pending promise a
 * reaction of ours in front of the one that the engine adds next. Our reaction makes the frame of that moment current;
 * nothing can run between the two. Jobs that no reaction of ours precedes (`await 5`, a promise that is settled
 * already) are seen when they are queued: the frame of that moment is then restored by a job in front of them. No order
 * changes by it. */
#ifndef JS_ENGINE_AWAIT_H
#define JS_ENGINE_AWAIT_H

#include "runtime/engine/engine.h"

/* From now on. `holder` is an object whose first property is the current frame; `restore(_, frame)` sets it; `reaction`
 * is one of the closures that js_await_remember will be given, all made by one piece of code. False: this engine's
 * global object does not look as expected, and nothing is done. */
bool js_await_follow(JSContextRef context, JSObjectRef holder, JSObjectRef restore, JSObjectRef reaction);

/* The same for promises of a further context on this thread, which has its own global; after js_await_follow. */
bool js_await_follow_in(JSContextRef context);

/* Whatever is awaited of this promise next runs right behind `reaction`. Values that are no pending promises are left
 * alone: false. */
bool js_await_remember(JSContextRef context, JSValueRef promise, JSObjectRef reaction);

/* Jobs as asynchronous resources, for hooks. The holder's second property is what the next job that is queued belongs
 * to: `restore` gets it as its third argument, before the job. Undefined: it is not known, and `announce()` returns it;
 * null: nothing. `after()` runs behind the job. Null functions: no more. */
void js_await_track(JSContextRef context, JSObjectRef announce, JSObjectRef after);

/* From now on rejected(promise, frame) is called when a promise without a handler is rejected, in place of what
 * JSGlobalContextSetUnhandledRejectionCallback has set; after js_import_follow. Engines without it (JS_USE_REJECTIONS)
 * report a rejection when the microtasks are done. */
void js_await_note_rejections(JSContextRef context, JSObjectRef rejected);

/* The same for a further context on this thread; after js_import_follow. False: its rejections are reported late. */
bool js_await_note_rejections_in(JSContextRef context);

/* Queues a job of the engine's that calls `job()`, without a promise: the engine would have to parse its functions for
 * promises first. `job` must not throw. Not all engines can: js_await_queues. */
bool js_await_queues(void);
void js_await_queue(JSContextRef context, JSObjectRef job);

/* The microtasks are done: what the last one left has no owner. */
void js_await_leave(JSContextRef context);

/* Is it a reaction that js_await_remember has added? */
bool js_await_is_reaction(JSContextRef context, JSValueRef value);

#endif
