/* What the variables of OpenTelemetry say of a push (push.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "loop/os/process.h"
#include "observe/metrics/push.h"

enum { NAME_ROOM = 256, PAIR_ROOM = 1024, INTERVAL_MS = 60000, TIMEOUT_MS = 10000, MOST_MS = 86400000 };

/* Null: not set, or empty. */
static const char *variable(const char *name) {
  const char *value = rota__os_trusted_environment(name);
  return value == NULL || *value == '\0' ? NULL : value;
}

/* What is set for metrics alone goes before what is set for all. */
static const char *variable_of_metrics(const char *rest) {
  char name[64];
  snprintf(name, sizeof(name), "OTEL_EXPORTER_OTLP_METRICS_%s", rest);
  const char *value = variable(name);
  if (value != NULL)
    return value;
  snprintf(name, sizeof(name), "OTEL_EXPORTER_OTLP_%s", rest);
  return variable(name);
}

static uint64_t milliseconds(const char *name, const char *value, uint64_t usual_ms) {
  char *end;
  if (value == NULL)
    return usual_ms * NS_PER_MS;
  unsigned long long number = strtoull(value, &end, 10);
  if (*value >= '0' && *value <= '9' && *end == '\0' && number > 0 && number <= MOST_MS)
    return number * NS_PER_MS;
  fprintf(stderr, "rota: metrics: %s=%s: must be a number of milliseconds from 1 to %d; it is %llu\n", name, value,
          MOST_MS, (unsigned long long)usual_ms);
  return usual_ms * NS_PER_MS;
}

/* ---- lists ---- */

static int hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Without the blanks around it, and with %20 and its like read. A NUL is none. */
static void decode(const char *at, size_t length, char *room, size_t size) {
  size_t used = 0;
  while (length > 0 && (*at == ' ' || *at == '\t'))
    at++, length--;
  while (length > 0 && (at[length - 1] == ' ' || at[length - 1] == '\t'))
    length--;
  for (size_t i = 0; i < length && used + 1 < size; i++) {
    int high = at[i] == '%' && i + 2 < length ? hex_digit(at[i + 1]) : -1;
    int low = high >= 0 ? hex_digit(at[i + 2]) : -1;
    room[used++] = high >= 0 && low >= 0 && high * 16 + low != 0 ? (char)(high * 16 + low) : at[i];
    i += high >= 0 && low >= 0 && high * 16 + low != 0 ? 2 : 0;
  }
  room[used] = '\0';
}

void rota__push_read_pairs(const char *list, rota_push_pair add, struct rota_metrics_text *text, bool *is_first) {
  char name[NAME_ROOM], value[PAIR_ROOM];
  while (list != NULL && *list != '\0') {
    size_t length = strcspn(list, ","), name_length = strcspn(list, "=,");
    if (name_length < length) {
      decode(list, name_length, name, sizeof(name));
      decode(list + name_length + 1, length - name_length - 1, value, sizeof(value));
      if (name[0] != '\0')
        add(text, name, value, is_first);
    }
    list += length + (list[length] == ',');
  }
}

/* A line break in a value would be another header. */
static void add_header(struct rota_metrics_text *text, const char *name, const char *value, bool *is_first) {
  (void)is_first;
  for (const char *at = name; *at != '\0'; at++)
    if (strchr("!#$%&'*+-.^_`|~", *at) == NULL && !(*at >= '0' && *at <= '9') &&
        !((*at | 0x20) >= 'a' && (*at | 0x20) <= 'z'))
      return;
  for (const char *at = value; *at != '\0'; at++)
    if ((unsigned char)*at < ' ' || *at == 0x7f)
      return;
  rota__text_put(text, name);
  rota__text_put(text, ": ");
  rota__text_put(text, value);
  rota__text_put(text, "\r\n");
}

/* ---- the collector ---- */

bool rota__push_read_url(const char *url, bool is_base, struct rota_push *push) {
  if (strncasecmp(url, "http://", 7) != 0)
    return false;
  const char *host = url + 7, *end = host + strcspn(host, "/?#");
  size_t path_length = strcspn(end, "#");
  const char *at = memchr(host, '@', (size_t)(end - host));
  host = at == NULL ? host : at + 1;
  bool has_brackets = *host == '[';
  const char *host_end = has_brackets ? memchr(host, ']', (size_t)(end - host)) : host + strcspn(host, ":/?#");
  if (host_end == NULL || host_end == host + has_brackets)
    return false;
  const char *port = host_end + has_brackets;
  size_t host_length = (size_t)(host_end - host) - has_brackets, port_length = (size_t)(end - port);
  if ((port_length > 0 && *port != ':') || port_length == 1 || port_length >= sizeof(push->service) ||
      strspn(port + (port_length > 0), "0123456789") + (port_length > 0) < port_length ||
      host_length >= sizeof(push->host) || (is_base && memchr(end, '?', path_length) != NULL) ||
      path_length + 16 >= sizeof(push->path))
    return false;
  snprintf(push->host, sizeof(push->host), "%.*s", (int)host_length, host + has_brackets);
  snprintf(push->service, sizeof(push->service), "%.*s", port_length > 0 ? (int)port_length - 1 : 2,
           port_length > 0 ? port + 1 : "80");
  snprintf(push->authority, sizeof(push->authority), "%.*s", (int)(end - host), host);
  while (is_base && path_length > 0 && end[path_length - 1] == '/')
    path_length--;
  bool lacks_slash = !is_base && *end != '/';
  snprintf(push->path, sizeof(push->path), "%s%.*s%s", lacks_slash ? "/" : "", (int)path_length, end,
           is_base ? "/v1/metrics" : "");
  snprintf(push->shown, sizeof(push->shown), "http://%s", push->authority);
  return strpbrk(push->path, " \r\n\t") == NULL && strpbrk(push->authority, " \r\n\t") == NULL;
}

