/* Locks. A critical section is recursive, so both kinds of mutex are. */
#include "uv.h"

int uv_mutex_init(uv_mutex_t *mutex) {
  InitializeCriticalSection(mutex);
  return 0;
}

int uv_mutex_init_recursive(uv_mutex_t *mutex) {
  return uv_mutex_init(mutex);
}

void uv_mutex_destroy(uv_mutex_t *mutex) {
  DeleteCriticalSection(mutex);
}

void uv_mutex_lock(uv_mutex_t *mutex) {
  EnterCriticalSection(mutex);
}

int uv_mutex_trylock(uv_mutex_t *mutex) {
  return TryEnterCriticalSection(mutex) ? 0 : UV_EBUSY;
}

void uv_mutex_unlock(uv_mutex_t *mutex) {
  LeaveCriticalSection(mutex);
}

int uv_rwlock_init(uv_rwlock_t *rwlock) {
  InitializeSRWLock(&rwlock->read_write_lock_);
  return 0;
}

/* The system keeps nothing for it. */
void uv_rwlock_destroy(uv_rwlock_t *rwlock) {
  (void)rwlock;
}

void uv_rwlock_rdlock(uv_rwlock_t *rwlock) {
  AcquireSRWLockShared(&rwlock->read_write_lock_);
}

int uv_rwlock_tryrdlock(uv_rwlock_t *rwlock) {
  return TryAcquireSRWLockShared(&rwlock->read_write_lock_) ? 0 : UV_EBUSY;
}

void uv_rwlock_rdunlock(uv_rwlock_t *rwlock) {
  ReleaseSRWLockShared(&rwlock->read_write_lock_);
}

void uv_rwlock_wrlock(uv_rwlock_t *rwlock) {
  AcquireSRWLockExclusive(&rwlock->read_write_lock_);
}

int uv_rwlock_trywrlock(uv_rwlock_t *rwlock) {
  return TryAcquireSRWLockExclusive(&rwlock->read_write_lock_) ? 0 : UV_EBUSY;
}

void uv_rwlock_wrunlock(uv_rwlock_t *rwlock) {
  ReleaseSRWLockExclusive(&rwlock->read_write_lock_);
}
