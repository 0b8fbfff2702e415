/* Waiting for other threads: semaphores, conditions, barriers. As with locks, misuse stops the program. */
#include <time.h>

#include "loop/base/check.h"
#include "loop/core/observe.h"
#include "loop/os/clock.h"
#include "loop/os/thread.h"
#include "uv.h"

enum { NS_PER_SECOND = 1000000000 };

int uv_sem_init(uv_sem_t *sem, unsigned int value) {
  return rota__os_sem_init(sem, value);
}

void uv_sem_destroy(uv_sem_t *sem) {
  rota__check(rota__os_sem_destroy(sem) == 0);
}

void uv_sem_post(uv_sem_t *sem) {
  rota__check(rota__os_sem_post(sem) == 0);
}

void uv_sem_wait(uv_sem_t *sem) {
  rota__steer_thread_rests();
  rota__check(rota__os_sem_wait(sem) == 0);
}

int uv_sem_trywait(uv_sem_t *sem) {
  int err = rota__os_sem_trywait(sem);
  rota__check(err == 0 || err == UV_EAGAIN);
  return err;
}

/* Conditions use the monotonic clock: setting the wall clock must not change the length of a wait. */
int uv_cond_init(uv_cond_t *cond) {
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

void uv_cond_destroy(uv_cond_t *cond) {
  rota__check(pthread_cond_destroy(cond) == 0);
}

void uv_cond_signal(uv_cond_t *cond) {
  rota__check(pthread_cond_signal(cond) == 0);
}

void uv_cond_broadcast(uv_cond_t *cond) {
  rota__check(pthread_cond_broadcast(cond) == 0);
}

void uv_cond_wait(uv_cond_t *cond, uv_mutex_t *mutex) {
  rota__steer_thread_rests();
  rota__check(pthread_cond_wait(cond, mutex) == 0);
}

int uv_cond_timedwait(uv_cond_t *cond, uv_mutex_t *mutex, uint64_t timeout) {
  uint64_t due_ns;
  if (__builtin_add_overflow(rota__os_clock_ns(), timeout, &due_ns))
    due_ns = UINT64_MAX; /* in some centuries */
  struct timespec due = {.tv_sec = (time_t)(due_ns / NS_PER_SECOND), .tv_nsec = (long)(due_ns % NS_PER_SECOND)};
  rota__steer_thread_rests();
  int error = pthread_cond_timedwait(cond, mutex, &due);
  rota__check(error == 0 || error == ETIMEDOUT);
  return error == 0 ? 0 : UV_ETIMEDOUT;
}

int uv_barrier_init(uv_barrier_t *barrier, unsigned int count) {
  return -pthread_barrier_init(barrier, NULL, count);
}

void uv_barrier_destroy(uv_barrier_t *barrier) {
  rota__check(pthread_barrier_destroy(barrier) == 0);
}

/* Positive for one of the threads, which may then destroy the barrier: pthreads waits there until the others have left.
 */
int uv_barrier_wait(uv_barrier_t *barrier) {
  int result = pthread_barrier_wait(barrier);
  rota__check(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
  return result == PTHREAD_BARRIER_SERIAL_THREAD;
}
