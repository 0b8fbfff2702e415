/* The delay monitor: computes the delays that a repeating timer would measure, without a timer.
 *
 * A real timer that measures its lateness wakes an idle loop again and again, only to find that it is on time. The
 * monitor wakes nothing. It keeps the time at which the timer would be due. While the loop is awake, the simulated
 * timer fires in the timers phase, however late that is. While the loop sleeps, it would have been on time: the number
 * of these expiries is added when the loop wakes.
 *
 * Like a timer of the loop, it is due at a whole millisecond, and the next due time counts from the last expiry. The
 * first expiry gives no value, because there is none before it. */
#ifndef ROTA_TRACE_DELAY_H
#define ROTA_TRACE_DELAY_H

#include <stdbool.h>

#include "loop/base/list.h"
#include "loop/core/observe.h"
#include "observe/stats/delay_values.h"
#include "rota.h"

struct rota_delay {
  struct rota_observer observer; /* of the loop, while the monitor runs */
  struct rota_link link;         /* among those of the loop */
  uv_loop_t *loop;               /* null: it was closed */
  bool running;
  uint64_t interval_ns; /* 0: iterations are measured */
  uint64_t last_ns;     /* when the timer fired, or the iteration began; 0: not yet */
  uint64_t due_ns;
  uint64_t asleep_ns;               /* since when; 0: the loop is awake */
  uint64_t sleep_end_ns;            /* when it would wake without any event */
  uint64_t prepared_ns;             /* when the iteration came to its poll phase; 0: it has not been seen to */
  struct rota_delay_values *values; /* null before the first start */
};

/* The timer fires. */
void rota__delay_fire(struct rota_delay *delay, uint64_t now_ns);
/* The loop has slept, and the simulated timer was on time. */
void rota__delay_slept(struct rota_delay *delay, uint64_t from_ns, uint64_t until_ns);

#endif
