/* Jobs: their order, their number, and the engine's own deferred tasks. */
#ifndef JS_ENGINE_JOBS_H
#define JS_ENGINE_JOBS_H

#include <stdbool.h>

#include "runtime/engine/engine.h"

/* ---- their order (repair.c) ---- */

/* Before the engine has run anything. */
void js_repair(void);

/* In each global, before it has run anything. */
void js_repair_global(JSContextRef global);

/* Whether the engine has to be told the operand of a `yield*`: js_repair_delegated. */
bool js_repair_marks_delegation(void);

/* What an iterator's method has given to a `yield*` of an asynchronous generator, as an object that the repaired engine
 * knows: its value is passed on without being awaited once more. */
JSObjectRef js_repair_delegated(JSContextRef context, JSValueRef promise);

/* ---- how many there are (dispatch.c) ---- */

/* How many jobs the engine queues. Up to 2.50 each of them takes a number from a counter, as other things do, and that
 * counter can be asked. Later releases tell of jobs when they are queued (engine/jobs/dispatch.h). JS_USE_JOBS. */

/* From now on, on this thread. */
void js_jobs_count(JSContextRef context);

/* A number that grows by one with each job that is queued, and with each question. Of engines that number their jobs,
 * jobs of all threads. */
uint64_t js_jobs_queued(void);

/* Whether asking costs nothing but the question: jobs are counted in any case. */
bool js_jobs_are_numbered(void);

/* ---- the engine's own tasks (tasks.c) ---- */

/* The engine's own deferred tasks on its thread: the end of a WebAssembly compilation, callbacks of a
 * FinalizationRegistry, sweeping of free memory.
 *
 * Debian's engine hands such tasks to the main context of GLib that its thread had when the engine was made. The loop
 * does not run that context; these functions do so in small steps. */

/* Called in each thread before it makes its engine: else its tasks could not be reached. -> 0, or UV_EMFILE: GLib ends
 * the process when it gets no descriptor for its context, so a worker does not ask it while there are too few. */
int js_tasks_own(bool is_worker);
/* A descriptor that can be read when tasks have come, or times of tasks have changed. */
int js_tasks_descriptor(void);
/* Does what is due. -> milliseconds until something else is, or -1. JavaScript may have run. */
int js_tasks_run(void);

#endif
