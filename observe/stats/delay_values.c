#include "observe/stats/delay.h"

#include <string.h>

#include "loop/os/memory.h"

int rota__delay_values_create(struct rota_delay_values **values) {
  void *memory;
  int err = rota__os_map(&memory, sizeof(**values));
  if (err == 0)
    *values = memory;
  return err;
}

void rota__delay_values_destroy(struct rota_delay_values *values) {
  if (values != NULL)
    rota__os_unmap(values, sizeof(*values));
}

/* Only the pages that were used are cleared: the rest is zero, and touching it would map it. */
void rota__delay_values_clear(struct rota_delay_values *values) {
  if (values->count > 0) {
    unsigned int first = rota__delay_values_bucket(values->smallest), last = rota__delay_values_bucket(values->largest);
    memset(&values->buckets[first], 0, (last - first + 1) * sizeof(values->buckets[0]));
  }
  values->count = values->exceeding = values->smallest = values->largest = values->sum = 0;
}

void rota__delay_values_record(struct rota_delay_values *values, uint64_t value, uint64_t times) {
  if (times == 0)
    return;
  if (value > ROTA_DELAY_LIMIT_NS) {
    values->exceeding += times;
    return;
  }
  if (values->count == 0 || value < values->smallest)
    values->smallest = value;
  if (value > values->largest)
    values->largest = value;
  values->count += times;
  values->sum += value * times;
  values->buckets[rota__delay_values_bucket(value)] += times;
}

/* Below twice the steps each value has its own; above, the leading bit and the STEP_BITS after it count. */
unsigned int rota__delay_values_bucket(uint64_t value) {
  if (value < 2 * ROTA_DELAY_STEPS)
    return (unsigned int)value;
  unsigned int shift = 63u - (unsigned int)__builtin_clzll(value) - ROTA_DELAY_STEP_BITS;
  return (shift << ROTA_DELAY_STEP_BITS) + (unsigned int)(value >> shift);
}

uint64_t rota__delay_values_first(unsigned int bucket) {
  if (bucket < 2 * ROTA_DELAY_STEPS)
    return bucket;
  unsigned int shift = (bucket >> ROTA_DELAY_STEP_BITS) - 1;
  return (uint64_t)((bucket & (ROTA_DELAY_STEPS - 1)) | ROTA_DELAY_STEPS) << shift;
}

uint64_t rota__delay_values_last(unsigned int bucket) {
  return rota__delay_values_first(bucket + 1) - 1;
}

uint64_t rota__delay_values_percentile(const struct rota_delay_values *values, double percent) {
  if (values->count == 0)
    return 0;
  double exact = percent / 100.0 * (double)values->count;
  uint64_t seen = 0;
  for (unsigned int i = rota__delay_values_bucket(values->smallest); i < ROTA_DELAY_BUCKETS; i++) {
    seen += values->buckets[i];
    if (seen == 0 || (double)seen < exact)
      continue;
    uint64_t last = rota__delay_values_last(i);
    return last < values->largest ? last : values->largest;
  }
  return values->largest;
}
