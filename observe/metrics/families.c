/* The metrics: their names, and what of a reading they show. doc/METRICS.md describes each. */
#include <stdio.h>
#include <string.h>

#include "observe/metrics/reading.h"
#include "observe/name/describe.h"
#include "observe/name/symbol.h"
#include "rota.h"

typedef const struct rota_metrics_reading reading_t;
typedef const struct rota_metrics_loop loop_t;
typedef struct rota_metrics_sink sink_t;
typedef const struct rota_metric metric_t;

/* A field of a loop, or a function for what is more than that. */
struct row {
  struct rota_metric metric;
  size_t field;                                                      /* of struct rota_metrics_loop */
  bool (*has)(loop_t *loop);                                         /* null: always */
  void (*write)(sink_t *sink, metric_t *metric, reading_t *reading); /* null: the field, of each loop */
};

/* The labels that all values of a loop have, and one more. */
struct labels {
  struct rota_metrics_label all[4];
};

static struct labels labels_of(reading_t *reading, loop_t *loop, const char *name, const char *value) {
  struct labels labels = {0};
  unsigned int count = 0;
  labels.all[count++] = (struct rota_metrics_label){"pid", reading->process};
  if (loop != NULL)
    labels.all[count++] = (struct rota_metrics_label){"loop", loop->name};
  if (name != NULL)
    labels.all[count++] = (struct rota_metrics_label){name, value};
  return labels;
}

static void write_value(sink_t *sink, metric_t *metric, struct labels labels, uint64_t value) {
  sink->value(sink, metric, labels.all, value);
}

static bool has_window(loop_t *loop) {
  return loop->window.count > 0;
}

static bool has_counted(loop_t *loop) {
  return loop->has_counted;
}

static void write_field(sink_t *sink, const struct row *row, reading_t *reading) {
  for (size_t i = 0; i < reading->loops_count; i++) {
    loop_t *loop = &reading->loops[i];
    const void *field = (const char *)loop + row->field;
    if (row->has != NULL && !row->has(loop))
      continue;
    struct labels labels = labels_of(reading, loop, NULL, NULL);
    if (row->metric.type == ROTA_METRIC_HISTOGRAM)
      sink->histogram(sink, &row->metric, labels.all, field);
    else
      write_value(sink, &row->metric, labels, *(const uint64_t *)field);
  }
}

/* ---- with labels of their own ---- */

static void write_info(sink_t *sink, metric_t *metric, reading_t *reading) {
  const struct rota_metrics_label labels[] = {
      {"pid", reading->process}, {"program", reading->program}, {"version", ROTA_VERSION_STRING}, {NULL, NULL}};
  sink->value(sink, metric, labels, 1);
}

static void write_handles(sink_t *sink, metric_t *metric, reading_t *reading) {
  for (size_t i = 0; i < reading->loops_count; i++) {
    loop_t *loop = &reading->loops[i];
    for (unsigned int type = 1; loop->has_counted && type < UV_HANDLE_TYPE_MAX; type++)
      if (type != UV_HANDLE && type != UV_STREAM && type != UV_FILE)
        write_value(sink, metric, labels_of(reading, loop, "type", rota__describe_type(type, 0)), loop->handles[type]);
  }
}

static void write_time(sink_t *sink, metric_t *metric, reading_t *reading) {
  for (size_t i = 0; i < reading->loops_count; i++) {
    loop_t *loop = &reading->loops[i];
    write_value(sink, metric, labels_of(reading, loop, "nodejs.eventloop.state", "active"), loop->busy_ns);
    write_value(sink, metric, labels_of(reading, loop, "nodejs.eventloop.state", "idle"), loop->idle_ns);
  }
}

static void write_phases(sink_t *sink, metric_t *metric, reading_t *reading) {
  for (size_t i = 0; i < reading->loops_count; i++)
    for (unsigned int phase = 0; phase < ROTA_METRICS_PHASES; phase++)
      write_value(sink, metric,
                  labels_of(reading, &reading->loops[i], "phase", rota__describe_phase(ROTA_PHASE_TIMERS + phase)),
                  reading->loops[i].phases_ns[phase]);
}

