/* Statistics: the histograms of all loops and of the pool, and how they are read. */
#ifndef ROTA_TRACE_STATS_H
#define ROTA_TRACE_STATS_H

#include "loop/core/observe.h"
#include "observe/stats/histogram.h"
#include "rota.h"

void rota__stats_job(const struct rota_job *job);
/* Adds up one figure, of one loop or (null) of all, into an empty histogram. */
int rota__stats_collect(const uv_loop_t *loop, rota_figure figure, struct rota_histogram *to);

/* The loops that ran on the main thread, in uv_run. */
struct rota_times {
  uint64_t busy_ns;
  uint64_t idle_ns;
};
void rota__stats_main_thread(struct rota_times *times);

#endif
