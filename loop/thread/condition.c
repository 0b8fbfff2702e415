/* Conditions, by the monotonic clock: setting the wall clock must not change the length of a wait. As with locks,
 * misuse stops the program. */
#include "loop/base/check.h"
#include "loop/core/io_hook.h"
#include "loop/os/thread.h"
#include "uv.h"

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
