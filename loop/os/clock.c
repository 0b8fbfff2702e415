#include "loop/os/clock.h"

#include <pthread.h>
#include <stdbool.h>

#include "loop/base/units.h"

/* ---- the processor's counter ---- */

enum {
  FIRST_NS = 1000000,
  /* A reader uses a rate for one multiplication; its slot is reused hours later. */
  RATES = 1024,
  ATTEMPTS = 5,
  STILL = 1000, /* readings: a counter that has not changed until then is not waited for */
};

static const uint64_t LONGEST_NS = 10000000000;

struct pair {
  uint64_t cycles;
  uint64_t ns;
};

_Atomic(const struct rota_os_rate *) rota__os_rate;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct rota_os_rate rates[RATES];
static unsigned int rate_count;
static struct pair first;
static uint64_t interval_ns;
static _Atomic bool adjusting;

/* A counter may be coarse: some of aarch64 have steps of 50 ns, that of an emulator steps of a microsecond. Its value
 * is exact when a step has just begun. */
static uint64_t next_step(void) {
  uint64_t old = rota__os_cycles(), cycles = old;
  for (int i = 0; i < STILL && cycles == old; i++)
    cycles = rota__os_cycles();
  return cycles;
}

/* Reads both clocks at one moment: of several attempts, the one with the least time in between is the best. */
static struct pair look(void) {
  struct pair best = {0, 0};
  uint64_t shortest = UINT64_MAX;
  for (int i = 0; i < ATTEMPTS; i++) {
    uint64_t before = next_step();
    uint64_t ns = rota__os_clock_ns();
    uint64_t took = rota__os_cycles() - before;
    if (took < shortest) {
      shortest = took;
      best = (struct pair){before + took / 2, ns};
    }
  }
  return best;
}

/* A rate is used for as long as it was measured: then its error adds no more to the clock than the readings' own
 * errors. */
static void measure(void) {
  struct pair now = look();
  struct rota_os_rate *rate = &rates[rate_count++ % RATES];
  rate->base_cycles = now.cycles;
  rate->base_ns = now.ns;
  rate->ns_per_cycle = rota__multiply_divide(now.ns - first.ns, (uint64_t)1 << 32, now.cycles - first.cycles);
  rate->next_cycles = now.cycles + rota__multiply_divide(interval_ns, (uint64_t)1 << 32, rate->ns_per_cycle);
  if (interval_ns < LONGEST_NS)
    interval_ns *= 2;
  atomic_store_explicit(&rota__os_rate, rate, memory_order_release);
}

static void prepare(void) {
  if (!rota__os_cycles_trusted())
    return;
  first = look();
  while (rota__os_clock_ns() - first.ns < FIRST_NS)
    continue;
  interval_ns = FIRST_NS;
  if (rota__os_cycles() > first.cycles)
    measure();
}

void rota__os_cycles_prepare(void) {
  pthread_once(&once, prepare);
}

void rota__os_cycles_adjust(void) {
  const struct rota_os_rate *rate = atomic_load_explicit(&rota__os_rate, memory_order_acquire);
  if (rate == NULL || (int64_t)(rota__os_cycles() - rate->next_cycles) < 0 || atomic_exchange(&adjusting, true))
    return;
  if (atomic_load_explicit(&rota__os_rate, memory_order_acquire) == rate)
    measure();
  atomic_store_explicit(&adjusting, false, memory_order_release);
}

/* ---- whole milliseconds ---- */

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
static void measure_rate(struct rota_os_millisecond *now, uint64_t before, uint64_t ns, uint64_t after) {
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
  measure_rate(now, before, ns, rota__os_cycles());
  uint64_t left_ns = NS_PER_MS - ns % NS_PER_MS;
  now->from_cycles = before;
  now->cycles = left_ns > MARGIN_NS ? (left_ns - MARGIN_NS) * now->rate / NS_PER_MS : 0;
  return now->ms;
}

void rota__os_millisecond_distrust(struct rota_os_millisecond *now) {
  *now = (struct rota_os_millisecond){.asked = SELDOM};
}
