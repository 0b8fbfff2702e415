/* The lock that a signal handler may take. There is no call to wait for it that handlers may make on all of these
 * systems, and it is held for moments: who waits gives the processor away. */
#include <sched.h>
#include <stddef.h>

#include "loop/os/signal.h"

void rota__os_signal_lock(struct rota_os_signal_lock *lock, sigset_t *saved) {
  if (saved != NULL)
    rota__os_signals_block(saved);
  while (atomic_exchange_explicit(&lock->state, 1, memory_order_acquire) != 0)
    sched_yield();
}

void rota__os_signal_unlock(struct rota_os_signal_lock *lock, const sigset_t *saved) {
  atomic_store_explicit(&lock->state, 0, memory_order_release);
  if (saved != NULL)
    rota__os_signals_restore(saved);
}
