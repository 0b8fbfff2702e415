/* Names, processors and niceness of threads, and the lock that a signal handler may take. */
#include "loop/os/thread.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "loop/os/signal.h"

/* ---- threads ---- */

void rota__os_brief_lock_init(pthread_mutex_t *lock) {
#ifdef __GLIBC__
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ADAPTIVE_NP);
  pthread_mutex_init(lock, &kind);
  pthread_mutexattr_destroy(&kind);
#else
  pthread_mutex_init(lock, NULL); /* musl's locks spin a little by themselves */
#endif
}

int rota__os_current_cpu(void) {
  int cpu = sched_getcpu();
  return cpu < 0 ? -errno : cpu;
}

/* 0 is the calling thread. */
int rota__os_thread_set_nice(int nice) {
  return setpriority(PRIO_PROCESS, 0, nice) < 0 ? -errno : 0;
}

int rota__os_thread_set_name(const char *name) {
  return prctl(PR_SET_NAME, name) < 0 ? -errno : 0;
}

int rota__os_thread_name_of(pthread_t thread, char *name, size_t size) {
  return -pthread_getname_np(thread, name, size);
}

int rota__os_thread_number(void) {
  return (int)syscall(SYS_gettid);
}

/* ---- the lock of signal handlers ----
 *
 * The lock that a signal handler may take, by futex. */

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
