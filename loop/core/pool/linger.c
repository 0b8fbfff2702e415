#include "loop/core/pool/linger.h"

#include "loop/core/internal.h"
#include "loop/os/clock.h"
#include "loop/os/thread.h"

enum {
  SOON_NS = 50000, /* the measured time includes the wake-up itself */
};

void rota__linger_init(struct rota_linger *linger) {
  rota__spin_init(&linger->spin, rota__os_has_cpus());
  linger->woken_soon = false;
}

static bool has_something(const void *what) {
  const uv_loop_t *loop = what;
  const struct rota_poller *poller = rota__loop_poller(loop);
  return rota__wake_has_work(loop) || (poller->ops->has_events != NULL && poller->ops->has_events(poller));
}

bool rota__wait_awake(bool (*ready)(const void *what), const void *what, uint64_t *spent_ns) {
  *spent_ns = 0;
  for (int i = 0; i < ROTA_SPIN_LOOKS; i++) {
    if (ready(what))
      return true;
    rota__spin_pause();
  }
  bool found = false;
  for (uint64_t start_ns = rota__os_clock_ns(); !found && *spent_ns < ROTA_SPIN_NS;) {
    sched_yield();
    found = ready(what);
    *spent_ns = rota__os_clock_ns() - start_ns;
  }
  return found;
}

bool rota__linger(uv_loop_t *loop) {
  struct rota_linger *linger = &rota__loop(loop)->linger;
  if ((rota__loop(loop)->jobs == 0 && !linger->woken_soon) || !rota__spin_try(&linger->spin))
    return false;
  uint64_t spent_ns;
  bool found = rota__wait_awake(has_something, loop, &spent_ns);
  rota__spin_result(&linger->spin, !found, spent_ns);
  return found;
}

void rota__linger_learn(uv_loop_t *loop, uint64_t slept_ns, bool by_thread) {
  rota__loop(loop)->linger.woken_soon = by_thread && slept_ns <= SOON_NS;
}
