#include "observe/stats/histogram.h"

#include <string.h>

#include "loop/base/alloc.h"
#include "loop/core/pool/work.h"
#include "loop/os/clock.h"
#include "loop/os/process.h"
#include "observe/trace/tracer.h"

enum { KINDS = ROTA_FIGURE_RUN_FILE - ROTA_FIGURE_QUEUE_FILE };

/* The values of closed loops, and the times of those that ran on the main thread; under the tracers' lock. */
static struct rota_loop_stats closed;
static struct rota_times closed_on_main_thread;
/* Recorded by all threads of the pool. */
static struct rota_histogram pool_figures[ROTA_FIGURE_MAX - ROTA_FIGURE_QUEUE_FILE];

void rota__stats_job(const struct rota_job *job) {
  if (job->kind >= KINDS)
    return;
  uint64_t queued_ns = job->begin_ns > job->queued_ns ? job->begin_ns - job->queued_ns : 0;
  rota__histogram_record_shared(&pool_figures[job->kind], queued_ns);
  rota__histogram_record_shared(&pool_figures[KINDS + job->kind], job->end_ns - job->begin_ns);
}

const struct rota_histogram *rota__stats_of_pool(rota_figure figure) {
  return &pool_figures[figure - ROTA_FIGURE_QUEUE_FILE];
}

static uint64_t time_since(const _Atomic uint64_t *begin_ns) {
  uint64_t since_ns = atomic_load_explicit(begin_ns, memory_order_relaxed), now_ns = rota__os_clock_ns();
  return since_ns == 0 || since_ns > now_ns ? 0 : now_ns - since_ns;
}

static void add_time(const struct rota_loop_stats *stats, uint64_t *busy_ns, uint64_t *idle_ns) {
  *busy_ns += atomic_load_explicit(&stats->busy_ns, memory_order_relaxed) + time_since(&stats->runs_since_ns);
  *idle_ns += atomic_load_explicit(&stats->idle_ns, memory_order_relaxed) + time_since(&stats->waits_since_ns);
}

/* Where the system gives its first thread another number than the process, no loop counts as the main thread's. */
static bool is_on_main_thread(const struct rota_tracer *tracer) {
  return atomic_load_explicit(&tracer->now.thread_id, memory_order_relaxed) == rota__os_process_id();
}

void rota__stats_keep(const struct rota_tracer *tracer) {
  const struct rota_loop_stats *stats = tracer->stats;
  if (is_on_main_thread(tracer))
    add_time(stats, &closed_on_main_thread.busy_ns, &closed_on_main_thread.idle_ns);
  for (int i = 0; i < ROTA_LOOP_FIGURES; i++)
    rota__histogram_add(&closed.figures[i], &stats->figures[i]);
  atomic_fetch_add(&closed.busy_ns, atomic_load_explicit(&stats->busy_ns, memory_order_relaxed));
  atomic_fetch_add(&closed.idle_ns, atomic_load_explicit(&stats->idle_ns, memory_order_relaxed));
}

int rota_stats_start(void) {
  rota__observe_prepare();
  rota__observe_more(ROTA_OBSERVE_STATS);
  return 0;
}

void rota_stats_stop(void) {
  rota__observe_less(ROTA_OBSERVE_STATS);
}

static int stats_of(const uv_loop_t *loop, const struct rota_loop_stats **stats) {
  const struct rota_tracer *tracer = rota__tracer_of(loop);
  if (tracer == NULL || tracer->stats == NULL)
    return UV_ENOENT;
  *stats = tracer->stats;
  return 0;
}

int rota__stats_collect(const uv_loop_t *loop, rota_figure figure, struct rota_histogram *to) {
  const struct rota_loop_stats *stats;
  if ((int)figure < 0 || figure >= ROTA_FIGURE_MAX)
    return UV_EINVAL;
  if ((int)figure >= ROTA_LOOP_FIGURES) {
    rota__histogram_add(to, &pool_figures[figure - ROTA_FIGURE_QUEUE_FILE]);
    return 0;
  }
  if (loop != NULL) {
    int err = stats_of(loop, &stats);
    if (err == 0)
      rota__histogram_add(to, &stats->figures[figure]);
    return err;
  }
  struct rota_link *tracers = rota__tracer_lock();
  rota__histogram_add(to, &closed.figures[figure]);
  for (struct rota_link *link = tracers->next; link != tracers; link = link->next) {
    stats = rota__container_of(link, struct rota_tracer, link)->stats;
    if (stats != NULL)
      rota__histogram_add(to, &stats->figures[figure]);
  }
  rota__tracer_unlock();
  return 0;
}

