/* librota-clock.so: the C library's clocks, sleeps and waits, by virtual time.
 *
 * librota's virtual clock is visible to callers of libuv. V8, addons and other libraries ask the C library for the
 * time. This library is preloaded and replaces these functions of the C library. It passes every call on until
 * librota's virtual time begins (simulate/libc_clock.h). After that it passes on the calls of threads without a loop,
 * and those of librota itself, which measures in real time. `rota` preloads it only if time is to be virtual. */
#ifndef GRAFT_CLOCK_H
#define GRAFT_CLOCK_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "simulate/libc_clock.h"

#define CLOCK_EXPORT __attribute__((visibility("default")))

enum { CLOCK_NS_PER_SECOND = 1000000000 };

/* The C library's own functions, looked up by the first caller. */
struct clock_real {
  int (*clock_gettime)(clockid_t clock, struct timespec *now);
  int (*gettimeofday)(struct timeval *now, void *zone);
  time_t (*time)(time_t *now);
  int (*timespec_get)(struct timespec *now, int base);
  int (*clock_nanosleep)(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest);
  int (*nanosleep)(const struct timespec *duration, struct timespec *rest);
  int (*usleep)(useconds_t duration_us);
  unsigned int (*sleep)(unsigned int duration_s);
  int (*pthread_cond_timedwait)(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until);
  int (*pthread_cond_clockwait)(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                                const struct timespec *until);
  int (*sem_timedwait)(sem_t *sem, const struct timespec *until);
  int (*sem_clockwait)(sem_t *sem, clockid_t clock, const struct timespec *until);
  long (*syscall)(long number, ...);
};

const struct clock_real *clock_real(void);

/* The virtual clock, if the caller, by its return address, and its thread go by it; else null. */
const struct rota_libc_clock *clock_for(const void *caller);
#define CLOCK_FOR_CALLER() clock_for(__builtin_return_address(0))

static inline struct timespec clock_timespec(uint64_t ns) {
  return (struct timespec){.tv_sec = (time_t)(ns / CLOCK_NS_PER_SECOND), .tv_nsec = (long)(ns % CLOCK_NS_PER_SECOND)};
}

/* Saturates: a caller may wait until the largest possible time. */
static inline uint64_t clock_ns(const struct timespec *time) {
  if (time->tv_sec < 0)
    return 0;
  uint64_t ns;
  if (__builtin_mul_overflow((uint64_t)time->tv_sec, (uint64_t)CLOCK_NS_PER_SECOND, &ns) ||
      __builtin_add_overflow(ns, (uint64_t)time->tv_nsec, &ns) || ns > INT64_MAX)
    return INT64_MAX;
  return ns;
}

#endif
