/* Locks. They cannot fail in a correct program, so an error of pthreads other than "taken" stops the program. */
#include "loop/base/check.h"
#include "uv.h"

int uv_mutex_init(uv_mutex_t *mutex) {
  return -pthread_mutex_init(mutex, NULL);
}

int uv_mutex_init_recursive(uv_mutex_t *mutex) {
  pthread_mutexattr_t attributes;
  int err = -pthread_mutexattr_init(&attributes);
  if (err != 0)
    return err;
  err = -pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  if (err == 0)
    err = -pthread_mutex_init(mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  return err;
}

void uv_mutex_destroy(uv_mutex_t *mutex) {
  rota__check(pthread_mutex_destroy(mutex) == 0);
}

void uv_mutex_lock(uv_mutex_t *mutex) {
  rota__check(pthread_mutex_lock(mutex) == 0);
}

/* EAGAIN: taken, and too often by the same thread, or by too many readers. */
static int taken_or_check(int error) {
  rota__check(error == 0 || error == EBUSY || error == EAGAIN);
  return error == 0 ? 0 : UV_EBUSY;
}

int uv_mutex_trylock(uv_mutex_t *mutex) {
  return taken_or_check(pthread_mutex_trylock(mutex));
}

void uv_mutex_unlock(uv_mutex_t *mutex) {
  rota__check(pthread_mutex_unlock(mutex) == 0);
}

int uv_rwlock_init(uv_rwlock_t *rwlock) {
  return -pthread_rwlock_init(rwlock, NULL);
}

void uv_rwlock_destroy(uv_rwlock_t *rwlock) {
  rota__check(pthread_rwlock_destroy(rwlock) == 0);
}

void uv_rwlock_rdlock(uv_rwlock_t *rwlock) {
  rota__check(pthread_rwlock_rdlock(rwlock) == 0);
}

int uv_rwlock_tryrdlock(uv_rwlock_t *rwlock) {
  return taken_or_check(pthread_rwlock_tryrdlock(rwlock));
}

void uv_rwlock_rdunlock(uv_rwlock_t *rwlock) {
  rota__check(pthread_rwlock_unlock(rwlock) == 0);
}

void uv_rwlock_wrlock(uv_rwlock_t *rwlock) {
  rota__check(pthread_rwlock_wrlock(rwlock) == 0);
}

int uv_rwlock_trywrlock(uv_rwlock_t *rwlock) {
  return taken_or_check(pthread_rwlock_trywrlock(rwlock));
}

void uv_rwlock_wrunlock(uv_rwlock_t *rwlock) {
  rota__check(pthread_rwlock_unlock(rwlock) == 0);
}
