/* Waiting for other threads: semaphores, barriers. As with locks, misuse stops the program. */
#include "loop/base/check.h"
#include "loop/core/io_hook.h"
#include "loop/os/thread.h"
#include "uv.h"

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
  rota__hook_thread_rests();
  rota__check(rota__os_sem_wait(sem) == 0);
}

int uv_sem_trywait(uv_sem_t *sem) {
  int err = rota__os_sem_trywait(sem);
  rota__check(err == 0 || err == UV_EAGAIN);
  return err;
}

int uv_barrier_init(uv_barrier_t *barrier, unsigned int count) {
  return rota__os_barrier_init(barrier, count);
}

void uv_barrier_destroy(uv_barrier_t *barrier) {
  rota__check(rota__os_barrier_destroy(barrier) == 0);
}

/* Positive for one of the threads, which may then destroy the barrier: destroying waits until the others have left. */
int uv_barrier_wait(uv_barrier_t *barrier) {
  int result = rota__os_barrier_wait(barrier);
  rota__check(result >= 0);
  return result;
}
