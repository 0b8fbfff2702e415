/* The lock that a signal handler may take, by futex. */
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "loop/os/signal.h"

void rota__os_signal_lock(struct rota_os_signal_lock *lock, sigset_t *saved) {
  int state = 0;
  if (saved != NULL)
    rota__os_signals_block(saved);
  if (atomic_compare_exchange_strong_explicit(&lock->state, &state, 1, memory_order_acquire, memory_order_relaxed))
    return;
  if (state != 2)
    state = atomic_exchange_explicit(&lock->state, 2, memory_order_acquire);
  while (state != 0) {
    syscall(SYS_futex, &lock->state, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
    state = atomic_exchange_explicit(&lock->state, 2, memory_order_acquire);
  }
}

void rota__os_signal_unlock(struct rota_os_signal_lock *lock, const sigset_t *saved) {
  if (atomic_exchange_explicit(&lock->state, 0, memory_order_release) == 2)
    syscall(SYS_futex, &lock->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  if (saved != NULL)
    rota__os_signals_restore(saved);
}
