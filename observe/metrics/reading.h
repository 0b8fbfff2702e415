/* All figures of this process at one moment, taken from what its loops and its pool have measured (observe/stats,
 * measure.h), and the metrics that are made of them.
 *
 * A reading is a copy: it is taken under the lock of the tracers in some microseconds, and written as text without it.
 */
#ifndef ROTA_METRICS_READING_H
#define ROTA_METRICS_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loop/core/observe.h"
#include "observe/metrics/measure.h"

enum {
  ROTA_METRICS_BOUNDS = 14, /* of the buckets of a histogram, besides infinity */
  ROTA_METRICS_KINDS = 5,   /* of jobs of the pool */
  ROTA_METRICS_PHASES = 7,
};

extern const uint64_t rota__metrics_bounds_ns[ROTA_METRICS_BOUNDS];

struct rota_metrics_histogram {
  uint64_t counts[ROTA_METRICS_BOUNDS + 1]; /* of each bucket alone */
  uint64_t count, sum_ns;
};

struct rota_metrics_place {
  char name[256];
  uint64_t count, took_ns;
};

struct rota_metrics_loop {
  char name[16]; /* "main", or a number */
  struct rota_window window;
  uint64_t running_ns; /* since it last waited; 0: it waits, or is not run */
  uint64_t busy_ns, idle_ns, iterations;
  uint64_t phases_ns[ROTA_METRICS_PHASES];
  struct rota_metrics_histogram callbacks, stretches, lateness;
  uint64_t drained[2];
  bool knows_drained[2];
  bool has_counted;
  uint32_t handles[UV_HANDLE_TYPE_MAX];
  uint64_t requests;
  unsigned int places_count;
  struct {
    uint32_t name;
    const void *function;
    bool is_rest;
    uint64_t count, took_ns;
  } places[ROTA_MEASURE_PLACES + 1];
};

struct rota_metrics_reading {
  char process[16];
  char program[128];
  uint64_t begun_ns, now_ns; /* since 1970 */
  struct rota_metrics_histogram queued[ROTA_METRICS_KINDS], ran[ROTA_METRICS_KINDS];
  bool has_pool;
  unsigned int pool_queue, pool_threads, pool_threads_most;
  size_t loops_count;
  struct rota_metrics_loop *loops;
};

/* Sums count from now on. */
void rota__reading_begin(void);
/* UV_ENOMEM. Asks running loops for the number of their handles, and waits for them for at most this long; one that is
 * blocked keeps the number that it had. */
int rota__reading_take(struct rota_metrics_reading *reading, uint64_t patience_ns);
void rota__reading_free(struct rota_metrics_reading *reading);

/* ---- families.c: the metrics ---- */

enum rota_metric_type { ROTA_METRIC_GAUGE, ROTA_METRIC_COUNTER, ROTA_METRIC_HISTOGRAM };
enum rota_metric_unit { ROTA_METRIC_COUNT, ROTA_METRIC_SECONDS, ROTA_METRIC_RATIO };

struct rota_metric {
  const char *name;      /* of Prometheus, without _total; null: only in OTLP */
  const char *telemetry; /* of OpenTelemetry; null: only in Prometheus */
  enum rota_metric_type type;
  enum rota_metric_unit unit;
  const char *counts; /* what a COUNT counts, as OpenTelemetry writes units: "{callback}" */
  const char *help;
};

struct rota_metrics_label {
  const char *name, *value; /* a null name ends a list */
};

/* What writes metrics in a format. The values of a metric come between its begin and its end. Values of seconds and
 * ratios are billionths. */
struct rota_metrics_sink {
  void (*begin)(struct rota_metrics_sink *sink, const struct rota_metric *metric);
  void (*value)(struct rota_metrics_sink *sink, const struct rota_metric *metric,
                const struct rota_metrics_label *labels, uint64_t value);
  void (*histogram)(struct rota_metrics_sink *sink, const struct rota_metric *metric,
                    const struct rota_metrics_label *labels, const struct rota_metrics_histogram *histogram);
  void (*end)(struct rota_metrics_sink *sink, const struct rota_metric *metric);
};

void rota__metrics_write(const struct rota_metrics_reading *reading, struct rota_metrics_sink *sink);

#endif
