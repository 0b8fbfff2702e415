#include "observe/metrics/http.h"

#include <string.h>
#include <strings.h>

enum { QUALITY_MOST = 1000 };

/* ---- fields ---- */

/* Texts that are not ended by a NUL. */
struct span {
  const char *at;
  size_t length;
};

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

static struct span trimmed(struct span span) {
  for (; span.length > 0 && is_blank(span.at[0]); span.length--)
    span.at++;
  while (span.length > 0 && is_blank(span.at[span.length - 1]))
    span.length--;
  return span;
}

static bool is_word(struct span span, const char *word) {
  return strlen(word) == span.length && strncasecmp(span.at, word, span.length) == 0;
}

static bool is_exactly(struct span span, const char *word) {
  return strlen(word) == span.length && memcmp(span.at, word, span.length) == 0;
}

/* Up to the mark, which is taken, too. */
static struct span take_until(struct span *rest, char mark) {
  const char *found = rest->length == 0 ? NULL : memchr(rest->at, mark, rest->length);
  struct span taken = {rest->at, found == NULL ? rest->length : (size_t)(found - rest->at)};
  size_t used = taken.length + (found != NULL);
  rest->at += used;
  rest->length -= used;
  return trimmed(taken);
}

/* "0.75" is 750. What is no quality counts as the whole. */
static int read_quality(struct span text) {
  int quality = 0, digit = QUALITY_MOST / 10;
  if (text.length == 0 || (text.at[0] != '0' && text.at[0] != '1'))
    return QUALITY_MOST;
  quality = text.at[0] == '1' ? QUALITY_MOST : 0;
  for (size_t i = 2; i < text.length && digit > 0; i++, digit /= 10)
    if (text.at[i] >= '0' && text.at[i] <= '9')
      quality += (text.at[i] - '0') * digit;
  return quality < QUALITY_MOST ? quality : QUALITY_MOST;
}

static void read_accept(struct span value, int qualities[2]) {
  while (value.length > 0) {
    struct span item = take_until(&value, ',');
    struct span type = take_until(&item, ';');
    int quality = QUALITY_MOST;
    while (item.length > 0) {
      struct span parameter = take_until(&item, ';');
      struct span name = take_until(&parameter, '=');
      if (is_word(name, "q"))
        quality = read_quality(trimmed(parameter));
    }
    bool is_open = is_word(type, "application/openmetrics-text"), is_text = is_word(type, "text/plain");
    int *known = &qualities[is_open ? ROTA_METRICS_OPENMETRICS : ROTA_METRICS_PROMETHEUS];
    if ((is_open || is_text) && quality > *known)
      *known = quality;
  }
}

/* ---- the head ---- */

static bool has_control(struct span line) {
  for (size_t i = 0; i < line.length; i++)
    if ((unsigned char)line.at[i] < ' ' && line.at[i] != '\t')
      return true;
  return false;
}

static struct span take_line(struct span *rest) {
  const char *found = memchr(rest->at, '\n', rest->length);
  struct span line = {rest->at, (size_t)(found - rest->at)};
  rest->at += line.length + 1;
  rest->length -= line.length + 1;
  if (line.length > 0 && line.at[line.length - 1] == '\r')
    line.length--;
  return line;
}

static enum rota_http_outcome read_request_line(struct span line) {
  struct span rest = line;
  struct span method = take_until(&rest, ' '), target = take_until(&rest, ' '), version = rest;
  if (method.length == 0 || target.length == 0 || version.length != 8 || memcmp(version.at, "HTTP/", 5) != 0)
    return ROTA_HTTP_BAD;
  if (memcmp(version.at, "HTTP/1.", 7) != 0)
    return ROTA_HTTP_OTHER_VERSION;
  struct span path = take_until(&target, '?');
  if (!is_exactly(path, "/metrics") && !is_exactly(path, "/"))
    return ROTA_HTTP_OTHER_PATH;
  if (is_exactly(method, "HEAD"))
    return ROTA_HTTP_HEAD;
  return is_exactly(method, "GET") ? ROTA_HTTP_GET : ROTA_HTTP_OTHER_METHOD;
}

/* An empty line ends it. */
static bool is_whole(const char *head, size_t length) {
  for (size_t i = 0; i + 1 < length; i++)
    if (head[i] == '\n' && (head[i + 1] == '\n' || (i + 2 < length && head[i + 1] == '\r' && head[i + 2] == '\n')))
      return true;
  return false;
}

enum rota_http_outcome rota__http_read(const char *head, size_t length, enum rota_metrics_format *format) {
  struct span rest = {head, length}, line;
  int qualities[2] = {0, 0};
  *format = ROTA_METRICS_PROMETHEUS;
  if (!is_whole(head, length))
    return length < ROTA_HTTP_HEAD_MAX ? ROTA_HTTP_MORE : ROTA_HTTP_TOO_LARGE;
  line = take_line(&rest);
  enum rota_http_outcome outcome = has_control(line) ? ROTA_HTTP_BAD : read_request_line(line);
  while ((line = take_line(&rest)).length > 0) {
    struct span value = line;
    struct span name = take_until(&value, ':');
    bool has_colon = memchr(line.at, ':', line.length) != NULL;
    if (has_control(line) || !has_colon || name.length == 0 || is_blank(line.at[0]))
      return ROTA_HTTP_BAD;
    if (is_word(name, "accept"))
      read_accept(value, qualities);
  }
  if (qualities[ROTA_METRICS_OPENMETRICS] > 0 &&
      qualities[ROTA_METRICS_OPENMETRICS] >= qualities[ROTA_METRICS_PROMETHEUS])
    *format = ROTA_METRICS_OPENMETRICS;
  return outcome;
}

/* ---- answers ---- */

void rota__http_answer(enum rota_http_outcome outcome, enum rota_metrics_format format, size_t body_length,
                       struct rota_metrics_text *answer) {
  static const char *const reasons[] = {
      [ROTA_HTTP_GET] = "200 OK",
      [ROTA_HTTP_HEAD] = "200 OK",
      [ROTA_HTTP_BAD] = "400 Bad Request",
      [ROTA_HTTP_OTHER_PATH] = "404 Not Found",
      [ROTA_HTTP_OTHER_METHOD] = "405 Method Not Allowed",
      [ROTA_HTTP_TOO_LARGE] = "431 Request Header Fields Too Large",
      [ROTA_HTTP_OTHER_VERSION] = "505 HTTP Version Not Supported",
  };
  bool is_good = outcome == ROTA_HTTP_GET || outcome == ROTA_HTTP_HEAD;
  const char *body = outcome == ROTA_HTTP_OTHER_PATH ? "the metrics are at /metrics\n" : reasons[outcome];
  rota__text_put(answer, "HTTP/1.1 ");
  rota__text_put(answer, reasons[outcome]);
  rota__text_put(answer, "\r\nContent-Type: ");
  if (is_good && format == ROTA_METRICS_OPENMETRICS)
    rota__text_put(answer, "application/openmetrics-text; version=1.0.0; charset=utf-8");
  else
    rota__text_put(answer, is_good ? "text/plain; version=0.0.4; charset=utf-8" : "text/plain; charset=utf-8");
  if (outcome == ROTA_HTTP_OTHER_METHOD)
    rota__text_put(answer, "\r\nAllow: GET, HEAD");
  rota__text_put(answer, "\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\nContent-Length: ");
  rota__text_number(answer, is_good ? body_length : strlen(body));
  rota__text_put(answer, "\r\n\r\n");
  if (!is_good)
    rota__text_put(answer, body);
}
