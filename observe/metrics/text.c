#include "observe/metrics/text.h"

#include <stdio.h>
#include <string.h>

#include "loop/base/alloc.h"

enum { ROOM = 16384, FRACTION_DIGITS = 9 };

/* ---- text that grows ---- */

static bool make_room(struct rota_metrics_text *text, size_t more) {
  size_t room = text->room == 0 ? ROOM : text->room;
  if (text->failed)
    return false;
  while (room - text->length <= more)
    room *= 2;
  if (room == text->room)
    return true;
  char *bytes = rota__realloc(text->bytes, room);
  text->failed = bytes == NULL;
  if (bytes == NULL)
    return false;
  text->bytes = bytes;
  text->room = room;
  return true;
}

void rota__text_add(struct rota_metrics_text *text, const char *bytes, size_t length) {
  if (length == 0 || !make_room(text, length))
    return;
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  text->bytes[text->length] = '\0';
}

void rota__text_put(struct rota_metrics_text *text, const char *words) {
  rota__text_add(text, words, strlen(words));
}

void rota__text_number(struct rota_metrics_text *text, uint64_t number) {
  char digits[24];
  int length = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)number);
  rota__text_add(text, digits, (size_t)length);
}

void rota__text_billionths(struct rota_metrics_text *text, uint64_t billionths) {
  char digits[40];
  int length = snprintf(digits, sizeof(digits), "%llu.%0*llu", (unsigned long long)(billionths / NS_PER_SECOND),
                        FRACTION_DIGITS, (unsigned long long)(billionths % NS_PER_SECOND));
  while (digits[length - 1] == '0' && digits[length - 2] != '.')
    length--;
  rota__text_add(text, digits, (size_t)length);
}

void rota__text_free(struct rota_metrics_text *text) {
  rota__free(text->bytes);
  *text = (struct rota_metrics_text){0};
}

/* ---- escapes ---- */

/* The length of the character in UTF-8; 0: it is none. */
static unsigned int character_length(const unsigned char *at) {
  static const struct {
    unsigned char mask, head, least_next;
  } kinds[] = {{0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0xa0}, {0xf8, 0xf0, 0x90}};
  if (at[0] < 0x80)
    return 1;
  for (unsigned int i = 0; i < 3; i++) {
    if ((at[0] & kinds[i].mask) != kinds[i].head)
      continue;
    bool is_right = at[0] >= 0xc2 && at[0] <= 0xf4;
    bool is_surrogate = at[0] == 0xed && at[1] >= 0xa0, is_beyond = at[0] == 0xf4 && at[1] >= 0x90;
    bool is_short = (at[0] & 0x0f) == 0 && at[0] != 0xd0 && i > 0 && at[1] < kinds[i].least_next;
    for (unsigned int next = 1; next <= i + 1 && is_right; next++)
      is_right = (at[next] & 0xc0) == 0x80;
    return is_right && !is_surrogate && !is_beyond && !is_short ? i + 2 : 0;
  }
  return 0;
}

static void add_control(struct rota_metrics_text *text, unsigned char byte, bool is_json) {
  char escape[8];
  if (byte == '\n')
    rota__text_put(text, "\\n");
  else if (!is_json)
    rota__text_put(text, " ");
  else if (snprintf(escape, sizeof(escape), "\\u%04x", (unsigned int)byte) > 0)
    rota__text_put(text, escape);
}

void rota__text_escaped(struct rota_metrics_text *text, const char *words, bool is_json) {
  for (const unsigned char *at = (const unsigned char *)words; *at != '\0';) {
    unsigned int length = character_length(at);
    if (length == 0)
      rota__text_put(text, "\xef\xbf\xbd"); /* the replacement character */
    else if (*at == '"' || *at == '\\')
      rota__text_add(text, *at == '"' ? "\\\"" : "\\\\", 2);
    else if (*at < 0x20 || *at == 0x7f)
      add_control(text, *at, is_json);
    else
      rota__text_add(text, (const char *)at, length);
    at += length == 0 ? 1 : length;
  }
}

/* ---- Prometheus and OpenMetrics ---- */

struct writer {
  struct rota_metrics_sink sink;
  struct rota_metrics_text *text;
  bool is_open; /* OpenMetrics */
};

