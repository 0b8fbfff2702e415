#include "observe/trace/environment.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loop/base/units.h"
#include "loop/core/internal.h"
#include "loop/os/clock.h"
#include "loop/os/file.h"
#include "loop/os/memory.h"
#include "loop/os/process.h"
#include "loop/os/signal.h"
#include "observe/attach/attach.h"
#include "observe/attach/errand.h"
#include "observe/name/name.h"
#include "observe/name/origin.h"
#include "observe/name/symbol.h"
#include "observe/stats/stats.h"
#include "observe/trace/black_box.h"
#include "observe/trace/image.h"
#include "observe/trace/lens.h"
#include "observe/trace/service.h"
#include "observe/trace/trace.h"
#include "rota.h"
#include "settings/setting.h"

enum { PATTERN_SIZE = 4096, IMAGES_MAX = 100, ROOM_FOR_NUMBERS = 32 };

static pthread_once_t prepare_once = PTHREAD_ONCE_INIT;
static pthread_once_t environment_once = PTHREAD_ONCE_INIT;
static bool may_be_attached;
static _Atomic bool has_default_loop;

/* ---- forks: no lock of ours may be held by a thread that the child does not have ---- */

/* In the order in which they release their locks. They take them in the reverse order, which is the order in which the
 * modules call each other. */
static struct rota_os_fork_handler fork_handlers[] = {
    {rota__origin_before_fork, rota__origin_after_fork, rota__origin_after_fork, NULL},
    {rota__symbol_before_fork, rota__symbol_after_fork, rota__symbol_after_fork, NULL},
    {rota__name_before_fork, rota__name_after_fork, rota__name_after_fork, NULL},
    {rota__lens_before_fork, rota__lens_after_fork_in_parent, rota__lens_after_fork_in_child, NULL},
    {rota__service_before_fork, rota__service_after_fork_in_parent, rota__service_after_fork_in_child, NULL},
    {rota__trace_before_fork, rota__trace_after_fork_in_parent, rota__trace_after_fork_in_child, NULL},
    {rota__black_box_before_fork, rota__black_box_after_fork_in_parent, rota__black_box_after_fork_in_child, NULL},
    {rota__attach_before_fork, rota__attach_after_fork_in_parent, rota__attach_after_fork_in_child, NULL},
};

static void prepare(void) {
  rota__os_cycles_prepare();
  for (size_t i = 0; i < sizeof(fork_handlers) / sizeof(fork_handlers[0]); i++)
    rota__os_at_fork(&fork_handlers[i]);
}

void rota__observe_prepare(void) {
  pthread_once(&prepare_once, prepare);
}

/* ---- what is on ---- */

static void on_job(const struct rota_job *job) {
  if (rota__observes(ROTA_OBSERVE_STATS))
    rota__stats_job(job);
  if (rota__observes(ROTA_OBSERVE_TRACE))
    rota__trace_job(job);
}

void rota__observe_more(unsigned int what) {
  atomic_fetch_or(&rota__observing, what);
  if (what & (ROTA_OBSERVE_TRACE | ROTA_OBSERVE_STATS))
    atomic_store(&rota__job_observer, on_job);
  if (what & ROTA_OBSERVE_TRACE)
    atomic_store(&rota__call_finder, rota__lens_call_of_thread);
}

void rota__observe_less(unsigned int what) {
  atomic_fetch_and(&rota__observing, ~what);
  if (!rota__observes(ROTA_OBSERVE_TRACE | ROTA_OBSERVE_STATS))
    atomic_store(&rota__job_observer, NULL);
  if (!rota__observes(ROTA_OBSERVE_TRACE))
    atomic_store(&rota__call_finder, NULL);
}

unsigned int rota_observing(void) {
  return atomic_load_explicit(&rota__observing, memory_order_relaxed);
}

void rota_track_origins(int on) {
  rota__observe_prepare();
  rota__os_backtrace_prepare();
  if (on)
    rota__observe_more(ROTA_OBSERVE_ORIGINS);
  else
    rota__observe_less(ROTA_OBSERVE_ORIGINS);
}

/* ---- the environment ---- */

/* The program did not ask for this and must not fail because of it: errors are printed, and nothing else happens. */
static void complain(enum rota_setting setting, const char *value, int err) {
  fprintf(stderr, "rota: %s=%s: %s; the program runs without it\n", rota__settings[setting].variable, value,
          uv_strerror(err));
}

/* The name with a number for this program, if the process was another one before; the first has none. */
static bool name_image(const char *pattern, unsigned int image, char room[PATTERN_SIZE]) {
  int length =
      image < 2 ? snprintf(room, PATTERN_SIZE, "%s", pattern) : snprintf(room, PATTERN_SIZE, "%s.%u", pattern, image);
  return length < PATTERN_SIZE;
}

static bool is_taken(const char *pattern) {
  char path[PATTERN_SIZE];
  return rota__trace_path(path, sizeof(path), pattern, 0, false) == 0 && rota__image_has_written(path);
}

/* A process that becomes another program (execve) has a file for each. */
static const char *name_for_image(const char *pattern, char room[PATTERN_SIZE]) {
  unsigned int image = 1;
  while (name_image(pattern, image, room) && is_taken(room) && image < IMAGES_MAX)
    image++;
  return room;
}

/* Child processes inherit the environment. If ROTA_TRACE_FIRST is set to a process id, only that process gets the file
 * name as it is; all others add their process id to the name, also after the first one has ended. The first one strikes
 * its id out, so that a program that takes its place is another one. This is done in place: another thread may be
 * reading the environment. */
static const char *name_for_process(const char *trace, char room[PATTERN_SIZE]) {
  char *first = trace != NULL ? (char *)rota__setting_value(ROTA_SETTING_TRACE_FIRST) : NULL;
  if (trace == NULL || strlen(trace) + ROOM_FOR_NUMBERS > PATTERN_SIZE)
    return trace;
  if (strstr(trace, "%p") != NULL)
    return name_for_image(trace, room);
  if (first == NULL && !rota__image_has_written(trace))
    return trace;
  if (first != NULL && strtol(first, NULL, 10) == rota__os_process_id()) {
    *first = 'x';
    return trace;
  }
  char pattern[PATTERN_SIZE];
  snprintf(pattern, sizeof(pattern), "%s.%%p", trace);
  return name_for_image(pattern, room);
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

static void read_trace(void) {
  char room[PATTERN_SIZE];
  const char *trace = name_for_process(rota__setting_value(ROTA_SETTING_TRACE), room);
  if (trace == NULL)
    return;
  int err = rota_trace_start(trace, &(rota_trace_options_t){.on_signals = 1});
  if (err < 0 && err != UV_EALREADY)
    complain(ROTA_SETTING_TRACE, trace, err);
  if (rota__setting_value(ROTA_SETTING_TRACE_FIRST) != NULL)
    rota__trace_with_forks();
}

static void read_watchdog(void) {
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
  if (rota__loop_is_default(loop))
    atomic_store(&has_default_loop, true);
  if ((!may_be_attached && !rota__observes(~0u)) || is_nodes_own())
    return;
  if (may_be_attached) {
    rota__attach_resume();
    rota__errand_loop_made(loop);
  }
  if (rota__observes(~0u))
    (void)rota__lens_attach(loop);
}