static void write_drained(sink_t *sink, metric_t *metric, reading_t *reading) {
  static const char *const queues[] = {"ticks", "microtasks"};
  for (size_t i = 0; i < reading->loops_count; i++)
    for (int queue = 0; queue < 2; queue++)
      if (reading->loops[i].knows_drained[queue])
        write_value(sink, metric, labels_of(reading, &reading->loops[i], "queue", queues[queue]),
                    reading->loops[i].drained[queue]);
}

static void write_pool_queue(sink_t *sink, metric_t *metric, reading_t *reading) {
  write_value(sink, metric, labels_of(reading, NULL, NULL, NULL), reading->pool_queue);
}

static void write_pool_threads(sink_t *sink, metric_t *metric, reading_t *reading) {
  write_value(sink, metric, labels_of(reading, NULL, NULL, NULL), reading->pool_threads);
}

static void write_pool_threads_most(sink_t *sink, metric_t *metric, reading_t *reading) {
  if (reading->has_pool)
    write_value(sink, metric, labels_of(reading, NULL, NULL, NULL), reading->pool_threads_most);
}

static void write_jobs(sink_t *sink, metric_t *metric, reading_t *reading,
                       const struct rota_metrics_histogram *histograms) {
  for (unsigned int kind = 0; kind < ROTA_METRICS_KINDS; kind++) {
    struct labels labels = labels_of(reading, NULL, "kind", rota__describe_work(kind));
    if (reading->ran[kind].count > 0)
      sink->histogram(sink, metric, labels.all, &histograms[kind]);
  }
}

static void write_queued(sink_t *sink, metric_t *metric, reading_t *reading) {
  write_jobs(sink, metric, reading, reading->queued);
}

static void write_ran(sink_t *sink, metric_t *metric, reading_t *reading) {
  write_jobs(sink, metric, reading, reading->ran);
}

/* ---- slow callbacks ---- */

/* "onRequest app.js:12": the last two parts of the path tell enough, and nothing of the machine. */
static void describe_place(char *text, size_t size, uint32_t name, const void *function) {
  const struct rota_name_entry *entry = rota__name_find(name);
  if (entry == NULL) {
    snprintf(text, size, "%s", function == NULL ? "unknown" : rota__symbol_text(function));
    return;
  }
  const char *file = entry->file, *end = file + strlen(file);
  for (int slashes = 0; end > file && !(end[-1] == '/' && ++slashes == 2);)
    end--;
  if (entry->line > 0)
    snprintf(text, size, "%s %s:%d", entry->function, end, entry->line);
  else
    snprintf(text, size, "%s%s%s", entry->function, *end == '\0' ? "" : " ", end);
}

/* Two places may have the same text, as two files of one name; and a series may be there only once. */
static bool is_new(char (*texts)[256], unsigned int count, const char *text) {
  for (unsigned int i = 0; i < count; i++)
    if (strcmp(texts[i], text) == 0)
      return false;
  return true;
}

static void write_places_of(sink_t *sink, metric_t *metric, reading_t *reading, loop_t *loop) {
  char texts[ROTA_MEASURE_PLACES + 1][256];
  uint64_t values[ROTA_MEASURE_PLACES + 1];
  unsigned int count = 0;
  for (unsigned int i = 0; i < loop->places_count; i++) {
    uint64_t value = metric->unit == ROTA_METRIC_COUNT ? loop->places[i].count : loop->places[i].took_ns;
    if (loop->places[i].is_rest)
      snprintf(texts[count], sizeof(texts[0]), "other");
    else
      describe_place(texts[count], sizeof(texts[0]), loop->places[i].name, loop->places[i].function);
    if (is_new(texts, count, texts[count])) {
      values[count++] = value;
      continue;
    }
    for (unsigned int same = 0; same < count; same++)
      if (strcmp(texts[same], texts[count]) == 0)
        values[same] += value;
  }
  for (unsigned int i = 0; i < count; i++)
    write_value(sink, metric, labels_of(reading, loop, "place", texts[i]), values[i]);
}

