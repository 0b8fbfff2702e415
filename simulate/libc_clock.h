/* Virtual time for callers of the C library: V8's Date, an addon, a library in C.
 *
 * librota-clock.so (inject/clock) is preloaded and replaces the C library's clocks and sleeps. It passes calls on
 * until virtual time begins and it gets this table. Only threads that have a loop, and the main thread, use it: other
 * threads wait until times of the kernel's clock, so they must read that clock. The library's own code reads the real
 * clock always. */
#ifndef ROTA_SIMULATE_LIBC_CLOCK_H
#define ROTA_SIMULATE_LIBC_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct rota_libc_clock {
  bool (*uses_virtual_time)(void); /* the calling thread uses virtual time */
  uint64_t (*monotonic_ns)(void);
  uint64_t (*wall_ns)(void);
  void (*sleep_ns)(uint64_t duration_ns);
  /* The calling thread waits outside of its loop, until due_ns of the monotonic clock. waited_ns: how long it has
   * waited in real time since the last call. Moves the clock as far as the other loops allow. Returns whether the time
   * has come. */
  bool (*wait_until)(uint64_t due_ns, uint64_t waited_ns);
};

/* In librota-clock.so. */
void rota_clock_attach(const struct rota_libc_clock *clock) __attribute__((weak));

/* In librota, when virtual time begins. */
void rota__libc_clock_start(void);
bool rota__libc_clock_is_attached(void); /* librota-clock.so is there: the program is not built with librota */
/* The calling thread has a loop in virtual time. */
void rota__libc_clock_mark_thread(void);

#endif
