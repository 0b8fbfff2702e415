#include "loop/os/thread.h"

#include <errno.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

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
