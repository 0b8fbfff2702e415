/* What threads ask of the system, beyond pthreads: FreeBSD has processors for threads, the others have not. */
#include "loop/os/thread.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __FreeBSD__
#include <pthread_np.h>
#include <sys/cpuset.h>
#endif
#ifdef __OpenBSD__
#include <pthread_np.h>
#endif
#ifdef __NetBSD__
#include <lwp.h>
#endif

void rota__os_brief_lock_init(pthread_mutex_t *lock) {
  pthread_mutex_init(lock, NULL);
}

size_t rota__os_page_size(void) {
  return (size_t)sysconf(_SC_PAGESIZE);
}

size_t rota__os_stack_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY)
    return 0;
  return (size_t)limit.rlim_cur;
}

size_t rota__os_stack_smallest(void) {
  long smallest = sysconf(_SC_THREAD_STACK_MIN);
  return smallest > 0 ? (size_t)smallest : 16384;
}

int rota__os_online_cpus(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : (int)count;
}

bool rota__os_has_cpus(void) {
  static _Atomic int count;
  int known = atomic_load_explicit(&count, memory_order_relaxed);
  if (known == 0) {
    known = rota__os_online_cpus();
    atomic_store_explicit(&count, known, memory_order_relaxed);
  }
  return known > 1;
}

#ifdef __FreeBSD__
int rota__os_allowed_cpus(void) {
  cpuset_t set;
  CPU_ZERO(&set);
  return cpuset_getaffinity(CPU_LEVEL_WHICH, CPU_WHICH_TID, -1, sizeof(set), &set) < 0 ? -errno : CPU_COUNT(&set);
}

int rota__os_cpu_mask_size(void) {
  return CPU_SETSIZE;
}

int rota__os_affinity(pthread_t thread, char *mask) {
  cpuset_t set;
  CPU_ZERO(&set);
  int err = -pthread_getaffinity_np(thread, sizeof(set), &set);
  for (size_t i = 0; err == 0 && i < CPU_SETSIZE; i++)
    mask[i] = CPU_ISSET(i, &set) != 0;
  return err;
}

int rota__os_set_affinity(pthread_t thread, const char *mask) {
  cpuset_t set;
  CPU_ZERO(&set);
  for (size_t i = 0; i < CPU_SETSIZE; i++)
    if (mask[i])
      CPU_SET(i, &set);
  return -pthread_setaffinity_np(thread, sizeof(set), &set);
}
#else
int rota__os_allowed_cpus(void) {
  return rota__os_online_cpus();
}

int rota__os_cpu_mask_size(void) {
  return -ENOTSUP;
}

int rota__os_affinity(pthread_t thread, char *mask) {
  (void)thread;
  (void)mask;
  return -ENOTSUP;
}

int rota__os_set_affinity(pthread_t thread, const char *mask) {
  (void)thread;
  (void)mask;
  return -ENOTSUP;
}
#endif

int rota__os_current_cpu(void) {
  return -ENOTSUP;
}

/* Niceness is the whole process's here: a thread that asks for its own must not change the others'. */
int rota__os_thread_nice(int *nice) {
  errno = 0; /* -1 is a niceness, too */
  *nice = getpriority(PRIO_PROCESS, 0);
  return -errno;
}

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

static int number(void) {
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

int rota__os_thread_id(void) {
  static _Thread_local int id;
  if (id == 0)
    id = number();
  return id;
}

int rota__os_thread_number(void) {
  return number();
}

void rota__os_stay_loaded(void) {
  Dl_info library;
  /* The handle is not closed. This has no effect if the library is linked into the program. */
  if (dladdr(__extension__(void *) rota__os_stay_loaded, &library) != 0 && library.dli_fname != NULL)
    (void)dlopen(library.dli_fname, RTLD_NOW);
}
