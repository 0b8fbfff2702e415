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
#include <stdint.h>

#include "loop/base/list.h"
#include "loop/core/observe.h"
#include "rota.h"

struct rota_delay_values;
struct rota_histogram;

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
  struct rota_histogram *shared;    /* not null: values go there, where other threads read them */
};

/* The timer fires. */
void rota__delay_fire(struct rota_delay *delay, uint64_t now_ns);
/* The loop has slept, and the simulated timer was on time. */
void rota__delay_slept(struct rota_delay *delay, uint64_t from_ns, uint64_t until_ns);
/* What the loop does, with the time of each: the timers phase, and a wait from its beginning to its end. */
void rota__delay_timers(struct rota_delay *delay, uint64_t now_ns);
void rota__delay_wait(struct rota_delay *delay, int64_t timeout_ns, uint64_t now_ns);
void rota__delay_woken(struct rota_delay *delay, uint64_t now_ns);

/* The values of a delay monitor: a log-linear histogram of three digits, 1024 equal steps within each power of two.
 *
 * The histograms of histogram.h are coarser, small enough for every figure of every loop, and read by other threads.
 * This one belongs to one thread, and uses memory only for the buckets with values: it is mapped, not cleared. */

enum {
  ROTA_DELAY_STEP_BITS = 10,
  ROTA_DELAY_STEPS = 1 << ROTA_DELAY_STEP_BITS,
  ROTA_DELAY_VALUE_BITS = 42,
  ROTA_DELAY_BUCKETS = (ROTA_DELAY_VALUE_BITS - ROTA_DELAY_STEP_BITS + 1) * ROTA_DELAY_STEPS,
};

/* An hour. What is longer is only counted. */
#define ROTA_DELAY_LIMIT_NS UINT64_C(3600000000000)

struct rota_delay_values {
  uint64_t count;
  uint64_t exceeding;
  uint64_t smallest;
  uint64_t largest;
  uint64_t sum;
  uint64_t buckets[ROTA_DELAY_BUCKETS];
};

int rota__delay_values_create(struct rota_delay_values **values);
void rota__delay_values_destroy(struct rota_delay_values *values); /* may be null */
void rota__delay_values_clear(struct rota_delay_values *values);
void rota__delay_values_record(struct rota_delay_values *values, uint64_t value, uint64_t times);

unsigned int rota__delay_values_bucket(uint64_t value); /* of a value up to the limit */
uint64_t rota__delay_values_first(unsigned int bucket);
uint64_t rota__delay_values_last(unsigned int bucket);
/* The value that `percent` of those recorded do not exceed; 0 if there are none. */
uint64_t rota__delay_values_percentile(const struct rota_delay_values *values, double percent);

#endif