int rota_stats_get(const uv_loop_t *loop, rota_figure figure, rota_stats_t *stats) {
  struct rota_histogram all;
  memset(&all, 0, sizeof(all));
  memset(stats, 0, sizeof(*stats));
  int err = rota__stats_collect(loop, figure, &all);
  if (err < 0 || atomic_load(&all.count) == 0)
    return err;
  stats->count = atomic_load(&all.count);
  stats->sum_ns = atomic_load(&all.sum);
  stats->min_ns = ~atomic_load(&all.smallest_inverted);
  stats->max_ns = atomic_load(&all.largest);
  stats->mean_ns = stats->sum_ns / stats->count;
  stats->p50_ns = rota__histogram_percentile(&all, 50);
  stats->p75_ns = rota__histogram_percentile(&all, 75);
  stats->p90_ns = rota__histogram_percentile(&all, 90);
  stats->p99_ns = rota__histogram_percentile(&all, 99);
  stats->p999_ns = rota__histogram_percentile(&all, 99.9);
  return 0;
}

int rota_stats_percentile(const uv_loop_t *loop, rota_figure figure, double percent, uint64_t *value_ns) {
  struct rota_histogram all;
  memset(&all, 0, sizeof(all));
  if (!(percent >= 0 && percent <= 100))
    return UV_EINVAL;
  int err = rota__stats_collect(loop, figure, &all);
  if (err == 0)
    *value_ns = rota__histogram_percentile(&all, percent);
  return err;
}

void rota__stats_main_thread(struct rota_times *times) {
  struct rota_link *tracers = rota__tracer_lock();
  *times = closed_on_main_thread;
  for (struct rota_link *link = tracers->next; link != tracers; link = link->next) {
    const struct rota_tracer *tracer = rota__container_of(link, struct rota_tracer, link);
    if (tracer->stats != NULL && is_on_main_thread(tracer))
      add_time(tracer->stats, &times->busy_ns, &times->idle_ns);
  }
  rota__tracer_unlock();
}

int rota_stats_time(const uv_loop_t *loop, uint64_t *busy_ns, uint64_t *idle_ns) {
  const struct rota_loop_stats *stats;
  *busy_ns = 0;
  *idle_ns = 0;
  if (loop != NULL) {
    int err = stats_of(loop, &stats);
    if (err == 0)
      add_time(stats, busy_ns, idle_ns);
    return err;
  }
  struct rota_link *tracers = rota__tracer_lock();
  add_time(&closed, busy_ns, idle_ns);
  for (struct rota_link *link = tracers->next; link != tracers; link = link->next) {
    stats = rota__container_of(link, struct rota_tracer, link)->stats;
    if (stats != NULL)
      add_time(stats, busy_ns, idle_ns);
  }
  rota__tracer_unlock();
  return 0;
}

int rota_stats_reset(uv_loop_t *loop) {
  if (loop == NULL) {
    for (size_t i = 0; i < sizeof(pool_figures) / sizeof(pool_figures[0]); i++)
      rota__histogram_clear(&pool_figures[i]);
    return 0;
  }
  struct rota_tracer *tracer = rota__tracer_of(loop);
  if (tracer == NULL || tracer->stats == NULL)
    return UV_ENOENT;
  for (int i = 0; i < ROTA_LOOP_FIGURES; i++)
    rota__histogram_clear(&tracer->stats->figures[i]);
  atomic_store(&tracer->stats->busy_ns, 0);
  atomic_store(&tracer->stats->idle_ns, 0);
  if (atomic_load(&tracer->stats->runs_since_ns) != 0)
    atomic_store(&tracer->stats->runs_since_ns, rota__os_clock_ns());
  return 0;
}

const char *rota_figure_name(rota_figure figure) {
  static const char *const names[] = {"iteration",      "loop delay",    "poll wait",     "callback",    "ticks",
                                      "timer lateness", "timers",        "pending",       "idle",        "prepare",
                                      "poll",           "check",         "closing",       "file queued", "name queued",
                                      "work queued",    "random queued", "crypto queued", "file run",    "name run",
                                      "work run",       "random run",    "crypto run"};
  _Static_assert(sizeof(names) / sizeof(names[0]) == ROTA_FIGURE_MAX, "a name for each");
  return (int)figure >= 0 && figure < ROTA_FIGURE_MAX ? names[figure] : NULL;
}
