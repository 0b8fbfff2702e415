/* What threads ask of the system, and ask in the same way on every one: sizes of memory, processors, niceness,
 * affinity. */
#include "loop/os/thread.h"

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __FreeBSD__
#include <pthread_np.h>
#include <sys/cpuset.h>
#endif

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
  /* Asked at run time: it grows with the registers of the processor and with the program's thread-local variables. */
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

int rota__os_thread_id(void) {
  static _Thread_local int id;
  if (id == 0)
    id = rota__os_thread_number();
  return id;
}

/* 0 is the caller: its thread on Linux, its process elsewhere. */
int rota__os_thread_nice(int *nice) {
  errno = 0; /* -1 is a niceness, too */
  *nice = getpriority(PRIO_PROCESS, 0);
  return -errno;
}

/* Where a library cannot be kept by a flag, a handle that is never closed keeps it. */
#if !defined(RTLD_NOLOAD) || !defined(RTLD_NODELETE)
#define KEEP 0
#else
#define KEEP (RTLD_NOLOAD | RTLD_NODELETE)
#endif

/* This has no effect if the library is linked into the program. */
void rota__os_stay_loaded(void) {
  Dl_info library;
  if (dladdr(__extension__(void *) rota__os_stay_loaded, &library) != 0 && library.dli_fname != NULL)
    (void)dlopen(library.dli_fname, RTLD_NOW | KEEP);
}

/* ---- affinity ---- */

#if defined(__linux__) || defined(__FreeBSD__)
#ifdef __linux__
typedef cpu_set_t cpu_mask;
#else
typedef cpuset_t cpu_mask;
#endif

int rota__os_allowed_cpus(void) {
  cpu_mask set;
  CPU_ZERO(&set);
  int err = -pthread_getaffinity_np(pthread_self(), sizeof(set), &set);
  return err < 0 ? err : CPU_COUNT(&set);
}

int rota__os_cpu_mask_size(void) {
  return CPU_SETSIZE;
}

int rota__os_affinity(pthread_t thread, char *mask) {
  cpu_mask set;
  CPU_ZERO(&set);
  int err = -pthread_getaffinity_np(thread, sizeof(set), &set);
  for (size_t i = 0; err == 0 && i < CPU_SETSIZE; i++)
    mask[i] = CPU_ISSET(i, &set) != 0;
  return err;
}

int rota__os_set_affinity(pthread_t thread, const char *mask) {
  cpu_mask set;
  CPU_ZERO(&set);
  for (size_t i = 0; i < CPU_SETSIZE; i++)
    if (mask[i])
      CPU_SET(i, &set);
  return -pthread_setaffinity_np(thread, sizeof(set), &set);
}
#else
/* Threads have no processors of their own here. */
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
