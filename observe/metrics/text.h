/* Text that grows, and the two text formats of metrics.
 *
 * Numbers are written without the C library's printf for floating point, which follows the program's locale: a comma
 * in a number would make the text unreadable. */
#ifndef ROTA_METRICS_TEXT_H
#define ROTA_METRICS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "observe/metrics/reading.h"

struct rota_metrics_text {
  char *bytes; /* with a NUL behind them, if there are any */
  size_t length, room;
  bool failed; /* there was no memory: the text is not whole */
};

void rota__text_add(struct rota_metrics_text *text, const char *bytes, size_t length);
void rota__text_put(struct rota_metrics_text *text, const char *words);
void rota__text_number(struct rota_metrics_text *text, uint64_t number);
void rota__text_billionths(struct rota_metrics_text *text, uint64_t billionths); /* "1.5", "10.0" */
/* In quotes that are not written: quotes, backslashes and control characters are escaped as JSON and the text formats
 * want it, and bytes that are no UTF-8 are replaced. */
void rota__text_escaped(struct rota_metrics_text *text, const char *words, bool is_json);
void rota__text_free(struct rota_metrics_text *text);

enum rota_metrics_format { ROTA_METRICS_PROMETHEUS, ROTA_METRICS_OPENMETRICS };

/* The metrics of a reading; of OpenMetrics without the mark of the end, as those of other processes may follow. */
void rota__metrics_write_text(const struct rota_metrics_reading *reading, enum rota_metrics_format format,
                              struct rota_metrics_text *text);

/* ---- merge.c: the texts of several processes as one ----
 *
 * All values of a metric must stand together, below one head. So the texts are cut at their heads, and put together by
 * name. */

/* The texts are not changed. The mark of the end is added. */
void rota__metrics_merge(const struct rota_metrics_text *texts, size_t count, enum rota_metrics_format format,
                         struct rota_metrics_text *merged);

#endif
