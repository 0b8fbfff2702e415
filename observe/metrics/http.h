/* The head of an HTTP request, read from what anybody may send: a pure function of the bytes, which takes no memory.
 *
 * Each connection carries one request, and is closed with the answer. A body is not read. */
#ifndef ROTA_METRICS_HTTP_H
#define ROTA_METRICS_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "observe/metrics/text.h"

enum { ROTA_HTTP_HEAD_MAX = 8192 };

enum rota_http_outcome {
  ROTA_HTTP_MORE, /* the head is not whole yet */
  ROTA_HTTP_GET,
  ROTA_HTTP_HEAD,
  ROTA_HTTP_BAD,           /* 400 */
  ROTA_HTTP_OTHER_PATH,    /* 404 */
  ROTA_HTTP_OTHER_METHOD,  /* 405 */
  ROTA_HTTP_TOO_LARGE,     /* 431 */
  ROTA_HTTP_OTHER_VERSION, /* 505 */
};

/* The format is what the Accept fields want more. */
enum rota_http_outcome rota__http_read(const char *head, size_t length, enum rota_metrics_format *format);

/* The head of the answer, and for an error its body. body: of a good answer; null with HEAD's error. */
void rota__http_answer(enum rota_http_outcome outcome, enum rota_metrics_format format, size_t body_length,
                       struct rota_metrics_text *answer);

#endif
