/* The watchdog: names what blocks a loop, while it does.
 *
 * The loop's thread publishes what it runs (lens.h); the service thread looks at it now and then. A callback that runs
 * too long is reported, with a backtrace that the loop's thread makes in a signal handler; who ends too late is
 * counted. Repeated offenders are reported the first, second, fourth, eighth time: their number is bounded, and so is
 * the noise.
 */
#ifndef ROTA_TRACE_WATCHDOG_H
#define ROTA_TRACE_WATCHDOG_H

#include "see/trace/lens.h"

/* On the service thread, at every look. */
void rota__watchdog_look(void);
/* On the loop's thread: a callback has ended. */
void rota__watchdog_ended(struct rota_lens *lens, const struct rota_frame *frame, uint64_t took_ns);

#endif
