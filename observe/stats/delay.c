#include "observe/stats/delay.h"

#include "loop/base/alloc.h"
#include "loop/base/units.h"
#include "loop/core/internal.h"
#include "loop/os/clock.h"
#include "observe/stats/histogram.h"

/* More than a loop will ever run, and no sum of two overflows. */
#define INTERVAL_MAX_MS (UINT64_MAX / NS_PER_MS / 4)

/* The monitors of a loop, so that they survive it. */
struct monitors {
  struct rota_attachment attachment;
  struct rota_link all;
};

static const char attachment_key;

static struct rota_delay *delay_of(struct rota_observer *observer) {
  return rota__container_of(observer, struct rota_delay, observer);
}

/* ---- the simulated timer ---- */

static void record(struct rota_delay *delay, uint64_t value, uint64_t times) {
  if (delay->shared != NULL)
    rota__histogram_record_times(delay->shared, value, times);
  else
    rota__delay_values_record(delay->values, value, times);
}

void rota__delay_fire(struct rota_delay *delay, uint64_t now_ns) {
  if (delay->last_ns != 0)
    record(delay, now_ns - delay->last_ns, 1);
  delay->last_ns = now_ns;
  delay->due_ns = now_ns - now_ns % NS_PER_MS + delay->interval_ns;
}

void rota__delay_slept(struct rota_delay *delay, uint64_t from_ns, uint64_t until_ns) {
  /* With a timer that is already due, the loop would not have slept. */
  if (delay->due_ns <= from_ns)
    rota__delay_fire(delay, from_ns);
  if (delay->due_ns > until_ns)
    return;
  rota__delay_fire(delay, delay->due_ns);
  if (delay->due_ns > until_ns)
    return;
  uint64_t more = (until_ns - delay->due_ns) / delay->interval_ns + 1;
  record(delay, delay->interval_ns, more);
  delay->last_ns += more * delay->interval_ns;
  delay->due_ns += more * delay->interval_ns;
}

void rota__delay_timers(struct rota_delay *delay, uint64_t now_ns) {
  if (now_ns >= delay->due_ns)
    rota__delay_fire(delay, now_ns);
}

void rota__delay_wait(struct rota_delay *delay, int64_t timeout_ns, uint64_t now_ns) {
  delay->asleep_ns = timeout_ns == 0 ? 0 : now_ns;
  delay->sleep_end_ns = timeout_ns < 0 ? UINT64_MAX : now_ns + (uint64_t)timeout_ns;
}

/* A thread that should have been woken at a certain time and was not had to wait for a processor. The timers phase sees
 * it. */
void rota__delay_woken(struct rota_delay *delay, uint64_t now_ns) {
  if (delay->asleep_ns == 0)
    return;
  rota__delay_slept(delay, delay->asleep_ns, now_ns < delay->sleep_end_ns ? now_ns : delay->sleep_end_ns);
  delay->asleep_ns = 0;
}

static void timer_phase(struct rota_observer *self, uv_loop_t *loop, enum rota_phase phase) {
  (void)loop;
  if (phase == ROTA_PHASE_TIMERS)
    rota__delay_timers(delay_of(self), rota__os_clock_ns());
}

static void timer_wait(struct rota_observer *self, uv_loop_t *loop, int64_t timeout_ns) {
  (void)loop;
  rota__delay_wait(delay_of(self), timeout_ns, rota__os_clock_ns());
}

static void timer_woken(struct rota_observer *self, uv_loop_t *loop, int n) {
  (void)loop, (void)n;
  rota__delay_woken(delay_of(self), rota__os_clock_ns());
}

/* ---- iterations ---- */

/* From check to the next poll phase: events that arrive in this time have to wait. */
static void iteration_phase(struct rota_observer *self, uv_loop_t *loop, enum rota_phase phase) {
  struct rota_delay *delay = delay_of(self);
  (void)loop;
  if (phase == ROTA_PHASE_POLL) {
    delay->prepared_ns = rota__os_clock_ns();
  } else if (phase == ROTA_PHASE_CHECK && delay->prepared_ns != 0) {
    rota__delay_values_record(delay->values, delay->prepared_ns - delay->last_ns, 1);
    delay->last_ns = rota__os_clock_ns();
    delay->prepared_ns = 0;
  }
}

/* ---- life ---- */

static void unhook(struct rota_delay *delay) {
  if (delay->running)
    rota__observer_remove(delay->loop, &delay->observer);
  delay->running = false;
}

