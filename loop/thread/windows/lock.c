/* Locks, conditions, one value for each thread, and one call for all of them. A critical section is recursive, so both
 * kinds of mutex are. */
#include "loop/base/check.h"
#include "loop/base/units.h"
#include "loop/core/io_hook.h"
#include "loop/os/windows/convert.h"
#include "uv.h"

/* ---- locks ---- */

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

/* ---- conditions ---- */

int uv_cond_init(uv_cond_t *cond) {
  InitializeConditionVariable(&cond->cond_var);
  return 0;
}

/* The system keeps nothing for it. */
void uv_cond_destroy(uv_cond_t *cond) {
  (void)cond;
}

void uv_cond_signal(uv_cond_t *cond) {
  WakeConditionVariable(&cond->cond_var);
}

void uv_cond_broadcast(uv_cond_t *cond) {
  WakeAllConditionVariable(&cond->cond_var);
}

void uv_cond_wait(uv_cond_t *cond, uv_mutex_t *mutex) {
  rota__hook_thread_rests();
  rota__check(SleepConditionVariableCS(&cond->cond_var, mutex, INFINITE));
}

int uv_cond_timedwait(uv_cond_t *cond, uv_mutex_t *mutex, uint64_t timeout) {
  uint64_t timeout_ms = timeout / NS_PER_MS + (timeout % NS_PER_MS != 0);
  rota__hook_thread_rests();
  if (SleepConditionVariableCS(&cond->cond_var, mutex, timeout_ms < INFINITE ? (DWORD)timeout_ms : INFINITE - 1))
    return 0;
  rota__check(GetLastError() == ERROR_TIMEOUT);
  return UV_ETIMEDOUT;
}

/* ---- keys and once ---- */

int uv_key_create(uv_key_t *key) {
  key->tls_index = TlsAlloc();
  return key->tls_index == TLS_OUT_OF_INDEXES ? UV_ENOMEM : 0;
}

void uv_key_delete(uv_key_t *key) {
  rota__check(TlsFree(key->tls_index));
  key->tls_index = TLS_OUT_OF_INDEXES;
}

/* Null is a value, too, so only the error tells whether the key exists. */
void *uv_key_get(uv_key_t *key) {
  void *value = TlsGetValue(key->tls_index);
  rota__check(value != NULL || GetLastError() == ERROR_SUCCESS);
  return value;
}

void uv_key_set(uv_key_t *key, void *value) {
  rota__check(TlsSetValue(key->tls_index, value));
}

static BOOL CALLBACK call(INIT_ONCE *once, void *callback, void **unused) {
  void (**function)(void) = callback;
  (void)once;
  (void)unused;
  (*function)();
  return TRUE;
}

void uv_once(uv_once_t *guard, void (*callback)(void)) {
  rota__check(InitOnceExecuteOnce(&guard->init_once, call, &callback, NULL));
}
