/* The texts of several processes as one: text.h says why. */
#include <string.h>

#include "observe/metrics/text.h"

/* A metric in a text: its head, and its values. */
struct part {
  const char *name, *head, *values, *end;
  size_t name_length;
};

static const char *line_end(const char *at, const char *end) {
  const char *newline = memchr(at, '\n', (size_t)(end - at));
  return newline == NULL ? end : newline + 1;
}

static bool is_help(const char *at, const char *end) {
  return end - at > 7 && memcmp(at, "# HELP ", 7) == 0;
}

/* False: there is no other. */
static bool next_part(const char **at, const char *end, struct part *part) {
  while (*at < end && !is_help(*at, end))
    *at = line_end(*at, end);
  if (*at >= end)
    return false;
  part->head = *at;
  part->name = *at + 7;
  const char *line = line_end(*at, end);
  part->name_length = 0;
  while (part->name + part->name_length < line && part->name[part->name_length] > ' ')
    part->name_length++;
  while (line < end && line[0] == '#' && !is_help(line, end))
    line = line_end(line, end);
  part->values = line;
  while (line < end && line[0] != '#')
    line = line_end(line, end);
  part->end = *at = line;
  return true;
}

static bool is_same(const struct part *one, const struct part *other) {
  return one->name_length == other->name_length && memcmp(one->name, other->name, one->name_length) == 0;
}

/* False: the text lacks it. */
static bool find(const struct rota_metrics_text *text, const struct part *wanted, struct part *found) {
  const char *at = text->bytes, *end = at + text->length;
  while (at != NULL && next_part(&at, end, found))
    if (is_same(found, wanted))
      return true;
  return false;
}

/* The metrics of one text, each with the values of the later ones; what an earlier text has, too, was told. */
static void add_text(const struct rota_metrics_text *texts, size_t count, size_t own,
                     struct rota_metrics_text *merged) {
  const char *at = texts[own].bytes, *end = at + texts[own].length;
  struct part part, other;
  while (at != NULL && next_part(&at, end, &part)) {
    bool was_told = false;
    for (size_t i = 0; i < own && !was_told; i++)
      was_told = find(&texts[i], &part, &other);
    if (was_told)
      continue;
    rota__text_add(merged, part.head, (size_t)(part.end - part.head));
    for (size_t i = own + 1; i < count; i++)
      if (find(&texts[i], &part, &other))
        rota__text_add(merged, other.values, (size_t)(other.end - other.values));
  }
}

void rota__metrics_merge(const struct rota_metrics_text *texts, size_t count, enum rota_metrics_format format,
                         struct rota_metrics_text *merged) {
  for (size_t i = 0; i < count; i++)
    add_text(texts, count, i, merged);
  if (format == ROTA_METRICS_OPENMETRICS)
    rota__text_put(merged, "# EOF\n");
}
