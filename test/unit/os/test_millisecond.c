/* The cached clock, compared with the clock itself. */
#include <stdint.h>

#include "loop/os/clock.h"
#include "test.h"

enum { NS_PER_MS = 1000000 };

TEST(millisecond_is_the_clocks) {
  struct rota_os_millisecond now = {0};
  uint64_t begun_ns = rota__os_clock_ns(), from_memory = 0;
  while (rota__os_clock_ns() - begun_ns < 300 * (uint64_t)NS_PER_MS) {
    uint64_t before_ms = rota__os_clock_ns() / NS_PER_MS;
    uint64_t from_cycles = now.from_cycles;
    uint64_t ms = rota__os_millisecond(&now);
    from_memory += now.cycles != 0 && now.from_cycles == from_cycles;
    CHECK(ms >= before_ms);
    CHECK(ms <= rota__os_clock_ns() / NS_PER_MS);
  }
  /* Where there is a counter, it is used. */
  CHECK((from_memory > 0) == rota__os_cycles_trusted());
}

/* The counter was set, as after the migration of a virtual machine: the cached values are invalid, and are not used. */
TEST(millisecond_survives_a_counter_that_was_set) {
  if (!rota__os_cycles_trusted())
    return;
  struct rota_os_millisecond now = {0};
  uint64_t steps[] = {UINT64_C(1) << 20, UINT64_C(1) << 40, UINT64_C(0) - (UINT64_C(1) << 40)};
  for (int i = 0; i < 3; i++) {
    uint64_t begun_ns = rota__os_clock_ns();
    while (rota__os_clock_ns() - begun_ns < 20 * (uint64_t)NS_PER_MS)
      rota__os_millisecond(&now);
    now.base_cycles += steps[i];
    now.from_cycles += steps[i];
    begun_ns = rota__os_clock_ns();
    while (rota__os_clock_ns() - begun_ns < 2 * (uint64_t)NS_PER_MS)
      rota__os_millisecond(&now);
    uint64_t before_ms = rota__os_clock_ns() / NS_PER_MS;
    CHECK(rota__os_millisecond(&now) >= before_ms);
  }
}
