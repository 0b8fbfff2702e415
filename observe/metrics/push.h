/* Metrics that are sent to a collector of OpenTelemetry, in JSON over HTTP, as the variables say that its own programs
 * read (OTEL_EXPORTER_OTLP_ENDPOINT and its companions). There is no TLS here: https is refused in words.
 *
 * Each process sends its own, by a thread that sleeps between two times. A collector that cannot be reached is told
 * once, and again when it could be reached in between; nothing is kept for it, as the next message has the sums. */
#ifndef ROTA_METRICS_PUSH_H
#define ROTA_METRICS_PUSH_H

#include <stdbool.h>
#include <stdint.h>

#include "observe/metrics/text.h"

enum { ROTA_PUSH_NAME = 256, ROTA_PUSH_PATH = 1024 };

struct rota_push {
  char host[ROTA_PUSH_NAME], service[8], path[ROTA_PUSH_PATH];
  char authority[ROTA_PUSH_NAME + 16]; /* host and port, as the collector is addressed */
  char shown[ROTA_PUSH_NAME + 32];     /* the endpoint, without what may be secret */
  struct rota_metrics_text headers;    /* lines of the request */
  struct rota_metrics_text resource;   /* attributes in JSON */
  uint64_t interval_ns, timeout_ns;
};

/* ---- push_settings.c: what the variables say ---- */

/* False: there can be no push, and a line says why. */
bool rota__push_read_environment(struct rota_push *push);
/* False: it is no address of http. A base gets the path of metrics behind its own. */
bool rota__push_read_url(const char *url, bool is_base, struct rota_push *push);
/* "a=b,c=d%20e" */
typedef void (*rota_push_pair)(struct rota_metrics_text *text, const char *name, const char *value, bool *is_first);
void rota__push_read_pairs(const char *list, rota_push_pair add, struct rota_metrics_text *text, bool *is_first);
/* Of this process: a child writes it anew. */
void rota__push_write_resource(struct rota_push *push);
void rota__push_free(struct rota_push *push);

/* ---- push.c ---- */

/* The thread is started and ended. */
int rota__push_start(void);
void rota__push_stop(void);
void rota__push_after_fork_in_child(void);
void rota__push_resume(void);

/* ---- telemetry.c ---- */

void rota__telemetry_attribute(struct rota_metrics_text *text, const char *name, const char *value, bool *is_first);
void rota__telemetry_write(const struct rota_metrics_reading *reading, const struct rota_metrics_text *resource,
                           struct rota_metrics_text *text);

#endif
