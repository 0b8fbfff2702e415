/* Conditions. */
#include "loop/base/check.h"
#include "loop/base/units.h"
#include "loop/core/io_hook.h"
#include "uv.h"

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
