#include "loop/linger.h"

#include <unistd.h>

#include "base/spin.h"
#include "loop/internal.h"
#include "os/clock.h"

enum {
  LINGER_NS = 25000,
  SOON_NS = 50000, /* a wake-up includes the time that waking takes */
  LOOKS_BETWEEN_CLOCKS = 16,
  CREDIT_MAX = 16,
  CREDIT_OF_A_WAKE_UP = 2,
  COST_OF_A_MISS = 4,
};

void rota__linger_init(struct rota_linger *linger) {
  linger->possible = sysconf(_SC_NPROCESSORS_ONLN) > 1;
  linger->credit = 0;
}

bool rota__linger(uv_loop_t *loop) {
  struct rota_linger *linger = &rota__loop(loop)->linger;
  if (linger->credit <= 0)
    return false;
  struct rota_poller *poller = rota__loop_poller(loop);
  uint64_t end_ns = rota__os_clock_ns() + LINGER_NS;
  do {
    for (int i = 0; i < LOOKS_BETWEEN_CLOCKS; i++) {
      if (rota__wake_has_work(loop)) {
        linger->credit += linger->credit < CREDIT_MAX;
        return true;
      }
      if (poller->ops->has_events != NULL && poller->ops->has_events(poller))
        return true;
      rota__spin_pause();
    }
  } while (rota__os_clock_ns() < end_ns);
  linger->credit -= COST_OF_A_MISS;
  return false;
}

void rota__linger_learn(uv_loop_t *loop, uint64_t slept_ns, bool by_thread) {
  struct rota_linger *linger = &rota__loop(loop)->linger;
  if (!linger->possible || !by_thread || slept_ns > SOON_NS)
    return;
  if (linger->credit < 0)
    linger->credit = 0;
  if (linger->credit < CREDIT_MAX)
    linger->credit += CREDIT_OF_A_WAKE_UP;
}
