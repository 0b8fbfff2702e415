#include "observe/metrics/reading.h"

#include <stdio.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/core/internal.h"
#include "loop/core/pool/pool.h"
#include "loop/core/wake.h"
#include "loop/os/clock.h"
#include "loop/os/process.h"
#include "loop/os/thread.h"
#include "observe/name/describe.h"
#include "observe/trace/tracer.h"

#define LOOK_NS (NS_PER_MS / 2)

/* Each is at most a thirty-second wrong: that is how exact the histograms are that they are made of. */
const uint64_t rota__metrics_bounds_ns[ROTA_METRICS_BOUNDS] = {100000,    500000,     1000000,    2500000,    5000000,
                                                               10000000,  25000000,   50000000,   100000000,  250000000,
                                                               500000000, 1000000000, 2500000000, 10000000000};

static _Atomic uint64_t begun_ns; /* since 1970 */

static uint64_t get(const _Atomic uint64_t *place) {
  return atomic_load_explicit(place, memory_order_relaxed);
}

/* The count is that of the buckets, so that the two agree while others record. */
static void reduce(struct rota_metrics_histogram *to, const struct rota_histogram *from) {
  unsigned int bound = 0;
  for (unsigned int i = 0; i < ROTA_HISTOGRAM_BUCKETS; i++) {
    uint64_t count = get(&from->buckets[i]);
    if (count == 0)
      continue;
    while (bound < ROTA_METRICS_BOUNDS && rota__histogram_bucket_last(i) > rota__metrics_bounds_ns[bound])
      bound++;
    to->counts[bound] += count;
    to->count += count;
  }
  to->sum_ns = get(&from->sum);
}

/* ---- loops ---- */

static struct rota_tracer *tracer_at(struct rota_link *link) {
  return rota__container_of(link, struct rota_tracer, link);
}

static bool is_measured(const struct rota_tracer *tracer) {
  return tracer->measure != NULL && tracer->stats != NULL;
}

/* By the tracer's own memory: a program may have freed a loop that it never closed. One in uv_run is there. */
static bool is_run(const struct rota_tracer *tracer) {
  return get(&tracer->stats->runs_since_ns) != 0 || get(&tracer->stats->waits_since_ns) != 0;
}

static uint64_t time_since(const _Atomic uint64_t *begin_ns, uint64_t now_ns) {
  uint64_t since_ns = get(begin_ns);
  return since_ns == 0 || since_ns > now_ns ? 0 : now_ns - since_ns;
}

static void read_times(struct rota_metrics_loop *loop, const struct rota_tracer *tracer) {
  const struct rota_loop_stats *stats = tracer->stats;
  uint64_t now_ns = rota__os_clock_ns();
  loop->running_ns = time_since(&stats->runs_since_ns, now_ns);
  loop->busy_ns = get(&stats->busy_ns) + loop->running_ns;
  loop->idle_ns = get(&stats->idle_ns) + time_since(&stats->waits_since_ns, now_ns);
  loop->iterations = get(&stats->figures[ROTA_FIGURE_ITERATION].count);
  for (int i = 0; i < ROTA_METRICS_PHASES; i++)
    loop->phases_ns[i] = get(&stats->figures[ROTA_FIGURE_TIMERS + i].sum);
  reduce(&loop->callbacks, &stats->figures[ROTA_FIGURE_CALLBACK]);
  reduce(&loop->stretches, &stats->figures[ROTA_FIGURE_DELAY]);
  reduce(&loop->lateness, &stats->figures[ROTA_FIGURE_TIMER_LATENESS]);
  rota__window_read(tracer->measure, loop->busy_ns, loop->idle_ns, loop->running_ns, now_ns, &loop->window);
}

static void read_places(struct rota_metrics_loop *loop, const struct rota_measure *measure) {
  for (int i = 0; i <= ROTA_MEASURE_PLACES; i++) {
    const struct rota_measure_place *place = &measure->places[i];
    if (!atomic_load_explicit(&place->used, memory_order_acquire))
      continue;
    loop->places[loop->places_count].name = atomic_load_explicit(&place->name, memory_order_relaxed);
    loop->places[loop->places_count].function = atomic_load_explicit(&place->function, memory_order_relaxed);
    loop->places[loop->places_count].is_rest = i == ROTA_MEASURE_PLACES;
    loop->places[loop->places_count].count = get(&place->count);
    loop->places[loop->places_count].took_ns = get(&place->took_ns);
    loop->places_count++;
  }
}

