/* The environment variables that switch instruments on, for any program: read when its first loop is made. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/base/units.h"
#include "loop/core/internal.h"
#include "loop/os/memory.h"
#include "loop/os/process.h"
#include "observe/attach/attach.h"
#include "observe/metrics/metrics.h"
#include "observe/trace/census.h"
#include "observe/trace/trace.h"
#include "observe/trace/tracer.h"
#include "rota.h"
#include "settings/setting.h"

static pthread_once_t environment_once = PTHREAD_ONCE_INIT;
static bool may_be_attached;
static _Atomic bool has_default_loop;

/* The program did not ask for this and must not fail because of it: errors are printed, and nothing else happens. */
static void complain(enum rota_setting setting, const char *value, int err) {
  fprintf(stderr, "rota: %s=%s: %s; the program runs without it\n", rota__settings[setting].variable, value,
          rota__trace_fault(err));
}

static _Atomic uint64_t samples_ns;

uint64_t rota_samples_ns(void) {
  return rota__observes(ROTA_OBSERVE_TRACE) ? atomic_load_explicit(&samples_ns, memory_order_relaxed) : 0;
}

static void read_black_box(void) {
  unsigned int seconds = (unsigned int)rota__setting_number(ROTA_SETTING_BLACKBOX);
  int err = seconds > 0 ? rota_black_box_start(seconds, rota__setting_value(ROTA_SETTING_BLACKBOX_FILE)) : 0;
  if (err < 0)
    complain(ROTA_SETTING_BLACKBOX, rota__setting_value(ROTA_SETTING_BLACKBOX), err);
}

/* Programs in a sandbox may have no sockets. */
static void read_attach(void) {
  const char *attach = rota__setting_value(ROTA_SETTING_ATTACH);
  if (attach == NULL)
    return;
  rota__observe_prepare();
  int err = rota__attach_start();
  if (err < 0)
    complain(ROTA_SETTING_ATTACH, attach, err);
  else
    may_be_attached = true;
}

/* Beside the trace. */
static void read_census(const char *trace) {
  char path[ROTA_TRACE_NAME_SIZE + 8];
  int err = rota__trace_path(path, ROTA_TRACE_NAME_SIZE, trace, 0, false);
  if (err == 0) {
    size_t length = strlen(path);
    snprintf(path + length, sizeof(path) - length, ".census");
    err = rota__census_start(path);
  }
  if (err < 0)
    complain(ROTA_SETTING_TRACE_CENSUS, trace, err);
}

static void read_trace(void) {
  char room[ROTA_TRACE_NAME_SIZE];
  const char *first = rota__setting_value(ROTA_SETTING_TRACE_FIRST);
  bool is_first = first != NULL && strtol(first, NULL, 10) == rota__os_process_id();
  const char *trace = rota__trace_name_for_process(rota__setting_value(ROTA_SETTING_TRACE), room);
  if (trace == NULL)
    return;
  uint32_t limit_mb = (uint32_t)rota__setting_number(ROTA_SETTING_TRACE_LIMIT);
  int err = rota_trace_start(trace, &(rota_trace_options_t){.on_signals = 1, .limit_mb = limit_mb});
  if (err < 0 && err != UV_EALREADY)
    complain(ROTA_SETTING_TRACE, trace, err);
  if (first != NULL)
    rota__trace_with_forks();
  const char *parent = rota__setting_value(ROTA_SETTING_TRACE_PARENT);
  if (err == 0 && rota__setting_value(ROTA_SETTING_TRACE_CENSUS) != NULL)
    read_census(trace);
  if (is_first && parent != NULL)
    rota__trace_is_for((int)strtol(parent, NULL, 10));
}

static struct rota_given variable(enum rota_setting setting, const char *value) {
  return (struct rota_given){.name = rota__settings[setting].variable, .text = value};
}

static void read_watchdog(void) {
  const char *format = rota__setting_value(ROTA_SETTING_WATCHDOG_FORMAT);
  const char *limit = rota__setting_value(ROTA_SETTING_WATCHDOG_LIMIT);
  if (format != NULL)
    rota__setting_check(ROTA_SETTING_WATCHDOG_FORMAT, variable(ROTA_SETTING_WATCHDOG_FORMAT, format));
  if (limit != NULL && !rota__setting_check(ROTA_SETTING_WATCHDOG_LIMIT, variable(ROTA_SETTING_WATCHDOG_LIMIT, limit)))
    limit = NULL;
  rota__watchdog_tell(format != NULL && strcmp(format, "json") == 0,
                      rota__setting_value(ROTA_SETTING_WATCHDOG_NATIVE) != NULL, limit,
                      rota__setting_value(ROTA_SETTING_WATCHDOG_TO));
  unsigned long long threshold_ms = rota__setting_number(ROTA_SETTING_WATCHDOG);
  int err = threshold_ms > 0 ? rota_watchdog_start(threshold_ms, NULL, NULL) : 0;
  if (err < 0)
    complain(ROTA_SETTING_WATCHDOG, rota__setting_value(ROTA_SETTING_WATCHDOG), err);
}

static void read_environment(void) {
  read_trace();
  read_black_box();
  atomic_store(&samples_ns, rota__setting_number(ROTA_SETTING_SAMPLES) * NS_PER_MS);
  if (rota__setting_value(ROTA_SETTING_STATS) != NULL) {
    rota_stats_start();
    rota__service_print_stats();
  }
  if (rota__setting_value(ROTA_SETTING_WHY) != NULL) {
    rota_track_origins(1);
    rota__service_print_alive(rota__setting_number(ROTA_SETTING_WHY_AFTER));
  }
  read_watchdog();
  read_attach();
  rota__metrics_start_by_environment();
}

/* Before its default loop, Node makes two for itself: one waits with delayed tasks of V8, the other one for trace
 * events to write. Nothing of the program runs there. In reports they would stand for the program: as a loop that is
 * idle, and as what keeps the process alive. */
static bool is_nodes_own(void) {
  return !atomic_load(&has_default_loop) && rota__os_program_exports("node_module_register");
}

/* Without memory, the loop runs unobserved. */
void rota__loop_made(uv_loop_t *loop) {
  pthread_once(&environment_once, read_environment);
  rota__trace_resume();
  rota__service_resume();
  rota__metrics_resume();
  if (rota__loop_is_default(loop))
    atomic_store(&has_default_loop, true);
  if ((!may_be_attached && !rota__observes(~0u)) || is_nodes_own())
    return;
  if (may_be_attached) {
    rota__attach_resume();
    rota__loop_call_loop_made(loop);
  }
  if (rota__observes(~0u))
    (void)rota__tracer_attach(loop);
}
