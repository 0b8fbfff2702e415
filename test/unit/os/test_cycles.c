/* The processor's counter as a clock, compared with the system's. */
#include <stdint.h>

#include "loop/os/clock.h"
#include "test.h"

enum { NS_PER_MS = 1000000, SLACK_NS = 5000 };

/* Its reading is between two of the system's clock, however long the machine lets the program wait. */
TEST(cycles_are_the_clocks_nanoseconds) {
  rota__os_cycles_prepare();
  uint64_t begun_ns = rota__os_clock_ns();
  for (uint64_t now_ns = begun_ns; now_ns - begun_ns < 300 * (uint64_t)NS_PER_MS;) {
    uint64_t quick_ns = rota__os_quick_clock_ns();
    uint64_t after_ns = rota__os_clock_ns();
    CHECK(quick_ns + SLACK_NS >= now_ns);
    CHECK(quick_ns <= after_ns + SLACK_NS);
    rota__os_cycles_adjust();
    now_ns = rota__os_clock_ns();
  }
}
