/* The delay monitor: what a repeating timer would have seen, without the timer.
 *
 * A timer that measures how late it comes wakes an idle loop again and again, only to find that it came in time. Here
 * nobody is woken. The monitor keeps when the timer would be due. While the loop is awake, it fires in the timers
 * phase, as late as that comes. While the loop sleeps, it would have been in time: so often as it would have fired is
 * reckoned when the loop wakes by itself.
 *
 * As with a timer of the loop, what is due is due at a whole millisecond, and the next time is reckoned from when this
 * one came. The first time only begins: there is nothing before it to measure from. */
#ifndef ROTA_TRACE_DELAY_H
#define ROTA_TRACE_DELAY_H

#include <stdbool.h>

#include "loop/base/list.h"
#include "loop/core/observe.h"
#include "rota.h"
#include "see/stats/delay_values.h"

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
/* The loop has slept, and it was nobody's fault. */
void rota__delay_slept(struct rota_delay *delay, uint64_t from_ns, uint64_t until_ns);

#endif
