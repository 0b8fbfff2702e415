/* Semaphores of Mach, and barriers, which pthreads does not have here.
 *
 * A barrier counts the threads in, and out again: the last one that came in gets 1. It may destroy the barrier, which
 * waits until the others have left. Invariant: `in` grows while threads come, `out` while they leave; both are 0
 * between two rounds. */
#include <errno.h>
#include <limits.h>
#include <mach/mach.h>
#include <mach/semaphore.h>
#include <stddef.h>

#include "loop/base/alloc.h"
#include "loop/base/units.h"
#include "loop/os/thread.h"

static int from_kern(kern_return_t result) {
  switch (result) {
  case KERN_SUCCESS:
    return 0;
  case KERN_INVALID_ADDRESS:
  case KERN_INVALID_ARGUMENT:
    return -EINVAL;
  case KERN_RESOURCE_SHORTAGE:
    return -ENOMEM;
  case KERN_OPERATION_TIMED_OUT:
    return -ETIMEDOUT;
  default:
    return -EINVAL;
  }
}

int rota__os_sem_init(uv_sem_t *sem, unsigned int value) {
  return value > INT_MAX ? -EINVAL : from_kern(semaphore_create(mach_task_self(), sem, SYNC_POLICY_FIFO, (int)value));
}

int rota__os_sem_destroy(uv_sem_t *sem) {
  return from_kern(semaphore_destroy(mach_task_self(), *sem));
}

int rota__os_sem_post(uv_sem_t *sem) {
  return from_kern(semaphore_signal(*sem));
}

int rota__os_sem_wait(uv_sem_t *sem) {
  kern_return_t result;
  do
    result = semaphore_wait(*sem);
  while (result == KERN_ABORTED);
  return from_kern(result);
}

static kern_return_t wait_for(uv_sem_t *sem, uint64_t timeout_ns) {
  mach_timespec_t limit = {.tv_sec = (unsigned int)(timeout_ns / NS_PER_SECOND),
                           .tv_nsec = (clock_res_t)(timeout_ns % NS_PER_SECOND)};
  kern_return_t result;
  do
    result = semaphore_timedwait(*sem, limit);
  while (result == KERN_ABORTED);
  return result;
}

int rota__os_sem_trywait(uv_sem_t *sem) {
  kern_return_t result = wait_for(sem, 0);
  return result == KERN_OPERATION_TIMED_OUT ? -EAGAIN : from_kern(result);
}

int rota__os_sem_wait_for(uv_sem_t *sem, uint64_t timeout_ns) {
  return from_kern(wait_for(sem, timeout_ns));
}

/* ---- conditions ---- */

int rota__os_cond_init(pthread_cond_t *cond) {
  return -pthread_cond_init(cond, NULL);
}

/* A relative wait is not by the wall clock. */
int rota__os_cond_wait_for(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t timeout_ns) {
  struct timespec limit = {(time_t)(timeout_ns / NS_PER_SECOND), (long)(timeout_ns % NS_PER_SECOND)};
  return -pthread_cond_timedwait_relative_np(cond, mutex, &limit);
}

/* ---- barriers ---- */

struct rota_barrier {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  unsigned int threshold;
  unsigned int in;
  unsigned int out;
};

int rota__os_barrier_init(uv_barrier_t *barrier, unsigned int count) {
  if (barrier == NULL || count == 0)
    return -EINVAL;
  struct rota_barrier *made = rota__calloc(1, sizeof(*made));
  if (made == NULL)
    return -ENOMEM;
  int err = -pthread_mutex_init(&made->lock, NULL);
  if (err == 0 && (err = -pthread_cond_init(&made->changed, NULL)) != 0)
    pthread_mutex_destroy(&made->lock);
  if (err != 0) {
    rota__free(made);
    return err;
  }
  made->threshold = count;
  barrier->barrier = made;
  return 0;
}

int rota__os_barrier_wait(uv_barrier_t *barrier) {
  struct rota_barrier *self = barrier->barrier;
  if (self == NULL)
    return -EINVAL;
  pthread_mutex_lock(&self->lock);
  while (self->out != 0) /* the last round is not over */
    pthread_cond_wait(&self->changed, &self->lock);
  bool last = ++self->in == self->threshold;
  if (last) {
    self->out = self->threshold;
    pthread_cond_broadcast(&self->changed);
  }
  while (self->out == 0)
    pthread_cond_wait(&self->changed, &self->lock);
  if (--self->out == 0)
    self->in = 0;
  pthread_cond_broadcast(&self->changed);
  pthread_mutex_unlock(&self->lock);
  return last;
}

int rota__os_barrier_destroy(uv_barrier_t *barrier) {
  struct rota_barrier *self = barrier->barrier;
  if (self == NULL)
    return -EINVAL;
  pthread_mutex_lock(&self->lock);
  while (self->out != 0)
    pthread_cond_wait(&self->changed, &self->lock);
  bool waited_for = self->in != 0;
  pthread_mutex_unlock(&self->lock);
  if (waited_for)
    return -EBUSY;
  pthread_cond_destroy(&self->changed);
  pthread_mutex_destroy(&self->lock);
  rota__free(self);
  barrier->barrier = NULL;
  return 0;
}
