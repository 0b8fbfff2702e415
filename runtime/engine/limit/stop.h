/* Stopping an engine from another thread, and its memory figures.
 *
 * Long-running code is interrupted by the engine's execution time limit (engine/limit/watch.h). This does not work for
 * promise jobs, because each is an entry of its own that restarts the clock, nor for Atomics.wait, which uses no time.
 * So jobs are drained inside one entry, and a wait is woken by the engine's termination flag, which the wait checks. */
#ifndef JS_ENGINE_STOP_H
#define JS_ENGINE_STOP_H

#include "runtime/engine/engine.h"

#include <stddef.h>

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

/* What the collector's blocks take, in bytes; cheap. */
size_t js_heap_capacity(JSContextGroupRef vm);
/* Whether that is no more than `bytes`; for a look (engine/limit/watch.h). */
bool js_heap_is_within(JSContextGroupRef vm, size_t bytes);
/* What of it is in use; right after a collection that is what lives. */
size_t js_heap_size(JSContextGroupRef vm);

/* The same as programs expect it (process.memoryUsage): in bytes, `total` and `used` without `extra`, which objects
 * keep outside of the collector's blocks (array buffers, long strings). On the engine's own thread. */
struct js_heap_figures {
  size_t total, used, extra;
};
struct js_heap_figures js_heap_figures(JSContextGroupRef vm);

#endif
