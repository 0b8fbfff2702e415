/* Metrics as OpenTelemetry's protocol has them in JSON: one message with all metrics of this process (OTLP/HTTP,
 * ExportMetricsServiceRequest). Numbers of 64 bits are texts there; sums and histograms count from the beginning. */
#include <stdio.h>
#include <string.h>

#include "observe/metrics/text.h"
#include "rota.h"

enum { CUMULATIVE = 2 };

struct writer {
  struct rota_metrics_sink sink;
  struct rota_metrics_text *text;
  const struct rota_metrics_reading *reading;
  bool has_metric; /* one was written */
  bool is_open;    /* the metric has a value */
};

static struct writer *writer_of(struct rota_metrics_sink *sink) {
  return rota__container_of(sink, struct writer, sink);
}

static void put_text(struct rota_metrics_text *text, const char *words) {
  rota__text_put(text, "\"");
  rota__text_escaped(text, words, true);
  rota__text_put(text, "\"");
}

static void put_number_text(struct rota_metrics_text *text, uint64_t number) {
  rota__text_put(text, "\"");
  rota__text_number(text, number);
  rota__text_put(text, "\"");
}

void rota__telemetry_attribute(struct rota_metrics_text *text, const char *name, const char *value, bool *is_first) {
  rota__text_put(text, *is_first ? "{\"key\":" : ",{\"key\":");
  put_text(text, name);
  rota__text_put(text, ",\"value\":{\"stringValue\":");
  put_text(text, value);
  rota__text_put(text, "}}");
  *is_first = false;
}

static const char *unit_of(const struct rota_metric *metric) {
  return metric->unit == ROTA_METRIC_SECONDS ? "s" : metric->unit == ROTA_METRIC_RATIO ? "1" : metric->counts;
}

/* A metric without values is left out. */
static void open_metric(struct writer *writer, const struct rota_metric *metric) {
  static const char *const types[] = {"gauge", "sum", "histogram"};
  if (writer->is_open) {
    rota__text_put(writer->text, ",");
    return;
  }
  rota__text_put(writer->text, writer->has_metric ? ",{\"name\":" : "{\"name\":");
  put_text(writer->text, metric->telemetry);
  rota__text_put(writer->text, ",\"description\":");
  put_text(writer->text, metric->help);
  rota__text_put(writer->text, ",\"unit\":");
  put_text(writer->text, unit_of(metric));
  rota__text_put(writer->text, ",\"");
  rota__text_put(writer->text, types[metric->type]);
  rota__text_put(writer->text, "\":{\"dataPoints\":[");
  writer->is_open = writer->has_metric = true;
}

/* The process is the resource's. */
static void open_point(struct writer *writer, const struct rota_metric *metric,
                       const struct rota_metrics_label *labels) {
  bool is_first = true;
  rota__text_put(writer->text, "{\"attributes\":[");
  for (; labels->name != NULL; labels++)
    if (strcmp(labels->name, "pid") != 0)
      rota__telemetry_attribute(writer->text, labels->name, labels->value, &is_first);
  rota__text_put(writer->text, "],");
  if (metric->type != ROTA_METRIC_GAUGE) {
    rota__text_put(writer->text, "\"startTimeUnixNano\":");
    put_number_text(writer->text, writer->reading->begun_ns);
    rota__text_put(writer->text, ",");
  }
  rota__text_put(writer->text, "\"timeUnixNano\":");
  put_number_text(writer->text, writer->reading->now_ns);
}

static void begin(struct rota_metrics_sink *sink, const struct rota_metric *metric) {
  (void)metric;
  writer_of(sink)->is_open = false;
}

static void add_value(struct rota_metrics_sink *sink, const struct rota_metric *metric,
                      const struct rota_metrics_label *labels, uint64_t value) {
  struct writer *writer = writer_of(sink);
  if (metric->telemetry == NULL)
    return;
  open_metric(writer, metric);
  open_point(writer, metric, labels);
  if (metric->unit == ROTA_METRIC_COUNT) {
    rota__text_put(writer->text, ",\"asInt\":");
    put_number_text(writer->text, value);
  } else {
    rota__text_put(writer->text, ",\"asDouble\":");
    rota__text_billionths(writer->text, value);
  }
  rota__text_put(writer->text, "}");
}

static void add_histogram(struct rota_metrics_sink *sink, const struct rota_metric *metric,
                          const struct rota_metrics_label *labels, const struct rota_metrics_histogram *histogram) {
  struct writer *writer = writer_of(sink);
  open_metric(writer, metric);
  open_point(writer, metric, labels);
  rota__text_put(writer->text, ",\"count\":");
  put_number_text(writer->text, histogram->count);
  rota__text_put(writer->text, ",\"sum\":");
  rota__text_billionths(writer->text, histogram->sum_ns);
  rota__text_put(writer->text, ",\"bucketCounts\":[");
  for (int i = 0; i <= ROTA_METRICS_BOUNDS; i++) {
    rota__text_put(writer->text, i == 0 ? "" : ",");
    put_number_text(writer->text, histogram->counts[i]);
  }
  rota__text_put(writer->text, "],\"explicitBounds\":[");
  for (int i = 0; i < ROTA_METRICS_BOUNDS; i++) {
    rota__text_put(writer->text, i == 0 ? "" : ",");
    rota__text_billionths(writer->text, rota__metrics_bounds_ns[i]);
  }
  rota__text_put(writer->text, "]}");
}

static void end(struct rota_metrics_sink *sink, const struct rota_metric *metric) {
  const struct writer *writer = writer_of(sink);
  if (!writer->is_open)
    return;
  rota__text_put(writer->text, "]");
  if (metric->type != ROTA_METRIC_GAUGE) {
    rota__text_put(writer->text, ",\"aggregationTemporality\":");
    rota__text_number(writer->text, CUMULATIVE);
  }
  rota__text_put(writer->text, metric->type == ROTA_METRIC_COUNTER ? ",\"isMonotonic\":true}}" : "}}");
}

void rota__telemetry_write(const struct rota_metrics_reading *reading, const struct rota_metrics_text *resource,
                           struct rota_metrics_text *text) {
  struct writer writer = {.sink = {begin, add_value, add_histogram, end}, .text = text, .reading = reading};
  rota__text_put(text, "{\"resourceMetrics\":[{\"resource\":{\"attributes\":[");
  rota__text_add(text, resource->bytes, resource->length);
  rota__text_put(text, "]},\"scopeMetrics\":[{\"scope\":{\"name\":\"rota\",\"version\":\"" ROTA_VERSION_STRING
                       "\"},\"metrics\":[");
  rota__metrics_write(reading, &writer.sink);
  rota__text_put(text, "]}]}]}");
}
