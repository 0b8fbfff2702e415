/* The figures of a window of time (measure.h): those of a histogram now, less those that it had at a mark. */
#include <string.h>

#include "observe/metrics/measure.h"

static uint64_t get(const _Atomic uint64_t *place) {
  return atomic_load_explicit(place, memory_order_relaxed);
}

/* Values were cleared since the mark: then all that there are count. */
static uint64_t since(uint64_t now, uint64_t then) {
  return now >= then ? now - then : now;
}

static uint64_t square_root(uint64_t value) {
  uint64_t root = 0;
  for (uint64_t bit = UINT64_C(1) << 31; bit != 0; bit >>= 1)
    if ((root | bit) * (root | bit) <= value)
      root |= bit;
  return root;
}

/* The buckets of the window, and the value that counts besides. */
struct values {
  uint64_t counts[ROTA_HISTOGRAM_BUCKETS];
  uint64_t count, sum_ns;
  unsigned int first, last;
};

static void take(struct values *values, const struct rota_histogram *now, const struct rota_histogram *then) {
  memset(values, 0, sizeof(*values));
  values->first = ROTA_HISTOGRAM_BUCKETS;
  for (unsigned int i = 0; i < ROTA_HISTOGRAM_BUCKETS; i++) {
    uint64_t count = get(&now->buckets[i]);
    count = then == NULL ? count : since(count, get(&then->buckets[i]));
    if (count == 0)
      continue;
    values->counts[i] = count;
    values->count += count;
    values->first = values->first < i ? values->first : i;
    values->last = i;
  }
  values->sum_ns = then == NULL ? get(&now->sum) : since(get(&now->sum), get(&then->sum));
}

static void take_one_more(struct values *values, uint64_t value) {
  unsigned int bucket = rota__histogram_bucket(value);
  values->counts[bucket]++;
  values->count++;
  values->sum_ns += value;
  values->first = values->first < bucket ? values->first : bucket;
  values->last = values->last > bucket ? values->last : bucket;
}

static uint64_t percentile(const struct values *values, uint64_t percent) {
  uint64_t wanted = (values->count * percent + 99) / 100, seen = 0;
  unsigned int i = values->first;
  while (i < values->last && (seen += values->counts[i]) < wanted)
    i++;
  return rota__histogram_bucket_last(i);
}

static uint64_t deviation(const struct values *values, uint64_t mean_ns) {
  double sum = 0;
  for (unsigned int i = values->first; i <= values->last; i++) {
    double middle = ((double)rota__histogram_bucket_first(i) + (double)rota__histogram_bucket_last(i)) / 2;
    double away = middle - (double)mean_ns;
    sum += (double)values->counts[i] * away * away;
  }
  double variance = sum / (double)values->count;
  return variance < 1.8e19 ? square_root((uint64_t)variance) : UINT32_MAX;
}

static uint64_t at_most(uint64_t value, uint64_t most) {
  return value < most ? value : most;
}

static void fill(struct rota_window *window, const struct values *values, const struct rota_histogram *now,
                 uint64_t running_ns) {
  uint64_t largest_ns = get(&now->largest), smallest_ns = ~get(&now->smallest_inverted);
  largest_ns = largest_ns > running_ns ? largest_ns : running_ns;
  uint64_t first_ns = rota__histogram_bucket_first(values->first);
  window->count = values->count;
  window->min_ns = first_ns > smallest_ns || get(&now->count) == 0 ? first_ns : smallest_ns;
  window->max_ns = at_most(rota__histogram_bucket_last(values->last), largest_ns);
  window->mean_ns = values->sum_ns / values->count;
  window->stddev_ns = deviation(values, window->mean_ns);
  window->p50_ns = at_most(percentile(values, 50), window->max_ns);
  window->p90_ns = at_most(percentile(values, 90), window->max_ns);
  window->p99_ns = at_most(percentile(values, 99), window->max_ns);
}

/* Null: the window goes back to the beginning. */
static const struct rota_measure_mark *begin_of(const struct rota_measure *measure, uint64_t now_ns) {
  const struct rota_measure_mark *begin = NULL;
  for (unsigned int i = 0; i < ROTA_MEASURE_MARKS; i++) {
    const struct rota_measure_mark *mark = &measure->marks[i];
    bool is_old = mark->at_ns != 0 && now_ns - mark->at_ns >= (uint64_t)ROTA_WINDOW_SECONDS * NS_PER_SECOND;
    if (is_old && (begin == NULL || mark->at_ns > begin->at_ns))
      begin = mark;
  }
  return begin;
}

static void leave_mark(struct rota_measure *measure, uint64_t busy_ns, uint64_t idle_ns, uint64_t now_ns) {
  struct rota_measure_mark *mark = &measure->marks[measure->last_mark];
  if (mark->at_ns != 0 && now_ns - mark->at_ns < (uint64_t)ROTA_WINDOW_MARK_SECONDS * NS_PER_SECOND)
    return;
  measure->last_mark = (measure->last_mark + 1) % ROTA_MEASURE_MARKS;
  mark = &measure->marks[measure->last_mark];
  mark->at_ns = now_ns;
  mark->busy_ns = busy_ns;
  mark->idle_ns = idle_ns;
  rota__histogram_clear(&mark->delay);
  rota__histogram_add(&mark->delay, &measure->delay);
}

void rota__window_read(struct rota_measure *measure, uint64_t busy_ns, uint64_t idle_ns, uint64_t running_ns,
                       uint64_t now_ns, struct rota_window *window) {
  static struct values values; /* too large for a small stack; the lock is held */
  const struct rota_measure_mark *begin = begin_of(measure, now_ns);
  memset(window, 0, sizeof(*window));
  take(&values, &measure->delay, begin == NULL ? NULL : &begin->delay);
  if (running_ns >= ROTA_MEASURE_INTERVAL_NS)
    take_one_more(&values, running_ns);
  else
    running_ns = 0;
  if (values.count > 0)
    fill(window, &values, &measure->delay, running_ns);
  double busy = (double)(begin == NULL ? busy_ns : since(busy_ns, begin->busy_ns));
  double idle = (double)(begin == NULL ? idle_ns : since(idle_ns, begin->idle_ns));
  window->utilization = busy + idle > 0 ? (uint64_t)(busy / (busy + idle) * NS_PER_SECOND) : 0;
  leave_mark(measure, busy_ns, idle_ns, now_ns);
}
