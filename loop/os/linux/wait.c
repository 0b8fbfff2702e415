/* Barriers, and conditions by the monotonic clock, as pthreads has them. */
#include <errno.h>
#include <time.h>

#include "loop/base/units.h"
#include "loop/os/clock.h"
#include "loop/os/thread.h"

int rota__os_barrier_init(uv_barrier_t *barrier, unsigned int count) {
  return -pthread_barrier_init(barrier, NULL, count);
}

int rota__os_barrier_destroy(uv_barrier_t *barrier) {
  return -pthread_barrier_destroy(barrier);
}

int rota__os_barrier_wait(uv_barrier_t *barrier) {
  int result = pthread_barrier_wait(barrier);
  return result == PTHREAD_BARRIER_SERIAL_THREAD ? 1 : -result;
}

int rota__os_cond_init(pthread_cond_t *cond) {
  pthread_condattr_t attributes;
  int err = -pthread_condattr_init(&attributes);
  if (err != 0)
    return err;
  err = -pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  if (err == 0)
    err = -pthread_cond_init(cond, &attributes);
  pthread_condattr_destroy(&attributes);
  return err;
}

int rota__os_cond_wait_for(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t timeout_ns) {
  uint64_t due_ns;
  if (__builtin_add_overflow(rota__os_clock_ns(), timeout_ns, &due_ns))
    due_ns = UINT64_MAX; /* in some centuries */
  struct timespec due = {.tv_sec = (time_t)(due_ns / NS_PER_SECOND), .tv_nsec = (long)(due_ns % NS_PER_SECOND)};
  return -pthread_cond_timedwait(cond, mutex, &due);
}