/* What a URL may hold besides, such as a password, is not told. */
static bool read_collector(struct rota_push *push) {
  const char *own = variable("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"), *all = variable("OTEL_EXPORTER_OTLP_ENDPOINT");
  const char *url = own != NULL ? own : all != NULL ? all : "http://localhost:4318";
  const char *name = own != NULL ? "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT" : "OTEL_EXPORTER_OTLP_ENDPOINT";
  if (rota__push_read_url(url, own == NULL, push))
    return true;
  if (strncasecmp(url, "https:", 6) == 0)
    fprintf(stderr,
            "rota: metrics: %s is https, which rota does not speak; name a collector by http, such as one on "
            "this machine; the program runs without a push\n",
            name);
  else
    fprintf(stderr, "rota: metrics: %s: must be http://HOST:PORT; the program runs without a push\n", name);
  return false;
}

static bool read_protocol(void) {
  const char *protocol = variable_of_metrics("PROTOCOL"), *compression = variable_of_metrics("COMPRESSION");
  if (protocol != NULL && strcmp(protocol, "grpc") == 0) {
    fputs("rota: metrics: OTEL_EXPORTER_OTLP_PROTOCOL=grpc: rota sends JSON over HTTP (http/json), to the collector's "
          "port 4318; the program runs without a push\n",
          stderr);
    return false;
  }
  if (compression != NULL && strcmp(compression, "none") != 0)
    fputs("rota: metrics: OTEL_EXPORTER_OTLP_COMPRESSION: they are sent without\n", stderr);
  return true;
}

/* ---- who sends them ---- */

static void add_unless_service(struct rota_metrics_text *text, const char *name, const char *value, bool *is_first) {
  if (strcmp(name, "service.name") != 0 && strcmp(name, "service.instance.id") != 0 && strcmp(name, "host.name") != 0)
    rota__telemetry_attribute(text, name, value, is_first);
}

static void find_service(struct rota_metrics_text *text, const char *name, const char *value, bool *is_first) {
  if (strcmp(name, "service.name") != 0)
    return;
  text->length = 0;
  rota__text_put(text, value);
  *is_first = false;
}

void rota__push_write_resource(struct rota_push *push) {
  const char *list = variable("OTEL_RESOURCE_ATTRIBUTES"), *service = variable("OTEL_SERVICE_NAME");
  struct rota_metrics_text found = {0};
  char instance[272], host[256] = "";
  bool is_first = true, is_unused = true;
  rota__push_read_pairs(list, find_service, &found, &is_unused);
  service = service != NULL ? service : found.length > 0 ? found.bytes : "unknown_service";
  push->resource.length = 0;
  rota__telemetry_attribute(&push->resource, "service.name", service, &is_first);
  rota__text_put(&push->resource, ",{\"key\":\"process.pid\",\"value\":{\"intValue\":\"");
  rota__text_number(&push->resource, (uint64_t)rota__os_process_id());
  rota__text_put(&push->resource, "\"}}");
  size_t size = sizeof(host);
  if (uv_os_gethostname(host, &size) == 0)
    rota__telemetry_attribute(&push->resource, "host.name", host, &is_first);
  snprintf(instance, sizeof(instance), "%s:%d", host, rota__os_process_id());
  rota__telemetry_attribute(&push->resource, "service.instance.id", instance, &is_first);
  rota__push_read_pairs(list, add_unless_service, &push->resource, &is_first);
  rota__text_free(&found);
}

bool rota__push_read_environment(struct rota_push *push) {
  bool is_unused = true;
  memset(push, 0, sizeof(*push));
  if (!read_protocol() || !read_collector(push))
    return false;
  push->interval_ns = milliseconds("OTEL_METRIC_EXPORT_INTERVAL", variable("OTEL_METRIC_EXPORT_INTERVAL"), INTERVAL_MS);
  push->timeout_ns = milliseconds("OTEL_EXPORTER_OTLP_TIMEOUT", variable_of_metrics("TIMEOUT"), TIMEOUT_MS);
  rota__push_read_pairs(variable_of_metrics("HEADERS"), add_header, &push->headers, &is_unused);
  rota__push_write_resource(push);
  return true;
}

void rota__push_free(struct rota_push *push) {
  rota__text_free(&push->headers);
  rota__text_free(&push->resource);
}
