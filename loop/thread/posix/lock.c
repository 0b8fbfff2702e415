/* Locks, conditions, one value for each thread, and one call for all of them. None can fail in a correct program, so an
 * error of pthreads other than "taken" stops the program. Conditions go by the monotonic clock: setting the wall clock
 * must not change the length of a wait. */
#include "loop/base/check.h"
#include "loop/core/io_hook.h"
#include "loop/os/thread.h"
#include "uv.h"

/* ---- locks ---- */

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

/* ---- conditions ---- */

int uv_cond_init(uv_cond_t *cond) {
  return rota__os_cond_init(cond);
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
  rota__hook_thread_rests();
  rota__check(pthread_cond_wait(cond, mutex) == 0);
}

int uv_cond_timedwait(uv_cond_t *cond, uv_mutex_t *mutex, uint64_t timeout) {
  rota__hook_thread_rests();
  int err = rota__os_cond_wait_for(cond, mutex, timeout);
  rota__check(err == 0 || err == UV_ETIMEDOUT);
  return err;
}

/* ---- keys and once ---- */

int uv_key_create(uv_key_t *key) {
  return -pthread_key_create(key, NULL);
}

void uv_key_delete(uv_key_t *key) {
  rota__check(pthread_key_delete(*key) == 0);
}

void *uv_key_get(uv_key_t *key) {
  return pthread_getspecific(*key);
}

void uv_key_set(uv_key_t *key, void *value) {
  rota__check(pthread_setspecific(*key, value) == 0);
}

void uv_once(uv_once_t *guard, void (*callback)(void)) {
  rota__check(pthread_once(guard, callback) == 0);
}
