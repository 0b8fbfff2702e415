#include "loop/os/thread.h"

#include <dlfcn.h>
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

static id_t thread_id(void) {
  return (id_t)syscall(SYS_gettid);
}

int rota__os_thread_nice(int *nice) {
  errno = 0; /* -1 is a niceness, too */
  *nice = getpriority(PRIO_PROCESS, thread_id());
  return -errno;
}

int rota__os_thread_set_nice(int nice) {
  return setpriority(PRIO_PROCESS, thread_id(), nice) < 0 ? -errno : 0;
}

int rota__os_thread_set_name(const char *name) {
  return prctl(PR_SET_NAME, name) < 0 ? -errno : 0;
}

int rota__os_thread_name_of(pthread_t thread, char *name, size_t size) {
  return -pthread_getname_np(thread, name, size);
}

int rota__os_thread_number(void) {
  return (int)thread_id();
}

void rota__os_stay_loaded(void) {
  Dl_info library;
  /* The handle is not closed. This has no effect if the library is linked into the program. */
  if (dladdr(__extension__(void *) rota__os_stay_loaded, &library) != 0 && library.dli_fname != NULL)
    (void)dlopen(library.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}
