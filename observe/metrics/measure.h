/* What a loop measures for metrics, beyond the statistics that it keeps anyway (observe/stats): the delay of a
 * pretended timer, what was drained, slow callbacks by place, and how many handles it has.
 *
 * The loop's thread writes, without locks; the thread that answers reads. It is a mapping of its own for each loop,
 * made when metrics are switched on: a loop without metrics tests a pointer. */
#ifndef ROTA_METRICS_MEASURE_H
#define ROTA_METRICS_MEASURE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "loop/base/units.h"
#include "observe/stats/delay.h"
#include "observe/stats/histogram.h"
#include "uv.h"

struct rota_tracer;
struct rota_frame;

enum {
  ROTA_MEASURE_PLACES = 49,                  /* and one more, for all others */
  ROTA_MEASURE_SLOW_NS = 10 * NS_PER_MS,     /* a callback that takes this long is counted by its place */
  ROTA_MEASURE_INTERVAL_NS = 10 * NS_PER_MS, /* of the pretended timer: that of others who measure the delay */
  ROTA_MEASURE_MARKS = 8,                    /* window.c */
};

/* Where slow callbacks ran: by the name that an embedder gave, or by the function. */
struct rota_measure_place {
  _Atomic uint32_t name;           /* 0: none */
  _Atomic(const void *) function;  /* without a name */
  _Atomic bool used;               /* set last */
  _Atomic uint64_t count, took_ns; /* in all */
};

/* What a window begins with. */
struct rota_measure_mark {
  uint64_t at_ns; /* 0: none */
  uint64_t busy_ns, idle_ns;
  struct rota_histogram delay;
};

struct rota_measure {
  /* the loop's */
  struct rota_delay timer;
  struct rota_histogram delay;
  _Atomic uint64_t drained[2]; /* ticks, microtasks */
  _Atomic bool knows_drained[2];
  struct rota_measure_place places[ROTA_MEASURE_PLACES + 1];
  _Atomic bool count_wanted; /* another thread asks for the number of handles */
  _Atomic bool has_counted;
  _Atomic uint32_t handles[UV_HANDLE_TYPE_MAX];
  _Atomic uint32_t requests;
  /* the reader's, under the lock of the tracers */
  bool is_main;
  uint32_t number; /* of loops that are not main: the lowest that no other has */
  unsigned int last_mark;
  struct rota_measure_mark marks[ROTA_MEASURE_MARKS];
};

/* On the loop's thread, with the lock of all tracers. Without memory the loop has none. */
void rota__measure_start(struct rota_tracer *tracer, struct rota_link *tracers);
void rota__measure_end(struct rota_tracer *tracer);

/* In the child of a fork: what its parent has measured is not its own. */
void rota__measure_restart(void);

void rota__measure_slow(struct rota_measure *measure, const struct rota_frame *frame, uint64_t took_ns);
void rota__measure_drained(struct rota_measure *measure, bool microtasks, uint64_t count);
/* Counts active handles and requests. */
void rota__measure_count(struct rota_measure *measure, const uv_loop_t *loop);

static inline bool rota__measure_wants_count(const struct rota_measure *measure) {
  return atomic_load_explicit(&measure->count_wanted, memory_order_relaxed);
}

/* ---- window.c: what the values of the last half minute were, for figures that are no sums ----
 *
 * Others who measure the delay forget the values when somebody reads them, so that two readers take them from each
 * other. Here a reader leaves a mark, and a window goes from a mark to now: from the newest mark that is at least this
 * old, or from the beginning. So whoever asks twice a minute or more often misses nothing, whoever else asks. */

enum { ROTA_WINDOW_SECONDS = 30, ROTA_WINDOW_MARK_SECONDS = 5 };

struct rota_window {
  uint64_t count;
  uint64_t min_ns, max_ns, mean_ns, stddev_ns, p50_ns, p90_ns, p99_ns;
  uint64_t utilization; /* billionths */
};

/* With the tracers' lock. running_ns: how long the loop has been running since it last waited; it counts as a value, if
 * it is longer than the timer's interval: a loop that is blocked has a delay now. */
void rota__window_read(struct rota_measure *measure, uint64_t busy_ns, uint64_t idle_ns, uint64_t running_ns,
                       uint64_t now_ns, struct rota_window *window);

#endif