static void read_loop(struct rota_metrics_loop *loop, const struct rota_tracer *tracer) {
  const struct rota_measure *measure = tracer->measure;
  if (measure->is_main)
    snprintf(loop->name, sizeof(loop->name), "main");
  else
    snprintf(loop->name, sizeof(loop->name), "%u", (unsigned int)measure->number);
  read_times(loop, tracer);
  for (int i = 0; i < 2; i++) {
    loop->drained[i] = get(&measure->drained[i]);
    loop->knows_drained[i] = atomic_load_explicit(&measure->knows_drained[i], memory_order_relaxed);
  }
  loop->has_counted = atomic_load_explicit(&measure->has_counted, memory_order_acquire);
  for (int type = 0; type < UV_HANDLE_TYPE_MAX; type++)
    loop->handles[type] = atomic_load_explicit(&measure->handles[type], memory_order_relaxed);
  loop->requests = atomic_load_explicit(&measure->requests, memory_order_relaxed);
  read_places(loop, measure);
}

/* ---- asking the loops ---- */

/* A loop whose own thread asks is counted at once: it would not come to it. */
static void ask(void) {
  int here = rota__os_thread_number();
  struct rota_link *tracers = rota__tracer_lock();
  for (struct rota_link *link = tracers->next; link != tracers; link = link->next) {
    struct rota_tracer *tracer = tracer_at(link);
    if (!is_measured(tracer))
      continue;
    if (!is_run(tracer))
      continue;
    if (atomic_load_explicit(&tracer->now.thread_id, memory_order_relaxed) == here) {
      rota__measure_count(tracer->measure, tracer->loop);
    } else {
      atomic_store(&tracer->measure->count_wanted, true);
      rota__wake_signal(tracer->loop);
    }
  }
  rota__tracer_unlock();
}

static size_t count_loops(bool *is_waiting) {
  size_t count = 0;
  *is_waiting = false;
  struct rota_link *tracers = rota__tracer_lock();
  for (struct rota_link *link = tracers->next; link != tracers; link = link->next) {
    const struct rota_tracer *tracer = tracer_at(link);
    if (!is_measured(tracer))
      continue;
    count++;
    *is_waiting |= rota__measure_wants_count(tracer->measure) && is_run(tracer);
  }
  rota__tracer_unlock();
  return count;
}

static size_t ask_and_wait(uint64_t patience_ns) {
  uint64_t begin_ns = rota__os_clock_ns();
  bool is_waiting;
  size_t count;
  ask();
  while ((count = count_loops(&is_waiting)), is_waiting && rota__os_clock_ns() - begin_ns < patience_ns)
    rota__os_sleep_ns(LOOK_NS);
  return count;
}

/* ---- the whole ---- */

/* Loops that were made since they were counted are in the next reading. */
static void read_loops(struct rota_metrics_reading *reading, size_t room) {
  struct rota_link *tracers = rota__tracer_lock();
  for (struct rota_link *link = tracers->next; link != tracers && reading->loops_count < room; link = link->next)
    if (is_measured(tracer_at(link)))
      read_loop(&reading->loops[reading->loops_count++], tracer_at(link));
  rota__tracer_unlock();
}

static void read_pool(struct rota_metrics_reading *reading) {
  struct rota_pool_look look;
  for (int kind = 0; kind < ROTA_METRICS_KINDS; kind++) {
    reduce(&reading->queued[kind], rota__stats_of_pool((rota_figure)(ROTA_FIGURE_QUEUE_FILE + kind)));
    reduce(&reading->ran[kind], rota__stats_of_pool((rota_figure)(ROTA_FIGURE_RUN_FILE + kind)));
  }
  reading->has_pool = rota__pool_look(&look);
  if (!reading->has_pool)
    return;
  reading->pool_queue = look.queued;
  reading->pool_threads = look.threads;
  reading->pool_threads_most = look.threads_most;
}

static uint64_t time_of_day_ns(void) {
  struct timespec now = {0};
  (void)rota__os_clock_read(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

void rota__reading_begin(void) {
  atomic_store(&begun_ns, time_of_day_ns());
}

int rota__reading_take(struct rota_metrics_reading *reading, uint64_t patience_ns) {
  memset(reading, 0, sizeof(*reading));
  size_t room = ask_and_wait(patience_ns);
  if (room > 0 && (reading->loops = rota__calloc(room, sizeof(*reading->loops))) == NULL)
    return UV_ENOMEM;
  snprintf(reading->process, sizeof(reading->process), "%d", rota__os_process_id());
  rota__process_label(reading->program, sizeof(reading->program));
  reading->now_ns = time_of_day_ns();
  reading->begun_ns = atomic_load(&begun_ns);
  read_loops(reading, room);
  read_pool(reading);
  return 0;
}

void rota__reading_free(struct rota_metrics_reading *reading) {
  rota__free(reading->loops);
}
