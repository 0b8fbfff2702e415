/* Log-linear histograms of durations: each power of two has the same number of equal steps.
 *
 * A value is kept to within 1/32 of itself, whatever its size, in a table of fixed size: recording allocates nothing
 * and never fails. One thread records (in the shared variant any thread), any thread may read; a reader may miss the
 * last few values. */
#ifndef ROTA_TRACE_HISTOGRAM_H
#define ROTA_TRACE_HISTOGRAM_H

#include <stdatomic.h>
#include <stdint.h>

#include "loop/core/observe.h"
#include "rota.h"

enum {
  ROTA_HISTOGRAM_STEP_BITS = 5,
  ROTA_HISTOGRAM_STEPS = 1 << ROTA_HISTOGRAM_STEP_BITS,
  ROTA_HISTOGRAM_VALUE_BITS = 42, /* 73 minutes in nanoseconds; longer durations count as that */
  ROTA_HISTOGRAM_BUCKETS = (ROTA_HISTOGRAM_VALUE_BITS - ROTA_HISTOGRAM_STEP_BITS + 1) * ROTA_HISTOGRAM_STEPS,
};

struct rota_histogram {
  _Atomic uint64_t count;
  _Atomic uint64_t sum;
  _Atomic uint64_t smallest_inverted; /* ~smallest, so that all zero is an empty histogram */
  _Atomic uint64_t largest;
  _Atomic uint64_t buckets[ROTA_HISTOGRAM_BUCKETS];
};

/* The bucket of a value: below STEPS each has its own; above, the leading bit and the STEP_BITS after it count. */
static inline unsigned int rota__histogram_bucket(uint64_t value) {
  if (value < ROTA_HISTOGRAM_STEPS)
    return (unsigned int)value;
  if (value >> ROTA_HISTOGRAM_VALUE_BITS != 0)
    return ROTA_HISTOGRAM_BUCKETS - 1;
  unsigned int shift = 63u - (unsigned int)__builtin_clzll(value) - ROTA_HISTOGRAM_STEP_BITS;
  return (shift << ROTA_HISTOGRAM_STEP_BITS) + (unsigned int)(value >> shift);
}

uint64_t rota__histogram_bucket_first(unsigned int bucket); /* the smallest value in it */
uint64_t rota__histogram_bucket_last(unsigned int bucket);

void rota__histogram_record(struct rota_histogram *histogram, uint64_t value);
void rota__histogram_record_times(struct rota_histogram *histogram, uint64_t value, uint64_t times);
void rota__histogram_record_shared(struct rota_histogram *histogram, uint64_t value);
/* Adds all values of `from`, which another thread may be recording into. */
void rota__histogram_add(struct rota_histogram *to, const struct rota_histogram *from);
void rota__histogram_clear(struct rota_histogram *histogram);
/* The value that `percent` of those recorded do not exceed; 0 if there are none. */
uint64_t rota__histogram_percentile(const struct rota_histogram *histogram, double percent);

/* Statistics: the histograms of all loops and of the pool, and how they are read. */

void rota__stats_job(const struct rota_job *job);
/* Adds up one figure, of one loop or (null) of all, into an empty histogram. */
int rota__stats_collect(const uv_loop_t *loop, rota_figure figure, struct rota_histogram *to);

/* Of a figure of the pool. Any thread may read it. */
const struct rota_histogram *rota__stats_of_pool(rota_figure figure);

/* The loops that ran on the main thread, in uv_run. */
struct rota_times {
  uint64_t busy_ns;
  uint64_t idle_ns;
};
void rota__stats_main_thread(struct rota_times *times);

#endif