static void write_places(sink_t *sink, metric_t *metric, reading_t *reading) {
  for (size_t i = 0; i < reading->loops_count; i++)
    write_places_of(sink, metric, reading, &reading->loops[i]);
}

/* ---- all of them ---- */

#define OF_LOOP(member) .field = offsetof(struct rota_metrics_loop, member)
#define LAG_ROW(part, figure, text)                                                                                    \
  {                                                                                                                    \
    .metric = {"nodejs_eventloop_lag_" part "seconds", NULL, ROTA_METRIC_GAUGE, ROTA_METRIC_SECONDS, NULL, text},      \
    .has = has_window, OF_LOOP(window.figure)                                                                          \
  }
#define DELAY_ROW(part, figure, text)                                                                                  \
  {                                                                                                                    \
    .metric = {"nodejs_eventloop_delay_" part "_seconds",                                                              \
               "nodejs.eventloop.delay." part,                                                                         \
               ROTA_METRIC_GAUGE,                                                                                      \
               ROTA_METRIC_SECONDS,                                                                                    \
               NULL,                                                                                                   \
               text},                                                                                                  \
    .has = has_window, OF_LOOP(window.figure)                                                                          \
  }

static const struct row rows[] = {
    {.metric = {"rota_info", "rota.info", ROTA_METRIC_GAUGE, ROTA_METRIC_COUNT, "{process}",
                "The program, and the version of rota; always 1."},
     .write = write_info},
    {.metric = {"nodejs_eventloop_lag_seconds", NULL, ROTA_METRIC_GAUGE, ROTA_METRIC_SECONDS, NULL,
                "For how long the loop has not looked for events, at this moment."},
     OF_LOOP(running_ns)},
    LAG_ROW("min_", min_ns, "The least delay of a timer of 10 ms, its interval included."),
    LAG_ROW("max_", max_ns, "The most delay of a timer of 10 ms, its interval included."),
    LAG_ROW("mean_", mean_ns, "The mean delay of a timer of 10 ms, its interval included."),
    LAG_ROW("stddev_", stddev_ns, "The standard deviation of the delay of a timer of 10 ms."),
    LAG_ROW("p50_", p50_ns, "The median delay of a timer of 10 ms, its interval included."),
    LAG_ROW("p90_", p90_ns, "The 90th percentile of the delay of a timer of 10 ms, its interval included."),
    LAG_ROW("p99_", p99_ns, "The 99th percentile of the delay of a timer of 10 ms, its interval included."),
    {.metric = {"nodejs_active_handles", "rota.loop.handles", ROTA_METRIC_GAUGE, ROTA_METRIC_COUNT, "{handle}",
                "Handles that keep the loop alive, by type."},
     .write = write_handles},
    {.metric = {"nodejs_active_requests", "rota.loop.requests", ROTA_METRIC_GAUGE, ROTA_METRIC_COUNT, "{request}",
                "Requests that the loop has not called back yet."},
     .has = has_counted,
     OF_LOOP(requests)},
    DELAY_ROW("min", min_ns, "Event loop minimum delay."),
    DELAY_ROW("max", max_ns, "Event loop maximum delay."),
    DELAY_ROW("mean", mean_ns, "Event loop mean delay."),
    DELAY_ROW("stddev", stddev_ns, "Event loop standard deviation of the delay."),
    DELAY_ROW("p50", p50_ns, "Event loop 50th percentile delay."),
    DELAY_ROW("p90", p90_ns, "Event loop 90th percentile delay."),
    DELAY_ROW("p99", p99_ns, "Event loop 99th percentile delay."),
    {.metric = {"nodejs_eventloop_utilization_ratio", "nodejs.eventloop.utilization", ROTA_METRIC_GAUGE,
                ROTA_METRIC_RATIO, NULL, "The share of the time in which the loop did not wait."},
     OF_LOOP(window.utilization)},
    {.metric = {"nodejs_eventloop_time_seconds", "nodejs.eventloop.time", ROTA_METRIC_COUNTER, ROTA_METRIC_SECONDS,
                NULL, "The time that the loop ran (active) and waited (idle)."},
     .write = write_time},
    {.metric = {"rota_loop_phase_seconds", "rota.loop.phase.time", ROTA_METRIC_COUNTER, ROTA_METRIC_SECONDS, NULL,
                "The time that the loop ran, by phase, without its waits."},
     .write = write_phases},
    {.metric = {"rota_loop_iterations", "rota.loop.iterations", ROTA_METRIC_COUNTER, ROTA_METRIC_COUNT, "{iteration}",
                "Iterations of the loop."},
     OF_LOOP(iterations)},
    {.metric = {"rota_loop_callback_seconds", "rota.loop.callback.duration", ROTA_METRIC_HISTOGRAM, ROTA_METRIC_SECONDS,
                NULL, "How long callbacks ran, with the ticks that they caused."},
     OF_LOOP(callbacks)},
    {.metric = {"rota_loop_stretch_seconds", "rota.loop.stretch.duration", ROTA_METRIC_HISTOGRAM, ROTA_METRIC_SECONDS,
                NULL, "From the end of a wait to the next: how long an event may have had to wait for the loop."},
     OF_LOOP(stretches)},
    {.metric = {"rota_loop_timer_lateness_seconds", "rota.loop.timer.lateness", ROTA_METRIC_HISTOGRAM,
                ROTA_METRIC_SECONDS, NULL, "How late timers were called."},
     OF_LOOP(lateness)},
    {.metric = {"rota_loop_drained", "rota.loop.drained", ROTA_METRIC_COUNTER, ROTA_METRIC_COUNT, "{function}",
                "Ticks and microtasks that were run, where they can be counted."},
     .write = write_drained},
    {.metric = {"rota_slow_callbacks", "rota.slow_callbacks", ROTA_METRIC_COUNTER, ROTA_METRIC_COUNT, "{callback}",
                "Callbacks that took 10 ms or longer, by place."},
     .write = write_places},
    {.metric = {"rota_slow_callback_seconds", "rota.slow_callbacks.time", ROTA_METRIC_COUNTER, ROTA_METRIC_SECONDS,
                NULL, "The time that callbacks took which took 10 ms or longer, by place."},
     .write = write_places},
    {.metric = {"rota_pool_queue_length", "rota.pool.queue.length", ROTA_METRIC_GAUGE, ROTA_METRIC_COUNT, "{job}",
                "Jobs that wait for a thread of the pool."},
     .write = write_pool_queue},
    {.metric = {"rota_pool_threads", "rota.pool.threads", ROTA_METRIC_GAUGE, ROTA_METRIC_COUNT, "{thread}",
                "Threads of the pool that were started."},
     .write = write_pool_threads},
    {.metric = {"rota_pool_threads_limit", "rota.pool.threads.limit", ROTA_METRIC_GAUGE, ROTA_METRIC_COUNT, "{thread}",
                "How many threads the pool may have (UV_THREADPOOL_SIZE)."},
     .write = write_pool_threads_most},
    {.metric = {"rota_pool_wait_seconds", "rota.pool.wait.duration", ROTA_METRIC_HISTOGRAM, ROTA_METRIC_SECONDS, NULL,
                "How long jobs waited for a thread of the pool, by kind."},
     .write = write_queued},
    {.metric = {"rota_pool_run_seconds", "rota.pool.run.duration", ROTA_METRIC_HISTOGRAM, ROTA_METRIC_SECONDS, NULL,
                "How long jobs ran on a thread of the pool, by kind."},
     .write = write_ran},
};

void rota__metrics_write(const struct rota_metrics_reading *reading, struct rota_metrics_sink *sink) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
    sink->begin(sink, &rows[i].metric);
    if (rows[i].write != NULL)
      rows[i].write(sink, &rows[i].metric, reading);
    else
      write_field(sink, &rows[i], reading);
    sink->end(sink, &rows[i].metric);
  }
}
