#include "observe/stats/histogram.h"

uint64_t rota__histogram_bucket_first(unsigned int bucket) {
  if (bucket < 2 * ROTA_HISTOGRAM_STEPS)
    return bucket;
  unsigned int shift = (bucket >> ROTA_HISTOGRAM_STEP_BITS) - 1;
  return (uint64_t)((bucket & (ROTA_HISTOGRAM_STEPS - 1)) | ROTA_HISTOGRAM_STEPS) << shift;
}

uint64_t rota__histogram_bucket_last(unsigned int bucket) {
  return rota__histogram_bucket_first(bucket + 1) - 1;
}

static uint64_t get(const _Atomic uint64_t *place) {
  return atomic_load_explicit(place, memory_order_relaxed);
}

static void set(_Atomic uint64_t *place, uint64_t value) {
  atomic_store_explicit(place, value, memory_order_relaxed);
}

void rota__histogram_record(struct rota_histogram *histogram, uint64_t value) {
  rota__histogram_record_times(histogram, value, 1);
}

/* There is one writer, so a load and a store suffice; an atomic addition would cost more. */
void rota__histogram_record_times(struct rota_histogram *histogram, uint64_t value, uint64_t times) {
  _Atomic uint64_t *bucket = &histogram->buckets[rota__histogram_bucket(value)];
  set(bucket, get(bucket) + times);
  set(&histogram->count, get(&histogram->count) + times);
  set(&histogram->sum, get(&histogram->sum) + value * times);
  if (~value > get(&histogram->smallest_inverted))
    set(&histogram->smallest_inverted, ~value);
  if (value > get(&histogram->largest))
    set(&histogram->largest, value);
}

static void raise_to(_Atomic uint64_t *place, uint64_t value) {
  uint64_t now = get(place);
  while (value > now &&
         !atomic_compare_exchange_weak_explicit(place, &now, value, memory_order_relaxed, memory_order_relaxed))
    continue;
}

static void add(_Atomic uint64_t *place, uint64_t value) {
  atomic_fetch_add_explicit(place, value, memory_order_relaxed);
}

void rota__histogram_record_shared(struct rota_histogram *histogram, uint64_t value) {
  add(&histogram->buckets[rota__histogram_bucket(value)], 1);
  add(&histogram->count, 1);
  add(&histogram->sum, value);
  raise_to(&histogram->smallest_inverted, ~value);
  raise_to(&histogram->largest, value);
}

void rota__histogram_add(struct rota_histogram *to, const struct rota_histogram *from) {
  uint64_t count = 0;
  for (unsigned int i = 0; i < ROTA_HISTOGRAM_BUCKETS; i++) {
    uint64_t n = get(&from->buckets[i]);
    if (n != 0)
      add(&to->buckets[i], n);
    count += n;
  }
  if (count == 0)
    return;
  add(&to->count, count); /* of the buckets, so that count and buckets agree */
  add(&to->sum, get(&from->sum));
  raise_to(&to->smallest_inverted, get(&from->smallest_inverted));
  raise_to(&to->largest, get(&from->largest));
}

void rota__histogram_clear(struct rota_histogram *histogram) {
  set(&histogram->count, 0);
  set(&histogram->sum, 0);
  set(&histogram->smallest_inverted, 0);
  set(&histogram->largest, 0);
  for (unsigned int i = 0; i < ROTA_HISTOGRAM_BUCKETS; i++)
    set(&histogram->buckets[i], 0);
}

uint64_t rota__histogram_percentile(const struct rota_histogram *histogram, double percent) {
  uint64_t count = 0, seen = 0;
  for (unsigned int i = 0; i < ROTA_HISTOGRAM_BUCKETS; i++)
    count += get(&histogram->buckets[i]);
  if (count == 0)
    return 0;
  uint64_t largest = get(&histogram->largest);
  uint64_t smallest = ~get(&histogram->smallest_inverted);
  /* The rank is rounded up: the 50th percentile of two values is the first of them. */
  double exact = percent / 100.0 * (double)count;
  uint64_t rank = (uint64_t)exact;
  if ((double)rank < exact || rank == 0)
    rank++;
  for (unsigned int i = 0; i < ROTA_HISTOGRAM_BUCKETS; i++) {
    seen += get(&histogram->buckets[i]);
    if (seen < rank)
      continue;
    uint64_t last = rota__histogram_bucket_last(i);
    /* The result is limited to the values that were seen; the last bucket has no upper end. */
    if (last > largest || i == ROTA_HISTOGRAM_BUCKETS - 1)
      last = largest;
    return last < smallest ? smallest : last;
  }
  return largest;
}