static struct writer *writer_of(struct rota_metrics_sink *sink) {
  return rota__container_of(sink, struct writer, sink);
}

/* OpenMetrics calls a counter by its name without _total, and the other format with it. */
static void begin(struct rota_metrics_sink *sink, const struct rota_metric *metric) {
  static const char *const types[] = {"gauge", "counter", "histogram"};
  static const char *const heads[] = {"# HELP ", "# TYPE ", "# UNIT "};
  const struct writer *writer = writer_of(sink);
  bool has_unit = writer->is_open && metric->unit != ROTA_METRIC_COUNT;
  for (int line = 0; line < 2 + has_unit; line++) {
    rota__text_put(writer->text, heads[line]);
    rota__text_put(writer->text, metric->name);
    if (metric->type == ROTA_METRIC_COUNTER && !writer->is_open)
      rota__text_put(writer->text, "_total");
    rota__text_put(writer->text, " ");
    rota__text_put(writer->text, line == 0                             ? metric->help
                                 : line == 1                           ? types[metric->type]
                                 : metric->unit == ROTA_METRIC_SECONDS ? "seconds"
                                                                       : "ratio");
    rota__text_put(writer->text, "\n");
  }
}

/* Names of labels have no dots here. */
static void add_name(struct rota_metrics_text *text, const char *name) {
  for (; *name != '\0'; name++)
    rota__text_add(text, *name == '.' ? "_" : name, 1);
}

static void add_labels(struct rota_metrics_text *text, const struct rota_metrics_label *labels, uint64_t bound_ns) {
  const char *between = "{";
  for (; labels->name != NULL; labels++) {
    rota__text_put(text, between);
    add_name(text, labels->name);
    rota__text_put(text, "=\"");
    rota__text_escaped(text, labels->value, false);
    rota__text_put(text, "\"");
    between = ",";
  }
  if (bound_ns == 0) {
    rota__text_put(text, "} ");
    return;
  }
  rota__text_put(text, between);
  rota__text_put(text, "le=\"");
  if (bound_ns == UINT64_MAX)
    rota__text_put(text, "+Inf");
  else
    rota__text_billionths(text, bound_ns);
  rota__text_put(text, "\"} ");
}

/* bound_ns 0: the value is of no bucket. */
static void add_line(const struct writer *writer, const struct rota_metric *metric, const char *suffix,
                     const struct rota_metrics_label *labels, uint64_t bound_ns, uint64_t value, bool is_whole) {
  rota__text_put(writer->text, metric->name);
  rota__text_put(writer->text, suffix);
  add_labels(writer->text, labels, bound_ns);
  if (is_whole)
    rota__text_number(writer->text, value);
  else
    rota__text_billionths(writer->text, value);
  rota__text_put(writer->text, "\n");
}

static void add_value(struct rota_metrics_sink *sink, const struct rota_metric *metric,
                      const struct rota_metrics_label *labels, uint64_t value) {
  add_line(writer_of(sink), metric, metric->type == ROTA_METRIC_COUNTER ? "_total" : "", labels, 0, value,
           metric->unit == ROTA_METRIC_COUNT);
}

static void add_histogram(struct rota_metrics_sink *sink, const struct rota_metric *metric,
                          const struct rota_metrics_label *labels, const struct rota_metrics_histogram *histogram) {
  uint64_t count = 0;
  for (int bound = 0; bound <= ROTA_METRICS_BOUNDS; bound++) {
    count += histogram->counts[bound];
    add_line(writer_of(sink), metric, "_bucket", labels,
             bound == ROTA_METRICS_BOUNDS ? UINT64_MAX : rota__metrics_bounds_ns[bound], count, true);
  }
  add_line(writer_of(sink), metric, "_sum", labels, 0, histogram->sum_ns, false);
  add_line(writer_of(sink), metric, "_count", labels, 0, histogram->count, true);
}

static void end(struct rota_metrics_sink *sink, const struct rota_metric *metric) {
  (void)sink;
  (void)metric;
}

void rota__metrics_write_text(const struct rota_metrics_reading *reading, enum rota_metrics_format format,
                              struct rota_metrics_text *text) {
  struct writer writer = {
      .sink = {begin, add_value, add_histogram, end}, .text = text, .is_open = format == ROTA_METRICS_OPENMETRICS};
  rota__metrics_write(reading, &writer.sink);
}
