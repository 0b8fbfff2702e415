#include "loop/core/spin.h"

#include <sched.h>
#include <stdatomic.h>

#include "loop/os/clock.h"
#include "loop/os/host.h"
#include "loop/os/thread.h"

/* Affinity and quota may change while the program runs, so they are asked for again. The first spins of a program do
 * without: most programs make few, and the quota is in files. */
enum { ASK_FIRST = 32, ASK_EVERY = 8192 };

static bool ask_for_two_cpus(void) {
  double quota;
  int count = rota__os_allowed_cpus();
  if (count == 1)
    return false;
  return !rota__os_cpu_quota(&quota) || quota >= 2;
}

/* Whether two threads of the program may run at the same time. */
static bool has_two_cpus(void) {
  static _Atomic unsigned int spins;
  static _Atomic bool denied;
  unsigned int count = atomic_fetch_add_explicit(&spins, 1, memory_order_relaxed);
  if (count % ASK_EVERY == ASK_FIRST || atomic_load_explicit(&denied, memory_order_relaxed))
    atomic_store_explicit(&denied, !ask_for_two_cpus(), memory_order_relaxed);
  return !atomic_load_explicit(&denied, memory_order_relaxed);
}

static bool look_often(bool (*ready)(const void *what), const void *what) {
  for (int i = 0; i < ROTA_SPIN_LOOKS; i++) {
    if (ready(what))
      return true;
    rota__spin_pause();
  }
  return false;
}

/* Until this time after the start: yields, and does not look. */
static void yield_until(uint64_t start_ns, uint64_t first_ns, uint64_t *spent_ns) {
  while (*spent_ns < first_ns) {
    sched_yield();
    *spent_ns = rota__os_clock_ns() - start_ns;
  }
}

bool rota__spin_until(bool (*ready)(const void *what), const void *what, uint64_t first_ns, uint64_t *spent_ns) {
  if (!has_two_cpus()) {
    *spent_ns = UINT64_MAX;
    return false;
  }
  *spent_ns = 0;
  if (first_ns > 0)
    yield_until(rota__os_clock_ns(), first_ns, spent_ns);
  bool found = look_often(ready, what);
  if (found)
    return true;
  for (uint64_t start_ns = rota__os_clock_ns(); !found && *spent_ns < ROTA_SPIN_NS;) {
    sched_yield();
    found = ready(what);
    *spent_ns = rota__os_clock_ns() - start_ns;
  }
  return found;
}
