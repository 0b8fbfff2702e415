#include "simulate/clock.h"

#include <stdatomic.h>

#include "loop/base/units.h"
#include "loop/os/clock.h"
#include "simulate/libc_clock.h"

enum {
  READ_NS = 100,             /* about as long as a real one takes */
  FREE_READS = 1000,         /* of a loop between two waits: they take no time */
  FREE_ENGINE_READS = 20000, /* of an engine, which makes some thousands while it compiles its modules at the start */
  COSTLY_READ_NS = 1000      /* each further one */
};

/* The time at which the clock begins, if it was not read before: later than the uptime of any machine, and exact in a
 * double in nanoseconds. */
static const uint64_t begin_ns = 8000000000000000;

static _Atomic bool on, stands;
static _Atomic uint64_t now_ns;
static int64_t wall_ahead_ns; /* of the time of day; written before the clock is put in place */
static _Thread_local unsigned int reads, engine_reads;
static _Thread_local uint64_t (*drift)(void);

uint64_t rota__virtual_clock_ns(void) {
  return atomic_load(&now_ns);
}

void rota__virtual_clock_set(uint64_t ns) {
  uint64_t before = atomic_load(&now_ns);
  while (before < ns && !atomic_compare_exchange_weak(&now_ns, &before, ns))
    ;
}

void rota__virtual_clock_add(uint64_t duration_ns) {
  atomic_fetch_add(&now_ns, duration_ns);
}

void rota__virtual_clock_stand(bool is_still) {
  atomic_store(&stands, is_still);
}

void rota__virtual_clock_begin_wait(void) {
  reads = engine_reads = 0;
}

void rota__virtual_clock_drift(uint64_t (*drift_ns)(void)) {
  drift = drift_ns;
}

static uint64_t read_ns(unsigned int *count, unsigned int free_reads) {
  if (*count < free_reads)
    ++*count;
  else if (!atomic_load(&stands))
    rota__virtual_clock_add(COSTLY_READ_NS);
  return rota__virtual_clock_ns();
}

uint64_t rota__virtual_clock_read_ns(void) {
  return read_ns(&reads, FREE_READS);
}

uint64_t rota__virtual_clock_engine_read_ns(void) {
  return read_ns(&engine_reads, FREE_ENGINE_READS);
}

static uint64_t loop_ns(void) {
  if (drift != NULL)
    rota__virtual_clock_add(drift());
  return rota__virtual_clock_read_ns();
}

static uint64_t program_ns(void) {
  if (atomic_load(&stands))
    return atomic_load(&now_ns);
  return atomic_fetch_add(&now_ns, READ_NS) + READ_NS;
}

uint64_t rota__virtual_clock_wall_ns(void) {
  return program_ns() + (uint64_t)wall_ahead_ns; /* wraps, which is intended if the day began before the clock did */
}

static int read_clock(clockid_t clock, struct timespec *now) {
  uint64_t ns = clock == CLOCK_REALTIME ? rota__virtual_clock_wall_ns() : program_ns();
  now->tv_sec = (time_t)(ns / NS_PER_SECOND);
  now->tv_nsec = (long)(ns % NS_PER_SECOND);
  return 0;
}

void rota__virtual_clock_start(bool from_zero, int64_t wall_ns, void (*sleep_ns)(uint64_t duration_ns)) {
  uint64_t real_ns = rota__os_clock_ns();
  struct timespec day = {0};
  if (wall_ns < 0 && rota__os_clock_read(CLOCK_REALTIME, &day) == 0)
    wall_ns = (int64_t)day.tv_sec * NS_PER_SECOND + day.tv_nsec;
  uint64_t first_ns = from_zero && real_ns < begin_ns ? begin_ns : real_ns;
  /* Milliseconds of both clocks begin together: then Date measures a timer's duration exactly, and does not advance
   * between two readings of one moment. */
  first_ns -= first_ns % NS_PER_MS;
  wall_ns -= wall_ns % (int64_t)NS_PER_MS;
  atomic_store(&now_ns, first_ns);
  wall_ahead_ns = wall_ns - (int64_t)first_ns;
  rota__os_clock =
      (struct rota_os_clock){.loop_ns = loop_ns, .program_ns = program_ns, .read = read_clock, .sleep_ns = sleep_ns};
  atomic_store(&on, true);
  rota__libc_clock_start();
}

bool rota__virtual_clock_on(void) {
  return atomic_load(&on);
}
