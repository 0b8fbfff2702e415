/* Virtual time for what asks the C library: V8's Date, an addon, a library in C.
 *
 * librota-clock.so (inject/clock), preloaded, stands before the C library's clocks and sleeps, and does nothing until
 * virtual time begins; then it gets this table. Only threads that have a loop, and the main thread, go by it: the times
 * until which other threads wait are the kernel's, and so must their clock be. The library's own code is never
 * answered from here: it measures in real time. */
#ifndef ROTA_SIMULATE_LIBC_CLOCK_H
#define ROTA_SIMULATE_LIBC_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct rota_libc_clock {
  bool (*is_here)(void); /* the calling thread goes by virtual time */
  uint64_t (*monotonic_ns)(void);
  uint64_t (*wall_ns)(void);
  void (*sleep_ns)(uint64_t duration_ns);
  /* The calling thread waits outside of its loop, until due_ns of the monotonic clock, and has waited for so long in
   * real time since it was last asked. Moves the clock as far as that may be. Returns whether it is there. */
  bool (*waits)(uint64_t due_ns, uint64_t waited_ns);
};

/* In librota-clock.so. */
void rota_clock_attach(const struct rota_libc_clock *clock) __attribute__((weak));

/* In librota, when virtual time begins. */
void rota__libc_clock_start(void);
bool rota__libc_clock_is_attached(void); /* librota-clock.so is there: the program is somebody else's */
/* The calling thread has a loop that goes by virtual time. */
void rota__libc_clock_mark_thread(void);

#endif
