/* Threads: what they ask of the system in the same way on every one, and how they wait. */
#include "loop/os/thread.h"

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#ifdef __FreeBSD__
#include <pthread_np.h>
#include <sys/cpuset.h>
#endif

#include "loop/base/units.h"
#include "loop/os/outcome.h"

/* ---- sizes, processors, niceness ---- */

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

/* ---- semaphores, barriers, and conditions by the monotonic clock; macOS has its own (darwin/wait.c) ---- */

#ifndef __APPLE__
int rota__os_sem_init(uv_sem_t *sem, unsigned int value) {
  return (int)rota__os_outcome(sem_init(sem, 0, value));
}

int rota__os_sem_destroy(uv_sem_t *sem) {
  return (int)rota__os_outcome(sem_destroy(sem));
}

int rota__os_sem_post(uv_sem_t *sem) {
  return (int)rota__os_outcome(sem_post(sem));
}

int rota__os_sem_wait(uv_sem_t *sem) {
  int result;
  do
    result = sem_wait(sem);
  while (rota__os_interrupted(result));
  return (int)rota__os_outcome(result);
}

int rota__os_sem_trywait(uv_sem_t *sem) {
  int result;
  do
    result = sem_trywait(sem);
  while (rota__os_interrupted(result));
  return (int)rota__os_outcome(result);
}

/* The longest wait is a century: a sum beyond what time_t holds would be in the past. */
static struct timespec after(clockid_t clock, uint64_t timeout_ns) {
  const uint64_t longest_ns = (uint64_t)100 * 365 * 24 * 3600 * NS_PER_SECOND;
  struct timespec until;
  if (timeout_ns > longest_ns)
    timeout_ns = longest_ns;
  clock_gettime(clock, &until);
  uint64_t ns = (uint64_t)until.tv_nsec + timeout_ns % NS_PER_SECOND;
  until.tv_sec += (time_t)(timeout_ns / NS_PER_SECOND + ns / NS_PER_SECOND);
  until.tv_nsec = (long)(ns % NS_PER_SECOND);
  return until;
}

/* POSIX waits for a semaphore by the wall clock: when somebody sets that clock, a wait is too long or too short. glibc
 * can wait by the monotonic clock, since 2.30. The reference is weak, since the library is also built for 2.28. */
typedef int clock_wait(sem_t *sem, clockid_t clock, const struct timespec *until);
#ifdef __GLIBC__
#pragma weak sem_clockwait
static clock_wait *find_clock_wait(void) {
  return sem_clockwait;
}
#else
static clock_wait *find_clock_wait(void) {
  return NULL;
}
#endif

int rota__os_sem_wait_for(uv_sem_t *sem, uint64_t timeout_ns) {
  clock_wait *by_clock = find_clock_wait();
  struct timespec until = after(by_clock != NULL ? CLOCK_MONOTONIC : CLOCK_REALTIME, timeout_ns);
  int result;
  do
    result = by_clock != NULL ? by_clock(sem, CLOCK_MONOTONIC, &until) : sem_timedwait(sem, &until);
  while (rota__os_interrupted(result));
  return (int)rota__os_outcome(result);
}

int rota__os_barrier_init(uv_barrier_t *barrier, unsigned int count) {
  return -pthread_barrier_init(barrier, NULL, count);
}

int rota__os_barrier_destroy(uv_barrier_t *barrier) {
  return -pthread_barrier_destroy(barrier);
}

int rota__os_barrier_wait(uv_barrier_t *barrier) {
  int result = pthread_barrier_wait(barrier);
  return result == PTHREAD_BARRIER_SERIAL_THREAD ? 1 : -result;
}

int rota__os_cond_init(pthread_cond_t *cond) {
  pthread_condattr_t attributes;
  int err = -pthread_condattr_init(&attributes);
  if (err != 0)
    return err;
  err = -pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  if (err == 0)
    err = -pthread_cond_init(cond, &attributes);
  pthread_condattr_destroy(&attributes);
  return err;
}

int rota__os_cond_wait_for(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t timeout_ns) {
  struct timespec due = after(CLOCK_MONOTONIC, timeout_ns);
  return -pthread_cond_timedwait(cond, mutex, &due);
}
#endif