static void release(uv_loop_t *loop, struct rota_attachment *attachment) {
  struct monitors *monitors = rota__container_of(attachment, struct monitors, attachment);
  (void)loop;
  while (!rota__list_empty(&monitors->all)) {
    struct rota_delay *delay = rota__container_of(rota__list_first(&monitors->all), struct rota_delay, link);
    unhook(delay);
    rota__list_remove(&delay->link);
    delay->loop = NULL;
  }
  rota__free(monitors);
}

static struct monitors *monitors_of(uv_loop_t *loop) {
  struct rota_attachment *attachment = rota__loop_attachment(loop, &attachment_key);
  if (attachment != NULL)
    return rota__container_of(attachment, struct monitors, attachment);
  struct monitors *monitors = rota__calloc(1, sizeof(*monitors));
  if (monitors == NULL)
    return NULL;
  rota__list_init(&monitors->all);
  monitors->attachment.key = &attachment_key;
  monitors->attachment.release = release;
  rota__loop_attach(loop, &monitors->attachment);
  return monitors;
}

int rota_delay_create(uv_loop_t *loop, uint64_t interval_ms, rota_delay_t **created) {
  struct monitors *monitors = monitors_of(loop);
  struct rota_delay *delay = monitors == NULL ? NULL : rota__calloc(1, sizeof(*delay));
  if (delay == NULL)
    return UV_ENOMEM;
  delay->loop = loop;
  delay->interval_ns = (interval_ms < INTERVAL_MAX_MS ? interval_ms : INTERVAL_MAX_MS) * NS_PER_MS;
  if (interval_ms == 0)
    delay->observer.phase = iteration_phase;
  else
    delay->observer = (struct rota_observer){.phase = timer_phase, .wait = timer_wait, .woken = timer_woken};
  rota__list_append(&monitors->all, &delay->link);
  *created = delay;
  return 0;
}

int rota_delay_start(rota_delay_t *delay) {
  if (delay->running)
    return UV_EALREADY;
  if (delay->loop == NULL)
    return UV_EINVAL;
  int err = delay->values == NULL ? rota__delay_values_create(&delay->values) : 0;
  if (err != 0)
    return err;
  if (delay->interval_ns == 0)
    delay->last_ns = rota__os_clock_ns();
  /* A new timer is due by the loop's clock, which may be behind the real one. */
  delay->due_ns = delay->loop->core.now_ms * NS_PER_MS + delay->interval_ns;
  delay->asleep_ns = delay->prepared_ns = 0;
  delay->running = true;
  rota__observer_add(delay->loop, &delay->observer);
  return 0;
}

int rota_delay_stop(rota_delay_t *delay) {
  if (!delay->running)
    return UV_EALREADY;
  unhook(delay);
  return 0;
}

void rota_delay_destroy(rota_delay_t *delay) {
  unhook(delay);
  if (delay->loop != NULL)
    rota__list_remove(&delay->link);
  rota__delay_values_destroy(delay->values);
  rota__free(delay);
}

/* ---- reading ---- */

void rota_delay_reset(rota_delay_t *delay) {
  if (delay->values != NULL)
    rota__delay_values_clear(delay->values);
  delay->last_ns = delay->interval_ns == 0 ? rota__os_clock_ns() : 0;
}

void rota_delay_get(const rota_delay_t *delay, rota_stats_t *stats, uint64_t *exceeding) {
  const struct rota_delay_values *values = delay->values;
  *stats = (rota_stats_t){0};
  if (exceeding != NULL)
    *exceeding = values == NULL ? 0 : values->exceeding;
  if (values == NULL || values->count == 0)
    return;
  stats->count = values->count;
  stats->min_ns = values->smallest;
  stats->max_ns = values->largest;
  stats->sum_ns = values->sum;
  stats->mean_ns = values->sum / values->count;
  stats->p50_ns = rota__delay_values_percentile(values, 50);
  stats->p75_ns = rota__delay_values_percentile(values, 75);
  stats->p90_ns = rota__delay_values_percentile(values, 90);
  stats->p99_ns = rota__delay_values_percentile(values, 99);
  stats->p999_ns = rota__delay_values_percentile(values, 99.9);
}

int rota_delay_next_bucket(const rota_delay_t *delay, uint64_t from_ns, rota_delay_bucket_t *bucket) {
  const struct rota_delay_values *values = delay->values;
  if (values == NULL || values->count == 0 || from_ns > values->largest)
    return UV_ENOENT;
  unsigned int i = rota__delay_values_bucket(from_ns < values->smallest ? values->smallest : from_ns);
  while (values->buckets[i] == 0)
    i++; /* that of the largest has one */
  *bucket = (rota_delay_bucket_t){
      .first_ns = rota__delay_values_first(i), .last_ns = rota__delay_values_last(i), .count = values->buckets[i]};
  return 0;
}
