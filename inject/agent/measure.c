#include "inject/agent/agent.h"

#include <stdio.h>

enum { POOL_EACH = 5 }; /* of the timer's probes, one asks the pool, too */

static void beat(struct agent *agent) {
  atomic_fetch_add_explicit(&agent->measure.beats, 1, memory_order_relaxed);
}

static void note_segment(struct agent *agent, uint64_t ns) {
  if (ns > atomic_load_explicit(&agent->measure.longest, memory_order_relaxed))
    atomic_store_explicit(&agent->measure.longest, ns, memory_order_relaxed);
}

/* Our handles are the last that were started, and libuv calls the last first: what other prepare handles do belongs to
 * the poll phase then, and what other check handles do (setImmediate) to the rest. */
void agent_on_prepare(uv_prepare_t *handle) {
  struct agent *agent = handle->data;
  struct agent_measure *measure = &agent->measure;
  uint64_t now_ns = uv_hrtime(), idle_ns = uv_metrics_idle_time(handle->loop);
  if (measure->check_ns != 0) {
    uint64_t idle_since_ns = idle_ns - measure->prepare_idle_ns;
    rota__histogram_record(&measure->iterations, now_ns - measure->prepare_ns - idle_since_ns);
    rota__histogram_record(&measure->rests, now_ns - measure->check_ns);
    note_segment(agent, now_ns - measure->check_ns);
  }
  measure->prepare_ns = now_ns;
  measure->prepare_idle_ns = idle_ns;
  beat(agent);
  agent_record_prepare(agent, now_ns, idle_ns);
}

void agent_on_check(uv_check_t *handle) {
  struct agent *agent = handle->data;
  struct agent_measure *measure = &agent->measure;
  uint64_t now_ns = uv_hrtime(), idle_ns = uv_metrics_idle_time(handle->loop);
  if (measure->prepare_ns != 0) {
    uint64_t polled_ns = now_ns - measure->prepare_ns;
    uint64_t waited_ns = idle_ns - measure->prepare_idle_ns, busy_ns = polled_ns - waited_ns;
    if (waited_ns <= polled_ns) {
      rota__histogram_record(&measure->polls, busy_ns);
      note_segment(agent, busy_ns);
    }
    measure->check_ns = now_ns;
  }
  beat(agent);
  agent_record_check(agent, now_ns, idle_ns);
  agent_record_turn(agent);
  agent_walk_if_wanted(agent);
  agent_count_if_wanted(agent);
}

/* The loop's clock counts whole milliseconds. */
static void start_timer(struct agent *agent) {
  uv_timer_start(&agent->timer, agent_on_timer, AGENT_PROBE_MS, 0);
}

void agent_on_timer(uv_timer_t *handle) {
  struct agent *agent = handle->data;
  uint64_t now_ns = uv_hrtime(), due_ns = (agent->timer_due_ms) * AGENT_NS_PER_MS;
  rota__histogram_record(&agent->measure.lateness, now_ns > due_ns ? now_ns - due_ns : 0);
  start_timer(agent);
  agent->timer_due_ms = uv_now(handle->loop) + AGENT_PROBE_MS;
  beat(agent);
  if (++agent->measure.probes % POOL_EACH == 0)
    agent_pool_probe(agent);
}

void agent_measure_start(struct agent *agent) {
  uv_prepare_start(&agent->prepare, agent_on_prepare);
  uv_check_start(&agent->check, agent_on_check);
  start_timer(agent);
  agent->timer_due_ms = uv_now(agent->loop) + AGENT_PROBE_MS;
  uv_unref((uv_handle_t *)&agent->prepare);
  uv_unref((uv_handle_t *)&agent->check);
  uv_unref((uv_handle_t *)&agent->timer);
  agent->began_ns = uv_hrtime();
  agent->began_idle_ns = uv_metrics_idle_time(agent->loop);
}

uint64_t agent_idle_ns(const struct agent *agent) {
  return uv_metrics_idle_time(agent->loop);
}

/* ---- the table ---- */

const char *agent_format_ns(uint64_t ns, char *text, size_t size) {
  double value = (double)ns;
  const char *unit = "ns";
  if (ns >= AGENT_NS_PER_S)
    value /= AGENT_NS_PER_S, unit = "s ";
  else if (ns >= AGENT_NS_PER_MS)
    value /= AGENT_NS_PER_MS, unit = "ms";
  else if (ns >= 1000)
    value /= 1000, unit = "us";
  snprintf(text, size, value < 10 && ns >= 1000 ? "%.1f %s" : "%.0f %s", value, unit);
  return text;
}

static void print_row(const char *name, const struct rota_histogram *histogram, FILE *out) {
  static const double percents[] = {50, 90, 99};
  char text[16];
  if (atomic_load(&histogram->count) == 0)
    return;
  fprintf(out, "  %-18s %10llu", name, (unsigned long long)atomic_load(&histogram->count));
  for (size_t i = 0; i < sizeof percents / sizeof percents[0]; i++)
    fprintf(out, " %9s", agent_format_ns(rota__histogram_percentile(histogram, percents[i]), text, sizeof text));
  fprintf(out, " %9s\n", agent_format_ns(atomic_load(&histogram->largest), text, sizeof text));
}

void agent_print_stats(struct agent *agent, FILE *out, uint64_t now_ns, uint64_t idle_ns) {
  uint64_t whole_ns = now_ns - agent->began_ns, waited_ns = idle_ns - agent->began_idle_ns;
  waited_ns = waited_ns < whole_ns ? waited_ns : whole_ns;
  fprintf(out, "rota: process %d: the loop was busy for %.1f %% of %.3f s\n", agent->process,
          whole_ns == 0 ? 0.0 : 100.0 * (double)(whole_ns - waited_ns) / (double)whole_ns,
          (double)whole_ns / AGENT_NS_PER_S);
  fprintf(out, "  %-18s %10s %9s %9s %9s %9s\n", "", "count", "p50", "p90", "p99", "max");
  print_row("iteration, busy", &agent->measure.iterations, out);
  print_row("  poll: I/O", &agent->measure.polls, out);
  print_row("  timers, checks", &agent->measure.rests, out);
  print_row("timer lateness", &agent->measure.lateness, out);
  print_row("pool: job waits", &agent->measure.pool, out);
}
