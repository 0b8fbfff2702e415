/* The watchdog: reports what blocks a loop, while the loop is blocked.
 *
 * The loop's thread publishes what it runs (tracer.h); the service thread reads it periodically. A callback that runs
 * too long is reported, with a backtrace that the loop's thread makes in a signal handler. Callbacks that end late are
 * counted. The same callback is reported the first, second, fourth, eighth time, so the output stays short; the number
 * of callbacks that are tracked is bounded. */
#ifndef ROTA_TRACE_WATCHDOG_H
#define ROTA_TRACE_WATCHDOG_H

#include <stdio.h>

#include "observe/trace/tracer.h"

/* On the service thread, at every look. */
void rota__watchdog_look(void);
/* On the loop's thread: a callback has ended. */
void rota__watchdog_ended(struct rota_tracer *tracer, const struct rota_frame *frame, uint64_t took_ns);
/* Where a thread is, as lines. Waits for it for a short time. */
void rota__watchdog_print_stack(int thread_id, FILE *stream);

#endif
