#include "observe/trace/tracer.h"

#include <pthread.h>
#include <stdatomic.h>

#include "loop/core/observe.h"
#include "loop/os/clock.h"
#include "loop/os/memory.h"
#include "loop/os/process.h"
#include "loop/os/signal.h"
#include "observe/attach/attach.h"
#include "observe/metrics/metrics.h"
#include "observe/name/describe.h"
#include "observe/name/origin.h"
#include "observe/name/symbol.h"
#include "observe/stats/histogram.h"
#include "observe/trace/trace.h"
#include "rota.h"

static pthread_once_t prepare_once = PTHREAD_ONCE_INIT;

/* ---- forks: no lock of ours may be held by a thread that the child does not have ---- */

/* In the order in which they release their locks. They take them in the reverse order, which is the order in which the
 * modules call each other. */
static struct rota_os_fork_handler fork_handlers[] = {
    {rota__origin_before_fork, rota__origin_after_fork, rota__origin_after_fork, NULL},
    {rota__symbol_before_fork, rota__symbol_after_fork, rota__symbol_after_fork, NULL},
    {rota__name_before_fork, rota__name_after_fork, rota__name_after_fork, NULL},
    {rota__tracer_before_fork, rota__tracer_after_fork_in_parent, rota__tracer_after_fork_in_child, NULL},
    {rota__service_before_fork, rota__service_after_fork_in_parent, rota__service_after_fork_in_child, NULL},
    {rota__trace_before_fork, rota__trace_after_fork_in_parent, rota__trace_after_fork_in_child, NULL},
    {rota__black_box_before_fork, rota__black_box_after_fork_in_parent, rota__black_box_after_fork_in_child, NULL},
    {rota__attach_before_fork, rota__attach_after_fork_in_parent, rota__attach_after_fork_in_child, NULL},
    {rota__metrics_before_fork, rota__metrics_after_fork_in_parent, rota__metrics_after_fork_in_child, NULL},
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
  if (rota__observes(ROTA_OBSERVE_STATS | ROTA_OBSERVE_METRICS))
    rota__stats_job(job);
  if (rota__observes(ROTA_OBSERVE_TRACE))
    rota__trace_job(job);
}

void rota__observe_more(unsigned int what) {
  atomic_fetch_or(&rota__observing, what);
  if (what & (ROTA_OBSERVE_TRACE | ROTA_OBSERVE_STATS | ROTA_OBSERVE_METRICS))
    atomic_store(&rota__job_observer, on_job);
  if (what & ROTA_OBSERVE_TRACE)
    atomic_store(&rota__call_finder, rota__tracer_call_of_thread);
}

void rota__observe_less(unsigned int what) {
  atomic_fetch_and(&rota__observing, ~what);
  if (!rota__observes(ROTA_OBSERVE_TRACE | ROTA_OBSERVE_STATS | ROTA_OBSERVE_METRICS))
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
