/* The loop's figures in Prometheus's text format, as doc/METRICS.md names them; what is not known here is left out.
 * Numbers are written as whole ones: the program's locale may have a comma in others. On the session's thread. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "inject/agent/agent.h"
#include "rota.h"

enum { COUNT_MS = 100, LOOK_MS = 2, LABELS_SIZE = 64 };

/* As in observe/metrics. */
static const uint64_t bounds_ns[] = {100000,   500000,    1000000,   2500000,   5000000,    10000000,   25000000,
                                     50000000, 100000000, 250000000, 500000000, 1000000000, 2500000000, 10000000000};
enum { BOUNDS = sizeof bounds_ns / sizeof bounds_ns[0] };

static void put_head(FILE *out, const char *name, const char *type, const char *help) {
  fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void put_billionths(FILE *out, uint64_t value) {
  fprintf(out, " %llu.%09llu\n", (unsigned long long)(value / AGENT_NS_PER_S),
          (unsigned long long)(value % AGENT_NS_PER_S));
}

/* "0.0001", "10.0": values of a label must not differ from what others write. */
static const char *format_bound(uint64_t ns, char *text, size_t size) {
  snprintf(text, size, "%llu.%09llu", (unsigned long long)(ns / AGENT_NS_PER_S),
           (unsigned long long)(ns % AGENT_NS_PER_S));
  size_t length = strlen(text);
  while (text[length - 1] == '0' && text[length - 2] != '.')
    text[--length] = 0;
  return text;
}

static void put_histogram(FILE *out, const char *name, const char *help, const char *labels,
                          const struct rota_histogram *histogram) {
  uint64_t count = 0, bound = 0;
  char text[32];
  put_head(out, name, "histogram", help);
  for (unsigned int i = 0; i < ROTA_HISTOGRAM_BUCKETS; i++) {
    for (; bound < BOUNDS && rota__histogram_bucket_last(i) > bounds_ns[bound]; bound++)
      fprintf(out, "%s_bucket{%s,le=\"%s\"} %llu\n", name, labels, format_bound(bounds_ns[bound], text, sizeof text),
              (unsigned long long)count);
    count += atomic_load_explicit(&histogram->buckets[i], memory_order_relaxed);
  }
  fprintf(out, "%s_bucket{%s,le=\"+Inf\"} %llu\n%s_count{%s} %llu\n%s_sum{%s}", name, labels, (unsigned long long)count,
          name, labels, (unsigned long long)count, name, labels);
  put_billionths(out, atomic_load_explicit(&histogram->sum, memory_order_relaxed));
}

/* ---- handles, which the loop's thread counts ---- */

static void on_handle(uv_handle_t *handle, void *data) {
  struct agent *agent = data;
  if (!agent_owns(agent, handle) && uv_is_active(handle) && uv_has_ref(handle) && handle->type < UV_HANDLE_TYPE_MAX)
    agent->count.handles[handle->type]++;
}

void agent_count_if_wanted(struct agent *agent) {
  if (!atomic_load_explicit(&agent->count.is_wanted, memory_order_relaxed))
    return;
  pthread_mutex_lock(&agent_lock);
  memset(agent->count.handles, 0, sizeof agent->count.handles);
  uv_walk(agent->loop, on_handle, agent);
  agent->count.requests = agent->loop->active_reqs.count - agent->pool.is_queued;
  agent->count.is_known = true;
  pthread_mutex_unlock(&agent_lock);
  atomic_store(&agent->count.is_wanted, false);
}

/* A loop that is blocked keeps the numbers that it had. */
static void put_handles(struct agent *agent, FILE *out, const char *labels) {
  atomic_store(&agent->count.is_wanted, true);
  for (int waited_ms = 0; waited_ms < COUNT_MS && atomic_load(&agent->count.is_wanted); waited_ms += LOOK_MS)
    poll(NULL, 0, LOOK_MS);
  pthread_mutex_lock(&agent_lock);
  struct agent_count count = {.is_known = agent->count.is_known, .requests = agent->count.requests};
  memcpy(count.handles, agent->count.handles, sizeof count.handles);
  pthread_mutex_unlock(&agent_lock);
  if (!count.is_known)
    return;
  put_head(out, "nodejs_active_handles", "gauge", "handles that keep the loop alive");
  for (int type = 1; type < UV_HANDLE_TYPE_MAX; type++)
    if (type != UV_HANDLE && type != UV_STREAM && type != UV_FILE)
      fprintf(out, "nodejs_active_handles{%s,type=\"%s\"} %u\n", labels, uv_handle_type_name((uv_handle_type)type),
              count.handles[type]);
  put_head(out, "nodejs_active_requests", "gauge", "requests that the loop has not called back yet");
  fprintf(out, "nodejs_active_requests{%s} %u\n", labels, count.requests);
}

/* ---- all ---- */

void agent_print_figures(struct agent *agent, FILE *out, uint64_t now_ns, uint64_t idle_ns, uint64_t lag_ns) {
  char labels[LABELS_SIZE];
  const struct agent_measure *measure = &agent->measure;
  uint64_t whole_ns = now_ns - agent->began_ns, waited_ns = idle_ns - agent->began_idle_ns;
  waited_ns = waited_ns < whole_ns ? waited_ns : whole_ns;
  snprintf(labels, sizeof labels, "pid=\"%d\",loop=\"main\"", agent->process);
  put_head(out, "rota_info", "gauge", "always 1");
  fprintf(out, "rota_info{pid=\"%d\",version=\"" ROTA_VERSION_STRING "\"} 1\n", agent->process);
  put_head(out, "nodejs_eventloop_lag_seconds", "gauge", "for how long the loop has not looked for events");
  fprintf(out, "nodejs_eventloop_lag_seconds{%s}", labels);
  put_billionths(out, lag_ns);
  put_head(out, "nodejs_eventloop_time_seconds_total", "counter",
           "the time of the loop by state, since it is attached");
  fprintf(out, "nodejs_eventloop_time_seconds_total{%s,nodejs_eventloop_state=\"active\"}", labels);
  put_billionths(out, whole_ns - waited_ns);
  fprintf(out, "nodejs_eventloop_time_seconds_total{%s,nodejs_eventloop_state=\"idle\"}", labels);
  put_billionths(out, waited_ns);
  put_head(out, "rota_loop_iterations_total", "counter", "iterations of the loop");
  fprintf(out, "rota_loop_iterations_total{%s} %llu\n", labels,
          (unsigned long long)atomic_load(&measure->iterations.count));
  put_histogram(out, "rota_loop_timer_lateness_seconds", "how late a timer of the agent is called", labels,
                &measure->lateness);
  put_handles(agent, out, labels);
  snprintf(labels, sizeof labels, "pid=\"%d\",kind=\"work\"", agent->process);
  if (atomic_load(&measure->pool.count) > 0)
    put_histogram(out, "rota_pool_wait_seconds", "how long jobs of the agent waited for the pool", labels,
                  &measure->pool);
}
