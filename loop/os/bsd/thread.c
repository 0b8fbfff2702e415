/* Threads of the BSDs and macOS: names and numbers, stacks, and the lock that a signal handler may take. */
#include "loop/os/thread.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <unistd.h>
#include <unwind.h>

#include "loop/os/memory.h"
#include "loop/os/signal.h"

/* ---- threads ---- */

#if defined(__FreeBSD__) || defined(__OpenBSD__)
#include <pthread_np.h>
#endif
#ifdef __NetBSD__
#include <lwp.h>
#endif

void rota__os_brief_lock_init(pthread_mutex_t *lock) {
  pthread_mutex_init(lock, NULL);
}

int rota__os_current_cpu(void) {
  return -ENOTSUP;
}

/* Niceness is the whole process's here: a thread that asks for its own must not change the others'. */
int rota__os_thread_set_nice(int nice) {
  (void)nice;
  return -ENOTSUP;
}

int rota__os_thread_set_name(const char *name) {
#if defined(__APPLE__)
  return -pthread_setname_np(name);
#elif defined(__NetBSD__)
  return -pthread_setname_np(pthread_self(), "%s", (void *)name);
#else
  pthread_set_name_np(pthread_self(), name);
  return 0;
#endif
}

int rota__os_thread_name_of(pthread_t thread, char *name, size_t size) {
#if defined(__APPLE__) || defined(__NetBSD__)
  return -pthread_getname_np(thread, name, size);
#else
  pthread_get_name_np(thread, name, size);
  return 0;
#endif
}

int rota__os_thread_number(void) {
#if defined(__APPLE__)
  uint64_t id = 0;
  pthread_threadid_np(NULL, &id);
  return (int)id;
#elif defined(__FreeBSD__)
  return pthread_getthreadid_np();
#elif defined(__NetBSD__)
  return (int)_lwp_self();
#else
  return (int)getthrid();
#endif
}

/* ---- stacks ----
 *
 * Stacks by the compiler's runtime. Another thread's stack is not to be had: these systems have no way to signal a
 * thread by the number that tools know it by, so a watchdog tells the callback and no stack. */

struct unwinding {
  void **frames;
  int count;
  int max;
  int skipped;
};

static _Unwind_Reason_Code on_frame(struct _Unwind_Context *context, void *data) {
  struct unwinding *state = data;
  if (state->skipped < 1) {
    state->skipped++;
    return _URC_NO_REASON;
  }
  if (state->count == state->max)
    return _URC_END_OF_STACK;
  state->frames[state->count++] = (void *)_Unwind_GetIP(context);
  return _URC_NO_REASON;
}

void rota__os_backtrace_prepare(void) {
  void *frame;
  rota__os_backtrace(&frame, 1);
}

int rota__os_backtrace(void **frames, int frames_max) {
  struct unwinding state = {.frames = frames, .max = frames_max};
  _Unwind_Backtrace(on_frame, &state);
  return state.count;
}

int rota__os_backtrace_of(int thread_id, void **frames, int frames_max, uint64_t timeout_ns, long *call) {
  (void)thread_id;
  (void)frames;
  (void)frames_max;
  (void)timeout_ns;
  *call = -1;
  return -ENOTSUP;
}

/* ---- the lock of signal handlers ----
 *
 * The lock that a signal handler may take. There is no call to wait for it that handlers may make on all of these
 * systems, and it is held for moments: who waits gives the processor away. */

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
