/* The clock, which goes only as the model lets it, and what threads ask of the machine. */
#include "loop/os/clock.h"

#include "loop/base/units.h"
#include "loop/os/model/model.h"
#include "loop/os/thread.h"

static const uint64_t BOOT_S = 1700000000; /* the wall clock when the other one was 0 */

/* Who looks at the clock again and again does not keep others from running. */
uint64_t rota__os_clock_ns(void) {
  rota__model_pass(1 + rota__model_below(50));
  if (rota__model_chance(20))
    rota__model_yield();
  return rota__model_now_ns();
}

double rota__model_wall_seconds(void) {
  return (double)BOOT_S + (double)rota__model_now_ns() / NS_PER_SECOND;
}

int rota__os_clock_read(clockid_t clock, struct timespec *now) {
  uint64_t ns = rota__os_clock_ns();
  now->tv_sec = (time_t)(ns / NS_PER_SECOND + (clock == CLOCK_REALTIME ? BOOT_S : 0));
  now->tv_nsec = (long)(ns % NS_PER_SECOND);
  return 0;
}

void rota__os_sleep_ns(uint64_t duration_ns) {
  rota__model_wait(NULL, NULL, rota__model_now_ns() + duration_ns, NULL);
}

struct rota_os_clock rota__os_clock = {rota__os_clock_ns, rota__os_clock_ns, rota__os_clock_read, rota__os_sleep_ns};

/* The processor's counter is the machine's, and is not looked at. */
_Atomic(const struct rota_os_rate *) rota__os_rate;

bool rota__os_cycles_trusted(void) {
  return false;
}

void rota__os_cycles_prepare(void) {
}

void rota__os_cycles_adjust(void) {
}

uint64_t rota__os_millisecond_next(struct rota_os_millisecond *now) {
  now->ms = rota__os_clock.loop_ns() / NS_PER_MS;
  return now->ms;
}

void rota__os_millisecond_distrust(struct rota_os_millisecond *now) {
  (void)now;
}

/* ---- processors and threads ---- */

size_t rota__os_page_size(void) {
  return 4096;
}

size_t rota__os_stack_limit(void) {
  return 0;
}

size_t rota__os_stack_smallest(void) {
  return 16384;
}

int rota__os_current_cpu(void) {
  return 0;
}

int rota__os_allowed_cpus(void) {
  return rota__os_online_cpus();
}

int rota__os_online_cpus(void) {
  return rota__model_options()->has_processors ? 2 : 1;
}

bool rota__os_has_cpus(void) {
  return rota__os_online_cpus() > 1;
}

int rota__os_cpu_mask_size(void) {
  return -ENOTSUP;
}

int rota__os_affinity(pthread_t thread, char *mask) {
  (void)thread, (void)mask;
  return -ENOTSUP;
}

int rota__os_set_affinity(pthread_t thread, const char *mask) {
  (void)thread, (void)mask;
  return -ENOTSUP;
}

int rota__os_thread_nice(int *nice) {
  *nice = 0;
  return 0;
}

int rota__os_thread_set_nice(int nice) {
  (void)nice;
  return -EPERM;
}

int rota__os_thread_set_name(const char *name) {
  (void)name;
  return 0;
}

int rota__os_thread_name_of(pthread_t thread, char *name, size_t size) {
  (void)thread;
  if (size > 0)
    name[0] = '\0';
  return 0;
}

void rota__os_stay_loaded(void) {
}

int rota__os_thread_id(void) {
  return rota__os_thread_number();
}

int rota__os_thread_number(void) {
  return (int)rota__model_self();
}
