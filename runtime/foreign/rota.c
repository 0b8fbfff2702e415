/* What the runtime calls of rota.h, for a build on the system's libuv (RUNTIME_UV=-luv), which is made to compare with:
 * nobody observes there, and jobs are of one kind. */
#include <rota.h>
#include <string.h>

unsigned int rota_observing(void) {
  return 0;
}

int rota_observe(uv_loop_t *loop) {
  (void)loop;
  return UV_ENOTSUP;
}

uint32_t rota_name(const char *function, const char *file, int line) {
  (void)function, (void)file, (void)line;
  return 0;
}

void rota_name_call(uv_loop_t *loop, uint32_t name) {
  (void)loop, (void)name;
}

void rota_call_next(uv_loop_t *loop, uint32_t name, uint64_t due_ns) {
  (void)loop, (void)name, (void)due_ns;
}

void rota_call_open(uv_loop_t *loop, uint32_t name) {
  (void)loop, (void)name;
}

void rota_call_close(uv_loop_t *loop) {
  (void)loop;
}

void rota_drain_open(uv_loop_t *loop, int microtasks, uint64_t so_far) {
  (void)loop, (void)microtasks, (void)so_far;
}

void rota_drain_step(uv_loop_t *loop, uint32_t name) {
  (void)loop, (void)name;
}

void rota_drain_close(uv_loop_t *loop, int microtasks, uint64_t count) {
  (void)loop, (void)microtasks, (void)count;
}

int rota_trace_start(const char *path, const rota_trace_options_t *options) {
  (void)path, (void)options;
  return UV_ENOTSUP;
}

int rota_trace_stop(void) {
  return UV_EINVAL;
}

void rota_trace_mark(uint32_t name, uint64_t value) {
  (void)name, (void)value;
}

int rota_stats_start(void) {
  return UV_ENOTSUP;
}

void rota_stats_stop(void) {
}

int rota_stats_get(const uv_loop_t *loop, rota_figure figure, rota_stats_t *stats) {
  (void)loop, (void)figure;
  memset(stats, 0, sizeof *stats);
  return UV_ENOENT;
}

int rota_stats_percentile(const uv_loop_t *loop, rota_figure figure, double percent, uint64_t *value_ns) {
  (void)loop, (void)figure, (void)percent;
  *value_ns = 0;
  return UV_ENOENT;
}

int rota_stats_time(const uv_loop_t *loop, uint64_t *busy_ns, uint64_t *idle_ns) {
  (void)loop;
  *busy_ns = *idle_ns = 0;
  return UV_ENOENT;
}

int rota_stats_reset(uv_loop_t *loop) {
  (void)loop;
  return UV_ENOENT;
}

const char *rota_figure_name(rota_figure figure) {
  (void)figure;
  return "";
}

void rota_stats_print(FILE *stream) {
  (void)stream;
}

int rota_delay_create(uv_loop_t *loop, uint64_t interval_ms, rota_delay_t **delay) {
  (void)loop, (void)interval_ms, (void)delay;
  return UV_ENOTSUP;
}

void rota_delay_destroy(rota_delay_t *delay) {
  (void)delay;
}

int rota_delay_start(rota_delay_t *delay) {
  (void)delay;
  return UV_ENOTSUP;
}

int rota_delay_stop(rota_delay_t *delay) {
  (void)delay;
  return UV_ENOTSUP;
}

void rota_delay_reset(rota_delay_t *delay) {
  (void)delay;
}

void rota_delay_get(const rota_delay_t *delay, rota_stats_t *stats, uint64_t *exceeding) {
  (void)delay;
  memset(stats, 0, sizeof *stats);
  *exceeding = 0;
}

int rota_delay_next_bucket(const rota_delay_t *delay, uint64_t from_ns, rota_delay_bucket_t *bucket) {
  (void)delay, (void)from_ns, (void)bucket;
  return UV_ENOENT;
}

int rota_watchdog_start(uint64_t threshold_ms, rota_watchdog_hook hook, void *data) {
  (void)threshold_ms, (void)hook, (void)data;
  return UV_ENOTSUP;
}

void rota_print_alive(uv_loop_t *loop, FILE *stream) {
  uv_print_active_handles(loop, stream);
}

void rota_set_stack_hook(rota_stack_hook hook, void *data) {
  (void)hook, (void)data;
}

void rota_set_alive_hook(rota_alive_hook hook, void *data) {
  (void)hook, (void)data;
}

int rota_queue_work(uv_loop_t *loop, uv_work_t *req, rota_job_kind kind, uv_work_cb work_cb,
                    uv_after_work_cb after_work_cb) {
  (void)kind;
  return uv_queue_work(loop, req, work_cb, after_work_cb);
}

unsigned int rota_steering(void) {
  return 0;
}

int rota_virtual_time_advance(uint64_t duration_ms) {
  (void)duration_ms;
  return UV_ENOTSUP;
}

void rota_virtual_time_hold(void) {
}

void rota_virtual_time_release(void) {
}
