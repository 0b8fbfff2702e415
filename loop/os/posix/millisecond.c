#include "loop/base/units.h"
#include "loop/os/clock.h"

enum {
  SELDOM = 1000, /* a caller that asks less often than this does not pay for measuring the rate */
  /* The counter may be read a little before its turn, and the clock may be told to go faster by up to 1/2000. */
  MARGIN_NS = 1000,
  MARGIN_PARTS = 1000,
  LIKENESS_PARTS = 64,
  RATE_MAX = 1 << 24, /* 16 GHz: no processor is that fast, so the counter was set */
};

/* The rate is the counter's difference divided by the clock's difference since the last time. The interval is measured
 * short: from after one reading of the clock to before the next. A rate that differs from the last one means that the
 * counter was set; the next measurement decides. */
static void measure(struct rota_os_millisecond *now, uint64_t before, uint64_t ns, uint64_t after) {
  uint64_t passed_ns = ns - now->base_ns;
  if (passed_ns < NS_PER_MS)
    return;
  uint64_t rate = rota__multiply_divide(before - now->base_cycles, NS_PER_MS, passed_ns);
  rate -= rate / MARGIN_PARTS;
  uint64_t difference = rate > now->rate ? rate - now->rate : now->rate - rate;
  bool alike = now->rate == 0 || difference < now->rate / LIKENESS_PARTS;
  now->rate = alike && rate < RATE_MAX ? rate : 0;
  now->base_cycles = after;
  now->base_ns = ns;
}

uint64_t rota__os_millisecond_next(struct rota_os_millisecond *now) {
  uint64_t before = rota__os_cycles();
  uint64_t ns = rota__os_clock.loop_ns();
  now->ms = ns / NS_PER_MS;
  if (now->asked < SELDOM) {
    if (++now->asked == SELDOM && rota__os_cycles_trusted()) {
      now->base_cycles = rota__os_cycles();
      now->base_ns = ns;
    }
    return now->ms;
  }
  if (now->base_ns == 0)
    return now->ms;
  measure(now, before, ns, rota__os_cycles());
  uint64_t left_ns = NS_PER_MS - ns % NS_PER_MS;
  now->from_cycles = before;
  now->cycles = left_ns > MARGIN_NS ? (left_ns - MARGIN_NS) * now->rate / NS_PER_MS : 0;
  return now->ms;
}

void rota__os_millisecond_distrust(struct rota_os_millisecond *now) {
  *now = (struct rota_os_millisecond){.asked = SELDOM};
}
