/* How many jobs the engine queues. Up to 2.50 each of them takes a number from a counter, as other things do, and that
 * counter can be asked. Later releases tell of jobs when they are queued (engine/jobs/dispatch.h). JS_USE_JOBS. */
#ifndef JS_ENGINE_COUNT_H
#define JS_ENGINE_COUNT_H

#include "runtime/engine/engine.h"

/* From now on, on this thread. */
void js_jobs_count(JSContextRef context);

/* A number that grows by one with each job that is queued, and with each question. Of engines that number their jobs,
 * jobs of all threads. */
uint64_t js_jobs_queued(void);

/* Whether asking costs nothing but the question: jobs are counted in any case. */
bool js_jobs_are_numbered(void);

#endif
