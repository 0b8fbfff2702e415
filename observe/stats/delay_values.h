/* The values of a delay monitor: a log-linear histogram of three digits, 1024 equal steps within each power of two.
 *
 * The histograms of histogram.h are coarser, small enough for every figure of every loop, and read by other threads.
 * This one belongs to one thread, and uses memory only for the buckets with values: it is mapped, not cleared. */
#ifndef ROTA_TRACE_DELAY_VALUES_H
#define ROTA_TRACE_DELAY_VALUES_H

#include <stdint.h>

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
