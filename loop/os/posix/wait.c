/* Semaphores, barriers, and conditions by the monotonic clock, as POSIX has them. macOS has its own (darwin/wait.c). */
#ifndef __APPLE__
#include <semaphore.h>
#include <time.h>

#include "loop/base/units.h"
#include "loop/os/outcome.h"
#include "loop/os/thread.h"

int rota__os_sem_init(uv_sem_t *sem, unsigned int value) {
  return (int)rota__os_outcome(sem_init(sem, 0, value));
}

int rota__os_sem_destroy(uv_sem_t *sem) {
  return (int)rota__os_outcome(sem_destroy(sem));
}

int rota__os_sem_post(uv_sem_t *sem) {
  return (int)rota__os_outcome(sem_post(sem));
}

int rota__os_sem_wait(uv_sem_t *sem) {
  int result;
  do
    result = sem_wait(sem);
  while (rota__os_interrupted(result));
  return (int)rota__os_outcome(result);
}

int rota__os_sem_trywait(uv_sem_t *sem) {
  int result;
  do
    result = sem_trywait(sem);
  while (rota__os_interrupted(result));
  return (int)rota__os_outcome(result);
}

/* The longest wait is a century: a sum beyond what time_t holds would be in the past. */
static struct timespec after(clockid_t clock, uint64_t timeout_ns) {
  const uint64_t longest_ns = (uint64_t)100 * 365 * 24 * 3600 * NS_PER_SECOND;
  struct timespec until;
  if (timeout_ns > longest_ns)
    timeout_ns = longest_ns;
  clock_gettime(clock, &until);
  uint64_t ns = (uint64_t)until.tv_nsec + timeout_ns % NS_PER_SECOND;
  until.tv_sec += (time_t)(timeout_ns / NS_PER_SECOND + ns / NS_PER_SECOND);
  until.tv_nsec = (long)(ns % NS_PER_SECOND);
  return until;
}

/* POSIX waits for a semaphore by the wall clock: when somebody sets that clock, a wait is too long or too short. glibc
 * can wait by the monotonic clock, since 2.30. The reference is weak, since the library is also built for 2.28. */
typedef int clock_wait(sem_t *sem, clockid_t clock, const struct timespec *until);
#ifdef __GLIBC__
#pragma weak sem_clockwait
static clock_wait *find_clock_wait(void) {
  return sem_clockwait;
}
#else
static clock_wait *find_clock_wait(void) {
  return NULL;
}
#endif

int rota__os_sem_wait_for(uv_sem_t *sem, uint64_t timeout_ns) {
  clock_wait *by_clock = find_clock_wait();
  struct timespec until = after(by_clock != NULL ? CLOCK_MONOTONIC : CLOCK_REALTIME, timeout_ns);
  int result;
  do
    result = by_clock != NULL ? by_clock(sem, CLOCK_MONOTONIC, &until) : sem_timedwait(sem, &until);
  while (rota__os_interrupted(result));
  return (int)rota__os_outcome(result);
}

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
  struct timespec due = after(CLOCK_MONOTONIC, timeout_ns);
  return -pthread_cond_timedwait(cond, mutex, &due);
}
#endif
